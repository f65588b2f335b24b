"""Pages may be given parsed, as HTML, or as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata._pages import AnyPage, page_of, pages_of
from webstrata.errors import InputError
from webstrata.page import parse


def test_each_form_gives_the_same_page(tmp_path: Path) -> None:
    html = "<p>clay and silt"
    path = tmp_path / "page.html"
    path.write_text(html)
    forms: list[AnyPage] = [parse(html), html, html.encode(), path, str(path)]
    assert [page.text for page in pages_of(forms)] == ["clay and silt"] * 5


def test_pages_may_come_with_their_urls() -> None:
    pages: dict[str, bytes | str] = {"http://a.org/": "clay", "http://b.org/": b"silt"}
    expected = [("http://a.org/", "clay"), ("http://b.org/", "silt")]
    assert [(page.url, page.text) for page in pages_of(pages)] == expected
    assert [(page.url, page.text) for page in pages_of(pages.items())] == expected


def test_an_empty_string_is_an_empty_page() -> None:
    assert page_of("").text == page_of(b"").text == ""


@pytest.mark.parametrize("given", ["no such file", Path("no such file"), "a\0b", 7, None])
def test_anything_else_is_refused(given: object) -> None:
    with pytest.raises(InputError, match="a page is a Page, HTML or a path"):
        page_of(given)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [b"<p>", "<p>", parse("<p>"), Path("page.html")])
def test_a_single_page_is_not_many(given: object) -> None:
    with pytest.raises(InputError, match="in a list"):
        pages_of(given)  # type: ignore[arg-type]
