"""Callouts: notes, tips and warnings in a box of their own, with the kind and the title that the page gives them."""

from __future__ import annotations

import re
from typing import NamedTuple

from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.structure.candidates import TagRows, block_texts
from webstrata.page import Page

__all__ = ["CALLOUT_WORDS", "Callout", "callouts"]

# What the class of a box holds, by maker: Sphinx, MkDocs, Hugo, Docusaurus; Bootstrap; GitHub, VitePress; Obsidian;
# Microsoft Learn, Antora, Chirpy, and others.
CALLOUT_WORDS = (b"admonition", b"alert", b"callout", b"custom-block", b"data-callout", b"hint", b"notice", b"prompt-")
# Elements whose class is the kind alone, beside the one that makes them boxes: those of Doxygen and MkDocs.
_DL, _DETAILS = TAG_NUMBERS["dl"], TAG_NUMBERS["details"]
_KINDS = {
    name: name
    for name in """note info tip warning danger caution important success question failure bug example quote abstract
    todo""".split()
} | {
    "error": "danger", "hint": "tip", "attention": "warning", "seealso": "note", "summary": "abstract",
    "tldr": "abstract",
    "primary": "note", "secondary": "note", "help": "question", "fail": "failure", "check": "success",
    "done": "success",
    "details": "note", "warn": "warning", "critical": "danger", "information": "info", "deprecated": "warning",
}  # fmt: skip
_PLAIN = frozenset(
    "note info tip warning danger caution important success question failure bug example abstract todo error hint"
    " attention".split()
)
_BOX = re.compile(
    r"admonition|alert|alert-\w+|callout|custom-block|theme-admonition|markdown-alert|notice|hint|admonitionblock"
    r"|book-hint|prompt-\w+"
)
_PART = re.compile(r"(?:^|[-_])([a-z]+)$")
_TITLE = re.compile(
    r"(?:markdown-)?(?:admonition|alert|callout|custom-block|notice|hint)[-_]*(?:title|heading|header|head|label|content_title)\S*|title|admonitionHeading\S*"
)
_BLOCKS = {TAG_NUMBERS[name] for name in "div aside section blockquote details p dl".split()}
_TITLES = {TAG_NUMBERS[name] for name in "div p span strong b summary h2 h3 h4 h5 h6 header".split()}
# Rows after the start of a box that may be its title, words of a box and of its title.
_NEAR, _MOST_WORDS, _LONGEST_TITLE = 12, 1500, 20


class Callout(NamedTuple):
    """The kind of a callout, its title, and the blocks of its title."""

    kind: str
    title: str
    title_blocks: range


def callouts(page: Page, tags: TagRows | None = None) -> dict[int, Callout]:
    """The callouts of a page by row.

    >>> from webstrata.page import parse
    >>> list(callouts(parse("<div class='admonition tip'><p class=admonition-title>Tip<p>Dig.</div>")).values())
    [Callout(kind='tip', title='Tip', title_blocks=range(0, 1))]
    """
    elements = page.elements
    found: dict[int, Callout] = {}
    stop = -1
    named = (tags or TagRows(page, CALLOUT_WORDS)).having(*CALLOUT_WORDS)
    for row in sorted({*named, *elements.find("dl", "details").tolist()}):
        if elements.tag[row] not in _BLOCKS or elements.source_start[row] < stop:
            continue
        classes, given, role = elements.some_attributes(row, (b"class", b"data-callout", b"role"))
        kind = _kind(int(elements.tag[row]), classes[:500], given)
        first, end = elements.block_span(row)
        if not kind or end == first or int(page.blocks.words[first:end].sum()) > _MOST_WORDS:
            continue
        title = _title(page, row)
        if title is None and len(_words(page, range(first, end))) < 2 and role == "alert":
            continue
        blocks = title or range(first, first)
        if len(blocks) == end - first:
            continue
        found[row] = Callout(kind, " ".join(_words(page, blocks)), blocks)
        stop = int(elements.source_stop[row])
    return found


def _kind(tag: int, classes: str, given: str) -> str:
    """The kind that the classes of a box say, or ""; "note" for a box without a kind."""
    names = classes.lower().split()
    if tag == _DETAILS or (tag == _DL and "section" in names):
        plain = next((_KINDS[name] for name in names if name in _PLAIN), "")
        if plain or tag == _DL:
            return plain
    if given:
        return _KINDS.get(given.lower(), "note")
    if not any(_BOX.fullmatch(name) for name in names):
        return ""
    exact = next((_KINDS[name] for name in names if name in _PLAIN and name != "hint"), "")
    if exact:
        return exact
    for name in sorted(names, key=lambda name: name.endswith("hint")):  # a hint may be of any kind
        part = _PART.search(name)
        if part and part[1] in _KINDS and name != "details":
            return _KINDS[part[1]]
    return "note" if any(name in ("admonition", "callout") for name in names) else ""


def _title(page: Page, row: int) -> range | None:
    """The blocks of the title of a box."""
    elements = page.elements
    first, end = elements.block_span(row)
    for each in range(row + 1, min(row + _NEAR, len(elements))):
        begin, stop = elements.block_span(each)
        if begin >= end:
            return None
        if (elements.tag[each] not in _TITLES and elements.tag[row] != _DL) or stop == begin or begin != first:
            continue
        classes = elements.attribute(each, "class") or ""
        if any(_TITLE.fullmatch(name) for name in classes.split()) or elements[each].tag in ("summary", "dt"):
            return range(begin, stop) if len(_words(page, range(begin, stop))) <= _LONGEST_TITLE else None
    return None


def _words(page: Page, blocks: range) -> list[str]:
    return [word for text in block_texts(page, blocks) for word in text.split()]
