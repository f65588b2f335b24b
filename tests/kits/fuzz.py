"""Mutate pages and check what must always hold; segmenters and the extractor with native parts must survive them too.

    python tests/kits/fuzz.py --seconds 600 [--pages 100000] [--seed 1] [FILE...]

Without files the demo pages and the golden pages are the start. A page that breaks an invariant is written to
out/fuzz and ends the run with exit code 1; a crash of the process leaves the last page there.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from invariants import check

import webstrata
from webstrata.apps.explain import report
from webstrata.segmentation.base import RENDERED, SEGMENTERS
from webstrata.segmentation.picture import overlay

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


def pages(seeds: list[bytes], seed: int) -> Iterator[bytes]:
    """Mutated pages without end; nine of ten begin as a short piece of a page, since short pages find more a second."""
    rng = random.Random(seed)
    while True:
        page = rng.choice(seeds)
        if rng.random() < 0.9:
            start = rng.randrange(len(page) + 1)
            page = page[start : start + 2000]
        yield mutate(page, seeds, rng)


def run(
    seeds: list[bytes], *, seconds: float, limit: int | None = None, seed: int = 0, keep: Path | None = None
) -> int:
    """Check mutated pages for some seconds, or `limit` of them; returns how many.

    The failing page is kept in the folder `keep`.
    """
    until = time.monotonic() + seconds
    count = 0
    for html in islice(pages(seeds, seed), limit):
        if time.monotonic() > until:
            break
        if keep is not None:
            (keep / "last.html").write_bytes(html)
        page = webstrata.parse(html)
        check(page)
        for name in SEGMENTERS:
            if SEGMENTERS.needs(name) != RENDERED:
                webstrata.segment(page, name)
        found = webstrata.extract(page)
        for _ in (found.markdown, found.html, found.json(), report(found, name="page")):
            pass
        overlay(webstrata.segment(page, "taggap"))
        assert len(found.keep) == len(page.blocks)
        assert bool(found.text) >= bool(found.keep.any())
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    keep = Path("out/fuzz")
    keep.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    limits = {"seconds": options.seconds, "limit": options.pages}
    try:
        count = run(seed_pages(options.files), **limits, seed=options.seed, keep=keep)
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
