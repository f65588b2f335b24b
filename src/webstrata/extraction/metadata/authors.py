"""Names of authors, out of what stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from webstrata.limits import MOST_NAMES

__all__ = ["author_names"]

_LEAD = re.compile(
    r"(?:view all posts\s+|(?:written|posted|published|reviewed|edited|story|words|text|article"
    r"|created|recipe|started|contributed)\s+)?"
    r"(?:by|von|par|por|di|door|автор|作者|文|著者|بقلم)(?:\s*[:：]\s*|\s+)|(?:authors?|autor|auteur|作者|著者|автор)\s*[:：]?\s+",
    re.IGNORECASE,
)
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ROLES = "contributor|staff|editor|writer|senior|reporter|founder|ceo|correspondent|content|marketing|author"
_TAIL = re.compile(
    r"\s*(?:[|•·–—»]|\s[-/]\s|\b(?:on|updated|published|posted|last|joined|reviewed)\s|\b(?:19|20)\d\d\b|\("
    rf"|\b{_MONTH}\.?\s+\d|,?\s*\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b\d{{1,2}}\s+{_MONTH}\b|\b\d{{1,2}}[:.]\d\d|\bin\s[A-Z]|,\s+(?:{_ROLES})\b).*$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?:|www\.|@\w+\.", re.IGNORECASE)
_NO_NAME = re.compile(
    r"[\W\d_]*$"
    r"|(?:admin|administrator|editor|unknown|anonymous|guest|null|none|author|by|undefined|wordpress"
    r"|(?:written|posted|published) by:?"
    # What buttons and links say that stand where names do.
    r"|(?:sign|log)[ -]?(?:in|up|out|on)|login|logout|register(?: now)?|subscribe(?: now)?|my account"
    r"|your name|user ?name|member|subscriber|view (?:full )?profile|follow(?: us| me)?|share(?: this)?|print|e-?mail"
    r"|reply|comments?|\d+ (?:comments?|replies|views)|(?:leave|post|add) a (?:comment|reply)|newsletter"
    r"|read more|more|menu|home|search|contact(?: us)?|about(?: us| me| the author)?|advertisement)$",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\s*(?:;|,\s+and\s+|\s+and\s+|\s+&\s+|\s+und\s+|\s+et\s+|\s+y\s+)\s*|(?<=[a-z]),\s+(?=[A-Z][\w.'’-]+ [A-Z])"
)
# Characters in which names are looked for.
_LONGEST = 300


def author_names(candidates: Iterable[str]) -> list[str]:
    """The names in some texts that are said to name the author.

    >>> author_names(["By Ada Stone and Ben Marl | Updated May 2024"]), author_names(["https://example.org/ada"])
    (['Ada Stone', 'Ben Marl'], [])
    """
    found: dict[str, None] = {}
    for text in islice(candidates, MOST_NAMES):
        whole = " ".join(text[:_LONGEST].split())
        if _names_nobody(whole):
            continue
        lead = _LEAD.match(whole)
        text = _TAIL.sub("", whole[lead.end() :] if lead else whole).strip(" ,;:.|-–—")
        for name in _PARTS.split(text):
            name = name.strip(" ,;:")
            if name and len(name) <= 60 and len(name.split()) <= 7 and (name == whole or not _names_nobody(name)):
                found[name] = None
    return list(found)


def _names_nobody(text: str) -> bool:
    """Whether a text is an address, or what stands in place of a name."""
    is_address = (":" in text or "." in text) and _ADDRESS.search(text) is not None
    return is_address or _NO_NAME.match(text) is not None
