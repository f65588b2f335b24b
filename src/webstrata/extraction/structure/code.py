"""Code that is more than the text of a ``pre``: lines as elements, line numbers, labels, containers without ``pre``.

Highlighters write a line as a ``div``, an item, a row of a table or a ``span``, and put line numbers, a "Copy" button
or the name of the language beside it. The text of such code is read from the source, because white space is folded
outside of ``pre``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from textwrap import dedent

from webstrata._scan.references import STATES, character_data
from webstrata.elements import TAG_NUMBERS
from webstrata.extraction.structure.attributes import LANGUAGE_NAMES, language_of
from webstrata.extraction.structure.candidates import TagRows, block_texts
from webstrata.page import Page
from webstrata.paragraphs import WITHIN_TAGS
from webstrata.tree import nearest

__all__ = ["CODE_WORDS", "CodeParts", "code_parts", "language_around"]

# Bytes of one code element.
_LONGEST = 1_000_000
# Elements above code that are searched for its language and its labels, and the blocks that labels may have.
_LEVELS, _MOST_LABELS = 8, 6
# What a ``pre`` may hold beside plain highlighted text.
_STRUCTURED = re.compile(
    rb"<(?:table|div|p|li|ol|button|br)\b|line-?_?num|lineno|gutter|user-select|unselectable|class=[\"']?(?:line|ln|lnt)\b"
    rb"|data-line|hover-info|copy",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    rb"<!--(?>[^-]|-(?!->))*+(?:-->|\Z)|<(/?)([a-zA-Z][^\s/<>]*+)((?>[^<>\"']|\"[^\"]*\"|'[^']*')*+)>", re.DOTALL
)
_LINES = frozenset((b"div", b"p", b"li", b"tr"))
_CELLS = frozenset((b"td", b"th"))
# Other elements that begin a line and end one, but are no line of code themselves.
_BREAKING = frozenset(name.encode() for name in TAG_NUMBERS if name not in WITHIN_TAGS) - _LINES - _CELLS
_VOID = frozenset((b"br", b"img", b"input", b"hr", b"wbr", b"col", b"source", b"link", b"meta"))
_ATTRIBUTE = re.compile(rb"\b(class|style)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_LINE_CLASS = re.compile(rb"(?:^|\s)(?:line|code-?line|cl|view-line|token-line|cm-line|CodeMirror-line)(?:\s|$)")
# Elements that show line numbers if they have digits alone, and elements that are no code at all.
_GUTTER = re.compile(
    rb"(?:^|[\s_-])(?:line-?_?num(?:ber)?s?|linenos?|lineno|linenodiv|gutters?|gl|blob-num|lines-num|hljs-ln-numbers|lnt?"
    rb"|crayon-nums?|CodeMirror-linenumber|CodeMirror-gutters?|cm-gutters?|lntd)(?:$|[\s_-])"
)
_NOT_CODE = re.compile(
    rb"copy|clipboard|toolbar|(?:code|block|snippet)[-_]*header|hover-info|tooltip|sr-only|visually-hidden|cm-gutters"
    rb"|CodeMirror-(?:gutters|cursors|measure|scrollbar)"
)
_UNSELECTABLE = re.compile(rb"user-select\s*:\s*none")
_HIDDEN = re.compile(rb"display\s*:\s*none")
_NUMBERS = re.compile(rb"[\s\d.:|]*")
_KEEPS_SPACE = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)")
_BLOCK_CODE = re.compile(r"(?:^|\s)(?:block|code-?block|hljs|highlight|sourceCode|language-\S+|lang-\S+)(?:\s|$)")
# Containers of code without ``pre``: a word of their class, and a pattern for the whole word.
_CONTAINERS = {
    b"CodeMirror-code": re.compile(r"CodeMirror-code"),
    b"cm-content": re.compile(r"cm-content"),
    b"view-lines": re.compile(r"view-lines"),
    b"syntaxhighlighter": re.compile(r"syntaxhighlighter"),
    b"dp-highlighter": re.compile(r"dp-highlighter"),
    b"blockcode": re.compile(r"blockcode"),
    b"crayon-": re.compile(r"crayon-(?:pre|code|syntax)"),
    b"code-block": re.compile(r"code-block"),
    b"codeblock": re.compile(r"codeblock"),
    b"code_block": re.compile(r"code_block"),
    b"blob-code": re.compile(r"blob-code(?:-inner)?"),
    b"lines-code": re.compile(r"lines-code"),
    b"hljs-ln": re.compile(r"hljs-ln"),
    b"fragment": re.compile(r"fragment"),
}
#: What start tags of containers of code hold.
CODE_WORDS = tuple(_CONTAINERS)
_IN_TABLES = (b"blob-code", b"lines-code", b"hljs-ln")
# Blocks of a container that also has prose are not code.
_PROSE = ("pre", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "img", "textarea")
_ROWS = {TAG_NUMBERS[name] for name in ("tr", "tbody", "thead", "table", "dl")}
_LABELS = frozenset(
    """copy|copied|copied!|copy code|copy code block|copy to clipboard|copy snippet|code|copy text|run|run code|edit|raw
    |view raw
    |download|expand|collapse|wrap|toggle line numbers|toggle word wrap|plain text|plaintext|text|try it|explain
    |复制|复制代码|copier|kopieren|copiar|コピー|>_|⎘|📋""".replace("\n    ", "").split("|")
)


@dataclass(frozen=True, slots=True)
class CodeParts:
    """The code of a page that needs more than the text of its ``pre``.

    Attributes
    ----------
    texts : the text of code, by the row of its element
    dropped : rows and blocks beside code that are no code: columns of line numbers, labels
    """

    texts: dict[int, str] = field(default_factory=dict)
    dropped_rows: list[int] = field(default_factory=list)
    dropped_blocks: list[int] = field(default_factory=list)


def code_parts(page: Page, tags: TagRows | None = None) -> CodeParts:
    """The code of a page that needs more than the text of its ``pre``.

    >>> from webstrata.page import parse
    >>> page = parse("<pre><span class=lineno>1</span>a = 1\\n<span class=lineno>2</span>  b<button>C</button></pre>")
    >>> list(code_parts(page).texts.values())
    ['a = 1\\n  b']
    """
    parts = CodeParts()
    elements = page.elements
    pres = elements.find("pre").tolist()
    blocks = list(_block_codes(page))
    listings = _listings(page, blocks)
    containers = _containers(page, tags or TagRows(page, CODE_WORDS))
    stop = -1
    for row in sorted((*pres, *blocks, *listings, *containers)):
        start = int(elements.source_start[row])
        if start < stop or int(elements.source_stop[row]) - start > _LONGEST:
            continue
        if row in listings:
            parts.texts[row] = "\n".join(_piece(page, each) for each in listings[row])
            stop = int(elements.source_stop[row])
            continue
        is_pre = bool(pres) and elements[row].tag == "pre"
        raw = page.source[slice(*elements.content_span(row))]
        text = _read(raw, is_pre) if not is_pre or _STRUCTURED.search(raw) else None
        bare = _TOKEN.sub(b"", raw.partition(b"</pre")[0]) if text is None else text.encode()
        if is_pre and (_is_gutter(page, row, bare) or (not bare.strip() and _NUMBERS.fullmatch(_TOKEN.sub(b"", raw)))):
            parts.dropped_rows.append(row)
            stop = int(elements.source_stop[row])
            continue
        if text is not None:
            parts.texts[row] = text
        stop = int(elements.source_stop[row])
        parts.dropped_blocks.extend(_labels(page, row))
    return parts


def language_around(page: Page, row: int) -> str:
    """The language of code, from its element, the ``code`` inside, the elements around it and its label; or ""."""
    elements = page.elements
    first, end = elements.block_span(row)
    stop = int(elements.source_stop[row])
    near = range(row + 1, min(row + 4, len(elements)))
    inside = [each for each in near if elements[each].tag == "code" and elements.source_start[each] < stop]
    for each in (*inside[:1], row):
        if name := language_of(page, each):
            return name
    for level, above in enumerate(elements.ancestors(row)):
        begin, stop = elements.block_span(above)
        if (
            level == _LEVELS
            or (level > 1 and first - begin + stop - end > _MOST_LABELS)
            or elements[above].tag == "body"
        ):
            break
        if name := language_of(page, above):
            return name
    names = (LANGUAGE_NAMES.get(text.strip().lower(), "") for text in block_texts(page, _labels(page, row)))
    return next(filter(None, names), "")


def _containers(page: Page, tags: TagRows) -> Iterator[int]:
    """Elements that hold code and are no ``pre``: known by their class."""
    elements = page.elements
    for word, name in _CONTAINERS.items():
        for row in tags.having(word):
            classes = (elements.attribute(row, "class") or "").split()
            if not any(name.fullmatch(each) for each in classes):
                continue
            if word in _IN_TABLES:
                tables = [above for above in elements.ancestors(row) if elements[above].tag == "table"]
                row = row if elements[row].tag == "table" else tables[0] if tables else -1
            if row >= 0 and elements[row].tag not in ("code", "span") and _holds_only_code(page, row, word):
                yield row


def _holds_only_code(page: Page, row: int, word: bytes) -> bool:
    raw = page.source[slice(*page.elements.content_span(row))][:_LONGEST].rpartition(b"</")[0]
    if word == b"fragment":  # of Doxygen; slides have fragments, too
        return b'class="line"' in raw
    if word in (b"CodeMirror-code", b"dp-highlighter", b"blob-code", b"lines-code", b"hljs-ln"):
        return True
    tags = {match[2].lower().decode("ascii", "replace") for match in _TOKEN.finditer(raw) if match[2]}
    if tags.intersection(_PROSE):
        return False
    return (
        word not in (b"code-block", b"codeblock", b"code_block")
        or b"\n" in raw.strip()
        or bool(tags & {"br", "li", "div"})
    )


def _block_codes(page: Page) -> Iterator[int]:
    """``code`` elements with several lines, or that say that they are blocks."""
    elements = page.elements
    codes = elements.find("code")
    is_pre = elements.tag == TAG_NUMBERS["pre"]
    in_pre = set(codes[is_pre[nearest(elements, is_pre)[codes]]].tolist()) if len(codes) and is_pre.any() else set()
    for row in codes.tolist():
        begin, stop = elements.content_span(row)
        raw = page.source[begin:stop]
        if b"<br" not in raw and b"\n" not in raw and b"block" not in page.source[slice(*elements.start_tag(row))]:
            continue
        if row in in_pre:
            continue
        classes, style = elements.some_attributes(row, (b"class", b"style"))
        is_block = "block" in classes.split() or _KEEPS_SPACE.search(style)
        is_highlighted = b"<table" not in raw and _BLOCK_CODE.search(classes)
        if is_block or ((b"<br" in raw or is_highlighted) and _is_alone(page, row)):
            yield row


def _listings(page: Page, codes: list[int]) -> dict[int, list[int]]:
    """Elements that hold one listing in pieces and nothing else, with their pieces.

    Verso, which writes the books of Lean, makes a ``code`` of the class ``block`` for each command, and a ``pre`` for
    each answer.
    """
    elements, found, seen = page.elements, dict[int, list[int]](), set[int]()
    for row in codes:
        above = int(elements.parent[row])
        if above in seen or "block" not in (elements.attribute(row, "class") or "").split():
            continue
        seen.add(above)
        pieces: list[int] = []
        at, stop = elements.block_span(above)
        for each in range(above + 1, len(elements)):
            if elements.source_start[each] >= elements.source_stop[above]:
                break
            if elements.parent[each] != above:
                continue
            if elements[each].tag not in ("code", "pre") or elements.block_span(each)[0] != at:
                pieces.clear()
                break
            pieces.append(each)
            at = elements.block_span(each)[1]
        if len(pieces) > 1 and at == stop:
            found[above] = pieces
    return found


def _piece(page: Page, row: int) -> str:
    """The text of a piece of a listing."""
    elements = page.elements
    return _read(page.source[slice(*elements.content_span(row))], elements[row].tag == "pre")


def _is_alone(page: Page, row: int) -> bool:
    """Whether an element is all the text of its parent."""
    return page.elements.block_span(row) == page.elements.block_span(int(page.elements.parent[row]))


def _is_gutter(page: Page, row: int, text: bytes) -> bool:
    """Whether a ``pre`` has line numbers alone."""
    if not _NUMBERS.fullmatch(text):
        return False
    elements = page.elements
    around = [row, *(above for above, _ in zip(elements.ancestors(row), range(4), strict=False))]
    return any(_GUTTER.search((elements.attribute(each, "class") or "").encode()) for each in around)


def _labels(page: Page, row: int) -> list[int]:
    """The blocks around code, in the elements that hold it alone, that are labels: "Copy", the name of its language."""
    elements = page.elements
    first, end = elements.block_span(row)
    found: list[int] = []
    for _, above in zip(range(_LEVELS), elements.ancestors(row), strict=False):
        begin, stop = elements.block_span(above)
        if first - begin + stop - end > _MOST_LABELS or first == end:
            break
        blocks = [*range(begin, first), *range(end, stop)]
        new = [block for block in blocks if block not in found]
        texts = block_texts(page, new)
        if not all(_is_label(text) for text in texts):
            break
        # The name of a language in another cell is content: a row about that language.
        if elements.tag[above] in _ROWS and any(text.strip().lower() in LANGUAGE_NAMES for text in texts):
            break
        found = blocks
    return found


def _is_label(text: str) -> bool:
    text = " ".join(text.split()).lower()
    return len(text) <= 24 and (text in _LABELS or text in LANGUAGE_NAMES or not text)


class _CodeReader:
    """Builds the text of code from its tags and text.

    Parameters
    ----------
    raw : the content of the element
    is_pre : whether its white space counts
    """

    def __init__(self, raw: bytes, is_pre: bool) -> None:
        self._is_pre = is_pre
        text = _TOKEN.sub(b"", raw)
        tags = {match[2].lower() for match in _TOKEN.finditer(raw) if match[2] and not match[1]}
        self._has_lines = bool(tags & (_LINES | {b"br"}))
        self._has_cells = b"table" in tags
        self._span_lines = is_pre and b"br" not in tags and b"\n" not in text.strip()
        self._folds = not is_pre and self._has_lines
        self._out: list[str] = []
        self._words: list[int] = []  # the places in the output of what is more than numbers
        self._last = ""  # the last character of the output
        self._after_line = False
        # Open elements: name, length of the output at its start, whether it is a line, a gutter, no code.
        self._open: list[tuple[bytes, int, bool, bool, bool]] = []

    def text(self, data: str) -> None:
        if not data:
            return
        if not data.strip(" \t\r\n") and "\n" in data and (self._folds or self._after_line):
            self._after_line = False
            return
        if self._folds:
            data = data.replace("\n", " ") if data.strip() else data
        self._put(data)

    def _put(self, data: str) -> None:
        if not _NUMBERS.fullmatch(data.encode()):
            self._words.append(len(self._out))
        self._out.append(data)
        self._last = data[-1]
        self._after_line = False

    def _break(self) -> None:
        """Begin a line, unless one has just begun."""
        if self._out and self._last != "\n":
            self._put("\n")

    def start(self, name: bytes, attributes: bytes) -> None:
        if name == b"br":
            self._put("\n")
        elif name in _BREAKING:
            self._break()
        if name in _VOID:
            return
        classes, style = b"", b""
        for found in _ATTRIBUTE.finditer(attributes):
            value = found[2] or found[3] or found[4] or b""
            if found[1].lower() == b"class":
                classes = value
            else:
                style = value
        is_line = name in _LINES or (self._span_lines and bool(_LINE_CLASS.search(classes)))
        is_gutter = bool(_GUTTER.search(classes) or _UNSELECTABLE.search(style) or b"unselectable" in attributes)
        is_other = name in (b"button", b"svg", b"style", b"script", b"select") or bool(
            _NOT_CODE.search(classes) or _HIDDEN.search(style)
        )
        if is_line:
            self._break()
        elif name in _CELLS and self._has_cells and self._last.strip():
            self._put("\t")
        self._open.append((name, len(self._out), is_line, is_gutter, is_other))

    def end(self, name: bytes) -> None:
        for place in range(len(self._open) - 1, max(-1, len(self._open) - 50), -1):
            if self._open[place][0] == name:
                while len(self._open) > place:
                    self._close(*self._open.pop()[1:])
                break
        if name in _BREAKING:
            self._break()

    def _close(self, written: int, is_line: bool, is_gutter: bool, is_other: bool) -> None:
        if is_other or (is_gutter and not (self._words and self._words[-1] >= written)):
            del self._out[written:]
            while self._words and self._words[-1] >= written:
                self._words.pop()
            self._last = self._out[-1][-1] if self._out else ""
        elif is_line:
            if self._last != "\n" or len(self._out) == written:
                self._put("\n")
            self._after_line = True

    def result(self) -> str:
        text = "".join(self._out).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ").replace("\u200b", "")
        lines = text.split("\n")
        del lines[: next((place for place, line in enumerate(lines) if line.strip()), len(lines))]
        while lines and (not lines[-1].strip() or (len(lines) > 1 and lines[-1].strip().lower() in _LABELS)):
            del lines[-1]
        code = "\n".join(lines).rstrip()
        return code if self._is_pre else dedent(code)


def _read(raw: bytes, is_pre: bool) -> str:
    reader = _CodeReader(raw, is_pre)
    at = 0
    for token in _TOKEN.finditer(raw):
        if token.start() > at:
            reader.text(character_data(raw, at, token.start(), STATES["data"]))
        at = token.end()
        if token[2] and token[1]:
            reader.end(token[2].lower())
        elif token[2]:
            reader.start(token[2].lower(), token[3])
    if at < len(raw) and not raw[at:].lstrip().startswith(b"</"):
        reader.text(character_data(raw, at, len(raw), STATES["data"]))
    return reader.result()
