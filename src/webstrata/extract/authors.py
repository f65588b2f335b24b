"""Names of authors, out of what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["author_names"]

_LEAD = re.compile(
    r"^(?:(?:written|posted|published|reviewed|edited|story|words|text|article|created|guest post|contributed)\s+)?"
    r"(?:by|von|par|por|di|door|автор|作者|文|著者|بقلم)(?:\s*[:：]\s*|\s+)|^(?:authors?|autor|auteur|作者|著者|автор)\s*[:：]\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:[|•·–—/]|\s-\s|\bon\s|\bupdated\b|\bpublished\b|\bposted\b|\b(?:19|20)\d\d\b|\(|\b\d{1,2}[:.]\d\d|\bin\s[A-Z]"
    r"|,\s*(?:contributor|staff|editor|writer|senior|reporter|founder|ceo|correspondent|content|marketing)).*$",
    re.IGNORECASE,
)
_NO_NAME = re.compile(r"https?:|www\.|@\w+\.|^[\W\d_]*$|^(?:admin|administrator|editor|unknown|anonymous|guest|null|none|author|by|undefined|wordpress)$", re.IGNORECASE)
_PARTS = re.compile(r"\s*(?:;|,\s+and\s+|\s+and\s+|\s+&\s+|\s+und\s+|\s+et\s+|\s+y\s+)\s*|(?<=[a-z]),\s+(?=[A-Z][\w.'’-]+ [A-Z])")


def author_names(candidates: Iterable[str], *, site_name: str = "") -> list[str]:
    """The names in some texts that are said to name the author.

    >>> author_names(["By Ada Stone and Ben Marl | Updated May 2024"]), author_names(["https://example.org/ada"])
    (['Ada Stone', 'Ben Marl'], [])
    """
    found: list[str] = []
    for text in candidates:
        text = _TAIL.sub("", _LEAD.sub("", " ".join(text.split()))).strip(" ,;:.|-–—")
        for name in _PARTS.split(text):
            name = name.strip(" ,;:")
            if name and len(name) <= 60 and len(name.split()) <= 7 and not _NO_NAME.search(name) and name not in found:
                found.append(name)
    return found
