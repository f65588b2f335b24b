"""CleanEval (2007): pages of search engines, cleaned by hand (Kohlschütter 2011 §4.4.3, "Cross-Domain Collection")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webstrata.errors import EncodingError
from webstrata.evaluation.datasets.locate import data_path, parquet_rows
from webstrata.page import Page, parse

__all__ = ["CleanEvalPage", "cleaneval_pages", "plain_gold", "unwrap"]

_OPEN = re.compile(rb"\A\s*<text\b([^>]*)>", re.IGNORECASE)
_CLOSE = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ENCODING = re.compile(rb"""\bencoding\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)
_ADDRESS = re.compile(r"\A\s*URL:[^\n]*\n?")
_MARK = re.compile(r"<\s*/?\s*[phl]\s*>", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class CleanEvalPage:
    """A page of CleanEval: its name ("final/12"), its HTML without the wrapper, and the text that is content."""

    name: str
    split: str
    html: bytes
    encoding: str | None
    gold: str

    @property
    def page(self) -> Page:
        """The page, read. The encoding in the wrapper is a hint that is dropped where it is no encoding."""
        try:
            return parse(self.html, encoding=self.encoding)
        except EncodingError:
            return parse(self.html)


def cleaneval_pages(split: str | None = None) -> Iterator[CleanEvalPage]:
    """The pages that have a gold text, in the order of the file.

    Parameters
    ----------
    split : "dev", "final", or None for both
    """
    for row in parquet_rows(data_path("cleaneval/cleaneval.parquet")):
        if row["gold"] is not None and split in (None, row["split"]):
            html, encoding = unwrap(row["html"])
            name = f"{row['split']}/{row['id']}"
            yield CleanEvalPage(name, row["split"], html, encoding, plain_gold(row["gold"]))


def unwrap(html: bytes) -> tuple[bytes, str | None]:
    """A page without the ``<text>`` around it, and the encoding that this names.

    >>> unwrap(b'<text id="1" title="x" encoding="iso-8859-1"><p>one</text>')
    (b'<p>one', 'iso-8859-1')
    """
    found = _OPEN.search(html)
    if found is None:
        return html, None
    named = _ENCODING.search(found[1])
    inner = _CLOSE.sub(b"", html[found.end() :])
    return inner, named[1].decode("ascii") if named else None


def plain_gold(gold: bytes) -> str:
    """A gold text without its address and its marks for paragraphs, headings and list items.

    Some files are not UTF-8; these are read as Windows-1252, what browsers take Latin-1 for.

    >>> plain_gold(b"URL: http://example.org/\\n<h>Strata\\n<p>A page comes in layers.")
    'Strata\\nA page comes in layers.'
    """
    try:
        text = gold.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = gold.decode("cp1252", "replace")
    return _MARK.sub("", _ADDRESS.sub("", text))
