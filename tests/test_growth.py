"""Nothing that is done to a page takes time, memory or output out of proportion to it (`growth_kit`)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle
from pathlib import Path

import pytest
from growing_pages import KINDS
from growth_kit import OPERATIONS, REPORTS, WEB, Growth, conversions, measure, too_much

from webstrata import apps
from webstrata.apps.web.analysis import FORMS
from webstrata.extraction import EXTRACTORS, FILTERS
from webstrata.extraction.formats import FORMATS
from webstrata.extraction.quality import QUALITY
from webstrata.segmentation import SEGMENTERS

pytestmark = pytest.mark.slow

#: What each kind of page was made to hurt. `make fuzz` measures all operations on all kinds, with larger pages.
HURT = {
    "prose": ("extract learned", "explain", "explanations"),
    "date that is none": ("metadata",),
    "date in a time": ("metadata",),
    "dates": ("metadata",),
    "digits of dates": ("metadata",),
    "dates in scripts": ("metadata",),
    "days in addresses": ("metadata",),
    "times": ("metadata",),
    "names of reporters": ("metadata",),
    "links to tags": ("metadata",),
    "reviews": ("metadata",),
    "newlines in pre": ("metadata", "markdown"),
    "newlines in a list": ("markdown",),
    "combining marks": ("metadata",),
    "authors": ("metadata",),
    "different authors": ("metadata",),
    "referenced author": ("metadata",),
    "nested @id": ("metadata", "extract learned"),
    "nested type": ("metadata", "extract learned"),
    "broken JSON": ("metadata", "extract learned"),
    "CJK title and state": ("extract learned",),
    "state": ("extract learned",),
    "big class": ("markdown", "html", "metadata", "segment learned"),
    "backticks": ("markdown",),
    "runs of backticks": ("markdown",),
    "inline backticks": ("markdown",),
    "nested lists": ("segment pagesegmenter", "segment learned", "overlay"),
    "nested divs": ("explain",),
    "nested empty": ("segment pagesegmenter",),
    "deep and wide": ("explain", "segment learned"),
    "deep inline and images": ("html",),
    "unknown tag": ("explain",),
    "torn link": ("markdown", "html", "links", "pruned"),
    "torn short link": ("markdown", "html", "links"),
    "link over breaks": ("markdown", "html"),
    "base": ("markdown", "html", "links"),
    "short base": ("markdown", "html", "links"),
    "links": ("overlay", "marks"),
    "nested links": ("segment pagesegmenter", "marks"),
    "unclosed links": ("marks",),
    "bold spaces": ("markdown",),
    "formatting": ("html",),
    "table": ("markdown", "structured text"),
    "one word": ("block mapper",),
    "one word each": ("overlay", "block mapper"),
    "spaces in a tag": ("read marks",),
    "marks": ("read marks",),
    "equal marks": ("read marks",),
    "references": ("metadata",),
    "long reference": ("metadata", "text"),
    "meta": ("metadata",),
    "hidden": ("explain",),
    "list items": ("all marks", "explanations"),
    "options": ("extract bte", "extract ttr-em", "search document"),
    "adoption": ("site",),
    "blockquotes": ("tei",),
    "math": ("overlay",),
    "framed": ("site",),
    "entities": ("markdown",),
    "exclamation marks": ("quality c4",),
}
#: The same for what shows on larger pages only, and for what each level of a deep page takes.
HURT_LARGE = {"newlines before code": 65536, "torn link": 65536, "gutters in gutters": 200_000}
#: Operations that search for the places of many things.
SEARCHES = (
    ("references to one note", "markdown"),
    ("footnotes", "html"),
    ("unclosed links", "read marks again"),
    ("unclosed links", "web segmentation"),
    ("noscript", "markers"),
)
HURT_DEEP = ("deep code", "lists of notes in each other")


# Done to every kind of page here, and one of these in turn; `make fuzz` does all operations to all kinds.
_ALWAYS = ("markdown", "metadata")
_IN_TURN = ("text", "html", "tei", "json", "links", "marks", "fingerprints", *WEB)


def test_every_kind_is_tried() -> None:
    assert len(KINDS) >= 120
    assert HURT.keys() <= KINDS.keys()
    assert {name for names in HURT.values() for name in names} <= OPERATIONS.keys()


def test_everything_registered_is_measured() -> None:
    """Also what other packages register; `make fuzz` does all operations to all kinds."""
    algorithms: dict[str, Iterable[str]] = {
        "extract": EXTRACTORS,
        "filter": FILTERS,
        "quality": QUALITY,
        "segment": SEGMENTERS,
    }
    named = {*FORMATS, *(f"{verb} {name}" for verb, registry in algorithms.items() for name in registry)}
    assert named <= OPERATIONS.keys()
    assert {f"web {name}" for name in FORMS.keys() - FORMATS.keys()} <= WEB.keys()
    reports = {path.stem for path in Path(apps.__file__).parent.glob("*_report.py")}
    assert REPORTS.keys() == {"explain", *reports}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_all_operations_on_small_blocks(operation: str) -> None:
    growth = measure("one word each", operation, 4096)
    assert not too_much(growth), too_much(growth)


@pytest.mark.parametrize(("kind", "operation"), list(zip(KINDS, cycle(_IN_TURN), strict=False)))
def test_all_kinds_grow_with_their_size(kind: str, operation: str) -> None:
    for each in (*_ALWAYS, operation):
        growth = measure(kind, each, 4096)
        assert not too_much(growth), (each, too_much(growth))


@pytest.mark.parametrize("kind", HURT)
def test_four_times_the_page_takes_four_times_as_much(kind: str) -> None:
    for operation in HURT[kind]:
        growth = measure(kind, operation, 16384)
        assert not too_much(growth), (operation, too_much(growth))


@pytest.mark.parametrize("kind", HURT_LARGE)
def test_larger_pages_take_no_more_for_each_byte(kind: str) -> None:
    growth = measure(kind, "markdown", HURT_LARGE[kind])
    assert not too_much(growth), too_much(growth)


@pytest.mark.parametrize("kind", HURT_DEEP)
def test_levels_do_not_multiply_the_time(kind: str) -> None:
    assert measure(kind, "markdown", 16384).seconds[1] < 0.3


@pytest.mark.parametrize(("kind", "operation"), SEARCHES)
def test_no_column_is_converted_for_each_search(kind: str, operation: str) -> None:
    few, many = conversions(kind, operation, 4096)
    assert many <= few + 4


def test_explanations_of_many_paragraphs_are_computed_in_parts() -> None:
    growth = measure("list items", "explanations", 65536, attempts=1)
    # Three causes a block, each with a phrase and its numbers.
    assert growth.memory < 15_000_000 + 1_500 * growth.blocks


def test_the_measure_tells_too_much() -> None:
    def growth(seconds: tuple[float, float] = (1.0, 4.0), memory: int = 0, output: int = 0) -> Growth:
        return Growth(
            kind="", operation="text", sizes=(10**6, 4 * 10**6), seconds=seconds, blocks=0, memory=memory, output=output
        )

    assert not too_much(growth())
    assert "s became" in too_much(growth(seconds=(1.0, 16.0)))
    assert "of memory" in too_much(growth(memory=70 * 10**6))
    assert "became" in too_much(growth(output=70 * 10**6))
    assert not too_much(growth(seconds=(0.001, 0.1)))
