"""Statistics of a crawl: the step that counts pages, the folds that add up, and the job that runs them.

Three folds: ``counts`` by measure, ``terms`` and ``repeats`` by shares of terms and fingerprints, so that no group
grows with the crawl.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow, signed
from webstrata.crawls.folding.engines import LOCAL, Engine
from webstrata.crawls.folding.folds import Fold
from webstrata.crawls.folding.shuffle import find_row_groups
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.crawls.running.steps import PageStep
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS, Extractor
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter
from webstrata.statistics.surveys import LEAST_DOCUMENTS, Survey, content_classes, survey_page
from webstrata.workers.limits import Limits, Reject

__all__ = ["CountPages", "Histograms", "Repeats", "Surveyor", "Terms"]

_SHARES = 256


@dataclass(frozen=True, kw_only=True)
class CountPages(PageStep):
    """The counts of `webstrata.statistics.surveys` for each page.

    Parameters
    ----------
    extractor : separates the classes content and boilerplate; no classes if empty
    segmenter : makes the units; atomic blocks if empty
    """

    extractor: str = "learned"
    segmenter: str = ""

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        count = pa.struct(
            [("measure", pa.string()), ("part", pa.string()), ("value", pa.int64()), ("count", pa.int64())]
        )
        term = pa.struct([("term", pa.string()), ("low", pa.int64()), ("high", pa.int64())])
        text = pa.struct([(name, pa.int64()) for name in ("print", "units", "sparse", "dense")])
        return [("counts", pa.list_(count)), ("terms", pa.list_(term)), ("repeats", pa.list_(text))]

    @once
    def _extractor(self) -> Extractor | None:
        return EXTRACTORS.make(self.extractor) if self.extractor else None

    @once
    def _segmenter(self) -> Segmenter | None:
        return SEGMENTERS.make(self.segmenter) if self.segmenter else None

    def row(self, page: Page) -> dict[str, Any]:
        found = survey_page(page, classes=content_classes(page, self._extractor), segmenter=self._segmenter)
        if not found.counts:
            raise Reject("no content")
        prints = signed(np.fromiter(found.repeats, np.uint64, len(found.repeats))).tolist()
        return {
            "counts": [
                {"measure": measure, "part": part, "value": value, "count": count}
                for (measure, part, value), count in sorted(found.counts.items())
            ],
            "terms": [
                {"term": term, "low": int(low), "high": int(high)} for term, (low, high) in sorted(found.terms.items())
            ],
            "repeats": [
                {"print": value, "units": units, "sparse": sparse, "dense": dense}
                for value, (units, sparse, dense) in zip(prints, found.repeats.values(), strict=True)
            ],
        }


def _flat(batches: Iterator[Any], column: str) -> Iterator[Any]:
    """A column of lists of structs, flattened to tables."""
    pa, pc = pyarrow(), pyarrow("pyarrow.compute")
    for batch in batches:
        yield pa.Table.from_struct_array(pc.list_flatten(batch.column(column)))


class _Sums(Fold):
    """Rows added up by some columns, first in each part, then in each group."""

    column: ClassVar[str]
    by: ClassVar[tuple[str, ...]]
    summed: ClassVar[tuple[str, ...]]

    def partial_schema(self, schema: Any) -> Any:
        pa = pyarrow()
        texts = {"measure", "part", "term"}
        names = list(dict.fromkeys((self.key, *self.by, *self.summed)))
        return pa.schema([(name, pa.string() if name in texts else pa.int64()) for name in names])

    def keyed(self, table: Any) -> Any:
        """The rows with a column for the key."""
        return table

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        pa = pyarrow()
        held: Any = None
        for table in _flat(batches, self.column):
            rows = self._added(self.keyed(table))
            # Added up at once to save memory: a part has few distinct rows.
            held = rows if held is None else self._added(pa.concat_tables([held, rows]))
        if held is not None:
            yield from held.cast(self.partial_schema(None)).to_batches()

    def _added(self, table: Any) -> Any:
        keys = list(dict.fromkeys((self.key, *self.by)))
        found = table.group_by(keys, use_threads=False).aggregate([(name, "sum") for name in self.summed])
        names = {f"{name}_sum": name for name in self.summed}
        found = found.rename_columns([names.get(name, name) for name in found.column_names])
        return found.select(self.partial_schema(None).names)

    def group(self, batches: Iterator[Any]) -> Any:
        """The rows of a group, added up and sorted by their keys."""
        found = self._added(pyarrow().Table.from_batches(batches))
        return found.sort_by([(name, "ascending") for name in self.by])


@dataclass(frozen=True, kw_only=True)
class Histograms(_Sums):
    """The histograms: how often each value of each measure occurs, by class."""

    key: ClassVar[str] = "measure"
    column: ClassVar[str] = "counts"
    by: ClassVar[tuple[str, ...]] = ("measure", "part", "value")
    summed: ClassVar[tuple[str, ...]] = ("count",)

    @property
    def schema(self) -> Any:
        return self.partial_schema(None)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        yield from self.group(batches).cast(self.schema).to_batches()


@dataclass(frozen=True, kw_only=True)
class Terms(_Sums):
    """The documents of each term: below the boundary, above it, and all.

    Parameters
    ----------
    least : terms of fewer documents are left out
    """

    least: int = LEAST_DOCUMENTS

    key: ClassVar[str] = "share"
    column: ClassVar[str] = "terms"
    by: ClassVar[tuple[str, ...]] = ("term",)
    summed: ClassVar[tuple[str, ...]] = ("low", "high", "documents")

    @property
    def schema(self) -> Any:
        pa = pyarrow()
        return pa.schema([("term", pa.string()), *((name, pa.int64()) for name in self.summed)])

    def keyed(self, table: Any) -> Any:
        pa = pyarrow()
        terms = table.column("term").to_pylist()
        shares = [zlib.crc32(term.encode("utf-8", "surrogatepass")) % _SHARES for term in terms]
        ones = pa.array(np.ones(len(terms), np.int64))
        return table.append_column("share", pa.array(shares, pa.int64())).append_column("documents", ones)

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        pc = pyarrow("pyarrow.compute")
        found = self.group(batches)
        found = found.filter(pc.greater_equal(found.column("documents"), self.least))
        yield from found.select(self.schema.names).cast(self.schema).to_batches()


@dataclass(frozen=True, kw_only=True)
class Repeats(_Sums):
    """The numbers of texts that occur in one unit, in two units and so on, with their sparse and dense words."""

    key: ClassVar[str] = "share"
    column: ClassVar[str] = "repeats"
    by: ClassVar[tuple[str, ...]] = ("print",)
    summed: ClassVar[tuple[str, ...]] = ("units", "sparse", "dense")

    @property
    def schema(self) -> Any:
        return pyarrow().schema([(name, pyarrow().int64()) for name in ("units", "texts", "sparse", "dense")])

    def keyed(self, table: Any) -> Any:
        shares = table.column("print").to_numpy() % _SHARES
        return table.append_column("share", pyarrow().array(shares))

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        columns = {name: column.to_numpy() for name, column in _named(self.group(batches))}
        # Texts without letters have no fingerprint and count as different.
        units = np.where(columns["print"] == 0, 1, columns["units"])
        found, place = np.unique(units, return_inverse=True)
        sums = [np.bincount(place), *(np.bincount(place, columns[name]) for name in ("sparse", "dense"))]
        arrays = [pyarrow().array(np.asarray(column, np.int64)) for column in (found, *sums)]
        yield pyarrow().RecordBatch.from_arrays(arrays, schema=self.schema)


def _named(table: Any) -> Iterator[tuple[str, Any]]:
    return zip(table.column_names, table.columns, strict=True)


@dataclass(frozen=True, kw_only=True)
class Surveyor:
    """Counts a crawl in a folder.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.finding.find_inputs`
    output : the folder to write ``counts``, ``terms`` and ``repeats`` to
    extractor, segmenter : as for `CountPages`
    limits : what one page may cost
    """

    inputs: tuple[Input, ...]
    output: Path
    extractor: str = "learned"
    segmenter: str = ""
    limits: Limits = field(default_factory=Limits)

    _FOLDS: ClassVar[dict[str, Fold]] = {"counts": Histograms(), "terms": Terms(), "repeats": Repeats()}

    @property
    def job(self) -> Job:
        """The run that counts the pages."""
        step = CountPages(extractor=self.extractor, segmenter=self.segmenter, limits=self.limits)
        return Job(inputs=self.inputs, step=step, output=self.output / "rows", limits=self.limits)

    def run(
        self,
        engine: Engine = LOCAL,
        *,
        progress: Progress | None = None,
        on_fold: Callable[[str], None] = lambda name: None,
    ) -> Summary:
        """Count, or do the rest of an earlier run; the parameters are those of `Engine.map_and_fold`."""
        work = partial(self._count, engine, progress, on_fold)
        return engine.once(self.output, "survey.json", repr(self.job.step), work)

    def _count(
        self, engine: Engine, progress: Progress | None, on_fold: Callable[[str], None]
    ) -> tuple[Summary, dict[str, Any]]:
        summary = engine.map_and_fold(self.job, self._FOLDS, progress=progress, on_fold=on_fold)
        if not summary.written:
            raise InputError("no page came out of the input, so there is nothing to count")
        return summary, {"step": repr(self.job.step)}

    def survey(self) -> Survey:
        """The counts."""
        counts = {(row["measure"], row["part"], row["value"]): row["count"] for row in self._rows("counts")}
        terms = {row["term"]: (row["low"], row["high"], row["documents"]) for row in self._rows("terms")}
        repeats: dict[int, tuple[int, int, int]] = {}
        for row in self._rows("repeats"):
            texts, sparse, dense = repeats.get(row["units"], (0, 0, 0))
            repeats[row["units"]] = (texts + row["texts"], sparse + row["sparse"], dense + row["dense"])
        return Survey(counts, terms, repeats)

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        folder = self.output / name
        if list(folder.glob("*.parquet")):
            for part in find_row_groups(folder, 2**26):
                for batch in part.batches():
                    yield from batch.to_pylist()
