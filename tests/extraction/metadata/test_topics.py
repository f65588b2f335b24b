"""Tags, categories and licences, as pages name them."""

from __future__ import annotations

import pytest

from webstrata.extraction.metadata import Metadata, metadata
from webstrata.page import parse


def read(html: str) -> Metadata:
    return metadata(parse(html, url="https://example.org/a/"))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta name=keywords content='silt, clay; Sand,, silt '>", ("silt", "clay", "Sand")),
        (
            "<meta property=article:tag content=Silt><meta property=article:tag content='clay, fine'>",
            ("Silt", "clay, fine"),
        ),
        ("<p><a rel='tag nofollow' href=/t>#Silt</a> <a rel=next href=/x>tag</a>", ("Silt",)),
        ("<p><a href=/tag/silt>silt</a>", ()),
        (
            '<script type=application/ld+json>{"@type": "Article", "keywords": ["silt", {"name": "clay"}, 3]}</script>',
            ("silt", "clay"),
        ),
        ('<script type=application/ld+json>{"@type": "Article", "keywords": "silt,clay"}</script>', ("silt", "clay")),
        ("<meta name=keywords content='地层、河流'>", ("地层", "河流")),
    ],
)  # fmt: skip
def test_tags(html: str, expected: tuple[str, ...]) -> None:
    assert read(html).tags == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta property=article:section content='Rivers, lakes'>", ("Rivers, lakes",)),
        ("<a rel='category tag' href=/c>Rivers</a>", ("Rivers",)),
        (
            '<script type=application/ld+json>{"@type": "Article", "articleSection": ["A", "a", "B"]}</script>',
            ("A", "B"),
        ),
    ],
)
def test_categories(html: str, expected: tuple[str, ...]) -> None:
    assert read(html).categories == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a rel=license href=http://creativecommons.org/licenses/by-nc-sa/3.0/deed.de>x</a>", "CC BY-NC-SA 3.0"),
        ("<link rel=license href=https://creativecommons.org/publicdomain/zero/1.0/>", "CC0 1.0"),
        ("<link rel=license href=terms.html>", "https://example.org/a/terms.html"),
        ("<a rel=license href=javascript:alert(1)>x</a>", None),
        ("<a href=/license>Licence</a>", None),
        ("<meta name=dc.rights content='All rights reserved'>", "All rights reserved"),
        (
            '<script type=application/ld+json>{"@type": "Dataset", "license": "https://creativecommons.org/licenses/by/4.0"}'
            "</script>",
            "CC BY 4.0",
        ),
    ],
)  # fmt: skip
def test_licence(html: str, expected: str | None) -> None:
    assert read(html).licence == expected
