"""Shards: the output of one input, in files of a fixed number of records.

A file appears as a whole or not at all (`webstrata.crawls.running.outputs`). After the files of a shard, its state is
written: the counts, and the place in the input where the shard ends. A shard without a state is written again, with the
same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.inputs import Place
from webstrata.crawls.reading.records import KEPT
from webstrata.crawls.running.outputs import OutputFile, OutputFolder
from webstrata.crawls.running.writers import FORMATS, JsonLinesWriter, RowWriter
from webstrata.errors import InputError

__all__ = ["OUT", "ShardState", "Shards", "output_schema"]

#: The name in counts of records that are written; rejected records are counted under their reasons.
OUT = "written"


@dataclass(frozen=True, slots=True)
class ShardState:
    """The state of a finished shard.

    Attributes
    ----------
    counts : the number of records by reason, and of those that were written
    place : of the last record
    last : whether the input ends here
    files : the sizes of the files by name
    """

    counts: dict[str, int]
    place: Place | None
    last: bool
    files: dict[str, int]

    def dumps(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def loads(cls, text: str) -> ShardState:
        try:
            value = json.loads(text)
            place = Place(**value["place"]) if value["place"] else None
            return cls(dict(value["counts"]), place, bool(value["last"]), dict(value["files"]))
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"the state of a shard is damaged ({error}): run again into a new folder") from error


def output_schema(schema: Any) -> Any:
    """The columns of written rows: those of the step without the reason for rejection."""
    pa = pyarrow()
    return pa.schema([field for field in schema if field.name not in ("reason", "detail")])


@dataclass(frozen=True, kw_only=True)
class Shards:
    """The shards of one input.

    Parameters
    ----------
    folder : of the whole output
    number : of the input
    schema : of the step
    format : one of `webstrata.crawls.running.writers.FORMATS`
    records : the number of records read for one shard
    rejected : whether to write places and reasons of rejected records to ``_rejected``
    """

    folder: OutputFolder
    number: int
    schema: Any
    format: str
    records: int
    rejected: bool

    def finished(self) -> list[ShardState]:
        """The shards that an earlier run finished, in order, up to the first one with missing or changed files."""
        found: list[ShardState] = []
        while (state := self._state(len(found))) is not None:
            if any(self.folder.size(name) != size for name, size in state.files.items()):
                break
            found.append(state)
        return found

    def complete(self) -> bool:
        """Whether all shards of the input are finished."""
        finished = self.finished()
        return bool(finished) and finished[-1].last

    def write(
        self, batches: Iterator[Any], first: int, progress: Callable[[Counter[str], Place], None]
    ) -> Iterator[ShardState]:
        """Write all rows, beginning with shard number ``first``; yields each shard once it is on disk.

        Parameters
        ----------
        progress : called with the counts of each batch and the place of its last record
        """
        rest: list[Any] = []
        done = False
        number = first
        while not done:
            with _Files(self, number) as files:
                done = True
                while (batch := rest.pop() if rest else next(batches, None)) is not None:
                    space = self.records - files.read
                    if batch.num_rows > space:
                        rest.append(batch.slice(space))
                        batch = batch.slice(0, space)
                    if batch.num_rows:
                        progress(*files.add(batch))
                    if rest or files.read == self.records:
                        done = False
                        break
                yield files.commit(last=done)
            number += 1

    def part(self, number: int) -> str:
        return f"part-{self.number:05}-{number:05}"

    def _state(self, number: int) -> ShardState | None:
        """The state of a shard, if it is finished."""
        try:
            return ShardState.loads(self.folder.read(self.state_name(number)).decode("utf-8", "replace"))
        except FileNotFoundError:
            return None

    def state_name(self, number: int) -> str:
        return f"_job/{self.part(number)}.json"


class _Files:
    """The open files of one shard."""

    def __init__(self, shards: Shards, number: int) -> None:
        self._shards = shards
        self._number = number
        self._columns = output_schema(shards.schema)
        self._writers: dict[str, tuple[RowWriter, OutputFile]] = {}
        self._counts: Counter[str] = Counter()
        self._place: Place | None = None

    def __enter__(self) -> _Files:
        return self

    def __exit__(self, *_: object) -> None:
        for writer, file in self._writers.values():
            if not file.stream.closed:
                with suppress(OSError, ValueError):  # after a full disk, Arrow says that the file is closed
                    writer.close()
            file.discard()

    @property
    def read(self) -> int:
        return self._counts.total()

    def add(self, batch: Any) -> tuple[Counter[str], Place]:
        """Write a batch; returns its counts and the place of its last record."""
        reasons = batch.column("reason")
        written = reasons.null_count
        counts = Counter({OUT: written} if written else {})
        kept = aside = batch
        if written < batch.num_rows:
            counts.update(filter(None, reasons.to_pylist()))
            kept, aside = batch.filter(reasons.is_null()), batch.filter(reasons.is_valid())
        self._counts.update(counts)
        if written:
            name = f"{self._part}.{self._shards.format}"
            self._writer(name, FORMATS[self._shards.format]).write(kept.select(self._columns.names))
        if self._shards.rejected and written < batch.num_rows:
            self._writer(f"_rejected/{self._part}.jsonl", JsonLinesWriter).write(aside.select(list(KEPT)))
        last = batch.slice(batch.num_rows - 1).select(["record", "offset", "url", "crawled"]).to_pylist()[0]
        self._place = Place(**last)
        return counts, self._place

    @property
    def _part(self) -> str:
        return self._shards.part(self._number)

    def _writer(self, name: str, make: type[RowWriter]) -> RowWriter:
        if name not in self._writers:
            file = self._shards.folder.new_file(name)
            self._writers[name] = make(file.stream, self._columns), file
        return self._writers[name][0]

    def commit(self, *, last: bool) -> ShardState:
        """Give all files their names, the state last."""
        for writer, file in self._writers.values():
            writer.close()
            file.commit()
        files = {name: self._shards.folder.size(name) for name in self._writers}
        shard = ShardState(dict(sorted(self._counts.items())), self._place, last, files)
        self._shards.folder.write(self._shards.state_name(self._number), shard.dumps().encode())
        return shard
