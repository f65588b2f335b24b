"""``webstrata search``: pages are added to an index and removed from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import webstrata

from webstrata.search import Document, Index


@pytest.fixture
def index(tmp_path: Path) -> Index:
    pages = [Document.of_text(f"http://a.org/{name}.html", name, f"All about {name}.") for name in ("clay", "sand")]
    return Index.build(pages, tmp_path / "index")


def write_pages(folder: Path, **texts: str) -> str:
    folder.mkdir()
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(f"<title>{name}</title><p>{text}")
    return str(folder)


def test_pages_are_added_in_place_of_older_ones(index: Index, tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "pages", clay="Quarries, where bricks come from.", silt="Rivers leave it.")
    result = webstrata("search", "add", str(index.folder), folder, "--base-url", "http://a.org/", "--no-site",
                       "--algorithm", "keep-all", "-j", "1")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "3 pages" in result.stdout
    found = index.refreshed()
    assert [answer.url for answer in found.query("bricks")] == ["http://a.org/clay.html"]
    assert found.query("silt").matched == found.query("sand").matched == 1
    assert found.query("about").matched == 1


def test_an_index_to_add_to_must_be_there(tmp_path: Path) -> None:
    result = webstrata("search", "add", str(tmp_path / "index"), write_pages(tmp_path / "pages", a="Text."))
    assert result.exit_code == 2
    assert "no index" in " ".join(result.stderr.split())


def test_pages_are_removed(index: Index, tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("http://a.org/sand.html\n\nhttp://a.org/none.html\n")
    result = webstrata("search", "remove", str(index.folder), "--urls", str(tmp_path / "gone.txt"))
    assert "1 pages removed, 1 left" in " ".join(result.stdout.split())
    assert [answer.url for answer in index.refreshed().query("about")] == ["http://a.org/clay.html"]
    assert "0 pages removed" in webstrata("search", "remove", str(index.folder), "http://a.org/sand.html").stdout
    assert webstrata("search", "remove", str(index.folder)).exit_code == 2
