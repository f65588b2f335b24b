"""Ranks on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.links import Ranks
from webstrata.links.topics import Topics


def test_ranks_survive_their_files(tmp_path: Path) -> None:
    topics = Topics.of({"Art": [0, 2], "Maths": [1]})
    ranks = Ranks(np.array([0.5, 0.25, 0.25]), topics, np.eye(3)[:, :2], "Jacobi()")
    folder = f"{tmp_path}/ranks"
    ranks.save(folder)
    opened = Ranks.open(folder)
    assert repr(opened) == "<Ranks of 3 pages and 2 topics by Jacobi()>"
    assert (opened.unbiased == ranks.unbiased).all()
    assert (opened.biased == ranks.biased).all()
    assert [pages.tolist() for pages in opened.topics.pages] == [[0, 2], [1]]
    assert opened.relative[0].mean() == pytest.approx(1)


def test_other_folders_hold_no_ranks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="webstrata links rank"):
        Ranks.open(tmp_path)
