"""Readings over words: the ruby text of Japanese and Chinese pages."""

from __future__ import annotations

from webstrata.page import Page
from webstrata.text import Column

__all__ = ["with_readings", "without_readings"]

# Elements from a reading up to its ``ruby``.
_LEVELS = 3


def without_readings(page: Page, keep: Column) -> Column:
    """The kept blocks without readings: in a line of text, a reading would run together with the word below it.

    >>> from webstrata.page import parse
    >>> page = parse("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>")
    >>> without_readings(page, ~page.blocks.hidden).tolist()
    [True, False, False, False]
    """
    rows = _readings(page)
    if not rows:
        return keep
    whole: Column = keep.copy()
    for row in rows:
        whole[slice(*page.elements.block_span(row))] = False
    return whole if whole.any() else keep  # a page of readings alone keeps them


def with_readings(page: Page, keep: Column) -> Column:
    """The kept blocks with the brackets that the page has around the readings among them.

    >>> from webstrata.page import parse
    >>> page = parse("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>")
    >>> with_readings(page, ~page.blocks.hidden).tolist()
    [True, True, True, True]
    """
    elements = page.elements
    rows = _readings(page)
    if not rows:
        return keep
    whole: Column = keep.copy()
    kept = [elements.block_span(row) for row in rows if keep[slice(*elements.block_span(row))].any()]
    befores, afters = {first for first, _ in kept}, {end for _, end in kept}
    for row in elements.find("rp").tolist():
        first, end = elements.block_span(row)
        if end in befores or first in afters:
            whole[first:end] = True
    return whole


def _readings(page: Page) -> list[int]:
    """The rows of the readings."""
    elements = page.elements
    found = []
    for row in elements.find("rt").tolist():
        around = zip(range(_LEVELS), elements.ancestors(row), strict=False)
        if any(elements[above].tag == "ruby" for _, above in around):
            found.append(row)
    return found
