"""Segmenters on the Kreuzer pages, beside the figures that the papers print.

    python bench/segmenters.py                     all pages, into out/segmenters
    python bench/segmenters.py --report            the tables again, from the rows of the last run

Reads the data from WEBSTRATA_DATA, or ../shared/data beside the project. Each page and algorithm is one row of
rows.jsonl; the tables are means over pages, as in the papers.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table

from pages import progress
from webstrata.evaluation.datasets.kreuzer import KreuzerPage, Part, read
from webstrata.evaluation.datasets.locate import data_path
from webstrata.evaluation.metrics import Score
from webstrata.evaluation.metrics.matching import Mode
from webstrata.evaluation.metrics.segments import Truth
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.baselines import WordWrap

ALGORITHMS: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in ("wordwrap", "taggap", "justrules", "bf-plain", "bf-smoothed")},
    "bf-smoothed improved": ("bf-smoothed", {"improved": True}),
    "bf-rulebased": ("bf-rulebased", {}),
    "bf-rulebased 2 levels": ("bf-rulebased", {"inner": 0.38}),
    "pagesegmenter": ("pagesegmenter", {}),
}

PARTS: tuple[Part, ...] = ("random", "popular")

# Kohlschütter & Nejdl 2008, table 1, on 111 pages of Webspam UK-2007: AdjRand, NMI, blocks.
SEED_000 = {
    "wordwrap": (0.25, 0.59, 25.0),
    "taggap": (0.43, 0.65, 69.43),
    "bf-plain": (0.60, 0.75, 27.72),
    "bf-smoothed": (0.62, 0.76, 19.77),
    "bf-rulebased": (0.79, 0.87, 21.24),
    "justrules": (0.78, 0.84, 17.64),
}
# Kreuzer 2013, tables 7.1 to 7.8, on these pages: retrieved blocks, F exact, F fuzzy.
SEED_004 = {
    ("random", "original", "bf-plain"): (25.99, 0.04, 0.07),
    ("random", "original", "pagesegmenter"): (46.96, 0.14, 0.24),
    ("random", "dom", "bf-plain"): (30.96, 0.09, 0.12),
    ("random", "dom", "pagesegmenter"): (65.04, 0.16, 0.20),
    ("popular", "original", "bf-plain"): (72.85, 0.03, 0.06),
    ("popular", "original", "pagesegmenter"): (124.43, 0.08, 0.13),
    ("popular", "dom", "bf-plain"): (81.75, 0.04, 0.06),
    ("popular", "dom", "pagesegmenter"): (163.71, 0.07, 0.11),
}


def rows(item: KreuzerPage, mode: Mode) -> Iterator[dict[str, Any]]:
    """One row for each input and algorithm."""
    for source, page in (("original", item.original), ("dom", item.dom)):
        truth = Truth(item.truth, page, mode)
        for label, (name, parameters) in ALGORITHMS.items():
            segmenter = SEGMENTERS.make(name, **parameters)
            lines = segmenter.lines_at(page, truth.words.offsets) if isinstance(segmenter, WordWrap) else None
            scores = truth.scores(segmenter(page), labels=lines)
            yield {
                "id": item.id,
                "part": item.part,
                "input": source,
                "algorithm": label,
                "repr": repr(segmenter),
                "segments": int(lines[-1]) + 1 if lines is not None and len(lines) else scores.segments,
                "adjusted_rand": scores.adjusted_rand,
                "nmi": scores.nmi,
                **_columns("exact", scores.exact),
                **_columns("fuzzy", scores.fuzzy),
            }


def _columns(name: str, score: Score) -> dict[str, Any]:
    return {f"{name}_{key}": value for key, value in vars(score).items()}


def tables(results: list[dict[str, Any]]) -> Iterator[Table]:
    groups: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for row in results:
        groups[row["part"], row["input"]][row["algorithm"]].append(row)
    for (part, source), algorithms in sorted(groups.items()):
        pages = len(next(iter(algorithms.values())))
        table = Table(title=f"{part} pages, {source} HTML ({pages} pages; papers' figures in brackets)")
        for name in (
            "algorithm",
            "AdjRand",
            "NMI",
            "segments",
            "retrieved",
            "P exact",
            "R exact",
            "F exact",
            "P fuzzy",
            "R fuzzy",
            "F fuzzy",
        ):
            table.add_column(name, justify="left" if name == "algorithm" else "right")
        for name, found in algorithms.items():
            mean = {
                key: fmean(row[key] for row in found)
                for key, value in found[0].items()
                if isinstance(value, float | int)
            }
            rand, nmi, blocks = SEED_000.get(name, (None, None, None))
            retrieved, exact, fuzzy = SEED_004.get((part, source, name), (None, None, None))
            table.add_row(
                name,
                _beside(mean["adjusted_rand"], rand),
                _beside(mean["nmi"], nmi),
                _beside(mean["segments"], blocks, 1),
                _beside(mean["exact_retrieved"], retrieved, 1),
                *(
                    _beside(mean[f"exact_{key}"], value)
                    for key, value in (("precision", None), ("recall", None), ("f", exact))
                ),
                *(
                    _beside(mean[f"fuzzy_{key}"], value)
                    for key, value in (("precision", None), ("recall", None), ("f", fuzzy))
                ),
            )
        yield table


def _beside(value: float, printed: float | None, digits: int = 2) -> str:
    return f"{value:.{digits}f}" if printed is None else f"{value:.{digits}f} ({printed:.{digits}f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, default=Path("out/segmenters"))
    parser.add_argument("--report", action="store_true", help="only draw the tables from the rows of the last run")
    parser.add_argument("--mode", choices=("thesis", "strict"), default="thesis", help="how block texts are compared")
    parser.add_argument("--pages", type=int, help="only so many pages of each part")
    arguments = parser.parse_args()
    file = arguments.output / "rows.jsonl"
    if not arguments.report:
        data = data_path("kreuzer")
        items = [item for part in PARTS for item in islice(read(data, part), arguments.pages)]
        arguments.output.mkdir(parents=True, exist_ok=True)
        with file.open("w", encoding="utf-8") as out:
            for item in progress(items, "segmenting", len(items)):
                for row in rows(item, arguments.mode):
                    out.write(json.dumps(row) + "\n")
    results = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    with (arguments.output / "tables.txt").open("w", encoding="utf-8") as out:
        for table in tables(results):
            for console in (Console(width=150), Console(file=out, width=150)):
                console.print(table)


if __name__ == "__main__":
    main()
