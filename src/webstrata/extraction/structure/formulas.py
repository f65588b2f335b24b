r"""Formulas as TeX.

MathML has TeX in an ``annotation`` or in the attribute ``alttext``, or is converted (`mathml`); MathJax reads TeX from
scripts of the type ``math/tex``; some editors keep it in an attribute, and images of formulas have it in their URL or
their text. The element that is replaced is the outermost one that the maker wrote, so that its copies for screens and
for screen readers are one formula.

TeX with commands that could run something or lead elsewhere (``\href``, macros) is refused, and so is TeX with a dollar
sign: these formulas are written as their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote, unquote_plus

from webstrata._scan.references import STATES, character_data
from webstrata.elements import HIDDEN, TAG_NUMBERS
from webstrata.extraction.structure.attributes import script_text
from webstrata.extraction.structure.candidates import TagRows
from webstrata.extraction.structure.mathml import tex_of_mathml
from webstrata.page import Page

__all__ = [
    "FORMULA_WORDS",
    "Formula",
    "drawn_copies",
    "formulas",
    "spaced_after",
    "spaced_before",
    "tex",
    "tex_of_url",
]

_IMG, _SCRIPT = TAG_NUMBERS["img"], TAG_NUMBERS["script"]
# Elements above a formula that may belong to it, and bytes of MathML to convert.
_LEVELS, _LONGEST_MARKUP = 6, 200_000
_CONTAINER = re.compile(
    r"(?:^|\s)(?:katex(?:-display|-mathml)?|mwe-math-element\S*|MathJax\S*|MJX_Assistive_MathML|mjx-\S+)(?:\s|$)"
)
_DRAWN = re.compile(r"(?:^|\s)(?:MathJax(?:_\w+)?|MathJax_Display|mjx-chtml)(?:\s|$)")
_DISPLAYED = re.compile(
    r"(?:^|\s)(?:katex-display|MathJax\w*_Display|mwe-math-element-block|math-(?:block|display)|display-math|displaymath"
    r"|math\s+display|equation|ltx_displaymath|tex-block)(?:\s|$)"
)
_ATTRIBUTES = (b"data-math", b"data-tex", b"data-latex", b"data-formula", b"data-equation", b"data-math-tex")
_IMAGE_WORDS = (
    b"latex", b"mimetex", b"mathtex", b"cht=tx", b"equation?tex", b"render/math", b"mwe-math", b"formula", b"equation",
    b'alt="\\', b"alt='\\", b'alt="$', b"alt='$",
)  # fmt: skip
_ATTRIBUTE_WORDS = tuple(name + b"=" for name in _ATTRIBUTES)
_DRAWN_WORDS = (b"MathJax", b"mjx-")
#: What start tags of formulas hold.
FORMULA_WORDS = (*_ATTRIBUTE_WORDS, *_IMAGE_WORDS, *_DRAWN_WORDS)
_IMAGE_CLASS = re.compile(r"(?:^|\s)(?:latex|tex|mathtex|mimetex|mwe-math\S*|ee_img|texrender|math-tex)(?:\s|$)")
_LOOKS_LIKE_TEX = re.compile(
    r"\\(?:[a-zA-Z]+\s*\{|(?:frac|sum|int|alpha|beta|gamma|delta|lambda|mu|pi|sigma|theta|omega|infty|leq|geq|times|cdot"
    r"|rightarrow|to|in|sqrt|left|partial|nabla|circ)(?![a-zA-Z]))|^\s*\$[^$]+\$\s*$"
)
_SERVICE = re.compile(
    r"(?:latex\.php\?(?:[^#]*?&(?:amp;)?)?latex=|equation\?tex=|render/math\?math=|math\.now\.sh/?\?from=|chart\?cht=tx"
    r"&(?:amp;)?chl=|[?&]latex=)(?P<plus>[^#]+)"
    r"|(?:\.latex\?|svg\.image\?|png\.image\?|gif\.image\?|mimetex(?:\.cgi)?\?|mathtex(?:\.cgi)?\?|eqnedit\.php\?latex="
    r"|gif\.latex\?)(?P<rest>.+)",
    re.DOTALL,
)
_TEX_PATH = re.compile(r"/((?:%5C|\\)[a-zA-Z]+(?:%7B|\{)[^/?#]*)(?:$|[?#])", re.IGNORECASE)
# Commands of these services for the drawing.
_DRAWING = re.compile(
    r"\\(?:inline|dpi\{\d+\}|fn_\w+|bg_\w+|bg\{\w+\}|huge|large|Large|LARGE|small|tiny|opaque|displaystyle)(?![a-zA-Z])\s*"
)
_ANNOTATION = re.compile(
    rb"<annotation\b[^<>]{0,300}?(?:application/x-(?:la)?tex|[\"'](?:la)?tex)[^<>]{0,300}>", re.IGNORECASE
)
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


def formulas(page: Page, tags: TagRows | None = None) -> dict[int, Formula]:
    """The outermost formulas, by the row of the element that they replace.

    >>> from webstrata.page import parse
    >>> page = parse('<p>So <math><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></math>.')
    >>> formulas(page)
    {4: Formula(tex='x_1', display=False, spaced_before=True, spaced_after=False)}
    """
    elements, source = page.elements, page.source
    tags = tags or TagRows(page, FORMULA_WORDS)
    given = [(row, *each) for row, each in _in_attributes(page, tags)]
    given += [(_around(page, row), *_of_math(page, row)) for row in _outermost(page, elements.holding("math", b"math"))]
    given += [(row, *_of_script(page, row)) for row in elements.holding("script", b"math")]
    given += [(row, *each) for row, each in _of_images(page, tags)]
    found: dict[int, Formula] = {}
    last = 0
    for row, text, display in sorted(given, key=lambda each: each[0]):
        if not text or elements.source_start[row] < last:
            continue
        if elements.tag[row] == _SCRIPT:
            start, stop = int(elements.source_start[row]), int(elements.source_stop[row])
            spaces = source[max(start - 1, 0) : start].isspace(), source[stop : stop + 1].isspace()
        else:
            spaces = spaced_before(page, row), spaced_after(page, row)
        found[row] = Formula(text, display, *spaces)
        last = int(elements.source_stop[row])
    return found


def _outermost(page: Page, rows: list[int]) -> Iterator[int]:
    """The rows that are in none of the others."""
    stop = -1
    for row in rows:
        if page.elements.source_start[row] >= stop:
            stop = int(page.elements.source_stop[row])
            yield row


def drawn_copies(page: Page, tags: TagRows | None = None) -> list[int]:
    """The rows that MathJax drew from a script, whose TeX is written in their place."""
    if not page.elements.holding("script", b"math/tex"):
        return []
    return [
        row
        for row in (tags or TagRows(page, _DRAWN_WORDS)).having(*_DRAWN_WORDS)
        if _DRAWN.search(page.elements.attribute(row, "class") or "")
    ]


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


def _of_math(page: Page, row: int) -> tuple[str, bool]:
    """The TeX of MathML, and whether it is displayed."""
    elements, source = page.elements, page.source
    start, stop = elements.content_span(row)
    note = _ANNOTATION.search(source, start, stop)
    if note:
        end = source.find(b"<", note.end(), stop)
        text = character_data(source, note.end(), end if end >= 0 else stop, STATES["data"])
    else:
        text = elements.attribute(row, "alttext") or ""
    found = tex(text)
    if not found and elements.block_span(row)[1] > elements.block_span(row)[0] and stop - start < _LONGEST_MARKUP:
        found = tex(tex_of_mathml(source[start:stop].decode("utf-8", "replace")))
    display = (elements.attribute(row, "display") or "").strip().lower() == "block"
    return found, display or (found != "" and _is_displayed(page, row))


def _around(page: Page, row: int) -> int:
    """The outermost element around MathML that is part of the formula: the container of KaTeX, MathJax or MediaWiki."""
    elements = page.elements
    found = row
    for _, above in zip(range(_LEVELS), elements.ancestors(row), strict=False):
        classes = elements.attribute(above, "class") or ""
        if _CONTAINER.search(classes) or (elements.tag[above] == 0 and elements[above].tag.startswith("mjx-")):
            found = above
    return found


def _is_displayed(page: Page, row: int) -> bool:
    elements = page.elements
    for _, above in zip(range(_LEVELS), elements.ancestors(row), strict=False):
        classes, display = elements.some_attributes(above, (b"class", b"display"))
        if _DISPLAYED.search(classes) or (display == "true" and elements.tag[above] == 0):
            return True
    return False


def _of_script(page: Page, row: int) -> tuple[str, bool]:
    kind = (page.elements.attribute(row, "type") or "")[:50].strip().lower()
    if not kind.startswith("math/tex"):
        return "", False
    return tex(script_text(page, row)), "display" in kind.partition(";")[2]


def _in_attributes(page: Page, tags: TagRows) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Formulas whose TeX is in an attribute."""
    for row in tags.having(*_ATTRIBUTE_WORDS):
        values = page.elements.some_attributes(row, _ATTRIBUTES)
        text = next(filter(None, map(tex, filter(None, values))), "")
        if text:
            classes = page.elements.attribute(row, "class") or ""
            yield row, (text, bool(_DISPLAYED.search(classes)) or _is_displayed(page, row))


