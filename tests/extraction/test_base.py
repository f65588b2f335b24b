"""The front door of extraction."""

from __future__ import annotations

import pytest

from webstrata.errors import InputError
from webstrata.extraction import extract


def test_an_address_is_not_taken_for_html() -> None:
    with pytest.raises(InputError, match="is an address, not HTML"):
        extract("https://example.org/silt")


@pytest.mark.parametrize("html", ["https://example.org/silt is a page", "http://a.example/<b>", ""])
def test_html_that_begins_with_an_address_is_html(html: str) -> None:
    assert extract(html, "keep-all").text == html.replace("<b>", "")
