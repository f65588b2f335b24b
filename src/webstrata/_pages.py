"""Pages in the forms that callers have them: parsed, as HTML with or without a URL, or as files.

A string is HTML in every room, as in `webstrata.extract`, and never the name of a file: a file is given as a `Path`.
Only `webstrata.duplicates.clusters`, which compares texts, takes a string as plain text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from webstrata.errors import InputError
from webstrata.page import Page, parse

__all__ = ["AnyPage", "AnyPages", "page_of", "pages_of"]

#: A page, its HTML, its URL and its HTML, or the path of its file.
AnyPage: TypeAlias = Page | bytes | str | Path | tuple[str, bytes | str]
#: Several pages; a mapping is of URLs to HTML.
AnyPages: TypeAlias = Iterable[AnyPage] | Mapping[str, bytes | str]


def page_of(given: AnyPage) -> Page:
    """The page, parsed if it is given as HTML or as a file.

    >>> page_of("clay").text, page_of(b"<p>silt").text, page_of(("http://a.org/", "marl")).url
    ('clay', 'silt', 'http://a.org/')
    """
    if isinstance(given, Page):
        return given
    if isinstance(given, tuple) and len(given) == 2:
        return parse(given[1], url=given[0])
    if isinstance(given, bytes | str):
        return parse(given)
    if not isinstance(given, Path):
        raise InputError(f"a page is a Page, HTML or a Path, not {type(given).__name__}")
    try:
        return parse(given.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot read {str(given)[:80]!r}: {reason}; a page is a Page, HTML or a Path") from error


def pages_of(given: AnyPages) -> Iterator[Page]:
    """Each of the pages, one after another, so that only one need be in memory."""
    if isinstance(given, Page | bytes | str | Path):
        raise InputError("many pages are expected: put a single one in a list")
    return map(page_of, given.items() if isinstance(given, Mapping) else given)
