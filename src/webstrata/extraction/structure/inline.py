"""The pieces of a paragraph as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from unicodedata import category

from webstrata.extraction.structure.attributes import Resources
from webstrata.extraction.structure.pieces import (
    BREAK,
    CODE,
    DELETED,
    EMPHASIS,
    IMAGE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Piece,
)

__all__ = ["escape", "inline", "tidy"]

_SPECIAL = re.compile(r"[\\`*\[\]~_<&]")
# Of these an underscore inside a word means nothing, nor does a sign of HTML that begins no tag and no reference.
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
_TAG = re.compile(r"<[A-Za-z/!?]")
_ENTITY = re.compile(r"&(?=#?\w+;)")
# What would begin a heading, a quotation, an item, a table, or turn the line above into a heading.
_LINE_START = re.compile(r"[-+](?=\s|$)|#{1,6}(?=\s|$)|>|[-=:|][-=:|\s]*$")
_NUMBER = re.compile(r"(\d{1,9})([.)])(?=\s|$)")
_TAGS = {STRONG: "strong", EMPHASIS: "em", DELETED: "del", SUBSCRIPT: "sub", SUPERSCRIPT: "sup"}
_SHOWN = sum(_TAGS)
_SIGNS = {STRONG: "**", EMPHASIS: "*", STRONG | EMPHASIS: "***", DELETED: "~~"}
_DESTINATION = re.compile(r"[\s()<>\\|]")


def escape(text: str) -> str:
    """Text that a CommonMark parser reads as itself, within a line.

    >>> print(escape("snake_case *is* <b> AT&T &amp; 1 < 2"))
    snake_case \\*is\\* \\<b> AT&T \\&amp; 1 < 2
    """
    return _SPECIAL.sub(_escaped, text) if _SPECIAL.search(text) else text


def _escaped(match: re.Match[str]) -> str:
    sign = match[0]
    test = {"_": _UNDERSCORE, "<": _TAG, "&": _ENTITY}.get(sign)
    return f"\\{sign}" if test is None or test.match(match.string, match.start()) else sign


def inline(resources: Resources, pieces: list[Piece], *, breaks: str, starts_line: bool) -> str:
    """A paragraph.

    Parameters
    ----------
    resources : the links and images of the page
    breaks : what a line break is written as
    starts_line : whether the paragraph begins a line, where more has to be escaped
    """
    if len(pieces) == 1 and pieces[0].link < 0 and not _shown(pieces[0].marks):
        return _plain(" ".join(pieces[0].text.split()), starts_line)
    out: list[str] = []
    at_start = starts_line
    pieces = tidy(resources, [Piece(_shown(piece.marks), *piece[1:]) for piece in pieces])
    for i, piece in enumerate(pieces):
        following = pieces[i + 1] if i + 1 < len(pieces) else None
        if piece.marks == BREAK:
            out.append(breaks)
            at_start = starts_line
            continue
        if piece.link >= 0 and (i == 0 or pieces[i - 1].link != piece.link):
            out.append("[")
        if piece.marks == IMAGE:
            out.append(_image(resources, piece.image))
        else:
            out.append(_text(piece, out[-1][-1:] if out else "", following, at_start))
        at_start = False
        if piece.link >= 0 and (following is None or following.link != piece.link):
            out.append(f"]({_destination(resources.href(piece.link) or '')})")
    return "".join(out)


def tidy(resources: Resources, pieces: list[Piece]) -> list[Piece]:
    """The pieces with neighbours of one kind as one, and without what shows nothing.

    Spaces stand outside of marks and links, never two in a row, and not beside a line break; links that lead nowhere
    safe and images that cannot be shown are gone.
    """
    pieces = list(_reachable(resources, pieces))
    flat: list[Piece] = []
    for (marks, link, image), group in groupby(pieces, key=lambda piece: (piece.marks, piece.link, piece.image)):
        if marks == IMAGE:
            if resources.image(image) is not None:
                flat += group
        elif marks == BREAK:
            _strip_end(flat)
            if flat and flat[-1].marks != BREAK:
                flat.append(Piece(BREAK, -1, ""))
        else:
            _add_text(flat, marks, link, " ".join("".join(piece.text for piece in group).split(" ")))
    _strip_end(flat)
    if flat and flat[-1].marks == BREAK:
        flat.pop()
    return list(_merged(_trim_links(flat)))


def _reachable(resources: Resources, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without links that lead nowhere safe, or that there is no room to write once more."""
    for link, group in groupby(pieces, key=lambda piece: piece.link):
        if link >= 0 and resources.take_href(link) is None:
            yield from (piece._replace(link=-1) for piece in group)
        else:
            yield from group


def _merged(pieces: list[Piece]) -> Iterator[Piece]:
    """Neighbours without marks as one. They are put together in the end, since text that grows is copied each time."""
    for (marks, link), group in groupby(pieces, key=lambda piece: (piece.marks, piece.link)):
        if marks:
            yield from group
        else:
            yield Piece(0, link, "".join(piece.text for piece in group))


