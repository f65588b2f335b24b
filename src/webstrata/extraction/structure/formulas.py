r"""Formulas with TeX in the page.

MathML has TeX in an ``annotation`` or in the attribute ``alttext``; MathJax reads it from scripts of the type
``math/tex``. Markdown and HTML then have the TeX in place of the visible formula; without TeX they have its text.

TeX with commands that could run something or lead elsewhere (``\href``, macros) is refused, and so is TeX with a dollar
sign: these formulas are written as their text.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from webstrata._scan.references import STATES, character_data
from webstrata.elements import HIDDEN, TAG_NUMBERS
from webstrata.extraction.structure.attributes import script_text
from webstrata.page import Page

__all__ = ["Formula", "formulas", "tex"]

_MATH = TAG_NUMBERS["math"]
_ANNOTATION = re.compile(rb"<annotation\b[^<>]{0,300}?application/x-tex[^<>]{0,300}>", re.IGNORECASE)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?")
# XML allows none of these, and TeX has no use for them.
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_DOLLAR = re.compile(r"(?<!\\)(?:\\\\)*\$")
# Commands that lead elsewhere, or define other commands.
_REFUSED = re.compile(
    r"\\(?:href|url|html\w*|class|cssId|style|data|includegraphics|input|include|require|unicode|def|gdef|edef|xdef|let"
    r"|newcommand|renewcommand|providecommand|newenvironment|catcode|csname|write|read|open\w*)(?![a-zA-Z])"
)
_DISPLAY_STYLE = re.compile(r"\{\s*\\(?:displaystyle|textstyle)\b\s*(.*)\}", re.DOTALL)
# Characters of a formula.
_LONGEST = 20_000
# Hidden blocks to skip in search of the space after a formula.
_MOST_SKIPPED = 200
_TAG = re.compile(rb"<[^<>]*+>")


class Formula(NamedTuple):
    """The TeX of a formula, whether it has lines of its own, and whether there are spaces before and after it."""

    tex: str
    display: bool
    spaced_before: bool
    spaced_after: bool


def formulas(page: Page) -> dict[int, Formula]:
    """The outermost formulas with TeX, by the row of their ``math`` or ``script``.

    >>> from webstrata.page import parse
    >>> page = parse('<p>So <math><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></math>.')
    >>> formulas(page)
    {4: Formula(tex='x_1', display=False, spaced_before=True, spaced_after=False)}
    """
    elements, found = page.elements, {}
    last = 0
    for row in sorted((*elements.holding("math", b"math"), *elements.holding("script", b"math"))):
        if elements.source_start[row] < last:
            continue
        formula = _of_math(page, row) if elements.tag[row] == _MATH else _of_script(page, row)
        if formula is not None:
            found[row] = formula
            last = int(elements.source_stop[row])
    return found


def tex(text: str) -> str:
    r"""TeX on one line, without comments and without braces for the size; "" if it is refused.

    >>> tex(r"{\displaystyle a^{2} %% squared}" "\n" "}"), tex(r"\href{javascript:x}{y}")
    ('a^{2}', '')
    """
    if len(text) > _LONGEST:
        return ""
    text = " ".join(_CONTROLS.sub("", _COMMENT.sub(" ", text)).split())
    inner = _DISPLAY_STYLE.fullmatch(text)
    if inner and _is_balanced(inner[1]):
        text = inner[1].strip()
    if not text or text.endswith("\\") or _DOLLAR.search(text) or _REFUSED.search(text):
        return ""
    return text


def _is_balanced(text: str) -> bool:
    """Whether every closing brace has an opening one."""
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _of_math(page: Page, row: int) -> Formula | None:
    elements, source = page.elements, page.source
    stop = int(elements.source_stop[row])
    note = _ANNOTATION.search(source, int(elements.open_stop[row]), stop)
    if note:
        end = source.find(b"<", note.end(), stop)
        text = character_data(source, note.end(), end if end >= 0 else stop, STATES["data"])
    else:
        text = elements.attribute(row, "alttext") or ""
    found = tex(text)
    if not found:
        return None
    display = (elements.attribute(row, "display") or "").strip().lower() == "block"
    return Formula(found, display, _spaced_before(page, row), _spaced_after(page, row))


def _of_script(page: Page, row: int) -> Formula | None:
    kind = page.elements.attribute(row, "type")
    if kind is None or not kind[:50].strip().lower().startswith("math/tex"):
        return None
    found = tex(script_text(page, row))
    if not found:
        return None
    mode = kind.lower().partition(";")[2]
    start, stop = int(page.elements.source_start[row]), int(page.elements.source_stop[row])
    before, after = page.source[max(start - 1, 0) : start].isspace(), page.source[stop : stop + 1].isspace()
    return Formula(found, "display" in mode, before, after)


def _spaced_before(page: Page, row: int) -> bool:
    first = int(page.elements.first_block[row])
    return first > 0 and _has_space(
        page, int(page.blocks.source_stop[first - 1]) - 1, int(page.elements.source_start[row])
    )


def _spaced_after(page: Page, row: int) -> bool:
    """Whether a space follows, after hidden blocks: some pages have a hidden copy of a formula for style sheets."""
    blocks, end = page.blocks, int(page.elements.end_block[row])
    shown = (blocks.flags[end : end + _MOST_SKIPPED] & HIDDEN) == 0
    if not shown.any():
        return False
    following = end + int(shown.argmax())
    start = int(blocks.source_stop[following - 1]) if following > end else int(page.elements.source_stop[row])
    return _has_space(page, start, int(blocks.source_start[following]) + 1)


def _has_space(page: Page, start: int, stop: int) -> bool:
    """Whether a range of the source has white space outside of tags."""
    between = _TAG.sub(b"", page.source[start : min(stop, start + _LONGEST)])
    return any(byte in b" \t\n\r\f" for byte in between)
