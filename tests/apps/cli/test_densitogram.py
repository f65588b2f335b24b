"""``webstrata densitogram``, as a user meets it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import Result
from commands import webstrata

HTML = "<h1>Strata</h1><p>A <b>page</b> comes<p>in layers."


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(HTML, encoding="utf-8")
    return str(path)


def run(*arguments: str, code: int = 0) -> Result:
    result = webstrata(*arguments)
    assert result.exit_code == code, result.output
    return result


def test_densitogram(file: str, tmp_path: Path) -> None:
    picture = tmp_path / "new" / "page.svg"
    run("densitogram", file, "-o", str(picture), "--algorithm", "taggap,bf-plain")
    svg = picture.read_text(encoding="utf-8")
    assert "taggap: 5 segments" in svg
    assert "bf-plain: 2 segments" in svg


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium")
def test_densitogram_as_png(file: str, tmp_path: Path) -> None:
    run("densitogram", file, "-o", str(tmp_path / "page.png"))
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