def _add_text(flat: list[Piece], marks: int, link: int, text: str) -> None:
    """Add marked text, its outer spaces unmarked."""
    core = " ".join(text.split())
    if text[:1].isspace():
        _add_plain(flat, link, " ")
    if core and (marks or link >= 0):
        flat.append(Piece(marks, link, core))
    elif core:
        _add_plain(flat, link, core)
    if core and text[-1:].isspace():
        _add_plain(flat, link, " ")


def _add_plain(flat: list[Piece], link: int, text: str) -> None:
    last = flat[-1] if flat else Piece(BREAK, -1, "")
    if text == " " and (last.marks == BREAK or last.text.endswith(" ")):
        return
    flat.append(Piece(0, link, text))


def _strip_end(flat: list[Piece]) -> None:
    while flat and flat[-1].text.endswith(" "):
        last = flat.pop()
        if last.text.rstrip():
            flat.append(Piece(last.marks, last.link, last.text.rstrip()))


def _trim_links(flat: list[Piece]) -> list[Piece]:
    """Take spaces at the edges out of links."""
    if all(piece.link < 0 for piece in flat):
        return flat
    trimmed: list[Piece] = []
    for link, group in groupby(flat, key=lambda piece: piece.link):
        inner = list(group)
        lead = trail = ""
        if link >= 0:
            if inner[0].text.startswith(" "):
                lead, first = " ", inner.pop(0)
                inner[:0] = [Piece(first.marks, link, first.text[1:])] if first.text != " " else []
            if inner and inner[-1].text.endswith(" "):
                trail, last = " ", inner.pop()
                inner += [Piece(last.marks, link, last.text[:-1])] if last.text != " " else []
        for piece in ([Piece(0, -1, lead)] if lead else []) + inner + ([Piece(0, -1, trail)] if trail else []):
            if piece.marks == 0 and piece.link < 0:
                _add_plain(trimmed, -1, piece.text)
            else:
                trimmed.append(piece)
    return trimmed


def _shown(marks: int) -> int:
    """The marks that Markdown can show; code takes no other. A raised 6 is no 6: 10<sup>6</sup> keeps its tag."""
    return CODE if marks & CODE else marks & (_SHOWN | BREAK | IMAGE)


def _text(piece: Piece, before: str, following: Piece | None, at_start: bool) -> str:
    if piece.marks == CODE:
        return _code(piece.text)
    if not piece.marks:
        text = _plain(piece.text, at_start)
        begins_bracket = following is not None and (following.marks == IMAGE or following.link != piece.link)
        return f"{text[:-1]}\\!" if text.endswith("!") and begins_bracket else text
    if piece.link >= 0 and (following is None or following.link != piece.link):
        after = "]"
    else:
        after = "" if following is None else "<" if following.marks or following.link >= 0 else following.text[0]
    return _marked(escape(piece.text), piece.marks, before, after)


def _plain(text: str, at_start: bool) -> str:
    """Text without marks; at the start of a line nothing may look like the start of a block."""
    text = escape(text)
    if at_start:
        if _LINE_START.match(text):
            return f"\\{text}"
        return _NUMBER.sub(r"\1\\\2", text, count=1) if _NUMBER.match(text) else text
    return text


def _marked(text: str, marks: int, before: str, after: str) -> str:
    """Text with its marks: signs where the rules of CommonMark let them begin and end, tags elsewhere (6.2).

    >>> _marked("Note:", STRONG, "", " "), _marked("Note:", STRONG, "", "x")
    ('**Note:**', '<strong>Note:</strong>')
    """
    sign = _SIGNS.get(marks, "")
    begins = not _is_punctuation(text[0]) or not before or before.isspace() or _is_punctuation(before)
    ends = not _is_punctuation(text[-1]) or not after or after.isspace() or _is_punctuation(after)
    if sign and begins and ends and before != sign[0] and after != sign[0]:
        return f"{sign}{text}{sign}"
    names = [name for mark, name in _TAGS.items() if marks & mark]
    return "".join(f"<{name}>" for name in names) + text + "".join(f"</{name}>" for name in reversed(names))


def _is_punctuation(character: str) -> bool:
    return category(character)[0] in "PS"


def _code(text: str) -> str:
    runs = {len(run) for run in re.findall("`+", text)}
    size = 1
    while size in runs:
        size += 1
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{'`' * size}{pad}{text}{pad}{'`' * size}"


def _image(resources: Resources, row: int) -> str:
    shown = resources.image(row)
    return f"![{escape(shown.alt)}]({_destination(shown.src)})" if shown is not None else ""


def _destination(url: str) -> str:
    """A URL between the parentheses of a link."""
    url = _DESTINATION.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), url)
    return _ENTITY.sub("&amp;", url)
