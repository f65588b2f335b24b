"""What a reader must know before the scores: models that have seen the pages, and data sets with few pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from webstrata.evaluation.datasets.catalogue import DATASETS
from webstrata.evaluation.scores import Row

__all__ = ["cautions"]

# Fewer pages than this are said to be few: the interval of their mean is wide, and one page has none.
_FEW = 20


def cautions(rows: Sequence[Row]) -> list[str]:
    """One sentence for each fact, by data set."""
    pages: dict[str, set[str]] = {}
    algorithms: dict[str, set[str]] = {}
    for row in rows:
        pages.setdefault(row.dataset, set()).add(row.page)
        algorithms.setdefault(row.dataset, set()).add(re.split(r"[(+]", row.algorithm)[0])
    found = []
    for dataset in sorted(pages):
        trained = DATASETS[dataset]().card.trains if dataset in DATASETS else ()
        found += [
            f"{name} was trained on pages of {dataset}, so its scores there are too high: learned-out-of-fold and "
            "learned-segmenter read each page by a model that has not seen its host."
            for name in sorted(algorithms[dataset].intersection(trained))
        ]
        if (number := len(pages[dataset])) < _FEW:
            words = "one page: means have no interval" if number == 1 else f"{number} pages: too few for a comparison"
            found.append(f"{dataset} has {words}.")
    return found
