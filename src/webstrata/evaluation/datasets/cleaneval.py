"""CleanEval (2007): pages of search engines, cleaned by hand (Kohlschütter 2011 §4.4.3, "Cross-Domain Collection")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.locate import data_path, parquet_rows

__all__ = ["CARD", "plain_gold", "read", "unwrap"]

_FILE = "cleaneval/cleaneval.parquet"

CARD = Card(
    "cleaneval",
    "CleanEval, pages of 2007 cleaned by hand",
    "cleaneval.sigwac.org.uk, mirrored at github.com/j-szulc/html-cleaning-dataset-merged",
    "none stated: research use, no redistribution",
    739,
    {"dev": 58, "final": 681},
    {_FILE: "b51696463b71fb8df76e9a17be940070fc197ade6fba0a5540e9197c8561563c"},
    note="59 pages of the final split have no gold text and are left out.",
)

_OPEN = re.compile(rb"\A\s*<text\b([^>]*)>", re.IGNORECASE)
_CLOSE = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ENCODING = re.compile(rb"""\bencoding\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)
_ADDRESS = re.compile(r"\A\s*URL:[^\n]*\n?")
_MARK = re.compile(r"<\s*/?\s*[phl]\s*>", re.IGNORECASE)


def read() -> Iterator[Item]:
    """The pages that have a gold text, in the order of the file; the group is the split, "dev" or "final"."""
    for row in parquet_rows(data_path(_FILE)):
        if row["gold"] is not None:
            html, encoding = unwrap(row["html"])
            name = f"{row['split']}/{row['id']}"
            yield Item(name, {"html": PageInput(html, encoding)}, Gold(text=plain_gold(row["gold"])), row["split"])


def unwrap(html: bytes) -> tuple[bytes, str | None]:
    """A page without the ``<text>`` around it, and the encoding named in that tag.

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
    """A gold text without its URL and its marks of paragraphs, headings and list items.

    Files that are not UTF-8 are decoded as Windows-1252, as browsers decode Latin-1.

    >>> plain_gold(b"URL: http://example.org/\\n<h>Strata\\n<p>A page comes in layers.")
    'Strata\\nA page comes in layers.'
    """
    try:
        text = gold.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = gold.decode("cp1252", "replace")
    return _MARK.sub("", _ADDRESS.sub("", text))
