"""Folds for tests, in a module of their own because processes import them by name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc

from webstrata.crawls import Fold, FoldJob

__all__ = ["Longest", "Stopped", "WordCount", "fold_slowly", "slow_fold"]


@dataclass(frozen=True, kw_only=True)
class WordCount(Fold):
    """How often each word stands in the texts. Texts become rows of words, added up in each part."""

    seconds: float = 0.0

    key: ClassVar[str] = "word"
    schema: ClassVar[Any] = pa.schema([("word", pa.string()), ("count", pa.int64())])

    def partial_schema(self, schema: Any) -> Any:
        return self.schema

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        time.sleep(self.seconds)
        for batch in batches:
            words = [word for text in batch.column("text").to_pylist() for word in text.split()]
            yield from self._added(pa.table({"word": words, "count": [1] * len(words)}))

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        time.sleep(self.seconds / 10)
        yield from self._added(pa.Table.from_batches(batches))

    def _added(self, words: Any) -> list[Any]:
        added = words.group_by("word").aggregate([("count", "sum")]).rename_columns(self.schema.names)
        batches: list[Any] = added.cast(self.schema).to_batches()
        return batches


@dataclass(frozen=True, kw_only=True)
class Longest(Fold):
    """The first of the longest texts of each host: order matters, and nothing is added up beforehand."""

    key: ClassVar[str] = "host"
    schema: ClassVar[Any] = pa.schema([("host", pa.string()), ("rows", pa.int64()), ("text", pa.string())])

    def __call__(self, key: Any, batches: Iterator[Any]) -> Iterator[Any]:
        texts = pa.Table.from_batches(batches).column("text")
        longest = texts[pc.index(pc.utf8_length(texts), pc.max(pc.utf8_length(texts))).as_py()].as_py()
        yield pa.RecordBatch.from_pylist([{"host": key, "rows": len(texts), "text": longest}], self.schema)


@dataclass(frozen=True, kw_only=True)
class Stopped(WordCount):
    """A fold whose process is stopped."""

    def partial(self, batches: Iterator[Any]) -> Iterator[Any]:
        os.kill(os.getpid(), signal.SIGSTOP)
        return WordCount.partial(self, batches)


def slow_fold(rows: str, output: str) -> FoldJob:
    fold = WordCount(seconds=0.05)
    return FoldJob(rows=Path(rows), fold=fold, output=Path(output), buckets=16, part_bytes=1)


def fold_slowly(rows: str, output: str, jobs: int) -> None:
    """What the test that kills folds starts."""
    slow_fold(rows, output).run(jobs=jobs, resume=True)
