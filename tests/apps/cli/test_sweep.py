"""``webstrata sweep``, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import Result
from commands import webstrata


def run(*arguments: str, code: int = 0) -> Result:
    result = webstrata(*arguments)
    assert result.exit_code == code, result.output
    return result


def test_sweep(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<h1 data-block="1">one two</h1><p data-block="1">three<p>four', encoding="utf-8")
    (tmp_path / "b.html").write_text('<h1 data-block="1">one</h1><p data-block="1">two three four', encoding="utf-8")
    result = run("sweep", str(tmp_path), "-o", str(tmp_path / "out"))
    assert result.stdout.startswith("2 pages with ground truth\n")
    assert "129/129" in result.stderr
    assert json.loads((tmp_path / "out" / "figures.json").read_text(encoding="utf-8"))["pages"] == 2
    assert (tmp_path / "out" / "zipf.svg").is_file()
