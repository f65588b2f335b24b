"""Extraction of whole crawls.

>>> from webstrata.crawls.reading.records import record_schema
>>> import pyarrow as pa
>>> batch = pa.RecordBatch.from_pylist([{"html": b"<title>Strata</title><p>A page."}], record_schema())
>>> [row] = next(Extract(algorithm="keep-all")(iter([batch]))).to_pylist()
>>> row["title"], row["text"], row["reason"]
('Strata', 'A page.', None)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from webstrata._once import once
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.jobs.filters import PageFilter
from webstrata.crawls.running.steps import PageStep, default_algorithm, marked
from webstrata.extraction.base import EXTRACTORS, Extraction, extract
from webstrata.extraction.formats import CONTENT_FORMATS, content_format
from webstrata.extraction.language import detect, other_language
from webstrata.extraction.metadata import FIELDS
from webstrata.page import Page
from webstrata.workers.limits import Reject

__all__ = ["Extract", "check_formats", "fields_of"]

_LISTS = ("tags", "categories")


@dataclass(frozen=True, kw_only=True)
class Extract(PageStep):
    """The content of each page, and its metadata.

    Parameters
    ----------
    algorithm : an extractor or a recipe, as for `webstrata.extract`; the default is the same
    formats : the formats of the content, each a column: text always, and any of `CONTENT_FORMATS`
    spans : whether to add the byte ranges of the kept blocks in the page's UTF-8 source; text that was found in
        scripts (`webstrata.extraction.embedded`) has no range. For the text, and for the Markdown if it is given, there
        are also the spans of their pieces (`Extraction.text_spans`, `Extraction.markdown_spans`)
    site : a folder written by `webstrata site learn`; decisions are revised with the templates of the page's site,
        unless the folder does not have that site
    duplicates : a folder written by `webstrata duplicates`; pages are rejected as "duplicate" if another page of their
        cluster is kept
    detect : whether to add the language of the content and its score, beside the language that the page declares
    pages : filters of pages (`webstrata.crawls.jobs.filters`), applied in their order
    """

    algorithm: str = field(default_factory=lambda: default_algorithm(extract))
    formats: tuple[str, ...] = ("text",)
    spans: bool = False
    site: str = ""
    duplicates: str = ""
    detect: bool = False
    pages: tuple[PageFilter, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "formats", check_formats(self.formats))

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        named = (*(name for name in FIELDS if name != "url"), *self.formats)
        found = [(name, pa.list_(pa.string()) if name in _LISTS else pa.string()) for name in named]
        found += [("confidence", pa.float32())]
        found += [("detected_language", pa.string()), ("language_score", pa.float32())] if self.detect else []
        if not self.spans:
            return found
        span = pa.struct([("start", pa.int32()), ("stop", pa.int32())])
        names = ("start", "stop", "source_start", "source_stop")
        piece = pa.struct([*((name, pa.int32()) for name in names), ("carried", pa.bool_())])
        return [*found, ("spans", pa.list_(span)), *((name, pa.list_(piece)) for name in self._piece_columns)]

    @property
    def _piece_columns(self) -> list[str]:
        return [f"{name}_spans" for name in ("text", "markdown") if name in self.formats]

    @once
    def _record_stages(self) -> tuple[Callable[[Iterator[Any]], Iterator[Any]], ...]:
        """What is done to batches of records before their pages are read, in order."""
        return (_WithoutDuplicates(self.duplicates),) if self.duplicates else ()

    @once
    def _page_stages(self) -> tuple[Callable[[Any], Any], ...]:
        """What is done to a page, in order: the first stage makes an extraction of it, the next one revises that."""
        extractor = EXTRACTORS.make(self.algorithm)
        return (extractor, _WithSite(self.site)) if self.site else (extractor,)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for stage in self._record_stages:
            batches = stage(batches)
        return super().__call__(batches)

    def row(self, page: Page) -> dict[str, Any]:
        extraction: Any = page
        for stage in self._page_stages:
            extraction = stage(extraction)
        row = fields_of(extraction, self.formats)
        for page_filter in self.pages:
            if (detail := page_filter(extraction)) is not None:
                raise Reject(page_filter.reason, detail)
        if self.detect:
            row["detected_language"], row["language_score"] = detect(extraction.text)
        if self.spans:
            row["spans"] = _spans(extraction)
            row |= {name: [each._asdict() for each in getattr(extraction, name)] for name in self._piece_columns}
        return row


class _WithSite:
    """An extraction, revised with the templates of the page's site."""

    def __init__(self, folder: str) -> None:
        # Imported here: loading the room costs each process of a run a twentieth of a second.
        from webstrata.sites import Sites

        self._sites = Sites(folder)

    def __call__(self, extraction: Extraction) -> Extraction:
        site = self._sites.of(extraction.page.url)
        return extraction if site is None else site(extraction)


class _WithoutDuplicates:
    """Reject records with a near-duplicate that is kept, naming the page of that one."""

    def __init__(self, folder: str) -> None:
        from webstrata.crawls.jobs.duplicates.clusters import Duplicates

        self._duplicates = Duplicates(folder)

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            keepers = self._duplicates.keepers(batch)
            yield marked(batch, "duplicate", [f"of {kept}" if kept else None for kept in keepers])


def _spans(extraction: Extraction) -> list[dict[str, int]]:
    kept, blocks = np.flatnonzero(extraction.keep), extraction.page.blocks
    starts, stops = blocks.source_start[kept].tolist(), blocks.source_stop[kept].tolist()
    return [{"start": start, "stop": stop} for start, stop in zip(starts, stops, strict=True)]


def fields_of(extraction: Extraction, formats: Sequence[str] = ("text",)) -> dict[str, Any]:
    """The fields of an extraction, as in every output: address, metadata, and the content in these formats.

    Raises `Reject` where there is no content, or content in another language than those to keep.
    """
    if not extraction.text:
        found = other_language(extraction)
        raise Reject("language", found) if found else Reject("no content")
    row = extraction.as_dict(with_blocks=False, with_posts=False)
    del row["algorithm"]
    return row | {name: getattr(extraction, name) for name in formats}


def check_formats(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats without repetitions, after text, which is always given."""
    asked = {"text", *map(content_format, formats)}
    return tuple(name for name in CONTENT_FORMATS if name in asked)
