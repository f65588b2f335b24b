"""When a page was published and last changed, with the time of the day."""

from __future__ import annotations

import json

import pytest

from webstrata.extraction.metadata import Metadata, metadata
from webstrata.extraction.metadata.moments import moment
from webstrata.page import parse


def read(html: str) -> Metadata:
    return metadata(parse(html, url="https://example.org/2024/05/strata"))


def article(**dates: str) -> str:
    node = json.dumps({"@type": "NewsArticle", "headline": "Strata", **dates})
    return f"<script type=application/ld+json>{node}</script><h1>Strata</h1>"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-05-17T08:05", "2024-05-17T08:05:00"),
        ("2024-05-17 08:05:09 UTC", "2024-05-17T08:05:09Z"),
        ("2024-05-17t08:05:09.123z", "2024-05-17T08:05:09Z"),
        ("2024-05-17T08:05:09+02", "2024-05-17T08:05:09+02:00"),
        ("2024-05-17T08:05:09-0330", "2024-05-17T08:05:09-03:30"),
        ("2024-05-17T25:05:09", None),
        ("2024-13-17T08:05", None),
        ("2024-05-17", None),
        ("2024-05-17T08:05 or later", None),
        ("0" * 100_000, None),
    ],
)
def test_moments(value: str, expected: str | None) -> None:
    assert moment(value) == expected


def test_published_and_modified_are_apart_and_have_times() -> None:
    html = article(datePublished="2024-05-17T08:05:00+02:00", dateModified="2024-06-01T10:00:00Z")
    found = read(f"<meta property=article:published_time content=2024-05-17>{html}")
    assert (found.date, found.published, found.modified) == (
        *("2024-05-17", "2024-05-17T08:05:00+02:00", "2024-06-01T10:00:00Z"),
    )


def test_a_time_of_another_day_is_not_that_of_the_date() -> None:
    html = article(datePublished="2024-05-17") + "<time datetime=2024-05-18T09:00>Saturday</time>"
    assert read(html).published == "2024-05-17"
    # The day is declared without a time, which an element of the body has.
    html = article(datePublished="2024-05-17") + "<time datetime=2024-05-17T09:00>Friday</time>"
    assert read(html).published == "2024-05-17T09:00:00"


@pytest.mark.parametrize("changed", ["2023-01-01", "2999-01-01", "soon", ""])
def test_a_change_is_not_before_the_publication_nor_in_the_future(changed: str) -> None:
    assert read(article(datePublished="2024-05-17", dateModified=changed)).modified is None


def test_changes_of_meta_elements_and_of_the_body() -> None:
    assert read("<meta property=article:modified_time content=2024-06-01T10:00Z>").modified == "2024-06-01T10:00:00Z"
    assert read("<h1>Clay</h1><time class=updated datetime=2024-06-01>June</time>").modified == "2024-06-01"
    assert read("<html lang=en-GB><h1>Clay</h1><time class=updated>3/6/2024</time>").modified == "2024-06-03"
    found = read("<h1>Clay</h1>")
    assert (found.published, found.modified) == (None, None)
