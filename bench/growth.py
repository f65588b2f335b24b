"""Time and memory on hostile pages of 1, 10 and 100 MB: both must grow with the page and no faster.

Each page is parsed in a process of its own, whose peak memory is compared before and after. With --extract its main
content is extracted as well.

    python bench/growth.py [--megabytes 1 10 100] [--extract]
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable

import webstrata
from results import store


def repeat(piece: bytes) -> Callable[[int], bytes]:
    return lambda size: piece * (size // len(piece))


def nested(size: int) -> bytes:
    count = size // 11
    return b"<div>" * count + b"</div>" * count


def attributes(size: int) -> bytes:
    return b"<p " + b" ".join(b"a%d=b" % i for i in range(size // 10)) + b">text"


CASES: dict[str, Callable[[int], bytes]] = {
    "long text": repeat(b"the quick brown fox jumps over the lazy dog, and so on. "),
    "nested elements": nested,
    "attributes of one tag": attributes,
    "nested elements, never closed": repeat(b"<div>"),
    "unclosed tags": repeat(b"<div class=unclosed><p>text "),
    "only <": repeat(b"<"),
    "links": repeat(b"<a href=/somewhere>a word</a> "),
    "table cells": lambda size: b"<table>" + b"<tr><td>a cell of a table" * (size // 25),
    "misnested formatting": repeat(b"<b><i>one<p>two</b>three</i>"),
    "nested tables": repeat(b"<table><tr><td>cell"),
    "end tags that match nothing": repeat(b"</p></div></b>"),
    "unfinished comment": lambda size: b"<p>text<!--" + b"-" * size,
    "script with escapes": repeat(b"<script><!--<script></script>"),
    "character references": repeat(b"&amp;&notit;&#65;"),
    "paragraphs of a letter": repeat(b"<p>x"),
    "Chinese": repeat("网页由层组成，".encode()),
}


def measure(case: str, size: int, extract: bool, connection: multiprocessing.connection.Connection) -> None:
    html = CASES[case](size)
    webstrata.extract(b"<p>warm")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    page = webstrata.parse(html)
    if extract:
        len(webstrata.extract(page).text)
    seconds = time.process_time() - start
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    connection.send((len(html), seconds, grown * 1024, len(page.elements), len(page.blocks)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="*", default=[1, 10, 100])
    parser.add_argument("--extract", action="store_true", help="extract the main content as well")
    parser.add_argument("--store", action="store_true", help="store the results for docs/benchmarks.md")
    options = parser.parse_args()
    print(f"{'case':30} {'MB':>5} {'s':>8} {'ns/byte':>8} {'memory/source':>14} {'elements':>10} {'blocks':>10}")
    context = multiprocessing.get_context("spawn")
    rows = []
    for case in CASES:
        for megabytes in options.megabytes:
            here, there = context.Pipe()
            process = context.Process(target=measure, args=(case, megabytes * 1_000_000, options.extract, there))
            process.start()
            size, seconds, grown, elements, blocks = here.recv()
            process.join()
            print(f"{case:30} {size / 1e6:5.0f} {seconds:8.3f} {seconds / size * 1e9:8.1f} {grown / size:14.2f}"
                  f" {elements:10,} {blocks:10,}")  # fmt: skip
            rows.append(
                (case, f"{size / 1e6:.0f}", f"{seconds:.2f}", f"{seconds / size * 1e9:.1f}", f"{grown / size:.1f}")
            )
    if options.store:
        step = "Parsing and extracting" if options.extract else "Parsing"
        store("growth", f"{step} hostile pages", ("page", "MB", "s", "ns a byte", "memory / source"), rows)


if __name__ == "__main__":
    main()
