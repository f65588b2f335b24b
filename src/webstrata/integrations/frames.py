"""Shared by the adapters of data frames: columns of pages to columns of their content."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from webstrata.crawls.jobs.extract import check_formats, fields_of
from webstrata.crawls.jobs.extract_many import extract_many
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.metadata import FIELDS
from webstrata.workers.limits import Limits, Reject, read_page

__all__ = ["columns_of"]

Page = bytes | str | None


def columns_of(
    pages: Sequence[Page],
    urls: Sequence[str | None] | None,
    *,
    algorithm: str,
    formats: Sequence[str],
    jobs: int,
    parameters: dict[str, Any],
) -> dict[str, list[Any]]:
    """The values of each field, one for each page; with one job from this process, else from guarded processes."""
    forms = check_formats(formats)
    addresses = urls if urls is not None else [None] * len(pages)
    given = [{"html": html or "", "url": url} for html, url in zip(pages, addresses, strict=True)]
    names = [*(name for name in FIELDS if name != "url"), "url", *forms, "reason", "detail"]
    columns: dict[str, list[Any]] = {name: [] for name in names}
    if jobs == 1:
        records: Iterator[dict[str, Any]] = _here(given, algorithm, forms, parameters)
    else:
        records = extract_many(given, algorithm, jobs=jobs or None, formats=forms, **parameters)
    for record in records:
        for name in names:
            columns[name].append(record.get(name))
    return columns


def _here(
    given: list[dict[str, Any]], algorithm: str, forms: Sequence[str], parameters: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    extractor = EXTRACTORS.make(algorithm, **parameters)
    for record in given:
        try:
            yield fields_of(extractor(read_page(record, Limits())), forms)
        except Reject as rejection:
            yield {"url": record["url"], "reason": rejection.reason, "detail": rejection.detail}
