"""How long segmenters take, as shares of the time that parsing takes, and how Block Fusion grows.

Real pages are the Kreuzer pages and those of WCXB (WEBSTRATA_DATA, or ../shared/data beside the project). Each figure
is the sum over the pages of the best of several runs; both sides of a ratio are measured in turn, on the same pages.

    python bench/segment_speed.py [--store]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

import webstrata
from pages import wcxb_pages
from results import store
from webstrata.evaluation.datasets.kreuzer import read
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS, Segmentation
from webstrata.segmentation._fusion import fuse
from webstrata.segmentation.pagesegmenter import PageSegmenter
from webstrata.text import Column

RUNS = 7
TEXT_BASED = ("wordwrap", "taggap", "justrules", "bf-plain", "bf-smoothed", "bf-rulebased")


def best(action: Callable[[], object], runs: int = RUNS) -> float:
    """Seconds of the quickest of several runs."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        action()
        times.append(time.perf_counter() - begun)
    return min(times)


def on_real_pages(pages: list[Page], names: Sequence[str], which: str) -> Table:
    table = Table(title=f"{len(pages)} {which}: milliseconds a page")
    headings = ("step", "ms a page", "of a parse")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "step" else "right")
    rows = []
    parsing = sum(best(partial(webstrata.parse, page.source)) for page in pages)

    def add(name: str, seconds: float) -> None:
        rows.append((name, f"{1e3 * seconds / len(pages):.3f}", f"{seconds / parsing:.2f}"))
        table.add_row(*rows[-1])

    add("parse", parsing)
    for name in names:
        segmenter = SEGMENTERS.make(name)
        add(name, sum(best(partial(segmenter, page)) for page in pages))

    def whole_path(name: str, source: bytes) -> Segmentation:
        return SEGMENTERS.make(name)(webstrata.parse(source))

    for name in ("bf-rulebased", "learned"):
        add(f"bytes to {name}", sum(best(partial(whole_path, name, page.source)) for page in pages))
    if "--store" in sys.argv[1:]:
        store(f"segmenters-{which.split()[0].lower()}", f"{len(pages)} {which}", headings, rows)
    return table


def blocks_like_a_page(n: int) -> tuple[Column, Column, Column]:
    """Words, lines and wrapped words of blocks of mixed lengths."""
    random = np.random.default_rng(0)
    lines = random.geometric(0.6, n).astype(np.int32)
    last = random.integers(1, 13, n).astype(np.int32)
    wrapped = ((lines - 1) * 12).astype(np.int32)
    return wrapped + last, lines, wrapped


def one_fusion_a_pass(n: int) -> tuple[Column, Column, Column]:
    """7 and 13 words by turns, which never meet, and a block of density 10 that takes them in from the right."""
    words = np.where(np.arange(n) % 2, 13, 7).astype(np.int32)
    lines = np.ones(n, np.int32)
    wrapped = np.zeros(n, np.int32)
    lines[-1], words[-1], wrapped[-1] = 50_000_000, 500_000_000, 499_999_990
    return words, lines, wrapped


def growth() -> Table:
    table = Table(title="Block Fusion (plain, theta 0.38) on more and more blocks")
    for heading in ("blocks", "mixed: ms", "ns a block", "passes", "one fusion a pass: ms", "ns a block ", "passes "):
        table.add_column(heading, justify="right")
    for n in (1_000, 10_000, 100_000, 1_000_000):
        row = [f"{n:,}"]
        for make in (blocks_like_a_page, one_fusion_a_pass):
            flags, gap, cuts = np.zeros(n, np.uint8), np.zeros((n, 3), np.uint64), np.zeros(0, np.uint8)
            run = partial(fuse, *make(n), flags, gap, (), cuts, 0.38, 0, 5.0, -1)
            seconds = best(run, 3)
            row += [f"{1e3 * seconds:.2f}", f"{1e9 * seconds / n:.0f}", f"{len(run()[2]):,}"]
        table.add_row(*row)
    return table


def siblings() -> Table:
    table = Table(title="pagesegmenter on siblings of low and high entropy by turns: every range is one node")
    for heading in ("siblings", "ms", "us a sibling"):
        table.add_column(heading, justify="right")
    for n in (1_000, 2_000, 5_000, 10_000, 20_000):
        page = webstrata.parse("<div>" + "<p>x</p><div><b>a</b><i>b</i><u>c</u></div>" * (n // 2) + "</div>")
        seconds = best(partial(PageSegmenter(), page), 3)
        table.add_row(f"{n:,}", f"{1e3 * seconds:.1f}", f"{1e6 * seconds / n:.1f}")
    return table


def main() -> None:
    console = Console(width=120)
    console.print(growth())
    console.print(siblings())
    kreuzer = [item.inputs["html"].page() for item in read()]
    console.print(
        on_real_pages(
            kreuzer, (*TEXT_BASED, "pagesegmenter", "pagesegmenter-blocks", "learned"), "Kreuzer pages, original HTML"
        )
    )
    wcxb = [webstrata.parse(html) for html in wcxb_pages()[::5]]
    console.print(on_real_pages(wcxb, ("bf-rulebased", "learned"), "WCXB pages, every fifth"))


if __name__ == "__main__":
    main()
