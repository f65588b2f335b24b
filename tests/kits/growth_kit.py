"""How time, memory and output of everything that is done to a page grow with the page, on pages that hurt.

    python tests/kits/growth_kit.py [--size 65536] [--operation "extract learned"] [KIND...]

Each kind of page (`growing_pages`) is made in two sizes, one four times the other, and each operation is done to both.
Four times the page may take five times the time at most, the memory may be 60 times the page and a kilobyte for each of
its blocks, and what is written may be 60 times the page. The tests do this with small pages (`test_growth.py`), `make
fuzz` with larger ones. Extractors, filters, segmenters, output formats, rules of quality and the functions of the web
page are read from their registries, so that a new one is measured as soon as it is registered; reports are in
`REPORTS`.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np
from boxed_pages import boxed
from growing_pages import KINDS

import webstrata
from webstrata.apps import duplicates_report, explain, site_report
from webstrata.apps.web import analysis
from webstrata.apps.web.stored import StoredPage
from webstrata.duplicates.comparison import TextComparison
from webstrata.errors import InputError
from webstrata.evaluation.answers.mapper import BlockMapper
from webstrata.extraction import EXTRACTORS, FILTERS
from webstrata.extraction.formats import FORMATS
from webstrata.extraction.metadata import metadata
from webstrata.extraction.quality import QUALITY
from webstrata.page import Page
from webstrata.rendering.markers import mark
from webstrata.search.documents import documents_of
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.html import from_html, to_html
from webstrata.segmentation.picture import densitogram, overlay
from webstrata.sites import learn
from webstrata.sites.classes import refine
from webstrata.sites.fingerprints import paragraph_fingerprints
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree
from webstrata.statistics.surveys import Survey, survey_page

__all__ = ["OPERATIONS", "REPORTS", "WEB", "Growth", "conversions", "measure", "too_much"]

#: What four times the page may take: times the time, times the source in memory, times the source in output.
MOST_TIME, MOST_MEMORY, MOST_OUTPUT = 5.0, 60.0, 60.0
# Times below this are noise; memory below this is that of tables and templates which every page shares.
_SECONDS = 0.2
_BYTES = 2_000_000
# A block can have five bytes in the page (x<br>), and is an object with its text and its place wherever it goes.
_BYTES_A_BLOCK = 1000
# Explanations need the nodes of all trees, and what each of 300 features contributes to each of some paragraphs.
_EXPLAIN = 15_000_000
_EXPLAINED = ("explain", "explanations", "web extraction")
# Cells of a column that is long enough to count.
_COLUMN = 64


def _extracted(page: Page) -> webstrata.Extraction:
    return webstrata.extract(page, "keep-all")


def _written(name: str) -> Callable[[Page], str]:
    """What `webstrata.extract` gives in a format."""

    def write(page: Page) -> str:
        found = getattr(_extracted(page), name)
        return str(found() if FORMATS[name].has_decisions else found)

    return write


def _extracts(name: str) -> Callable[[Page], str]:
    return lambda page: webstrata.extract(page, name).text


def _judged(name: str) -> Callable[[Page], str]:
    rules = QUALITY[name]()
    return lambda page: repr(rules(page.text))


def _site(page: Page) -> str:
    """The segments of a page by the tree of its own site."""
    nodes = nodes_of(page)
    return repr(refine(Tree.of([nodes, nodes])).segments(nodes)[0])


def _segmented(name: str) -> Callable[[Page], str]:
    def segmented(page: Page) -> str:
        try:
            return webstrata.segment(page, name).json()
        except InputError:  # it needs a rendered page
            return webstrata.segment(boxed(page), name).json()

    return segmented


def _mapped(page: Page) -> str:
    text = page.text
    return repr(BlockMapper(page).places([text, text + " more", *text.split("\n")[:20]]))


def _site_report(page: Page) -> str:
    if not len(page.blocks):  # nothing to learn
        return ""
    return site_report.report(learn([page, page], extractor=None), learnt="out")


def _duplicates_report(page: Page) -> str:
    comparison = TextComparison(page.text, f"{page.text[: len(page.text) // 2]} and more")
    return duplicates_report.side_by_side(comparison, ("a", "b"), "page")


def _statistics_report(page: Page) -> str:
    """The counts. The fits of the report take seconds for pages of any size."""
    found = Survey.of([survey_page(page)])
    return repr((found.counts, found.terms, found.repeats))


#: The reports, by their modules in `webstrata.apps`.
REPORTS: dict[str, Callable[[Page], str]] = {
    "explain": lambda page: explain.report(_extracted(page), name="page"),
    "site_report": _site_report,
    "duplicates_report": _duplicates_report,
    "statistics_report": _statistics_report,
}

# What the functions of the web page are asked for.
_ASKED: dict[str, Any] = {
    "algorithm": "taggap",
    "other": "justrules",
    "extractor": "keep-all",
    "start": 100,
    "stop": 9000,
    "text": "a passage of the page",
    "form": "markdown",
    "most": 100,
}


def _web(name: str, **given: Any) -> Callable[[Page], str]:
    """A function of `webstrata.apps.web.analysis`, which parses the page that is stored."""
    function = getattr(analysis, name)
    given |= {
        key: _ASKED[key]
        for key, value in list(inspect.signature(function).parameters.items())[1:]
        if key not in given and value.default is inspect.Parameter.empty
    }

    def ask(page: Page) -> str:
        try:
            return str(function(StoredPage(page.source, url=page.url, encoding="utf-8"), **given))
        except InputError as error:  # such as too many levels
            return str(error)

    return ask


_WEB_FUNCTIONS = {
    name
    for name in analysis.__all__
    if callable(getattr(analysis, name))
    and next(iter(inspect.signature(getattr(analysis, name)).parameters)) == "source"
}
_OF_EXTRACTORS = {"extraction": "learned", "pieces": "keep-all", "preview": "keep-all"}
#: The functions of the web page; each result in every form.
WEB: dict[str, Callable[[Page], str]] = {
    **{f"web {name}": _web(name) for name in sorted(_WEB_FUNCTIONS - {"result", *_OF_EXTRACTORS})},
    **{f"web {name}": _web(name, algorithm=algorithm) for name, algorithm in _OF_EXTRACTORS.items()},
    **{f"web {form}": _web("result", form=form) for form in analysis.FORMS if form not in FORMATS},
}


def _all_metadata(page: Page) -> str:
    """The fields, and what is read only on demand."""
    found = metadata(page)
    return f"{found!r} {found.evidence} {found.published} {found.modified} {found.guessed_date} {found.schema}"


#: What is done to a page; each gives what it writes.
OPERATIONS: dict[str, Callable[[Page], str]] = {
    **{name: _written(name) for name in FORMATS},
    **{f"extract {name}": _extracts(name) for name in EXTRACTORS},
    **{f"filter {name}": _extracts(f"keep-all+{name}") for name in FILTERS},
    **{f"quality {name}": _judged(name) for name in QUALITY},
    "structured text": lambda page: webstrata.extract(page, "keep-all", structured=True).text,
    "pruned": lambda page: webstrata.extract(page, "keep-all", prune="p p, li > b, [class~=a], x-a").text,
    "metadata": _all_metadata,
    "links": lambda page: "".join(link.url for link in page.links),
    "chunks": lambda page: repr(_extracted(page).chunks(size=800, overlap=100, segmenter="bf-rulebased")),
    "explanations": lambda page: repr(webstrata.extract(page).explanations),
    "site": _site,
    "fingerprints": lambda page: repr(paragraph_fingerprints(page)),
    "search document": lambda page: repr(list(documents_of([page]))),
    **REPORTS,
    **WEB,
    "marks": lambda page: to_html(webstrata.segment(page, "bf-rulebased")),
    "read marks": lambda page: from_html(page.source).json(),
    "read marks again": lambda page: from_html(to_html(webstrata.segment(page, "taggap"))).json(),
    "markers": lambda page: str(mark(page), "utf-8", "replace"),
    "overlay": lambda page: overlay(webstrata.segment(page, "taggap")),
    "all marks": lambda page: to_html(webstrata.segment(page, "taggap")),
    "densitogram": lambda page: densitogram([webstrata.segment(page, "justrules")]),
    "block mapper": _mapped,
    **{f"segment {name}": _segmented(name) for name in SEGMENTERS},
}


@dataclass(frozen=True, kw_only=True)
class Growth:
    """What one operation took on one kind of page: on the smaller one and on the larger one."""

    kind: str
    operation: str
    sizes: tuple[int, int]
    seconds: tuple[float, float]
    blocks: int
    memory: int
    output: int

    @property
    def ratio(self) -> float:
        """How many times the time was, in which times that are noise count as the most that may be noise."""
        return self.seconds[1] / max(self.seconds[0], _SECONDS / MOST_TIME)


def measure(kind: str, operation: str, size: int, *, attempts: int = 5) -> Growth:
    """Do an operation to a page and to one four times as large; slow ones again, since a machine has other work."""
    small, large = (KINDS[kind](n).encode() for n in (size, 4 * size))
    pages = small, large
    do = OPERATIONS[operation]
    seconds = [0.0, _seconds(do, large)]
    if seconds[1] > _SECONDS:  # less is noise, whatever the smaller one takes
        seconds[0] = _seconds(do, small)
    for _ in range(attempts - 1):
        if seconds[1] <= MOST_TIME * max(seconds[0], _SECONDS / MOST_TIME):
            break
        seconds = [min(before, _seconds(do, page)) for before, page in zip(seconds, pages, strict=True)]
    memory, output = _memory(do, small)
    blocks = len(webstrata.parse(small).blocks)
    sizes = len(small), len(large)
    return Growth(
        kind=kind,
        operation=operation,
        sizes=sizes,
        seconds=(seconds[0], seconds[1]),
        blocks=blocks,
        memory=memory,
        output=output,
    )


def too_much(growth: Growth) -> str:
    """What is wrong with it, or nothing."""
    size = growth.sizes[0]
    if growth.ratio > MOST_TIME:
        return f"{growth.seconds[0]:.3f} s became {growth.seconds[1]:.3f} s"
    more = _EXPLAIN if growth.operation in _EXPLAINED else 0
    if growth.memory > MOST_MEMORY * size + _BYTES_A_BLOCK * growth.blocks + _BYTES + more:
        return f"{size} bytes took {growth.memory} bytes of memory"
    if growth.output > MOST_OUTPUT * size + _BYTES:
        return f"{size} bytes became {growth.output}"
    return ""


def _seconds(do: Callable[[Page], str], html: bytes) -> float:
    page = webstrata.parse(html, url="http://example.org/")
    start = time.process_time()
    do(page)
    return time.process_time() - start


def _memory(do: Callable[[Page], str], html: bytes) -> tuple[int, int]:
    """The most bytes in use at one time, and the length of what was written."""
    tracemalloc.start()
    try:
        output = do(webstrata.parse(html, url="http://example.org/"))
        return tracemalloc.get_traced_memory()[1], len(output)
    finally:
        tracemalloc.stop()


def conversions(kind: str, operation: str, size: int) -> tuple[int, int]:
    """How many searches convert a whole column to the type of the number, on a page and on one four times as large.

    Each takes as long as the column is, so one for each link or block is quadratic, which shows on large pages only.
    """
    search, counts = np.searchsorted, list[int]()

    def counted(column: Any, numbers: Any, *rest: Any, **options: Any) -> Any:
        converted = np.promote_types(np.asarray(numbers).dtype, column.dtype) != column.dtype
        counts[-1] += len(column) >= _COLUMN and converted
        return search(column, numbers, *rest, **options)

    pages = [webstrata.parse(KINDS[kind](n).encode(), url="http://example.org/") for n in (size, 4 * size)]
    with patch.object(np, "searchsorted", counted):
        for page in pages:
            counts.append(0)
            OPERATIONS[operation](page)
    return counts[0], counts[1]


def all_of(kinds: list[str], operations: list[str], size: int) -> Iterator[Growth]:
    """These operations on these kinds, in three sizes: a quarter of ``size``, ``size``, and four times as large."""
    for kind in kinds:
        for operation in operations:
            yield measure(kind, operation, size // 4)
            yield measure(kind, operation, size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kinds of pages; all by default")
    parser.add_argument("--operation", action="append", choices=OPERATIONS, metavar="NAME", help="default: all")
    parser.add_argument("--size", type=int, default=65536, help="bytes of the smaller pages")
    options = parser.parse_args()
    kinds, operations = options.kinds or list(KINDS), options.operation or list(OPERATIONS)
    bad = 0
    for growth in all_of(kinds, operations, options.size):
        problem = too_much(growth)
        bad += bool(problem)
        slow = growth.seconds[1] > 1
        if problem or slow:
            print(
                f"{growth.kind}, {growth.operation}: {problem or f'{growth.seconds[1]:.1f} s, which is long'}",
                flush=True,
            )
    print(f"{len(kinds)} kinds of pages, {len(operations)} operations, {bad} grow too much")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
