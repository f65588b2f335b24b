"""Steps: functions from a stream of record batches to a stream of record batches.

A step is picklable, knows the ``schema`` of what it gives, and gives one row for each row, in order. So the same step
runs in this process, on local processes (`webstrata.crawls.running.guard`) and under Spark's ``mapInArrow``, unchanged.

>>> from webstrata.crawls.reading.records import record_schema
>>> import pyarrow as pa
>>> batch = pa.RecordBatch.from_pylist([{"html": b"<title>Strata</title><p>A page."}], record_schema())
>>> [row] = next(Extract(algorithm="keep-all")(iter([batch]))).to_pylist()
>>> row["title"], row["text"], row["reason"]
('Strata', 'A page.', None)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.reading.records import KEPT, kept_columns
from webstrata.extraction.base import EXTRACTORS, Extraction, Extractor, extract
from webstrata.extraction.formats import CONTENT_FORMATS, content_format
from webstrata.extraction.metadata import FIELDS
from webstrata.page import Page
from webstrata.segmentation.base import SEGMENTERS, Segmenter, segment
from webstrata.workers.limits import Limits, Reject, read_page

__all__ = ["STEPS", "Blocks", "Extract", "Segment", "Step", "check_formats", "each_page", "fields_of"]


class Step(Protocol):
    """Batches in, batches out: one row for each row, in order."""

    @property
    def schema(self) -> Any: ...

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]: ...


#: The metadata in the order of the columns; the address is among the columns that say where a page came from.
DESCRIPTION = tuple(name for name in FIELDS if name != "url")
_LISTS = ("tags", "categories")


def fields_of(extraction: Extraction, formats: Sequence[str] = ("text",)) -> dict[str, Any]:
    """The fields of an extraction, as every output names them: address, metadata, and the content in some forms.

    Raises `Reject` where there is no content.
    """
    if not extraction.text:
        raise Reject("no content")
    found = extraction.as_dict(with_blocks=False)
    del found["algorithm"]
    return found | {name: getattr(extraction, name) for name in formats}


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """Formats without repetitions, the text first, which is always given."""
    asked = {"text", *map(content_format, formats)}
    return tuple(name for name in CONTENT_FORMATS if name in asked)


@dataclass(frozen=True, kw_only=True)
class Extract:
    """The content of each page, and what the page says of itself.

    Parameters
    ----------
    algorithm : an extractor or a recipe, as for `webstrata.extract`; without one, its default
    formats : the formats of the content, each a column: text always, and any of `CONTENT_FORMATS`
    spans : whether to add the byte ranges of the kept blocks in the page's UTF-8 source; text that the page carries
        elsewhere (`webstrata.extraction.embedded`) has none
    limits : what a page may cost
    """

    algorithm: str = field(default_factory=lambda: _default(extract))
    formats: tuple[str, ...] = ("text",)
    spans: bool = False
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        kinds = dict.fromkeys((*DESCRIPTION, *self.formats), pa.string()) | dict.fromkeys(_LISTS, pa.list_(pa.string()))
        columns = list(kinds.items())
        spans = [("spans", pa.list_(pa.struct([("start", pa.int32()), ("stop", pa.int32())])))] if self.spans else []
        return pa.schema([*kept_columns(), *columns, *spans])

    @once
    def _extractor(self) -> Extractor:
        return EXTRACTORS.make(self.algorithm)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return each_page(batches, self._row, self.schema, self.limits)

    def _found(self, page: Page) -> Extraction:
        return self._extractor(page)

    def _row(self, page: Page) -> dict[str, Any]:
        extraction = self._found(page)
        row = fields_of(extraction, self.formats)
        if self.spans:
            kept = np.flatnonzero(extraction.keep)
            starts, stops = page.blocks.source_start[kept].tolist(), page.blocks.source_stop[kept].tolist()
            row["spans"] = [{"start": start, "stop": stop} for start, stop in zip(starts, stops, strict=True)]
        return row


@dataclass(frozen=True, kw_only=True)
class Segment:
    """The segments of each page: ranges of its blocks, with their text.

    Parameters
    ----------
    algorithm : a segmenter, as for `webstrata.segment`; without one, its default
    limits : what a page may cost
    """

    algorithm: str = field(default_factory=lambda: _default(segment))
    limits: Limits = field(default_factory=Limits)

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        numbers = [(name, pa.int32()) for name in ("start", "stop", "level")]
        row = pa.struct([*numbers, ("kind", pa.string()), ("score", pa.float64()), ("text", pa.string())])
        return pa.schema([*kept_columns(), ("title", pa.string()), ("segments", pa.list_(row))])

    @once
    def _segmenter(self) -> Segmenter:
        return SEGMENTERS.make(self.algorithm)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return each_page(batches, self._row, self.schema, self.limits)

    def _row(self, page: Page) -> dict[str, Any]:
        found = self._segmenter(page)
        if not found.segments:
            raise Reject("no content")
        rows = [{**item._asdict(), "text": found.text(item)} for item in found.segments]
        return {"title": page.title or None, "segments": rows}


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """The atomic blocks of each page, with their counts.

    Parameters
    ----------
    limits : what a page may cost
    """

    limits: Limits = field(default_factory=Limits)

    _NUMBERS: ClassVar = ("source_start", "source_stop", "words", "link_words", "lines", "wrapped_words")

    @once
    def schema(self) -> Any:
        pa = pyarrow()
        numbers = [(name, pa.int32()) for name in self._NUMBERS]
        block = pa.struct([("text", pa.string()), ("tag", pa.string()), ("hidden", pa.bool_()), *numbers])
        return pa.schema([*kept_columns(), ("title", pa.string()), ("blocks", pa.list_(block))])

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        return each_page(batches, self._row, self.schema, self.limits)

    def _row(self, page: Page) -> dict[str, Any]:
        blocks = page.blocks
        if not len(blocks):
            raise Reject("no content")
        columns = {name: getattr(blocks, name).tolist() for name in self._NUMBERS}
        rows = [
            {"text": block.text, "tag": block.element.tag, "hidden": block.hidden}
            | {name: column[i] for name, column in columns.items()}
            for i, block in enumerate(blocks)
        ]
        return {"title": page.title or None, "blocks": rows}


#: The steps by name.
STEPS: dict[str, type[Extract] | type[Segment] | type[Blocks]] = {
    "extract": Extract,
    "segment": Segment,
    "blocks": Blocks,
}


# The columns of a record that pages are read from. The others are handed on as they are.
_READ = ["url", "html", "encoding", "reason"]


def each_page(
    batches: Iterator[Any], row_of: Callable[[Page], dict[str, Any]], schema: Any, limits: Limits
) -> Iterator[Any]:
    """The frame of every step that works page by page. Rows that were rejected before go through as they are."""
    pa = pyarrow()
    for batch in batches:
        rows = [_row(record, row_of, limits) for record in batch.select(_READ).to_pylist()]
        yield pa.RecordBatch.from_arrays([_column(field, rows, batch) for field in schema], schema=schema)


def _row(record: dict[str, Any], row_of: Callable[[Page], dict[str, Any]], limits: Limits) -> dict[str, Any]:
    """What a step says of a record, or why it says nothing."""
    if record["reason"] is not None:
        return {}
    try:
        return row_of(read_page(record, limits))
    except Reject as rejection:
        return {"reason": rejection.reason, "detail": rejection.detail}


def _column(field: Any, rows: list[dict[str, Any]], batch: Any) -> Any:
    """A column of what a step gives: what its rows say, or what the records had where they say nothing."""
    name = field.name
    if name not in KEPT:
        return pyarrow().array([row.get(name) for row in rows], field.type)
    before = batch.column(name)
    if not any(name in row for row in rows):
        return before.cast(field.type)
    values = [row.get(name, value) for row, value in zip(rows, before.to_pylist(), strict=True)]
    return pyarrow().array(values, field.type)


def _default(function: Callable[..., Any]) -> str:
    """The algorithm that a function takes when none is named."""
    return str(inspect.signature(function).parameters["algorithm"].default)
