"""How time, memory and output of everything that is done to a page grow with the page, on pages that hurt.

    python tests/kits/growth_kit.py [--size 65536] [KIND...]

Each kind of page is made in two sizes, one four times the other, and each operation is done to both. Four times the
page may take five times the time at most, the memory may be 60 times the page and a kilobyte for each of its blocks,
and what is written may be 60 times the page. The tests do this with small pages (`test_growth.py`), `make fuzz` with
larger ones. Extractors, segmenters and output formats are read from their registries, so that a new one is measured
as soon as it is registered.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from boxed_pages import boxed

import webstrata
from webstrata.apps.explain import report
from webstrata.errors import InputError
from webstrata.evaluation.answers.mapper import BlockMapper
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import FORMATS
from webstrata.extraction.metadata import metadata
from webstrata.page import Page
from webstrata.search.documents import documents_of
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.html import from_html, to_html
from webstrata.segmentation.picture import densitogram, overlay
from webstrata.sites.classes import refine
from webstrata.sites.fingerprints import paragraph_fingerprints
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree

__all__ = ["KINDS", "OPERATIONS", "Growth", "measure", "too_much"]

#: What four times the page may take: times the time, times the source in memory, times the source in output.
MOST_TIME, MOST_MEMORY, MOST_OUTPUT = 5.0, 60.0, 60.0
# Times below this are noise; memory below this is that of tables and templates which every page shares.
_SECONDS = 0.2
_BYTES = 2_000_000
# A block can have five bytes in the page (x<br>), and is an object with its text and its place wherever it goes.
_BYTES_A_BLOCK = 1000
# Explanations need the nodes of all trees, and what each of 300 features contributes to each of some paragraphs.
_EXPLAIN = 15_000_000


def _filled(head: str, unit: str, n: int, tail: str = "") -> str:
    return head + unit * max(1, (n - len(head) - len(tail)) // len(unit)) + tail


def _json_ld(value: str) -> str:
    return f'<title>Silt</title><script type="application/ld+json">{value}</script><p>text'


def _nested_id(n: int) -> str:
    # Python reads some hundred levels of JSON: many values of these.
    deep = '{"@id":' * 300 + '"x"' + "}" * 300
    return _json_ld("[" + ",".join([deep] * max(1, n // len(deep))) + "]")


def _state(title: str, word: str, n: int) -> str:
    prose = f"{word} settles on the floor of the lake and every winter a dark layer of mud covers it. "
    posts = json.dumps([{"body": prose * 4}] * max(1, n // 2 // (4 * len(prose))), ensure_ascii=False)
    return f'<title>{_filled("", title, n // 4)}</title><script>window.state = {{"posts": {posts}}}</script>'


#: Pages by kind, of about n bytes.
KINDS: dict[str, Callable[[int], str]] = {
    "prose": lambda n: _filled("<h1>Silt</h1>", "<p>Silt settles on the <b>floor</b> of the <a href=/l>lake</a>.", n),
    "date that is none": lambda n: _filled("<h1>T</h1><p>1", " of -", n),
    "date in a time": lambda n: _filled("<h1>T</h1><time>1", " -", n),
    "newlines in pre": lambda n: _filled("<pre>a", "\n", n),
    "newlines in a list": lambda n: _filled("<blockquote>" * 8 + "<pre>a", "\nb", n),
    "combining marks": lambda n: _filled("<title>a", "\u0301\u0316", n // 2) + "</title><h1>a</h1>",
    "authors": lambda n: _json_ld(_filled('{"@type":"Article","author":["', 'Ada S","', n) + '"]}'),
    "different authors": lambda n: _json_ld(
        '{"@type":"Article","author":[' + ",".join(f'"Ada Stone{i}"' for i in range(n // 14)) + "]}"
    ),
    "referenced author": lambda n: _json_ld(
        '[{"@type":"Article","author":['
        + _filled("", '{"@id":"a"},', n // 2)
        + '0]},{"@id":"a","name":"'
        + "A" * (n // 2)
        + '"}]'
    ),
    "nested @id": _nested_id,
    "nested type": lambda n: _nested_id(n).replace("@id", "@type"),
    "broken JSON": lambda n: _json_ld(_filled('{"headline":"', 'x\\"', n)),
    "CJK title and state": lambda n: _state("".join(chr(0x4E00 + i) for i in range(997)), "湖底的淤泥", n // 3),
    "state": lambda n: _state("silt ", "Silt", n),
    "big class": lambda n: _filled(f"<div class='{'x ' * (n // 4)}'>", "<pre>x</pre>", n),
    "backticks": lambda n: _filled("<pre>", "`", n, "</pre>"),
    "runs of backticks": lambda n: _filled("<pre>", "`` ` ``` ", n, "</pre>"),
    "inline backticks": lambda n: _filled("<p><code>", "``` `` ", n, "</code>"),
    "nested lists": lambda n: _filled("", "<ul><li>a", n),
    "nested divs": lambda n: _filled("", "<div>a", n),
    "nested empty": lambda n: _filled("", "<div>", n // 2, "a") + "</div>b" * (n // 14),
    "deep and wide": lambda n: _filled("<div>" * min(500, n // 100), "<p>x", n),
    "deep inline and images": lambda n: _filled("<b>" * (n // 8), "<img src=x.png>", n, "x"),
    "unknown tag": lambda n: _filled(f"<{'x' * (n // 4)}>", "a<b>b</b>", n),
    "torn link": lambda n: _filled(f"<p><a href={'x' * (n // 2)}>", "x<p>", n),
    "torn short link": lambda n: _filled(f"<p><a href={'x' * 1500}>", "x<p>", n),
    "link over breaks": lambda n: _filled(f"<p><a href={'x' * 1500}>", "x<br>", n),
    "base": lambda n: _filled(f"<base href=http://a/{'x' * (n // 2)}/>", "<a href=b>x</a> ", n),
    "short base": lambda n: _filled(f"<base href=http://a/{'x' * 1500}/>", "<p><a href=b>x</a><img src=c>", n),
    "links": lambda n: _filled("<p>", "<a href=/x>x</a> y ", n),
    "nested links": lambda n: _filled("", "<a href=x>y<table><tr><td>", n),
    "unclosed links": lambda n: _filled("", "<a href=x><b>y", n),
    "bold spaces": lambda n: _filled("<p>", "x<b> </b>", n),
    "formatting": lambda n: _filled("<p>", "<b>x<p>", n),
    "table": lambda n: _filled("<table>", "<tr><td colspan=32 rowspan=1000>x<td>y", n),
    "one word": lambda n: _filled("<p>", "word ", n),
    "one word each": lambda n: _filled("", "<p>word", n),
    "spaces in a tag": lambda n: _filled("<div data-block=1", " ", n, ">x</div>"),
    "marks": lambda n: _filled("", '<div data-block="1" data-block-type="x">y', n),
    "equal marks": lambda n: _filled("", '<div data-block="1">', n, "y"),
    "references": lambda n: _filled("<title>", "&#1", n, "</title><p>x"),
    "long reference": lambda n: f"<meta name=description content='&#{'1' * n};'><p>x&#{'1' * n};",
    "meta": lambda n: _filled("", "<meta name=author content='Ada Stone'>", n),
    "hidden": lambda n: _filled("", "<p hidden>x<p>y", n),
    "list items": lambda n: _filled("", "<li>x", n),
    "options": lambda n: _filled("", "<select><option>x", n),
    "adoption": lambda n: _filled("", "<a><b><p>x</a>", n),
    "blockquotes": lambda n: _filled("", "<blockquote>x", n),
    "math": lambda n: _filled("", "<math><mi>x", n),
    "framed": lambda n: _filled("", "<div><table><tr><td>x</table></div>", n),
    "entities": lambda n: _filled("<p>", "&amp;<", n),
}


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


#: What is done to a page; each gives what it writes.
OPERATIONS: dict[str, Callable[[Page], str]] = {
    **{name: _written(name) for name in FORMATS},
    **{f"extract {name}": _extracts(name) for name in EXTRACTORS},
    "metadata": lambda page: repr(metadata(page)),
    "links": lambda page: "".join(link.url for link in page.links),
    "explanations": lambda page: repr(webstrata.extract(page).explanations),
    "site": _site,
    "fingerprints": lambda page: repr(paragraph_fingerprints(page)),
    "search document": lambda page: repr(list(documents_of([page]))),
    "explain": lambda page: report(_extracted(page), name="page"),
    "marks": lambda page: to_html(webstrata.segment(page, "bf-rulebased")),
    "read marks": lambda page: from_html(page.source).json(),
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
    pages = [KINDS[kind](n).encode() for n in (size, 4 * size)]
    do = OPERATIONS[operation]
    seconds = [_seconds(do, page) for page in pages]
    for _ in range(attempts - 1):
        if seconds[1] <= MOST_TIME * max(seconds[0], _SECONDS / MOST_TIME):
            break
        seconds = [min(before, _seconds(do, page)) for before, page in zip(seconds, pages, strict=True)]
    memory, output = _memory(do, pages[0])
    blocks = len(webstrata.parse(pages[0]).blocks)
    sizes = len(pages[0]), len(pages[1])
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
    more = _EXPLAIN if growth.operation in ("explain", "explanations") else 0
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
    gc.collect()
    tracemalloc.start()
    try:
        output = do(webstrata.parse(html, url="http://example.org/"))
        return tracemalloc.get_traced_memory()[1], len(output)
    finally:
        tracemalloc.stop()


def all_of(kinds: list[str], size: int) -> Iterator[Growth]:
    """All operations on these kinds, in three sizes: a quarter of ``size``, ``size``, and four times as large."""
    for kind in kinds:
        for operation in OPERATIONS:
            yield measure(kind, operation, size // 4)
            yield measure(kind, operation, size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="kinds of pages; all by default")
    parser.add_argument("--size", type=int, default=65536, help="bytes of the smaller pages")
    options = parser.parse_args()
    bad = 0
    for growth in all_of(options.kinds or list(KINDS), options.size):
        problem = too_much(growth)
        bad += bool(problem)
        slow = growth.seconds[1] > 1
        if problem or slow:
            print(
                f"{growth.kind}, {growth.operation}: {problem or f'{growth.seconds[1]:.1f} s, which is long'}",
                flush=True,
            )
    print(f"{len(options.kinds or KINDS)} kinds of pages, {len(OPERATIONS)} operations, {bad} grow too much")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
