"""Pages may be given parsed, as HTML, or as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata import extract
from webstrata._pages import AnyPage, page_of, pages_of
from webstrata.errors import InputError
from webstrata.page import parse


def test_each_form_gives_the_same_page(tmp_path: Path) -> None:
    html = "<p>clay and silt"
    path = tmp_path / "page.html"
    path.write_text(html)
    forms: list[AnyPage] = [parse(html), html, html.encode(), path]
    assert [page.text for page in pages_of(forms)] == ["clay and silt"] * 4


def test_pages_may_come_with_their_urls() -> None:
    pages: dict[str, bytes | str] = {"http://a.org/": "clay", "http://b.org/": b"silt"}
    expected = [("http://a.org/", "clay"), ("http://b.org/", "silt")]
    assert [(page.url, page.text) for page in pages_of(pages)] == expected
    assert [(page.url, page.text) for page in pages_of(pages.items())] == expected


def test_a_string_is_html_and_one_that_ends_like_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("<p>clay")
    for html in ("", "plain words", "page.html is a file"):
        assert page_of(html).text == page_of(html.encode()).text == extract(html, "keep-all").text == html
    with pytest.raises(InputError, match="is the name of a file, not HTML: give Path"):
        page_of(str(path))
    assert page_of(path).text == "clay"


@pytest.mark.parametrize("given", [Path("no such file"), Path("a\0b"), 7, None])
def test_anything_else_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="a page is a Page, HTML or a Path"):
        page_of(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [b"<p>", "<p>", parse("<p>"), Path("page.html")])
def test_a_single_page_is_not_many(given: object) -> None:
    with pytest.raises(InputError, match="in a list"):
        pages_of(given)  # type: ignore[arg-type]
