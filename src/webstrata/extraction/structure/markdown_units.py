"""Our Markdown as units, such as headings, sentences, items, rows and code, with the strength of their boundaries.

The writer (`markdown_writer`) escapes what is not a sign of Markdown and separates blocks in one way only, so its lines
tell the structure, and no parser of Markdown is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from webstrata.text import sentences

__all__ = ["BLOCK", "GLUED", "HEADING", "NOTES", "PIECE", "Unit", "code_units", "level_of", "plain", "units", "wholes"]

# How strong the boundary before a unit is. A chunk ends at the strongest one that it can reach.
GLUED = 0  # after a heading, before the first row of a table
PIECE = 2  # within a sentence, a row or a line of code
SAME_HEADING = 5  # after a heading without text, before another one
CODE_LINE, CODE_PART = 6, 7  # within code; after an empty line
VERSE = 8  # a line break within a sentence
SENTENCE = 10
LINE = 12  # a line break after a sentence
ROW = 14
BLOCK = 40  # two less for each list or quotation around it, one less before another item of a list
HEADING = 60  # less its level
NOTES = 62  # before the footnotes


class Unit(NamedTuple):
    """A piece of Markdown.

    Attributes
    ----------
    start, stop : in the Markdown; white space between two units belongs to none
    strength : of the boundary before it
    kind : heading, text, list, quote, table, code or notes
    lead, tail : what a chunk needs that begins or ends with it: the signs of the quotations and items around it, the
        header of its table, the fences of its code
    inside : what a chunk needs that begins within it
    """

    start: int
    stop: int
    strength: int
    kind: str
    lead: str = ""
    tail: str = ""
    inside: str = ""


class _Container(NamedTuple):
    """An open quotation, item or footnote: its sign, and the width of the indent of its lines."""

    sign: str
    width: int


_MARKER = re.compile(r"([-*]) (?=\S)|\d{1,9}([.)]) (?=\S)")
_NOTE = re.compile(r"\[\^[^\]\s]+\](:) ?")
_CALLOUT = re.compile(r"[-*>\d.) ]*\[![\w-]+\].*")
_HEADING = re.compile(r"(#{1,6}) ")
_FENCE = re.compile(r"(`{3,})[^`]*$")
_TABLE_RULE = re.compile(r"\|(?: --- \|)+$")
# A sentence does not end within code, formulas, and the text of a link.
_SIGN = re.compile(r"\\.|`+|\$\$|\$(?=[^\s\d$])|!?\[|\]\([^()\s]*\)|\]", re.DOTALL)
_DOLLAR = re.compile(r"[^\s$\\]\$")
_END = re.compile(r"[.!?:;…。！？；][\"'”’»)*\]]*$")
# Letters with a full stop that do not end a sentence: initials and abbreviations.
_SHORT = re.compile(
    r"(?:^|[\s(*\[])(?:[^\W\d_]|[DM]rs?|Ms|Prof|St|No|[Ff]igs?|[Vv]ol|pp|cf|vs|[Ee]\.g|[Ii]\.e|ca|z\.B)\.$"
)
_LINK = re.compile(r"(?<!\\)!?\[((?:\\.|[^\[\]\\])*)\]\([^()\s]*\)", re.DOTALL)
_MARK = re.compile(r"\\([!-/:-@\[-`{-~])|\*+|~~|`+|\[\^[^\[\]\s]+\]|</?[a-z]+>")


def plain(markdown: str) -> str:
    """A line of our Markdown as text.

    >>> plain("A *[very](/v)* `old` lake, 2\\\\*3")
    'A very old lake, 2*3'
    """
    for _ in range(2):  # an image may stand in a link
        markdown = _LINK.sub(r"\1", markdown)
    return _MARK.sub(lambda match: match[1] or "", markdown).strip()


def level_of(markdown: str, unit: Unit) -> int:
    """The level of a heading that opens a section; 0 for other units, and for headings in lists and quotations."""
    signs = _HEADING.match(markdown, unit.start) if unit.kind == "heading" else None
    return len(signs[1]) if signs else 0


def units(markdown: str) -> list[Unit]:
    """The units of a Markdown that `Extraction.markdown` has, in order.

    >>> [(unit.kind, unit.strength) for unit in units("# Silt\\n\\nPale. Thin.\\n\\n- one\\n- two")]
    [('heading', 59), ('text', 0), ('text', 10), ('list', 40), ('list', 39)]
    """
    return list(_UnitReader(markdown).units())


class _UnitReader:
    """Reads the lines of a Markdown; the containers around the current line are on a stack."""

    def __init__(self, markdown: str) -> None:
        self.markdown = markdown
        self.lines = list(_lines(markdown))
        self.stack: list[_Container] = []

    def units(self) -> Iterator[Unit]:
        before: Unit | None = None
        at = 0
        while at < len(self.lines):
            start, stop = self.lines[at]
            if not self.markdown[start:stop].strip(" >"):
                self._close_quotations(start, stop)
                at += 1
                continue
            shared, content, opened = self._containers(start, stop)
            strength = BLOCK - 2 * shared - self._is_sibling(shared, opened)
            in_notes = self._kind() == "notes"
            self.stack[shared:] = opened
            if self._kind() == "notes" and not in_notes:
                strength = NOTES
            found = list(self._block(at, content, strength))
            if before is not None:
                found[0] = found[0]._replace(strength=self._glued(before, found[0]))
            yield from found
            before = found[-1]
            while at < len(self.lines) and self.lines[at][0] <= before.stop:
                at += 1

    def _glued(self, before: Unit, unit: Unit) -> int:
        """The strength of the boundary between two blocks."""
        if before.kind == "heading":
            above, level = level_of(self.markdown, before), level_of(self.markdown, unit)
            if not above and (level or unit.strength & 1):  # that of an item heads neither a section nor the next item
                return unit.strength
            return SAME_HEADING if 0 < level <= above else GLUED
        last = self.markdown[before.stop - 3 : before.stop]
        if last == "***" or _CALLOUT.fullmatch(self.markdown, before.start, before.stop):
            return GLUED
        if last[-1:] in (":", "：") and unit.kind in ("list", "quote", "table", "code") and not (unit.strength & 1):
            return GLUED
        return unit.strength

    # Containers

    def _containers(self, start: int, stop: int) -> tuple[int, int, list[_Container]]:
        """The number of open containers that a line is in, where its content begins, and what it opens."""
        markdown = self.markdown
        at, shared = start, 0
        for sign, width in self.stack:
            if sign == ">":
                if not markdown.startswith(">", at, stop):
                    break
                at += 1 + markdown.startswith(" ", at + 1, stop)
            else:
                if not markdown.startswith(" " * width, at, stop):
                    break
                at += width
            shared += 1
        opened = []
        while at < stop:
            if markdown[at] == ">":
                opened.append(_Container(">", 2))
                at += 1 + markdown.startswith(" ", at + 1, stop)
                continue
            marker = _MARKER.match(markdown, at, stop) or (_NOTE.match(markdown, at, stop) if at == start else None)
            if not marker:
                break
            sign = marker[marker.lastindex or 0]
            opened.append(_Container(sign, 4 if sign == ":" else marker.end() - at))
            at = marker.end()
        return shared, at, opened

    def _is_sibling(self, shared: int, opened: list[_Container]) -> bool:
        """Whether a line begins another item of an open list."""
        if not opened or opened[0].sign == ">" or shared >= len(self.stack):
            return False
        return self.stack[shared].sign == opened[0].sign

    def _close_quotations(self, start: int, stop: int) -> None:
        """Close the quotations that an empty line is not in."""
        signs = self.markdown.count(">", start, stop)
        for depth, container in enumerate(self.stack):
            if container.sign == ">":
                signs -= 1
                if signs < 0:
                    del self.stack[depth:]
                    return

    def _kind(self) -> str:
        signs = {container.sign for container in self.stack}
        return "notes" if ":" in signs else "quote" if ">" in signs else "list" if signs else "text"

    def _lead(self) -> str:
        """The signs and the indent of further lines of the open containers."""
        return "".join("> " if container.sign == ">" else " " * container.width for container in self.stack)

    def _content(self, at: int) -> str | None:
        """A further line of the current block without the signs before it; None if it belongs to another one."""
        start, stop = self.lines[at]
        shared, content, opened = self._containers(start, stop)
        return None if opened or shared < len(self.stack) or content >= stop else self.markdown[content:stop]

    # Blocks

    def _block(self, at: int, content: int, strength: int) -> Iterator[Unit]:
        """The units of the block that begins with a line."""
        markdown = self.markdown
        start, stop = self.lines[at]
        heading, fence = _HEADING.match(markdown, content, stop), _FENCE.match(markdown, content, stop)
        if heading:
            strength = strength if self.stack else HEADING - len(heading[1])
            yield Unit(start, stop, strength, "heading", inside=self._lead())
        elif fence:
            yield Unit(start, self._end_of_code(at, fence[1]), strength, "code", inside=self._lead())
        elif self._is_table(at, content):
            yield from self._rows(at, content, strength)
        else:
            yield from self._sentences(at, content, strength)

    def _end_of_code(self, at: int, fence: str) -> int:
        """Where a block of code ends. Its fence is longer than any run of backticks in it."""
        for row in range(at + 1, len(self.lines)):
            start, stop = self.lines[row]
            if self.markdown.startswith(fence, stop - len(fence)) and self.markdown[start:stop].strip(" >") == fence:
                return stop
        return self.lines[-1][1]

    def _is_table(self, at: int, content: int) -> bool:
        if not self.markdown.startswith("|", content) or at + 1 == len(self.lines):
            return False
        return _TABLE_RULE.match(self._content(at + 1) or "") is not None

    def _rows(self, at: int, content: int, strength: int) -> Iterator[Unit]:
        """The rows of a table. The header, the rule and the first row are one unit."""
        header, lead = self.markdown[content : self.lines[at][1]], self._lead()
        repeated = f"{lead}{header}\n{lead}{self._content(at + 1)}\n"
        start, row = self.lines[at][0], at + 2
        while row < len(self.lines) and (self._content(row) or "").startswith("|"):
            if row > at + 2:
                yield Unit(
                    start, self.lines[row - 1][1], strength, "table", repeated if strength == ROW else "", "", lead
                )
                start, strength = self.lines[row][0], ROW
            row += 1
        yield Unit(start, self.lines[row - 1][1], strength, "table", repeated if strength == ROW else "", "", lead)

    def _sentences(self, at: int, content: int, strength: int) -> Iterator[Unit]:
        """The sentences of a paragraph."""
        markdown, kind, lead = self.markdown, self._kind(), self._lead()
        start, stop = self.lines[at]
        while True:
            is_broken = markdown[content:stop].endswith("\\")
            text = markdown[content : stop - is_broken]
            starts = [content + place for place in _sentence_starts(text)]
            for first, end in zip([start, *starts[1:]], [*starts[1:], content + len(text)], strict=True):
                found = first + len(markdown[first:end].rstrip())
                yield Unit(first, found, strength, kind, "" if first == start else lead, "", lead)
                strength = SENTENCE
            at += 1
            further = self._content(at) if is_broken and at < len(self.lines) else None
            if further is None:
                return
            strength = LINE if _END.search(text) else VERSE
            start, stop = self.lines[at]
            content = stop - len(further)


def code_units(markdown: str, unit: Unit) -> list[Unit]:
    """The lines of a block of code, each with the fences that a chunk of them needs."""
    lines = [(unit.start + start, unit.start + stop) for start, stop in _lines(markdown[unit.start : unit.stop])]
    if len(lines) < 3:
        return [unit]
    opening, closing = markdown[slice(*lines[0])], markdown[slice(*lines[-1])]
    lead, tail = f"{unit.inside}{opening[opening.index('```') :]}\n", f"\n{closing}"
    start, strength = unit.start, unit.strength
    found: list[Unit] = []
    for first, stop in lines[1:-1]:
        found.append(Unit(start, stop, strength, "code", lead if found else "", tail, lead))
        start = stop + 1
        strength = CODE_LINE if markdown[first:stop].strip(" >") else CODE_PART
    found[-1] = found[-1]._replace(stop=unit.stop, tail="")
    return found


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """The starts and the ends of the lines."""
    start = 0
    while start <= len(text):
        stop = text.find("\n", start)
        stop = len(text) if stop < 0 else stop
        yield start, stop
        start = stop + 1


def _sentence_starts(text: str) -> list[int]:
    """Where the sentences of a line begin; 0 comes first."""
    starts = [0]
    at = 0
    around = wholes(text)
    for sentence in sentences(text):
        place = text.index(sentence, at)
        at = place + len(sentence)
        while around and around[-1][1] <= place:
            around.pop()
        if not starts[-1] < place or (around and around[-1][0] < place) or text[place].islower():
            continue
        if not _SHORT.search(text[max(0, place - 12) : place].rstrip()):
            starts.append(place)
    return starts


def wholes(text: str) -> list[tuple[int, int]]:
    """The ranges of code, formulas and links, the last one first."""
    found: list[tuple[int, int]] = []
    brackets: list[int] = []
    at = 0
    while match := _SIGN.search(text, at):
        token, at = match[0], match.end()
        if token[0] in "`$":
            stop = _end_of(text, token, at)
            if stop > at:
                found.append((match.start(), stop))
                at = stop
        elif token[-1] == "[" and token[0] != "\\":
            brackets.append(match.start())
        elif token[0] == "]" and brackets:
            start = brackets.pop()
            while found and found[-1][0] >= start:
                found.pop()
            if token != "]":
                found.append((start, at))
    return found[::-1]


def _end_of(text: str, sign: str, at: int) -> int:
    """Where the code or the formula after a sign ends; 0 if it does not."""
    if sign == "$":
        closing = _DOLLAR.search(text, at)
        return closing.end() if closing else 0
    while (at := text.find(sign, at)) >= 0:
        stop = at + len(sign)
        if sign[0] == "$" or (text[at - 1] != "`" and text[stop : stop + 1] != "`"):
            return stop
        while text[at : at + 1] == "`":
            at += 1
    return 0
