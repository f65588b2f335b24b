"""The marked pages: how well two passes agree, and how well segmenters find the segments of each kind.

    python bench/marked_pages.py                           agreement, and the default on the half that tests
    python bench/marked_pages.py --half train "learned(cover=False)" justrules
    python bench/marked_pages.py --store learned whole-page justrules        tables of the documentation

The first table compares the two independent passes over 30 pages as Kreuzer 2013 compares algorithms: exact and fuzzy F
of the segments of all levels and of each, AdjRand and NMI over words, means over pages; and Cohen's kappa of the kinds
of words, over all pages, for the segments of the first and of the second level that words are in.

For each segmenter there are a table of kinds, with precision, recall and F of segments with the right text (over 80 %
alike) and the right kind, and one of chances: for ranges of the chance of a kind its mean, and the share of segments
with the right kind among those whose text is that of a marked segment. A segment of unknown kind says nothing of kinds:
"all kinds" leaves it out, "all segments" counts it as wrong. The last table has the fuzzy F of the segments of all
levels for each type of pages.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

import numpy as np
from rich.console import Console
from rich.table import Table

from pages import progress
from results import store
from webstrata.evaluation.datasets.marked_pages import read, read_passes
from webstrata.evaluation.metrics import Score, cohen_kappa, exact_matching, fuzzy_matching
from webstrata.evaluation.metrics.segments import Truth, kind_scores
from webstrata.segmentation import Segmentation, segment
from webstrata.segmentation.learned.model import ALL_KINDS

RANGES = (0, 0.3, 0.5, 0.7, 0.8, 0.9, 1)


def kinds_at(found: Segmentation, level: int) -> np.ndarray:
    """The kind of the segment of a level that each block is in, as a number; 0 for none."""
    labels = found.labels(level)
    numbers = np.array([0, *((*ALL_KINDS, "").index(item.kind) + 1 for item in found)])
    kinds: np.ndarray = numbers[labels + 1]
    return kinds


def agreement(pairs: list[tuple[Segmentation, Segmentation]]) -> Table:
    table = Table("segments", "exact F", "fuzzy F", "AdjRand", "NMI", "kappa of kinds", title="two passes, 30 pages")
    weights = np.concatenate([first.page.blocks.words for first, _ in pairs])
    for level in (None, 1, 2, 3):
        texts = [(first.texts(level), second.texts(level)) for first, second in pairs]
        exact, fuzzy = (f"{fmean(match(*both).f for both in texts):.3f}" for match in (exact_matching, fuzzy_matching))
        scores = [Truth(first, first.page).agreement(labels(first, second)) for first, second in pairs]
        rand, nmi = (f"{fmean(score):.3f}" if level is None else "" for score in zip(*scores, strict=True))
        kappa = ""
        if level in (1, 2):
            left, right = (np.concatenate([kinds_at(pair[side], level) for pair in pairs]) for side in (0, 1))
            kappa = f"{cohen_kappa(left, right, weights):.3f}"
        table.add_row("all" if level is None else f"level {level}", exact, fuzzy, rand, nmi, kappa)
    return table


def labels(first: Segmentation, second: Segmentation) -> np.ndarray:
    """For each word of the page the innermost segment of the second pass."""
    return second.labels()[Truth(first, first.page).words.blocks]


def kinds_table(algorithm: str, half: str, pairs: Iterable[tuple[Segmentation, Segmentation]]) -> Table:
    """The scores of each kind over all pages, and of all kinds."""
    hits: Counter[str] = Counter()
    retrieved: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    for truth, found in pairs:
        for kind, score in kind_scores(truth, found).items():
            for counter, count in ((hits, score.hits), (retrieved, score.retrieved), (relevant, score.relevant)):
                counter[kind] += int(count or 0)
    table = Table("kind", "marked", "found", "precision", "recall", "F", title=f"{algorithm}, marked-pages-{half}")
    for kind in sorted(relevant | retrieved, key=lambda kind: -relevant[kind]):
        add_score(table, kind or "unknown", hits[kind], retrieved[kind], relevant[kind])
    add_score(table, "all kinds", hits.total(), retrieved.total() - retrieved[""], relevant.total())
    add_score(table, "all segments", hits.total(), retrieved.total(), relevant.total())
    return table


def add_score(table: Table, name: str, hits: float, retrieved: float, relevant: float) -> None:
    score = Score.from_counts(hits, retrieved=retrieved, relevant=relevant)
    ratios = (f"{ratio:.2f}" for ratio in (score.precision, score.recall, score.f))
    table.add_row(name, f"{relevant:.0f}", f"{retrieved:.0f}", *ratios)


def chances_table(algorithm: str, pairs: Iterable[tuple[Segmentation, Segmentation]]) -> Table:
    """How often kinds are right where the text is, by their chance."""
    found_chances, right = [], []
    for truth, found in pairs:
        kinds: dict[str, set[str]] = {}
        for item in truth:
            kinds.setdefault("".join(truth.text(item).split()), set()).add(item.kind)
        for item in found:
            text = "".join(found.text(item).split())
            if item.kind and item.chance is not None and text in kinds:
                found_chances.append(item.chance)
                right.append(item.kind in kinds[text])
    chances, hits = np.array(found_chances), np.array(right, bool)
    table = Table("chance", "segments", "mean chance", "right", title=f"{algorithm}: chances of kinds")
    for low, high in pairwise(RANGES):
        chosen = (chances > low) & (chances <= high)
        if chosen.any():
            cells = (f"{chosen.sum()}", f"{chances[chosen].mean():.2f}", f"{hits[chosen].mean():.2f}")
            table.add_row(f"{low} to {high}", *cells)
    return table


def types_table(
    groups: Sequence[str], found: Mapping[str, Sequence[tuple[Segmentation, Segmentation]]], half: str
) -> tuple[Table, list[str], list[list[str]]]:
    """The mean F of segments of each algorithm (rows) for each type of pages (columns)."""
    types = sorted(set(groups))
    headings = ["segmenter", "all", *types]
    table = Table(*headings, title=f"fuzzy F of segments, marked-pages-{half}")
    rows = []
    for algorithm, pairs in found.items():
        scores = [fuzzy_matching(truth.texts(), said.texts()).f for truth, said in pairs]
        by_type = [fmean(f for f, group in zip(scores, groups, strict=True) if group == name) for name in types]
        rows.append([algorithm, *(f"{mean:.3f}" for mean in (fmean(scores), *by_type))])
        table.add_row(*rows[-1])
    return table, headings, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("algorithms", nargs="*", default=["learned"])
    parser.add_argument("--half", choices=("train", "test"), default="test")
    parser.add_argument("--store", action="store_true", help="store the tables of kinds of the first, and of types")
    options = parser.parse_args()
    console = Console(width=120)
    console.print(agreement(list(read_passes())))
    items = list(read(options.half))
    found: dict[str, list[tuple[Segmentation, Segmentation]]] = {}
    for algorithm in options.algorithms:
        truths = [item.gold.segmentation for item in progress(items, algorithm, len(items))]
        found[algorithm] = [(truth, segment(truth.page, algorithm)) for truth in truths if truth is not None]
        console.print(kinds_table(algorithm, options.half, found[algorithm]))
        console.print(chances_table(algorithm, found[algorithm]))
    table, headings, rows = types_table([item.group for item in items], found, options.half)
    console.print(table)
    if options.store:
        about = (
            f"{len(items)} pages of marked-pages-{options.half}: F of segments with texts over 80 % alike, all levels"
        )
        store("marked-types", about, headings, rows)
        store_kinds(options.algorithms[0], options.half, found[options.algorithms[0]])


def store_kinds(algorithm: str, half: str, pairs: Sequence[tuple[Segmentation, Segmentation]]) -> None:
    """Store the table of kinds of an algorithm for the documentation."""
    table = kinds_table(algorithm, half, pairs)
    headings = [str(column.header) for column in table.columns]
    rows = [list(map(str, row)) for row in zip(*(column.cells for column in table.columns), strict=True)]
    store("marked-kinds", f"`{algorithm}` on marked-pages-{half}: kinds of segments", headings, rows)


if __name__ == "__main__":
    main()
