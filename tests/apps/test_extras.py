"""A command that needs what is not installed says so at once: nothing is asked, read or written before."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from commands import webstrata
from webstrata.errors import MissingExtra, need


@pytest.mark.parametrize(
    ("command", "package", "extra"),
    [
        ("evaluate --dataset tiny --algorithm bf-plain -o OUT", "scipy", "eval"),
        ("evaluate --dataset tiny --algorithm bf-plain -o OUT", "pyarrow", "eval"),
        ("reproduce kreuzer-2013 -o OUT", "sklearn", "eval"),
        ("report .", "statsmodels", "eval"),
        ("train . -o OUT/model.npz", "lightgbm", "train"),
        ("run extract page.html -o OUT", "pyarrow", "scale"),
        ("run extract crawl.warc -o OUT", "fastwarc", "scale"),
        ("run extract page.html -o OUT --engine spark", "pyspark", "spark"),
        ("run extract page.html -o OUT --language en", "py3langid", "language"),
        ("site learn page.html -o OUT --engine spark", "pyspark", "spark"),
        ("links build page.html -o OUT", "pyarrow", "scale"),
        ("render page.html -o OUT", "playwright", "render"),
        ("extract page.html --language en --output-dir OUT", "py3langid", "language"),
    ],
)
def test_it_is_told_before_any_work(
    command: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("page.html", "crawl.warc"):
        Path(name).write_text("<p>one", encoding="utf-8")
    monkeypatch.setitem(sys.modules, package, None)
    result = webstrata(*command.split())
    assert result.exit_code == 2, result.output
    assert f"is not installed: run pip install 'webstrata[{extra}]'" in result.stderr
    assert result.stdout == ""
    assert not Path("OUT").exists()


def test_need_knows_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    need("eval", "scikit-learn", "scipy")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match="scikit-learn is not installed"):
        need("eval", "scipy", "scikit-learn")
