"""A crawl becomes clusters of near-duplicates: `Deduplicator` runs the step and the fold, `Duplicates` reads clusters.

The folder contains ``clusters.parquet``, a row for each page with a near-duplicate; ``probability.svg``, the curve of
the rule; and ``duplicates.json``, the parameters and counts. That file is written last; then the intermediate results,
``rows`` and ``pairs``, are deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.engines import LOCAL, Engine
from webstrata.crawls.folding.folds import FoldJob
from webstrata.crawls.folding.shuffle import find_row_groups
from webstrata.crawls.jobs.duplicates.signatures import Bands, SignPages, page_numbers, signatures_of
from webstrata.crawls.reading.finding import find_inputs
from webstrata.crawls.reading.inputs import Input
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.crawls.running.steps import RecordFilter
from webstrata.duplicates.clustering import Member, connected, ranked
from webstrata.duplicates.figures import probability_curve
from webstrata.duplicates.signatures import Rule
from webstrata.errors import InputError
from webstrata.files import NewFile, read_json, readable, write_file
from webstrata.page import Page
from webstrata.text import Column
from webstrata.workers.limits import Limits, Reject, read_page

__all__ = ["Deduplicator", "Duplicates", "page_name", "read_record", "write_clusters"]

_VERSION = 1
_DESCRIPTION = ("url", "title", "file", "record", "crawled", "digest", "words")


@dataclass(frozen=True, kw_only=True)
class Deduplicator:
    """Finds the near-duplicates of a crawl.

    Parameters
    ----------
    inputs : from `webstrata.crawls.reading.finding.find_inputs`
    output : the folder to write to
    by : the part of a page that is compared: content, segment or page
    algorithm : the extractor or segmenter that finds it; empty for the default
    rule : when two texts are near-duplicates
    limits : what one page may cost
    records : filters of records, so that no page is dropped for one that is filtered
    """

    inputs: tuple[Input, ...]
    output: Path
    by: str = "content"
    algorithm: str = ""
    rule: Rule = field(default_factory=Rule)
    limits: Limits = field(default_factory=Limits)
    records: tuple[RecordFilter, ...] = ()

    @property
    def job(self) -> Job:
        """The run that signs the pages."""
        step = SignPages(by=self.by, algorithm=self.algorithm, rule=self.rule, limits=self.limits, records=self.records)
        return Job(inputs=self.inputs, step=step, output=self.output / "rows", limits=self.limits)

    def run(
        self,
        engine: Engine = LOCAL,
        *,
        progress: Progress | None = None,
        fold_progress: Callable[[float], None] = lambda share: None,
    ) -> Summary:
        """Find the duplicates, or do the rest of an earlier run; returns the counts of the records.

        Parameters
        ----------
        engine : where to run
        progress : progress callback of the pages
        fold_progress : called with the share of the bands that is joined, from 0 to 1
        """
        work = partial(self._run, engine, progress, fold_progress)
        return engine.once(self.output, "duplicates.json", repr(self.job.step), work, rows=("rows", "pairs"))

    def _run(
        self, engine: Engine, progress: Progress | None, fold_progress: Callable[[float], None]
    ) -> tuple[Summary, dict[str, Any]]:
        summary = engine.map(self.job, progress=progress)
        if summary.written:
            pairs = FoldJob(rows=self.output / "rows", fold=Bands(rule=self.rule), output=self.output / "pairs")
            engine.fold(pairs, progress=fold_progress)
        found = write_clusters(self.output, self.rule)
        write_file(self.output / "probability.svg", probability_curve(self.rule))
        about = {"version": _VERSION, "by": self.by, "algorithm": self.algorithm, "rule": asdict(self.rule)}
        return summary, about | found


def write_clusters(folder: Path, rule: Rule) -> dict[str, int]:
    """Write ``clusters.parquet`` from the rows and pairs in a folder; returns the counts of clusters and pages."""
    pages, cluster = _joined(folder / "pairs")
    read = list(_members(folder / "rows", pages, rule))
    rows = _cluster_rows(read, pages, cluster, rule)
    pa = pyarrow()
    texts = [(name, pa.string()) for name in ("url", "title", "file", "crawled", "digest")]
    numbers = [(name, pa.int64()) for name in ("cluster", "page", "record", "words")]
    kept = [("keeper", pa.bool_()), ("shared", pa.float64())]
    of = [("keeper_url", pa.string()), ("keeper_file", pa.string()), ("keeper_record", pa.int64())]
    table = pa.Table.from_pylist(rows, pa.schema([*numbers, *texts, *kept, *of]))
    with NewFile(folder / "clusters.parquet") as file:
        pyarrow("pyarrow.parquet").write_table(table, file.stream, compression="zstd")
    clusters = sum(row["keeper"] for row in rows)
    return {"clusters": clusters, "members": len(rows), "dropped": len(rows) - clusters}


def _joined(folder: Path) -> tuple[Column, Column]:
    """The pages of the pairs in a folder, and the cluster of each."""
    ends: list[list[Column]] = [[], []]
    if list(folder.glob("*.parquet")):
        for part in find_row_groups(folder, 2**26):
            for batch in part.batches():
                for held, name in zip(ends, "ab", strict=True):
                    held.append(batch.column(name).to_numpy())
    none = [np.zeros(0, np.int64)]
    return connected(*(np.concatenate(held or none) for held in ends))


def _members(folder: Path, pages: Column, rule: Rule) -> Iterator[dict[str, Any]]:
    """The descriptions and signatures of these pages."""
    if not len(pages):
        return
    for part in find_row_groups(folder, 2**26):
        for batch in part.batches():
            numbers = page_numbers(batch)
            place = np.minimum(np.searchsorted(pages, numbers), len(pages) - 1)
            rows = np.flatnonzero(pages[place] == numbers)
            some = batch.take(pyarrow().array(rows))
            signatures = signatures_of(some.column("signature"), rule)
            for row, number, signature in zip(
                some.select(list(_DESCRIPTION)).to_pylist(), numbers[rows].tolist(), signatures, strict=True
            ):
                yield {**row, "page": number, "signature": signature}


def _cluster_rows(rows: list[dict[str, Any]], pages: Column, cluster: Column, rule: Rule) -> list[dict[str, Any]]:
    """The rows of all clusters: the largest cluster first, and in each the keeper first."""
    label_of = dict(zip(pages.tolist(), cluster.tolist(), strict=True))
    out = []
    groups = ranked([_member(row) for row in rows], [label_of[row["page"]] for row in rows])
    for number, group in enumerate(groups, start=1):
        best = rows[group[0]]
        of = {f"keeper_{name}": best[name] for name in ("url", "file", "record")}
        for row in (rows[place] for place in group):
            shared = float(rule.share(row["signature"], best["signature"]))
            rest = {key: value for key, value in row.items() if key != "signature"}
            out.append({**rest, **of, "cluster": number, "keeper": row is best, "shared": shared})
    return out


def _member(row: dict[str, Any]) -> Member:
    return Member(
        words=row["words"],
        crawled=row["crawled"] or "",
        url=row["url"] or "",
        file=row["file"] or "",
        record=row["record"] or 0,
    )


class Duplicates:
    """The clusters of a folder.

    Parameters
    ----------
    folder : written by `Deduplicator`
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.about: dict[str, Any] = read_json(
            self.folder / "duplicates.json", f"{folder} holds no duplicates: make them with webstrata duplicates"
        )
        if self.about.get("version") != _VERSION:
            raise InputError(f"{folder} was made by another version of webstrata: make it again")

    @once
    def table(self) -> Any:
        """The clusters as an Arrow table, a row for each page, the keeper of each cluster first."""
        path = self.folder / "clusters.parquet"
        with readable(path, "make it again with `webstrata duplicates`"):
            return pyarrow("pyarrow.parquet").read_table(path)

    @once
    def _dropped(self) -> tuple[Column, Any]:
        pc = pyarrow("pyarrow.compute")
        rows = self.table.filter(pc.invert(self.table.column("keeper")))
        pages = rows.column("page").to_numpy()
        order = np.argsort(pages)
        return pages[order], rows.take(pyarrow().array(order))

    def keepers(self, batch: Any) -> list[str | None]:
        """For each row with ``file`` and ``record``, the name of the page that is kept in its place, or None."""
        pages, rows = self._dropped
        if not len(pages):
            return [None] * batch.num_rows
        numbers = page_numbers(batch)
        place = np.minimum(np.searchsorted(pages, numbers), len(pages) - 1)
        found = []
        for row, there in zip(place.tolist(), (pages[place] == numbers).tolist(), strict=True):
            kept = {name: rows.column(f"keeper_{name}")[row].as_py() for name in ("url", "file", "record")}
            found.append(page_name(kept) if there else None)
        return found