def _of_images(page: Page, tags: TagRows) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Images of formulas, with the TeX of their URL or of their text."""
    elements = page.elements
    for row in tags.having(*_IMAGE_WORDS):
        if elements.tag[row] != _IMG:
            continue
        src, late, alt, classes = elements.some_attributes(row, (b"src", b"data-src", b"alt", b"class"))
        text = next(filter(None, map(tex_of_url, (src, late))), "")
        if not text and (_LOOKS_LIKE_TEX.search(alt) or (alt and _IMAGE_CLASS.search(classes))):
            text = (
                alt.strip().strip("$").removeprefix("\\(").removesuffix("\\)").removeprefix("\\[").removesuffix("\\]")
            )
        if text := tex(text):
            yield row, (text, bool(_DISPLAYED.search(classes)) or "\\begin{" in text)


def tex_of_url(url: str) -> str:
    r"""The TeX that a service draws, from the URL of its image; "" for other images.

    >>> tex_of_url("https://latex.codecogs.com/svg.image?%5Cinline%20%5Cfrac%7Ba%7D%7Bb%7D")
    '\\frac{a}{b}'
    """
    found = _SERVICE.search(url[:_LONGEST])
    if found is None:
        path = _TEX_PATH.search(url[:_LONGEST])
        return unquote(path[1]) if path else ""
    text = (
        unquote_plus(found["plus"].partition("&")[0])
        if found["plus"]
        else unquote(found["rest"]).replace("&space;", " ")
    )
    return _DRAWING.sub("", text).strip()


def spaced_before(page: Page, row: int) -> bool:
    """Whether there is a space before an element."""
    first = int(page.elements.first_block[row])
    return first > 0 and _has_space(
        page, int(page.blocks.source_stop[first - 1]) - 1, int(page.elements.source_start[row])
    )


def spaced_after(page: Page, row: int) -> bool:
    """Whether a space follows an element and hidden blocks after it: a formula may have a hidden copy there."""
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
