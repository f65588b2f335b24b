"""A crawl becomes sites: `SiteLearner` runs the step and the folds, `Sites` reads the sites.

The folder is a model: ``site.json`` contains the version and the parameters; ``trees``, ``classes`` and
``fingerprints`` are Parquet. ``rows``, the intermediate result of each page, is deleted at the end.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.crawls.arrow import pyarrow, unsigned
from webstrata.crawls.folding.engines import LOCAL, Engine
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.jobs.sites.classes import ClassesOfSite, read_rows
from webstrata.crawls.jobs.sites.nodes import BY, FingerprintsOfSite, PageNodes, TreesOfSite, site_of, tree_of
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.errors import InputError
from webstrata.files import write_json
from webstrata.sites.classes import refine
from webstrata.sites.rules import Rules
from webstrata.sites.site import SegmentClass, Site
from webstrata.workers.limits import Limits

__all__ = ["SMALL", "SiteLearner", "Sites"]

_VERSION = 2
#: Sites with fewer pages than this are unreliable: every class is rare (beta of Fernandes et al. 2011).
SMALL = 8


@dataclass(frozen=True, kw_only=True)
class SiteLearner:
    """Learns the sites of a crawl.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.inputs.find_inputs`
    output : the folder to write to
    by : the unit of sites: host, registered-domain or all
    rules : of the trees
    extractor : its decisions are counted for each segment class, for extraction with a site; none if empty
    limits : what one page may cost
    """

    inputs: tuple[Input, ...]
    output: Path
    by: str = "host"
    rules: Rules = field(default_factory=Rules)
    extractor: str = "learned"
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.by not in BY:
            raise InputError(f"{self.by!r} is not a unit of sites: choose one of {', '.join(BY)}")

    @property
    def job(self) -> Job:
        """The run that reads the pages."""
        step = PageNodes(by=self.by, rules=self.rules, extractor=self.extractor, limits=self.limits)
        return Job(inputs=self.inputs, step=step, output=self.output / "rows", limits=self.limits)

    def folds(self) -> dict[str, Fold]:
        """The folds by the names of their folders, in order: classes need the trees."""
        classes = ClassesOfSite(trees=str(self.output / "trees"), rules=self.rules)
        return {"trees": TreesOfSite(), "fingerprints": FingerprintsOfSite(), "classes": classes}

    def learn(
        self,
        engine: Engine = LOCAL,
        *,
        progress: Progress | None = None,
        on_fold: Callable[[str], None] = lambda name: None,
    ) -> Summary:
        """Learn, or do the rest of an earlier run; the parameters are those of `Engine.map_and_fold`."""
        if (self.output / "site.json").exists():
            raise InputError(f"{self.output} holds sites already: name a new folder")
        summary = engine.map_and_fold(self.job, self.folds(), progress=progress, on_fold=on_fold)
        if not summary.written:
            raise InputError("no page came out of the input, so there is nothing to learn a site from")
        about = {"version": _VERSION, "by": self.by, "rules": asdict(self.rules), "extractor": self.extractor}
        write_json(self.output / "site.json", {**about, "pages": summary.written})
        shutil.rmtree(self.output / "rows", ignore_errors=True)
        return summary


class Sites:
    """The sites of a learnt folder.

    Parameters
    ----------
    folder : written by `SiteLearner`
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        try:
            about = json.loads((self.folder / "site.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{folder} holds no learnt site: make one with webstrata site learn") from error
        if about.get("version") != _VERSION:
            raise InputError(f"{folder} was learnt by another version of webstrata: learn it again")
        self.by: str = about["by"]
        self.rules = Rules(**about["rules"])
        self._loaded: dict[str, Site | None] = {}

    def names(self) -> dict[str, int]:
        """The names of the sites and the numbers of their pages; the largest first."""
        table = pyarrow("pyarrow.parquet").read_table(self.folder / "trees", columns=["site", "pages"])
        rows = sorted(table.to_pylist(), key=lambda row: (-row["pages"], row["site"]))
        return {row["site"]: row["pages"] for row in rows}

    def of(self, url: str | None) -> Site | None:
        """The site of a page. A page without an address belongs to the only site, if the folder has only one."""
        if url is None or self.by == "all":
            names = list(self.names())
            return self.load(names[0]) if len(names) == 1 else None
        return self.load(site_of(url, self.by))

    def load(self, name: str) -> Site | None:
        """A site by its name; None if the folder does not have it."""
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> Site | None:
        trees = read_rows(str(self.folder / "trees"), name)
        if not trees:
            return None
        tree = refine(tree_of(trees[0]), self.rules)
        paths = _Paths(trees[0])
        rows = read_rows(str(self.folder / "classes"), name)
        classes = tuple(_segment_class(row, paths) for row in rows)
        found = read_fingerprints(self.folder / "fingerprints", name)
        return Site(name, tree, classes, *found)


def read_fingerprints(folder: Path, name: str) -> tuple[Any, Any]:
    """The repeated fingerprints of a site, sorted, and the numbers of their pages."""
    if not list(folder.glob("*.parquet")):
        return np.zeros(0, np.uint64), np.zeros(0, np.int64)
    rows = pyarrow("pyarrow.parquet").read_table(folder, filters=[("site", "=", name)], partitioning=None)
    values = unsigned(rows.column("fingerprint").to_numpy(), "uint64")
    pages = rows.column("pages").to_numpy()
    order = np.argsort(values)
    return values[order], pages[order]


class _Paths:
    """Labels in words."""

    def __init__(self, row: dict[str, Any]) -> None:
        names = dict(zip(row["names"].tolist(), row["name_texts"].tolist(), strict=True))
        columns = (row["label"], row["parent"], row["name"], row["number"])
        self._nodes = {
            label: (parent, names.get(name, "?"), number)
            for label, parent, name, number in zip(*(column.tolist() for column in columns), strict=True)
        }

    def __call__(self, label: int) -> str:
        steps: list[str] = []
        while label in self._nodes:
            label, name, number = self._nodes[label]
            steps.append(name if number == 1 else f"{name}:{number}")
        return " > ".join(reversed(steps))


def _segment_class(row: dict[str, Any], paths: _Paths) -> SegmentClass:
    counts = row["text_counts"]
    distinct = row["segments"] * len(counts) / max(1, int(counts.sum())) if len(counts) else 0.0
    return SegmentClass(
        kind=f"{row['label'] % 2**64:016x}",
        path=paths(row["label"]),
        pages=row["pages"],
        segments=row["segments"],
        words=row["words"],
        kept=row["kept"],
        distinct=distinct,
        examples=tuple(row["examples"].tolist()),
    )
