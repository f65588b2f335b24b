"""Names of authors in texts such as bylines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from webstrata._lengths import MOST_NAMES
from webstrata.extraction.metadata.author_words import AFTER, BEFORE, BETWEEN, LABELS, MONTHS, NO_NAMES, TRAILING

__all__ = ["author_names"]


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


# Words before a name that may be a part of it.
_PARTICLES = frozenset("von de di da do del af av od na per deur nga par por از".split())
# Scripts that write no spaces between words.
_EAST_ASIAN = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f"
# Words that are a label with a colon, and else a part of the name of a body.
_BODY_OR_LABEL = frozenset("redaktion redacción redação".split())
# A text that is nothing but a label; "Theo" is a name as well.
_NO_NAMES_ALONE = (frozenset(BEFORE) - _BODY_OR_LABEL - {"theo"}) | LABELS
# Of the particles, those that begin a byline rather than a name of two words: "von Tobi".
_BY_PARTICLES = frozenset("von av af od na per deur nga par por".split())
_LEAD = re.compile(rf"(?:{_either(BEFORE)})(?:\s*[:：/／|｜]\s*|\s+|(?<=[{_EAST_ASIAN}])\s?(?=[（(]))", re.IGNORECASE)
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_ROLES = (
    "contributor|staff|editor|writer|senior|reporter|founder|ceo|correspondent|content|marketing|author|journalist"
    "|redakteur|redakteurin|journaliste|redactor|md|phd"
)
_TAIL = re.compile(
    r"\s*(?:[|•·–—»]|\s[-/]\s|\b(?:on|updated|published|posted|last|joined|reviewed)\s|\b(?:19|20)\d\d\b|[(（]"
    rf"|\b(?:am|vom|den|dne|dnia)\s*\d|\s@\w|\b{_MONTH}\.?\s+\d"
    r"|,?\s*\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    rf"|\b\d{{1,2}}\.?\s+{_MONTH}\b"
    rf"|\b\d{{1,2}}[:.]\d\d|\bin\s[A-Z]|,\s+(?:{_ROLES})\b|\s\d{{1,2}}[./]\d|,\s\d).*$",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\s*(?:{_either(AFTER)})$|\s(?:{_either(TRAILING)})$")
_MAIL = re.compile(r"\S{1,100}@\S{1,100}")
_ADDRESS = re.compile(r"https?:|www\.|@\w+\.|\w\.(?:com|org|net|html?)\b", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"[\W\d_]*$|.{0,20}(?:\d\d:\d\d|\d{4}\s?年|\d\s?月)"
    r"|(?:bild|foto|photo|image|credit|quelle|source|text & foto)s?\s*:"
    rf"|\d{{1,2}}\.?\s{_MONTH}$|\d{{1,4}}\.?\s\w+$"
    r"|(?:admin|administrator|editor|unknown|anonymous|guest|null|none|author|the author|by|undefined"
    r"|publisher|www|copyright|wordpress|default|n/a"
    r"|(?:written|posted|published) by:?"
    # Texts of buttons and links in the place of names.
    r"|(?:sign|log)[ -]?(?:in|up|out|on)|register(?: now)?|subscribe(?: now)?|my account"
    r"|your name|user ?name|member|subscriber|view (?:full )?profile|follow(?: us| me)?|share(?: this)?"
    r"|(?:leave|post|add) a (?:comment|reply)"
    r"|(?:software engineer|press release|quick links|table of contents|key takeaways)"
    r"|read more|more|contact(?: us)?|about(?: us| me| the author)?|all articles)$",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\s*(?:;|[、／]|,\s+and\s+|\s+and\s+|\s+&\s+|\s+und\s+|\s+et\s+|\s+y\s+)\s*"
    r"|(?<=[^\W\d_]),\s+(?=[^\W\d_][\w.'’-]* [^\W\d_])"
    rf"|(?<=[{_EAST_ASIAN}])[，,]\s*(?=[{_EAST_ASIAN}])"
)
_FORM_MARKS = re.compile("[,:]")
_BETWEEN = re.compile(rf"\s+(?:{_either(BETWEEN)})\s+")
# Names of months that a page writes after a name without a space.
_GLUED = re.compile(
    r"(?<=[a-z])(?:January|February|March|April|May|June|July|August|September|October|November|December)$"
)
_GLUED_BY = re.compile(r"(?:(?:[Ww]ritten|[Pp]osted) )?[Bb]y(?=[A-Z][a-z])")
# All words in these expressions. A text of letters without these words is a name as it is.
_WORDS = frozenset(
    " ".join([*BEFORE, *BETWEEN, *AFTER, *TRAILING, *MONTHS, *NO_NAMES, *LABELS]).lower().split()
    + "on in updated published posted last joined reviewed monday tuesday wednesday thursday friday saturday sunday"
    " admin administrator editor unknown anonymous guest null none undefined wordpress default sign log up out"
    " register subscribe my your name account username user member subscriber follow share leave post add view full"
    " profile more contact about us me the all articles a now this comment reply read publisher www copyright software"
    " engineer press release quick links table of contents key takeaways".split()
)
# Characters that are searched for names.
_LONGEST = 300
_LONGEST_NAME, _MOST_WORDS = 60, 7


def author_names(candidates: Iterable[str]) -> list[str]:
    """The names of authors in some texts.

    >>> author_names(["By Ada Stone and Ben Marl | Updated May 2024"]), author_names(["https://example.org/ada"])
    (['Ada Stone', 'Ben Marl'], [])
    >>> author_names(["Von Ada Stone, Ben Marl"]), author_names(["文／林晓禾、王地"]), author_names(["Benutzername"])
    (['Ada Stone', 'Ben Marl'], ['林晓禾', '王地'], [])
    """
    found: dict[str, None] = {}
    for text in islice(candidates, MOST_NAMES):
        words = text[:_LONGEST].split()
        whole = " ".join(words)
        if _is_plain(words, whole):
            found[whole] = None
            continue
        if _is_no_name(whole):
            continue
        for name in _names(_MAIL.sub("", whole)):
            name = _without_month(_AFTER.sub("", _GLUED.sub("", name)).strip(" ,;:()（）[]"))
            is_short = len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS
            is_of_form = "?" in name or not NO_NAMES.isdisjoint(_FORM_MARKS.sub(" ", name.casefold()).split())
            if name and is_short and not is_of_form and not _is_no_name(name):
                found[name] = None
    return list(found)


def _names(whole: str) -> Iterator[str]:
    """The parts of a text between words such as "and", without what is before and after the names."""
    glued = _GLUED_BY.match(whole)
    text = whole[glued.end() :] if glued else whole
    for _ in range(2):  # "Text: Von Ada Stone"
        lead = _LEAD.match(text)
        if lead is None or not text[lead.end() :] or not _is_name_after(text, lead):
            break
        text = text[lead.end() :]
    text = _TAIL.sub("", text).strip(" ,;:.|-–—")
    for part in _PARTS.split(text):
        pieces = _BETWEEN.split(part)
        if len(pieces) > 1 and all(" " in piece for piece in pieces):
            yield from pieces
        else:
            yield part


def _without_month(name: str) -> str:
    """A name without the name of a month after two other words, as in "Ada Stone April"; "Theresa May" is a name."""
    first, _, last = name.rpartition(" ")
    return first if " " in first and last in MONTHS else name


def _is_name_after(text: str, lead: re.Match[str]) -> bool:
    """Whether the word before is no part of a name, as in "Di Maio" or "von Stein"."""
    word, rest = lead[0].rstrip(), text[lead.end() :]
    if word[-1] in ":：" or word.lower().endswith("by"):
        return True
    if word.lower() in _BODY_OR_LABEL or (rest[0].islower() and " " not in word):
        return False
    return word.lower() not in _PARTICLES or " " in rest or word in _BY_PARTICLES


def _is_plain(words: list[str], whole: str) -> bool:
    """Whether a text is just a name, as most are. This check makes reading metadata 12 % faster."""
    is_short = 0 < len(words) <= _MOST_WORDS and len(whole) <= _LONGEST_NAME
    return (
        is_short
        and "".join(words).isalpha()
        and whole.isascii()
        and _WORDS.isdisjoint(whole.lower().split())
        and _GLUED.search(whole) is None
        and _GLUED_BY.match(whole) is None
    )


def _is_no_name(text: str) -> bool:
    """Whether a text is a URL, an address or a placeholder of a name."""
    is_address = (":" in text or "." in text) and "@" not in text and _ADDRESS.search(text) is not None
    return is_address or text.casefold() in _NO_NAMES_ALONE or _PLACEHOLDER.match(text) is not None
