"""Template fingerprints of sites (Kohlschütter 2011 §4.3.3): tables 4.6 and 4.7, figures 4.18 and 4.19 in numbers.

Segments are those of a segmenter (BF-RuleBased, as in the thesis). The density cut-off and the SOM
tree are compared with the fingerprints: how much of the template text of one the others find. A class of the tree is
template text if its texts occur on at least two pages on average.

    python bench/fingerprints.py python3.11-doc/ wpcd/ --limit 1000
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.evaluation.papers.whole_sites import LearnedSite, find_site
from webstrata.features import density
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS
from webstrata.sites import Rules
from webstrata.sites.fingerprints import FREQUENT, fingerprint

_CUTOFF = 5.0
# Text densities for figure 4.19: shares of template words among the words of each.
_DENSITIES = np.array([0, 2, 4, 6, 8, 10, 12, 14, 16, 1000])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--segmenter", default="bf-rulebased")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        report(folder, find_site(Path(folder)).sample(arguments.limit), arguments.segmenter)


def report(folder: str, pages: list[Page], segmenter: str) -> None:
    """Print the tables of one site."""
    rows, texts = segments_of(pages, segmenter)
    counts = Counter(rows["fingerprint"][rows["fingerprint"] != 0].tolist())
    frequency = np.array([counts[value] if value else 0 for value in rows["fingerprint"].tolist()])
    words, dense = rows["words"], rows["density"]
    frequent, sparse = frequency >= FREQUENT, dense <= _CUTOFF
    total = max(1, int(words.sum()))
    print(f"\n{folder}: {len(pages)} pages, {len(words)} segments, {len(counts)} distinct, {total} words")
    print(f"frequency of at least {FREQUENT}: {sum(n >= FREQUENT for n in counts.values())} texts,", end=" ")
    print(f"{words[frequent].sum() / total:.1%} of the words; density of at most 5: {words[sparse].sum() / total:.1%}")
    print(f"of the words that come back, {share(words, sparse, frequent):.1%} are sparse;", end=" ")
    print(f"of the sparse ones, {share(words, frequent, sparse):.1%} come back")
    print("table 4.6, the most frequent:")
    for value, count in counts.most_common(10):
        print(f"  {count:7} {texts[value][:80]!r}")
    print("table 4.7, rare and sparse:")
    for row in np.flatnonzero((frequency > 0) & (frequency <= 3) & sparse)[:8].tolist():
        print(f"  {frequency[row]:7} {texts[int(rows['fingerprint'][row])][:80]!r}")
    ranks = np.sort(np.array(list(counts.values())))[::-1]
    print("figure 4.18, frequency by rank:", {int(n): int(ranks[n - 1]) for n in 10 ** np.arange(6) if n <= len(ranks)})
    bins = np.digitize(dense, _DENSITIES) - 1
    shares = [share(words, frequent, bins == number) for number in range(len(_DENSITIES) - 1)]
    print(
        "figure 4.19, share of template words by density from", _DENSITIES[:-1].tolist(), np.round(shares, 2).tolist()
    )
    som = by_tree(pages)
    print(f"of the words by fingerprint, the SOM tree finds {block_share(pages, rows, frequent, som):.1%};", end=" ")
    print(f"of those by the SOM tree, fingerprints find {block_share(pages, rows, frequent, som, back=True):.1%}")


def share(words: Any, part: Any, whole: Any) -> float:
    """The share of the words of ``whole`` that lie in ``part`` too."""
    return float(words[part & whole].sum() / max(1, words[whole].sum()))


def segments_of(pages: list[Page], name: str) -> tuple[dict[str, Any], dict[int, str]]:
    """All segments of the pages as columns, and one text of each fingerprint."""
    segmenter = SEGMENTERS.make(name)
    rows: list[tuple[int, int, int, int, int, float]] = []
    texts: dict[int, str] = {}
    for number, page in enumerate(pages):
        found = segmenter(page)
        shown = ~page.blocks.hidden
        for item in found.segments:
            text = found.text(item)
            value = fingerprint(text)
            texts.setdefault(value, text)
            span = np.arange(item.start, item.stop)[shown[item.start : item.stop]]
            columns = (page.blocks.words, page.blocks.lines, page.blocks.wrapped_words)
            words, lines, wrapped = (int(column[span].sum()) for column in columns)
            rows.append((number, item.start, item.stop, value, words, float(density(words, lines, wrapped))))
    kinds = {"page": int, "start": int, "stop": int, "fingerprint": np.uint64, "words": int, "density": float}
    table = zip(kinds.items(), zip(*rows, strict=True), strict=True)
    return {name: np.array(column, kind) for (name, kind), column in table}, texts


def by_tree(pages: list[Page]) -> list[Any]:
    """For each page, which blocks the tree takes for template text."""
    learned = LearnedSite.of(pages, Rules())
    nodes, tree = learned.nodes, learned.tree
    repeated = tree.tree.repetition >= 2
    result = []
    for page, found in zip(pages, nodes, strict=True):
        place = tree.tree.find(found.label)
        blocks = np.zeros(len(page.blocks), bool)
        segment, _ = tree.segments(found)
        for row in np.flatnonzero(segment == np.arange(len(segment))).tolist():
            blocks[found.first_block[row] : found.end_block[row]] = place[row] >= 0 and repeated[place[row]]
        result.append(blocks & ~page.blocks.hidden)
    return result


def block_share(pages: list[Page], rows: dict[str, Any], frequent: Any, som: list[Any], *, back: bool = False) -> float:
    """Of the words that one way finds, the share that the other finds too."""
    by_text = [np.zeros(len(page.blocks), bool) for page in pages]
    for row in np.flatnonzero(frequent).tolist():
        by_text[rows["page"][row]][rows["start"][row] : rows["stop"][row]] = True
    words = np.concatenate([np.where(page.blocks.hidden, 0, page.blocks.words) for page in pages])
    one, other = np.concatenate(by_text), np.concatenate(som)
    return share(words, one, other) if back else share(words, other, one)


if __name__ == "__main__":
    main()
