"""The pages and algorithms that have floors, and the command that pins them.

    python tests/kits/floors.py [--pin] [--lower] [--replace] [NAME ...]

Without --pin, means below their floors are printed. Data sets that are not at hand are left out.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from golden import golden_dataset

from webstrata._recordings_folder import RECORDINGS
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.base import Dataset
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.locate import data_path
from webstrata.evaluation.reports.gate import TOLERANCE, Fall, check_floors, pin_floors
from webstrata.evaluation.scores import Row
from webstrata.evaluation.scoring import score
from webstrata.extraction import EXTRACTORS
from webstrata.segmentation import SEGMENTERS

FLOORS = Path(__file__).parents[1] / "evaluation" / "reports" / "floors.json"
# On other processors models round otherwise, which decides a paragraph here and there on real pages.
_REAL = 0.003


@dataclass(frozen=True)
class Guarded:
    """A data set with floors: its algorithms and metrics (None: all), the number of pages, and the tolerance."""

    dataset: str
    algorithms: tuple[str, ...]
    metrics: tuple[str, ...] | None = ("words",)
    pages: int | None = 100
    tolerance: float = _REAL

    def find(self) -> Dataset:
        """The data set; an `InputError` says that it is not at hand."""
        if self.dataset == "golden":
            return golden_dataset()
        found = find_dataset(self.dataset)
        for name in found.card.files if self.dataset != "tiny" else ():
            data_path(name)
        return found

    def measured(self, folder: Path) -> list[Row]:
        """The scores without boxes, which are not everywhere, with files in a folder."""
        dataset = self.find()
        specs = tuple(parse_spec(name, segments=dataset.card.has_only_segments) for name in self.algorithms)
        experiment = Experiment(dataset, specs, folder, ("html",), self.pages)
        # A high limit: on a busy machine the import of a large package takes long.
        with patch.dict(os.environ, {RECORDINGS: str(folder / "no-recordings")}):
            run(experiment, limit=600)
        return score(experiment, metrics=self.metrics)

    def falls(self, rows: Sequence[Row]) -> list[Fall]:
        """The means that are below their floors."""
        return check_floors(FLOORS, [self.find().card], rows, tolerance=self.tolerance)


def own_algorithms() -> tuple[str, ...]:
    """The segmenters and extractors that need nothing but a page."""
    names = {
        name
        for registry in (SEGMENTERS, EXTRACTORS)
        for name, entry in registry.entries().items()
        if not entry.needs or entry.needs == "webstrata[eval]"
    }
    return tuple(sorted(names))


_EXTRACTORS = tuple(name for name in own_algorithms() if name in EXTRACTORS)
_FIELDS = ("title", "author", "date")
_SEGMENTS = ("fuzzy", "adjusted-rand", "nmi")

GUARDED = {
    guarded.dataset: guarded
    for guarded in (
        Guarded("tiny", own_algorithms(), None, None, TOLERANCE),
        Guarded("golden", _EXTRACTORS, pages=None),
        Guarded("wcxb", ("learned", "numwords", "metadata"), ("words", *_FIELDS)),
        Guarded("many-dev", ("learned", "numwords", "metadata"), ("words", *_FIELDS), pages=None),
        Guarded("cleaneval", ("learned", "numwords")),
        Guarded("cleanportaleval", ("learned", "numwords")),
        Guarded("l3s-gn1", ("learned", "numwords")),
        Guarded("dragnet-dev", ("learned(comments=False)", "numwords")),
        Guarded("dragnet-dev-comments", ("learned(comments=True)", "numwords")),
        Guarded("snippets-dev", ("learned", "numwords"), ("snippets",)),
        Guarded("kreuzer-random", ("learned", "bf-rulebased", "pagesegmenter-blocks"), _SEGMENTS, 30),
        Guarded("kreuzer-popular", ("learned", "bf-rulebased", "pagesegmenter-blocks"), _SEGMENTS, 30),
    )
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(GUARDED)}")
    parser.add_argument("--pin", action="store_true", help="raise floors to the means")
    parser.add_argument("--lower", action="store_true", help="lower floors as well")
    parser.add_argument("--replace", action="store_true", help="discard the floors of a data set whose pages changed")
    options = parser.parse_args()
    for name in options.names or GUARDED:
        guarded = GUARDED[name]
        with tempfile.TemporaryDirectory() as folder:
            try:
                card = guarded.find().card
            except InputError as missing:
                print(f"{name}: {missing}")
                continue
            rows = guarded.measured(Path(folder))
            if options.pin:
                switches = {"lower": options.lower, "replace": options.replace, "tolerance": guarded.tolerance}
                falls = pin_floors(FLOORS, [card], rows, **switches)
            else:
                falls = guarded.falls(rows)
        print(f"{name}: {len(falls)} means below their floors", *falls, sep="\n  ", flush=True)


if __name__ == "__main__":
    main()
