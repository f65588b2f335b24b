"""Extraction of many pages from a Python program, on all cores, each page under limits of time and memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import islice
from typing import Any

from webstrata.crawls.jobs.extract import check_formats, fields_of
from webstrata.errors import InputError
from webstrata.extraction.base import Extractor, named_extractor
from webstrata.extraction.metadata import FIELDS
from webstrata.workers.cores import cores
from webstrata.workers.limits import Limits, Reject, read_page
from webstrata.workers.pool import Failure, Pool

__all__ = ["extract_many"]

# Pages of one message to a worker: messages cost little, and the first results come soon.
_CHUNK = 8

Given = bytes | str | Mapping[str, Any]
Record = dict[str, Any]


def extract_many(
    pages: Iterable[Given],
    algorithm: str = "learned",
    *,
    jobs: int | None = None,
    ordered: bool = True,
    formats: Sequence[str] = ("text",),
    limits: Limits | None = None,
    **parameters: Any,
) -> Iterator[Record]:
    """Extract the content of many pages on several processes. A page that kills its process costs no other page.

    Each page becomes one record with the fields of ``webstrata run extract``: ``record`` (the number of the page),
    ``url``, the metadata, ``text`` and the other formats. A page without content, or one that took too much time or
    memory, has a ``reason`` and a ``detail``, and None for the rest.

    Parameters
    ----------
    pages : HTML as bytes or text, or mappings with ``html`` and, if known, ``url`` and ``encoding``; other fields of a
        mapping are copied to its record, unless extraction gives a field of that name
    algorithm : an extractor or a recipe, as for `webstrata.extract`
    jobs : worker processes; all cores by default
    ordered : whether records come in the order of the pages, or as soon as they are ready
    formats : the formats of the content: text always, and any of `webstrata.extraction.formats.CONTENT_FORMATS`
    limits : of time and memory for a page
    parameters : of a single extractor, as Python values

    >>> pages = [{"html": "<title>Silt</title><p>Pale, in spring.", "id": 7}, b""]
    >>> for found in extract_many(pages, "keep-all", jobs=1, formats=["markdown"]):
    ...     print(found.get("id"), found["title"], found["markdown"], found["reason"])
    7 Silt Pale, in spring. None
    None None None empty
    """
    if isinstance(pages, bytes | str | Mapping):
        raise InputError("extract_many takes an iterable of pages; for a single one there is webstrata.extract")
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs is the number of processes, at least 1, not {jobs}")
    extractor, forms = named_extractor(algorithm, **parameters), check_formats(formats)
    set_limits = limits or Limits()
    start = partial(_start, extractor, forms, set_limits)
    pool = Pool[Record, Record](start=start, limits=set_limits, jobs=jobs or cores(), ordered=ordered)
    return _results(pool, pages, forms)


def _results(pool: Pool[Record, Record], pages: Iterable[Given], forms: Sequence[str]) -> Iterator[Record]:
    empty = dict.fromkeys((*FIELDS, "confidence", *forms, "reason", "detail"))
    with closing(pool(_chunks(pages))) as results:
        for chunk, answers in results:
            for request, answer in zip(chunk, answers, strict=True):
                given = {name: value for name, value in request.items() if name not in ("html", "encoding")}
                if isinstance(answer, Failure):
                    answer = {"reason": answer.reason, "detail": answer.detail}
                yield {**empty, **given, "reason": None, "detail": None, **answer}


def _chunks(pages: Iterable[Given]) -> Iterator[list[Record]]:
    requests = (_request(number, given) for number, given in enumerate(pages))
    while chunk := list(islice(requests, _CHUNK)):
        yield chunk


def _request(number: int, given: Given) -> Record:
    """The message about a page to a worker. Text is encoded as UTF-8."""
    page: Record = dict(given) if isinstance(given, Mapping) else {"html": given}
    html = page.get("html")
    if isinstance(html, str):
        page |= {"html": html.encode("utf-8", "replace"), "encoding": "utf-8"}
    elif not isinstance(html, bytes):
        raise InputError(f"page {number} must be bytes, str, or a mapping with html, not {type(html).__name__}")
    return {"record": number, **page}


# In the worker


def _start(extractor: Extractor, forms: Sequence[str], limits: Limits) -> Callable[[Record], Record]:
    """The function of one request. A first call loads models, so that their memory is not charged to a page."""
    answer = partial(_answer, extractor, forms, limits)
    answer({"html": b"<title>a</title><p>a"})
    return answer


def _answer(extractor: Extractor, forms: Sequence[str], limits: Limits, request: Record) -> Record:
    try:
        return fields_of(extractor(read_page(request, limits)), forms)
    except Reject as rejection:
        return {"reason": rejection.reason, "detail": rejection.detail}
