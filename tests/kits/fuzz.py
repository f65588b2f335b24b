"""Mutate pages and check what must always hold, of their tables and of all that is made of them.

    python tests/kits/fuzz.py --seconds 600 [--pages 100000] [--seed 1] [--size 2000] [--hypothesis] [FILE...]

Without files the demo pages and the golden pages are the start. One page of four is made of tags at random
(`tree_pages`); with --hypothesis all are, by hypothesis. What takes long, such as the report with its explanations, is
done to one page of 64 (--rare). A page that breaks an invariant is written to out/fuzz and ends the run with exit code
1; a crash of the process leaves the last page there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import HealthCheck, given, settings
from invariants import check
from tree_pages import steps, trees, written_tree

import webstrata
from webstrata.apps.explain import report
from webstrata.apps.web.frames import framed
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import FORMATS
from webstrata.extraction.pruning import pruned
from webstrata.segmentation.base import RENDERED, SEGMENTERS
from webstrata.segmentation.html import from_html, to_html
from webstrata.segmentation.picture import overlay
from webstrata.sites.nodes import nodes_of

# Pieces that parsers trip over, to be pasted anywhere.
_OPENED = "a b p div table tr td select option svg math template script style textarea title".split()
_CLOSED = "a b p div table tr td select svg math template script body html head form br noscript".split()
PIECES = [
    *(f"<{tag}>" for tag in _OPENED),
    *(f"</{tag}>" for tag in _CLOSED),
    "<", "</", "<!", "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<?", "&", "&#", "&#x110000;", "&notin", "&nGt;", "\0",
    "<svg><title>", "<svg><foreignObject>", "<math><mi>", "<form>", "<font size=1>", "<i><b>", "</i>", "<p hidden>",
    "<a aria-hidden=true>", "<pre>\n", "<plaintext>", "<frameset>", "<noscript>", "<h1><h2>", "<li><li>", "<dd><dt>",
    "<button>", "<nobr>", "<marquee>", "<object>", "<caption>", "<col>", "<x-y>", '="', "'", "/>", "\r\n", "\u3000",
    "漢字", " ", "é", "\U0001f600", "<ruby><rt>", "<image>", '<!doctype html public "-//w3c//dtd html 3.2">',
    "<base href=//>", "&#11111111111;", "<h1>1 of -", "<time>1 de ", "data-block=9999999999", "java&#10;script:",
    "&#13;",
]  # fmt: skip


def mutate(page: bytes, others: list[bytes], rng: random.Random) -> bytes:
    """A page with a few things wrong with it."""
    data = bytearray(page)
    for _ in range(rng.randint(1, 12)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            data[at:at] = rng.choice(PIECES).encode() * rng.choice((1, 1, 1, 7, 600))
        elif kind == 1:
            del data[at : at + rng.choice((1, 3, 50, 2000))]
        elif kind == 2:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif kind == 3:
            other = rng.choice(others)
            start = rng.randrange(len(other) + 1)
            data[at:at] = other[start : start + rng.choice((10, 300, 3000))]
        elif kind == 4:
            piece = data[at : at + rng.choice((5, 40, 400))]
            data[at:at] = piece * rng.choice((1, 3, 20))
        else:
            del data[at:]
    return bytes(data[:200_000])


# Bytes of a piece.
_SIZE = 2000


def pages(seeds: list[bytes], seed: int, *, size: int = _SIZE) -> Iterator[bytes]:
    """Mutated pages without end; nine of ten begin as a short piece of a page, since short pages find more a second."""
    rng = random.Random(seed)
    while True:
        page = rng.choice(seeds)
        if rng.random() < 0.9:
            start = rng.randrange(len(page) + 1)
            page = page[start : start + size]
        yield mutate(page, seeds, rng)


def mixed(seeds: list[bytes], seed: int, *, size: int = _SIZE) -> Iterator[bytes]:
    """Mutated pages, and one of four made of tags."""
    rng = random.Random(seed)
    mutated = pages(seeds, seed, size=size)
    while True:
        yield written_tree(steps(rng)) if rng.random() < 0.25 else next(mutated)


def check_outputs(html: bytes) -> None:
    """What takes milliseconds: all segmenters, the default extractor, and every output."""
    page = webstrata.parse(html)
    for name in SEGMENTERS:
        if SEGMENTERS.needs(name) != RENDERED:
            webstrata.segment(page, name)
    found = webstrata.extract(page)
    assert len(found.keep) == len(page.blocks)
    assert bool(found.text) >= bool(found.keep.any())
    outputs = {name: getattr(found, name) for name in FORMATS}
    made = {name: output() if callable(output) else output for name, output in outputs.items()}
    json.loads(made["json"])
    ElementTree.fromstring(made["tei"])
    repr(found.metadata)
    for chunk in found.chunks(size=200, overlap=50):
        assert len(chunk.text) <= 200
    assert bool(replace(found, structured=True).text) == bool(found.text)
    assert len(pruned(page, "div > p, [class] b, ruby").source) == len(page.source)
    overlay(webstrata.segment(page, "taggap"))


def check_more(html: bytes) -> None:
    """What takes longer: the tables, the report, other extractors, marks and back."""
    page = webstrata.parse(html)
    check(page)
    framed(page)
    report(webstrata.extract(page), name="page")
    for name in EXTRACTORS:
        assert len(webstrata.extract(page, name).keep) == len(page.blocks), name
    marked = webstrata.segment(page, "bf-rulebased")
    # Without marks of ours, those of the page are read.
    assert not marked.segments or from_html(to_html(marked)).segments == marked.segments
    nodes_of(page)


# One of so many pages is checked in every way, the others by the outputs alone.
_RARE = 64


def run(
    seeds: list[bytes],
    *,
    seconds: float,
    limit: int | None = None,
    seed: int = 0,
    size: int = _SIZE,
    keep: Path | None = None,
    rare: int = _RARE,
) -> int:
    """Check mutated pages for some seconds, or `limit` of them; returns how many.

    The failing page is kept in the folder `keep`.
    """
    until = time.monotonic() + seconds
    count = 0
    checked = _checked(keep, rare)
    for html in islice(mixed(seeds, seed, size=size), limit):
        if time.monotonic() > until:
            break
        checked(html)
        count += 1
    return count


def _checked(keep: Path | None, rare: int = _RARE) -> Callable[[bytes], None]:
    count = 0

    def do(html: bytes) -> None:
        nonlocal count
        if keep is not None:
            (keep / "last.html").write_bytes(html)
        check_outputs(html)
        if count % rare == 0:
            check_more(html)
        count += 1
        if count % 10_000 == 0:
            print(f"{count} pages, {time.strftime('%H:%M:%S')}", flush=True)

    return do


def run_hypothesis(*, seconds: float, limit: int | None = None, keep: Path | None = None, rare: int = _RARE) -> int:
    """The same with pages that hypothesis makes; when one fails, it looks for the smallest."""
    until = time.monotonic() + seconds
    count = 0
    checked = _checked(keep, rare)

    @settings(max_examples=1000, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(trees())
    def some(html: bytes) -> None:
        nonlocal count
        count += 1
        checked(html)

    while time.monotonic() < until and (limit is None or count < limit):
        some()
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--size", type=int, default=_SIZE, help="bytes of the pieces that most pages begin as (2000)")
    parser.add_argument("--rare", type=int, default=_RARE, help="one page of so many is checked in every way (64)")
    parser.add_argument("--hypothesis", action="store_true", help="pages that hypothesis makes of tags")
    options = parser.parse_args()
    keep = Path("out/fuzz")
    keep.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    limits = {"seconds": options.seconds, "limit": options.pages}
    try:
        if options.hypothesis:
            count = run_hypothesis(**limits, keep=keep, rare=options.rare)
        else:
            count = run(
                seed_pages(options.files), **limits, seed=options.seed, size=options.size, keep=keep, rare=options.rare
            )
    except Exception:
        print(f"failed: the page is {keep / 'last.html'}", file=sys.stderr)
        raise
    print(f"{count} pages in {time.monotonic() - began:.0f} s, all in order")


def seed_pages(files: list[Path]) -> list[bytes]:
    if not files:
        demo, golden = Path(webstrata.__file__).parent / "demo", Path(__file__).parents[1] / "pages"
        files = sorted([*demo.glob("*.html"), *golden.glob("*/source.html")])
    return [file.read_bytes() for file in files]


if __name__ == "__main__":
    main()
