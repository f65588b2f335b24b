"""How long parsing takes beside other parsers, in one run over the same pages.

Every page is read by each parser in turn, round after round; the best time of each page counts, so that a busy machine
does not decide.

    python bench/parse_speed.py [--rounds 5] [--limit N] [--store]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import webstrata
from pages import progress, wcxb_pages
from results import store


def parsers() -> dict[str, Callable[[bytes], object]]:
    import lxml.html
    from resiliparse.parse.html import HTMLTree
    from selectolax.lexbor import LexborHTMLParser

    return {
        "webstrata.parse": webstrata.parse,
        "selectolax (lexbor)": LexborHTMLParser,
        "lxml": lxml.html.document_fromstring,
        "resiliparse HTMLTree": lambda html: HTMLTree.parse_from_bytes(html, "utf-8"),
    }


def best_ms(pages: list[bytes], rounds: int) -> dict[str, float]:
    """The mean over pages of the best time of each parser."""
    functions = parsers()
    total = dict.fromkeys(functions, 0.0)
    for html in progress(pages, "parsing"):
        for name, parse in functions.items():
            total[name] += min(seconds(parse, html) for _ in range(rounds))
    return {name: value / len(pages) * 1e3 for name, value in total.items()}


def seconds(parse: Callable[[bytes], object], html: bytes) -> float:
    start = time.perf_counter()
    parse(html)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--store", action="store_true", help="store the results for docs/benchmarks.md")
    options = parser.parse_args()
    pages = wcxb_pages(options.limit)
    about = f"{len(pages)} pages, {sum(map(len, pages)) / len(pages) / 1e3:.0f} kB on average"
    print(about)
    best = best_ms(pages, options.rounds)
    reference = best["selectolax (lexbor)"]
    for name, ms in best.items():
        print(f"{name:24} {ms:7.3f} ms a page   {ms / reference:5.2f} of lexbor")
    if options.store:
        rows = [(name, f"{ms:.3f}", f"{ms / reference:.2f}") for name, ms in best.items()]
        store("parse", about, ("parser", "ms a page", "of lexbor"), rows)


if __name__ == "__main__":
    main()
