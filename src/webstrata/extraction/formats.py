"""The output formats of an extraction, as one table that every room reads.

A new format is a line here, a writer in `webstrata.extraction.structure` and a property of `Extraction`.
"""

from __future__ import annotations

from typing import NamedTuple

from webstrata.errors import InputError
from webstrata.registry import unknown

__all__ = ["CONTENT_FORMATS", "FORMATS", "OutputFormat", "content_format"]


class OutputFormat(NamedTuple):
    """An output format.

    Attributes
    ----------
    name : its name everywhere, and the attribute of `Extraction`
    title : its name for people
    media_type, ending : of files in this format
    has_decisions : whether it describes every block, not only the content; the attribute is a method with options then
    """

    name: str
    title: str
    media_type: str
    ending: str
    has_decisions: bool = False


#: The formats by name.
FORMATS = {
    each.name: each
    for each in (
        OutputFormat("text", "Text", "text/plain", ".txt"),
        OutputFormat("markdown", "Markdown", "text/markdown", ".md"),
        OutputFormat("html", "HTML", "text/html", ".html"),
        OutputFormat("tei", "TEI", "application/tei+xml", ".xml"),
        OutputFormat("json", "JSON", "application/json", ".json", has_decisions=True),
    )
}

#: The names of the formats that hold the content alone: columns of a crawl, documents of other frameworks.
CONTENT_FORMATS = tuple(each.name for each in FORMATS.values() if not each.has_decisions)


def content_format(name: str) -> str:
    """The name, if it is one of `CONTENT_FORMATS`.

    >>> content_format("md")
    Traceback (most recent call last):
    webstrata.errors.InputError: no format is called 'md': choose one of html, markdown, tei, text
    """
    if name not in CONTENT_FORMATS:
        raise InputError(unknown("format", name, CONTENT_FORMATS))
    return name
