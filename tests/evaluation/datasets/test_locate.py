"""Finding the data sets, and saying what to do where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata.errors import InputError
from webstrata.evaluation.datasets.locate import data_path


def test_the_variable_is_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    monkeypatch.setenv("WEBSTRATA_DATA", str(tmp_path))
    assert data_path("set") == (tmp_path / "set").resolve()


def test_a_missing_data_set_raises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEBSTRATA_DATA", str(tmp_path))
    with pytest.raises(InputError, match=r"no data set 'nonesuch' .* set WEBSTRATA_DATA"):
        data_path("nonesuch")
