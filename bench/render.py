"""What each way of writing an extraction costs, in milliseconds of processor time a page.

The blocks that are kept are those with at least four of five words in the gold text of WCXB: about what a good
extractor keeps. The same is measured with every shown block kept.

    python bench/render.py [--limit N]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

import webstrata
from pages import progress, wcxb_rows
from webstrata.extraction.base import Extraction, decide
from webstrata.extraction.shallow import KeepAll
from webstrata.page import Page
from webstrata.text import Column

STEPS: dict[str, Callable[[Extraction], object]] = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown,
    "html": lambda found: found.html,
    "json": lambda found: found.json(),
    "metadata": lambda found: found.metadata,
}


def nearly_gold(page: Page, gold: str) -> Column:
    """The shown blocks whose words are nearly all words of the gold text."""
    known = set(gold.split())
    shares = [np.mean([word in known for word in block.text.split()]) if block.words else 0.0 for block in page.blocks]
    return ~page.blocks.hidden & (np.array(shares, float).reshape(-1) >= 0.8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="read only the first pages")
    options = parser.parse_args()
    rows = wcxb_rows("url", "html", "main_content", limit=options.limit)
    seconds: dict[tuple[str, str], list[float]] = {
        (kept, step): [] for kept in ("content", "all") for step in ("parse", *STEPS)
    }
    for row in progress(rows, "render"):
        for kept in ("content", "all"):
            start = time.process_time()
            page = webstrata.parse(row["html"], url=row["url"])
            seconds[kept, "parse"].append(time.process_time() - start)
            keep = nearly_gold(page, row["main_content"] or "") if kept == "content" else ~page.blocks.hidden
            found = decide(KeepAll(), page, keep)
            # JSON holds the metadata; it is measured without, the other way round than it is read.
            for step in ("text", "markdown", "html", "metadata", "json"):
                start = time.process_time()
                STEPS[step](found)
                seconds[kept, step].append(time.process_time() - start)
    table = Table("kept", "", *("parse", *STEPS))
    for kept in ("content", "all"):
        for name, of in (("mean", np.mean), ("median", np.median)):
            table.add_row(kept, name, *(f"{1000 * of(seconds[kept, step]):.2f}" for step in ("parse", *STEPS)))
    Console().print(table)


if __name__ == "__main__":
    main()
