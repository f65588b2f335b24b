"""The time of the public functions beside resiliparse and lexbor, in one run over the same pages.

    python bench/render.py [--every 6] [--rounds 3] [--only large|small] [--store]

Large pages are those of WCXB, small ones those of dragnet-dev; every Nth is read. Each page goes through all
functions in turn, round after round. Those of the other packages come first, then one of ours that is in no ratio, so
that their effect on the allocator is in no ratio. *Cold* is the first call with a page, *warm* the best of the others;
both are processor time in milliseconds. The ratios are of warm times: parsing and plain extraction against the other
packages, and the time that each output format adds to ``extract(html).text`` in multiples of ``parse(html)``, on
average and on the worst page.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

import webstrata
from pages import html_of, progress, wcxb_pages
from results import store
from webstrata.text import Column

ADDED = ("markdown", "html", "metadata", "json")


def functions() -> dict[str, Callable[[bytes], object]]:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding
    from selectolax.lexbor import LexborHTMLParser

    def resiliparse(html: bytes) -> str:
        text: str = extract_plain_text(bytes_to_str(html, detect_encoding(html)), main_content=True)
        return text

    return {
        "lexbor": LexborHTMLParser,
        "resiliparse": resiliparse,
        "segment": webstrata.segment,
        "parse": webstrata.parse,
        "text": lambda html: webstrata.extract(html).text,
        "markdown": lambda html: webstrata.extract(html).markdown,
        "html": lambda html: webstrata.extract(html).html,
        "metadata": lambda html: webstrata.extract(html).metadata.as_dict(),
        "json": lambda html: webstrata.extract(html).json(),
    }


def seconds(function: Callable[[bytes], object], html: bytes) -> float:
    start = time.thread_time()
    function(html)
    return time.thread_time() - start


def measure(pages: list[bytes], what: str, rounds: int) -> dict[str, Column]:
    """For each function the times of each page: one row for the first, one for the best of the following."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in functions()}
    for html in progress(pages, what):
        times = [{name: seconds(function, html) for name, function in functions().items()} for _ in range(1 + rounds)]
        for name, rows in found.items():
            rows.append((times[0][name], min(one[name] for one in times[1:])))
    return {name: np.array(rows).T for name, rows in found.items()}


def ratios(times: dict[str, Column]) -> Iterator[tuple[str, str]]:
    warm = {name: rows[1] for name, rows in times.items()}
    yield "parse / lexbor", f"{warm['parse'].sum() / warm['lexbor'].sum():.2f}"
    yield "text / resiliparse", f"{warm['text'].sum() / warm['resiliparse'].sum():.2f}"
    for name in ADDED:
        added = warm[name] - warm["text"]
        most = (added / warm["parse"]).max()
        yield f"{name} above text, in parses", f"{added.sum() / warm['parse'].sum():.2f} (at most {most:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=6, help="read only every Nth page")
    parser.add_argument("--rounds", type=int, default=3, help="how often each page is read after the first time")
    parser.add_argument("--only", choices=("large", "small"))
    parser.add_argument("--store", action="store_true", help="store the results for docs/benchmarks.md")
    options = parser.parse_args()
    sets: dict[str, Callable[[], list[bytes]]] = {
        "large": wcxb_pages,
        "small": lambda: list(html_of("dragnet-dev")),
    }
    for size, read in sets.items():
        if options.only not in (None, size):
            continue
        pages = read()[:: options.every]
        times = measure(pages, size, options.rounds)
        kilobytes = sum(map(len, pages)) / len(pages) / 1000
        about = f"{len(pages)} {size} pages, {kilobytes:.0f} kB on average"
        rows = [(name, *(f"{1000 * row.mean():.3f}" for row in rows)) for name, rows in times.items()]
        rows += [(name, "", value) for name, value in ratios(times)]
        headings = ("ms a page", "cold", "warm")
        table = Table(*headings, title=about)
        for row in rows:
            table.add_row(*row)
        Console().print(table)
        if options.store:
            store(f"output-{size}", about, headings, rows)


if __name__ == "__main__":
    main()
