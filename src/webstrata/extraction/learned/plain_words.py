"""What a feature says of a paragraph, in words that readers know, such as "many full stops and commas in its section".

A feature is named for a measure and for the place where it is taken. Its value decides between two phrases. A phrase
that speaks against the direction in which the feature moved the paragraph would puzzle readers: then, and for features
without phrases, the words are those of the subject.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from webstrata._scan.tags import TAGS

__all__ = ["in_plain_words"]

#: The end of a feature's name that says where it is taken.
_PLACES = (
    (r" of section", "in its section"),
    (r" of landmark", "in its part of the page"),
    (r" of ancestor [12]", "in the element around it"),
    (r" of ancestor \d", "in the region around it"),
    (r" of the first of ancestor \d", "at the start of its region"),
    (r" of top \d", "in its part of the page"),
    (r" of what holds the heaviest too", "beside the main text"),
    (r" of siblings of (?:outer )?record", "in the items beside it"),
    (r" of title of (?:outer )?record", "in the title of its item"),
    (r" of (?:outer )?record", "in its repeated item"),
    (r" of (?:tag )?path", "in elements like it"),
    (r" of copies(?: before)?", "in its copies"),
    (r" of (?:outer )?heading", "below its heading"),
    (r" (?:of )?\d+ around", "around it"),
    (r" (?:of previous|before|\d before)", "before it"),
    (r" (?:of next|after|\d after)", "after it"),
)


class _Measure(NamedTuple):
    """A measure, with phrases for much and for little of it.

    Attributes
    ----------
    threshold : the value that is much
    sign : 1 if much of it speaks for content, -1 if it speaks against it, 0 if it may do both
    """

    pattern: str
    threshold: float
    sign: int
    much: str
    little: str = ""


_MEASURES = (
    _Measure(r"marks", 0.06, 1, "many full stops and commas", "few full stops and commas"),
    _Measure(r"(?:own )?link density", 0.33, -1, "many links", "few links"),
    _Measure(r"words a (?:member|paragraph)", 12, 1, "long paragraphs", "short paragraphs"),
    _Measure(r"long share", 0.5, 1, "mostly long paragraphs", "few long paragraphs"),
    _Measure(r"short share", 0.5, -1, "mostly short paragraphs", "few short paragraphs"),
    _Measure(r"share(?: of words)?", 0.25, 1, "much of the page's text", "little of the page's text"),
    _Measure(r"(?:own )?words", 30, 1, "many words", "few words"),
    _Measure(r"(?:own )?paragraphs", 5, 1, "many paragraphs", "few paragraphs"),
    _Measure(r"headings", 1, 0, "headings"),
    _Measure(r"images", 1, 0, "pictures"),
    _Measure(r"controls", 1, -1, "buttons or fields", "no buttons or fields"),
    _Measure(r"count", 4, -1, "many of a kind"),
    _Measure(r"heading", 1, 0, "a heading"),
)
# Features without a place.
_ALONE = (
    _Measure(r"words|text of heading", 12, 1, "many words", "few words"),
    _Measure(r"link words|link density|in links", 0.5, -1, "in links", "few links"),
    _Measure(r"stops a word|commas a word", 0.05, 1, "many full stops and commas", "few full stops and commas"),
    _Measure(r"sentence ends|ends sentence", 1, 1, "ends as a sentence does", "does not end as a sentence does"),
    _Measure(r"ends colon", 1, 0, "ends with a colon"),
    _Measure(r"title share|of title", 0.5, 1, "says what the title says"),
    _Measure(r"text copies|copies before", 1, -1, "repeated word for word"),
    _Measure(r"heading", 1, 0, "a heading"),
    _Measure(r"since (?:h1|title)", 8, -1, "far from the title", "close to the title"),
    _Measure(r"(?:words )?since heading|until heading", 8, -1, "far from a heading", "close to a heading"),
    _Measure(r"(?:since|until) (?:long|content)", 3, -1, "far from long paragraphs", "close to long paragraphs"),
    _Measure(r"words (?:since|until) content", 60, -1, "far from long paragraphs", "close to long paragraphs"),
    _Measure(r"(?:last|next) long words|long words within \d+", 60, 1, "near long paragraphs", "far from long ones"),
    _Measure(r"(?:paragraph|words before) share", 0.5, 0, "late on the page", "early on the page"),
    _Measure(r"paragraphs before|words before", 60, 0, "after other text", "at the top of the page"),
    _Measure(r"long (?:words )?before", 1, 0, "after long paragraphs", "before the first long paragraph"),
    _Measure(r"long after", 1, 0, "before long paragraphs", "after the last long paragraph"),
    _Measure(r"digits a word", 0.5, 0, "many digits"),
    _Measure(r"hidden", 1, -1, "hidden"),
    _Measure(r"preformatted", 1, 0, "set line by line"),
)
# Features with phrases for both directions, for content and against it; then those of whole subjects.
_SIGNED = (
    (r"own text", "worded like content", "worded like boilerplate"),
    (r"text (?:before|after)", "beside text worded like content", "beside text worded like boilerplate"),
    (r".*\bnames\b.*", "class names as in content", "class names as in boilerplate"),
)
_SUBJECTS = {
    "its own text": ("its text is like content", "its text is like boilerplate"),
    "its place on the page": ("where content usually is", "where boilerplate usually is"),
    "what looks the same": ("looks like other content", "looks like other boilerplate"),
    "the tags around it": ("tags as in content", "tags as in boilerplate"),
    "the paragraphs before and after it": ("beside content", "beside boilerplate"),
    "the region it is in": ("in a region of content", "in a region of boilerplate"),
    "how it compares with the rest of the page": ("reads more like content than the rest", "reads less like content"),
}
_NAMES_OF_TAGS = {
    "a": "a link", "article": "an article", "aside": "a sidebar", "blockquote": "a quotation", "code": "code",
    "dialog": "a dialog", "em": "emphasis", "figcaption": "a caption", "figure": "a figure", "footer": "a footer",
    "form": "a form", "header": "a header", "li": "a list", "main": "the main part",
    "nav": "a navigation", "ol": "a list", "p": "a paragraph", "pre": "code", "section": "a section",
    "strong": "emphasis", "table": "a table", "td": "a table", "ul": "a list",
}  # fmt: skip


def in_plain_words(subject: str, feature: str, value: float, moved: float) -> str:
    """The phrase for a feature.

    >>> in_plain_words("the region it is in", "marks of section", 0.16, 0.8)
    'many full stops and commas in its section'
    >>> in_plain_words("the tags around it", "nav of tags above", 1.0, -2.0)
    'in a navigation'
    >>> in_plain_words("what looks the same", "score of path", 0.1, -0.4)
    'boilerplate in elements like it'
    """
    return _phrase(feature, value, moved) or _SUBJECTS[subject][moved <= 0]


def _phrase(feature: str, value: float, moved: float) -> str:
    """The phrase for the feature itself; none if it has none that fits the direction."""
    if "tag" in feature.split() and "path" not in feature:
        return _inside(TAGS[int(value)] if 0 < value < len(TAGS) else "", moved)
    if feature.endswith(" of tags above"):
        return _inside(feature.removesuffix(" of tags above"), moved) if value else ""
    for pattern, good, bad in _SIGNED:
        if re.fullmatch(pattern, feature):
            return good if moved > 0 else bad
    measure, place = _measured(feature)
    if measure is _SCORE:
        return f"{'content' if moved > 0 else 'boilerplate'} {place}"
    if measure is None:
        return ""
    is_much = value >= measure.threshold
    phrase = measure.much if is_much else measure.little
    speaks_for = measure.sign if is_much else -measure.sign
    return f"{phrase} {place}".strip() if phrase and speaks_for * moved >= 0 else ""


def _inside(tag: str, moved: float) -> str:
    if re.fullmatch("h[1-6]", tag):
        return "a heading"
    contradicts = moved < 0 if tag in ("main", "article", "p") else moved > 0 and tag in ("nav", "footer", "aside")
    return f"in {_NAMES_OF_TAGS[tag]}" if tag in _NAMES_OF_TAGS and not contradicts else ""


_SCORE = _Measure("", 0, 0, "")


@cache
def _measured(feature: str) -> tuple[_Measure | None, str]:
    """The measure of a feature, if it is one that has phrases, and where it is taken."""
    for measure in _ALONE:
        if re.fullmatch(measure.pattern, feature):
            return measure, ""
    for pattern, place in _PLACES:
        if found := re.fullmatch(f"(.+?){pattern}", feature):
            if re.fullmatch(r"score|share of content", found[1]):
                return _SCORE, place
            return next((each for each in _MEASURES if re.fullmatch(each.pattern, found[1])), None), place
    return None, ""
