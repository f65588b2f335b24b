"""Whether a segmentation covers what people see: four counts over the pages of WCXB.

    python bench/segmentation.py                          the default
    python bench/segmentation.py "learned(cover=False)"   another segmenter, or several

- pages with text and no segment;
- pages whose first h1 is in no segment;
- pages where one segment has over 90 % of the shown words;
- pages with repeated markup whose records (posts, cards, rows) are cut one by one.

Records are searched for in the markup alone, by tags and classes that repeat among siblings, and independently of any
segmenter. A record is cut if a segment has its words, give or take a fifth. A page counts if four fifths of its records
are cut. The pages are the first hundred with repeated markup of the types forum, listing, collection and product.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from pages import progress
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.page import Page
from webstrata.segmentation import Segmentation, segment

REPEATING = ("forum", "listing", "collection", "product")
REPEATED_PAGES = 100
#: Siblings that make a list of records, their least words, and their least share of the words of the page.
RECORDS, RECORD_WORDS, RECORD_SHARE = 4, 6, 0.15


@dataclass(frozen=True)
class Counts:
    """What is wrong with the segmentation of one page; None where the question does not arise."""

    empty: bool | None
    headless: bool | None
    undivided: bool | None
    cut: bool | None


def shown_words(page: Page) -> np.ndarray:
    """The words of each block as far as a browser shows them; all, where it shows nothing."""
    words = np.where(page.blocks.hidden, 0, page.blocks.words)
    return words if words.any() else page.blocks.words.copy()


def records_of(page: Page) -> list[tuple[int, int]]:
    """The ranges of blocks of the records of a page, from the siblings with equal tags and classes that have the most
    words; empty where no markup repeats."""
    elements, words = page.elements, np.concatenate(([0], np.cumsum(shown_words(page))))
    size = words[elements.end_block] - words[elements.first_block]
    groups: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    for row in np.flatnonzero((size >= RECORD_WORDS) & ~elements.hidden).tolist():
        name = elements[row].tag
        if name in ("div", "li", "article", "section", "tr", "dd", "tbody", "table"):
            classes = re.sub(r"[\d_-]*\d[\w-]*", "", elements.attribute(row, "class") or "").split()
            groups[int(elements.parent[row]), int(elements.tag[row]), classes[0] if classes else ""].append(row)
    best: list[int] = []
    for rows in groups.values():
        blocks = [int(elements.end_block[row] - elements.first_block[row]) for row in rows]
        if len(rows) < RECORDS or np.median(blocks) < 2 or size[rows].sum() < RECORD_SHARE * words[-1]:
            continue
        # Sections of one text differ far more in length than the records of a list.
        if size[rows].max() <= 12 * np.median(size[rows]) and size[rows].sum() > sum(size[row] for row in best):
            best = rows
    return [(int(elements.first_block[row]), int(elements.end_block[row])) for row in best]


def is_cut(found: Segmentation, records: list[tuple[int, int]]) -> bool:
    """Whether four fifths of the records are segments."""
    words = np.concatenate(([0], np.cumsum(shown_words(found.page))))
    hits = 0
    for start, stop in records:
        own = words[stop] - words[start]
        for item in found:
            both = words[min(stop, item.stop)] - words[max(start, item.start)] if item.start < stop else 0
            if 2 * both > 0.8 * (own + words[item.stop] - words[item.start]) and item.stop > start:
                hits += 1
                break
    return hits >= 0.8 * len(records)


def judge(found: Segmentation, records: list[tuple[int, int]] | None) -> Counts:
    page = found.page
    words = shown_words(page)
    total = int(words.sum())
    covered = np.zeros(len(words), bool)
    largest = 0
    for item in found:
        covered[item.start : item.stop] = True
        largest = max(largest, int(words[item.start : item.stop].sum()))
    headline = next((row for row in page.elements.find("h1").tolist() if _has_text(page, row, words)), None)
    headless = None
    if headline is not None:
        start, stop = page.elements.block_span(headline)
        headless = not covered[start:stop][words[start:stop] > 0].all()
    return Counts(
        not len(found) if total else None,
        headless,
        largest > 0.9 * total if total else None,
        is_cut(found, records) if records else None,
    )


def _has_text(page: Page, row: int, words: np.ndarray) -> bool:
    start, stop = page.elements.block_span(row)
    return bool(words[start:stop].any())


def chosen_records(items: list[Item]) -> dict[str, list[tuple[int, int]]]:
    """The records of the first pages whose markup repeats, a quarter of each type where there are enough."""
    found: dict[str, list[tuple[int, int]]] = {}
    by_type = [[item for item in items if item.group == name] for name in REPEATING]
    for number in range(max(map(len, by_type))):
        for same in by_type:
            if number < len(same) and len(found) < REPEATED_PAGES:
                records = records_of(same[number].inputs["html"].page())
                if records:
                    found[same[number].name] = records
    return found


def counts(
    items: list[Item], algorithm: str, records: dict[str, list[tuple[int, int]]]
) -> Iterator[tuple[Item, Counts]]:
    for item in progress(items, algorithm, len(items)):
        yield item, judge(segment(item.inputs["html"].page(), algorithm), records.get(item.name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithms", nargs="*", default=["learned"])
    parser.add_argument("--list", action="store_true", help="name the pages that fail")
    options = parser.parse_args()
    items = list(find_dataset("wcxb").items())
    records = chosen_records(items)
    table = Table("segmenter", "no segment", "h1 in no segment", "one with over 90 %", "records cut")
    for algorithm in options.algorithms:
        found = list(counts(items, algorithm, records))
        cells = []
        for name in ("empty", "headless", "undivided", "cut"):
            asked = [(item, getattr(each, name)) for item, each in found if getattr(each, name) is not None]
            number = sum(value for _, value in asked)
            cells.append(f"{number} of {len(asked)} ({number / max(len(asked), 1):.1%})")
            if options.list:
                wrong = [item for item, value in asked if value != (name == "cut")]
                print(name, Counter(item.group for item in wrong), *(item.name for item in wrong[:60]))
        table.add_row(algorithm, *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
