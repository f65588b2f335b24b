"""The comforts of the command line: completion, quick help, and missing extras told before any work is done."""

from __future__ import annotations

import os
import subprocess
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


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ex", {"plain,explain", "plain,extract"}),
        ("extract --fav", {"plain,--favour"}),
        ("extract --favour r", {"plain,recall"}),
    ],
)
def test_the_shell_completes(typed: str, expected: set[str]) -> None:
    environment = {**os.environ, "_WEBSTRATA_COMPLETE": "bash_complete", "COMP_WORDS": f"webstrata {typed}"}
    environment["COMP_CWORD"] = str(len(typed.split()))
    code = "import sys; from webstrata.apps.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == expected


def test_help_and_completion_load_no_numpy() -> None:
    code = (
        "import sys; from webstrata.apps.cli import _group; from click import Context;"
        "_group.shell_complete(Context(_group), ''); _group.get_help(Context(_group)); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_need_knows_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    need("eval", "scikit-learn", "scipy")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtra, match="scikit-learn is not installed"):
        need("eval", "scipy", "scikit-learn")