def page_name(row: dict[str, Any]) -> str:
    """The name of a page for people: its URL, and in brackets the name for `read_record`.

    >>> page_name({"url": "http://a/", "file": "crawl.warc", "record": 7})
    'http://a/ (crawl.warc#7)'
    """
    place = f"{row['file']}#{row['record']}"
    return f"{row['url']} ({place})" if row["url"] else place


def read_record(name: str) -> Page:
    """The page of a file of HTML, or of ``FILE#RECORD``."""
    file, mark, number = name.rpartition("#")
    numbered = bool(mark) and number.isdecimal() and not Path(name).exists()
    [item, *more] = find_inputs([file if numbered else name])
    if more:
        raise InputError(f"{name} contains many pages: name one as FILE#RECORD")
    # A file of HTML is one page, whatever number it had in its folder.
    place = int(number) if numbered and item.kind != "html" else 0
    limits = Limits()
    row = next(islice(item.rows(limit=limits.bytes), place, None), None)
    if row is None:
        raise InputError(f"{file} has no record {place}")
    try:
        if row.get("reason"):
            raise Reject(row["reason"], row.get("detail") or "")
        return read_page(row, limits)
    except Reject as rejection:
        raise InputError(f"{name} cannot be read as a page: {rejection.reason} {rejection.detail or ''}") from None
