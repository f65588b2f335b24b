"""Kept blocks as XML of the Text Encoding Initiative (TEI P5), the format of corpora and their tools.

The document is made from the clean HTML of `webstrata.extraction.structure.html`, so both have the same content.
Headings begin divisions, which nest by level; a heading inside a quotation, a list or a table is a block, because
divisions are not allowed there.

Deviations. The terms and descriptions of ``dl`` become items of one list, with different ``rend``: TEI requires pairs,
and pages do not always have them. The direction of writing is left out.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple

from webstrata._escaping import xml as escape
from webstrata.urls import host

if TYPE_CHECKING:
    from webstrata.extraction.metadata import Metadata

__all__ = ["tei"]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
# Block elements, with their names and attributes in TEI.
_BLOCKS = {
    "p": ("p", ""),
    "ul": ("list", ' rend="bulleted"'),
    "ol": ("list", ' rend="numbered"'),
    "dl": ("list", ' rend="definitions"'),
    "li": ("item", ""),
    "dt": ("item", ' rend="term"'),
    "dd": ("item", ' rend="description"'),
    "blockquote": ("quote", ""),
    "table": ("table", ""),
    "tr": ("row", ""),
    "td": ("cell", ""),
    "th": ("cell", ' role="label"'),
    "figure": ("figure", ""),
    "caption": ("head", ""),
    "aside": ("note", ""),
    "figcaption": ("head", ""),
}
_INLINE = {
    "strong": ("hi", ' rend="bold"'),
    "em": ("hi", ' rend="italic"'),
    "sub": ("hi", ' rend="sub"'),
    "sup": ("hi", ' rend="sup"'),
    "del": ("del", ""),
    "code": ("code", ""),
    "a": ("ref", ""),
}
# Characters that a URL may not contain (RFC 3987): browsers accept them, the schema does not.
_NOT_IN_URLS = re.compile(r"""[\x00-\x20<>"{}|\\^`]|%(?![0-9A-Fa-f]{2})""")
# Elements that must not be empty, and the child that they get in this case.
_NEEDS = {"list": "<item/>", "table": "<row><cell/></row>", "row": "<cell/>", "body": "<p/>"}
# Elements that may not contain text directly: it is put into a paragraph.
_TEXTLESS = frozenset(("body", "div", "figure"))


class _OpenElement(NamedTuple):
    """An open element: its tag in HTML, its name in TEI, and the length of the output at its start."""

    tag: str
    name: str
    written: int


def tei(html: str, metadata: Metadata) -> str:
    """The TEI document of an ``article`` written by `html`, with the metadata in the header.

    >>> from webstrata.extraction import extract
    >>> print(extract("<html lang=en><title>Silt</title><h2>Silt</h2><p>Pale, in <b>spring</b>.", "keep-all").tei)
    <?xml version="1.0" encoding="UTF-8"?>
    <TEI xmlns="http://www.tei-c.org/ns/1.0">
    <teiHeader>
    <fileDesc>
    <titleStmt><title type="main">Silt</title></titleStmt>
    <publicationStmt><publisher/></publicationStmt>
    <sourceDesc><p/></sourceDesc>
    </fileDesc>
    <profileDesc>
    <langUsage><language ident="en">en</language></langUsage>
    </profileDesc>
    </teiHeader>
    <text xml:lang="en">
    <body>
    <div type="section" n="2">
    <head>Silt</head>
    <p>Pale, in <hi rend="bold">spring</hi>.</p>
    </div>
    </body>
    </text>
    </TEI>
    """
    writer = _TEIWriter()
    writer.feed(html)
    writer.close()
    language = f' xml:lang="{escape(writer.language)}"' if writer.language else ""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">\n'
        f"{_header(metadata)}\n<text{language}>\n<body>{writer.body()}\n</body>\n</text>\n</TEI>"
    )


def _url(url: str) -> str:
    """A URL as an attribute.

    >>> _url("https://example.org/a b?c=10%&d#e#f")
    'https://example.org/a%20b?c=10%25&amp;d#e%23f'
    """
    head, sign, fragment = url.partition("#")
    url = f"{head}{sign}{fragment.replace('#', '%23')}"
    return escape(_NOT_IN_URLS.sub(lambda found: f"%{ord(found[0]):02X}", url))


def _header(metadata: Metadata) -> str:
    authors = "".join(f"<author>{escape(name)}</author>" for name in (metadata.author or "").split("; ") if name)
    title = f'<title type="main">{escape(metadata.title or "")}</title>'
    source = f'<bibl><ptr target="{_url(metadata.url)}"/></bibl>' if metadata.url else "<p/>"
    lines = [
        "<teiHeader>",
        "<fileDesc>",
        f"<titleStmt>{title}{authors}</titleStmt>",
        f"<publicationStmt>{_publication(metadata)}</publicationStmt>",
        f"<sourceDesc>{source}</sourceDesc>",
        "</fileDesc>",
    ]
    profile = _profile(metadata)
    return "\n".join([*lines, *(["<profileDesc>", *profile, "</profileDesc>"] if profile else []), "</teiHeader>"])


def _publication(metadata: Metadata) -> str:
    publisher = escape(metadata.site_name or host(metadata.url or ""))
    parts = [f"<publisher>{publisher}</publisher>" if publisher else "<publisher/>"]
    if metadata.licence:
        parts.append(f"<availability><licence>{escape(metadata.licence)}</licence></availability>")
    if metadata.date:
        parts.append(f'<date when="{escape(metadata.date)}">{escape(metadata.date)}</date>')
    return "".join(parts)


def _profile(metadata: Metadata) -> list[str]:
    lines = []
    if metadata.description:
        lines.append(f"<abstract><p>{escape(metadata.description)}</p></abstract>")
    if metadata.language:
        language = escape(metadata.language)
        lines.append(f'<langUsage><language ident="{language}">{language}</language></langUsage>')
    terms = [f'<term type="category">{escape(name)}</term>' for name in metadata.categories]
    terms += [f'<term type="tag">{escape(name)}</term>' for name in metadata.tags]
    if terms:
        lines.append(f"<textClass><keywords>{''.join(terms)}</keywords></textClass>")
    return lines


class _TEIWriter(HTMLParser):
    """Reads clean HTML and writes the content of ``body``."""

    def __init__(self) -> None:
        super().__init__()
        self.language = ""
        self._out: list[str] = []
        self._open = [_OpenElement("article", "body", 0)]
        self._has_notes = False  # whether the division of the footnotes is open
        self._heads = 0  # the number of open heads, which may not contain blocks
        self._levels: list[int] = []  # of the open divisions
        self._code: str | None = None  # the attributes of the open ``pre``, whose line ends are kept

    def body(self) -> str:
        """Close all open elements and return the output."""
        self._close_to(1)
        self._divide(0)
        return "".join(self._out) or f"\n{_NEEDS['body']}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "article":
            self.language = attributes.get("lang", "")
        elif tag in _HEADINGS:
            self._heading(tag)
        elif tag == "pre":
            self._code = ""
        elif tag == "code" and self._code is not None:
            name = attributes.get("class", "").removeprefix("language-")
            self._code = f' lang="{escape(name)}"' if name else ""
            name, rendition = ("hi", ' rend="code"') if self._heads else ("ab", ' type="code"')
            self._begin("pre", name, rendition, block=True)
            self._out.append(f'<code{self._code} xml:space="preserve">')
        elif tag in _BLOCKS:
            self._block(tag, attributes)
        elif tag in _INLINE:
            name, rendition = _INLINE[tag]
            self._begin(tag, name, f' target="{_url(attributes.get("href", ""))}"' if tag == "a" else rendition)
        else:
            self._empty(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "code" and self._code is not None:
            self._out.append("</code>")
            tag, self._code = "pre", None
        for place in range(len(self._open) - 1, 0, -1):
            if self._open[place].tag == tag:
                self._close_to(place)
                return

    def handle_data(self, data: str) -> None:
        inside = self._open[-1].name
        if self._code is not None and self._open[-1].tag != "pre":
            return  # the line feed between pre and code
        if not data.strip() and (inside in _TEXTLESS or inside in _NEEDS):
            return
        if inside in _TEXTLESS:
            self._begin("text", "p", "", block=True)
        self._out.append(escape(data if self._code is not None else data.replace("\n", " ")))

    def _heading(self, tag: str) -> None:
        level = _HEADINGS[tag]
        if self._heads:
            self._begin(tag, "hi", ' rend="heading"')
            return
        self._end_text()
        if len(self._open) > 1:
            self._begin(tag, "ab", f' type="heading" n="{level}"', block=True)
            return
        self._divide(level)
        self._levels.append(level)
        self._out.append(f'\n<div type="section" n="{level}">')
        self._begin(tag, "head", "", block=True)

    def _begin_notes(self) -> None:
        """Close everything, and open the division of the footnotes, which come last."""
        self._end_text()
        self._close_to(1)
        if not self._has_notes:
            self._divide(0)
            self._levels.append(1)
            self._out.append('\n<div type="notes">')
            self._has_notes = True

    def _divide(self, level: int) -> None:
        """Close the divisions that end at a heading of this level."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
            self._out.append("\n</div>")

    def _block(self, tag: str, attributes: dict[str, str]) -> None:
        name, rendition = _BLOCKS[tag]
        if tag == "p" and self._heads:
            self._out.append("<lb/>")
            return
        if tag == "caption" and len(self._out) > self._open[-1].written:
            # A table begins with its head: a later one becomes a row.
            self._begin("late", "row", "", block=True)
            self._begin(tag, "cell", ' role="label"', block=True)
            return
        if tag == "aside":
            self._begin_notes()
            label = attributes.get("id", "").removeprefix("fn-")
            rendition = f' place="end" n="{escape(label)}" xml:id="fn-{escape(label)}"'
        if tag in ("td", "th"):
            rows, columns = attributes.get("rowspan"), attributes.get("colspan")
            rendition += (f' rows="{escape(rows)}"' if rows else "") + (f' cols="{escape(columns)}"' if columns else "")
        self._begin(tag, name, rendition, block=True)

    def _empty(self, tag: str, attributes: dict[str, str]) -> None:
        """Write an empty element; other elements are ignored, and their content is written."""
        if tag == "br":
            self._out.append("<lb/>")
        elif tag == "hr":
            self._end_text()
            self._out.append('\n<milestone unit="section" rend="rule"/>')
        elif tag == "img":
            alt = attributes.get("alt", "")
            content = f"><desc>{escape(alt)}</desc></graphic>" if alt else "/>"
            if self._open[-1].name in ("body", "div"):
                self._begin("text", "p", "", block=True)
            self._out.append(f'<graphic url="{_url(attributes.get("src", ""))}"{content}')

    def _begin(self, tag: str, name: str, attributes: str, *, block: bool = False) -> None:
        if block:
            if tag != "text":
                self._end_text()
            self._out.append(f"\n<{name}{attributes}>")
        else:
            if self._open[-1].name in _TEXTLESS:
                self._begin("text", "p", "", block=True)
            self._out.append(f"<{name}{attributes}>")
        self._open.append(_OpenElement(tag, name, len(self._out)))
        self._heads += name == "head"

    def _end_text(self) -> None:
        """Close a paragraph that was added for text."""
        if self._open[-1].tag == "text":
            self._close_to(len(self._open) - 1)

    def _close_to(self, place: int) -> None:
        """Close the open elements from this index on."""
        while len(self._open) > place:
            _, name, written = self._open.pop()
            self._heads -= name == "head"
            if name in _NEEDS and len(self._out) == written:
                self._out.append(_NEEDS[name])
            line = "\n" if name in ("list", "table", "row", "figure", "quote") else ""
            self._out.append(f"{line}</{name}>")
            if self._open[-1].tag == "late":
                place = min(place, len(self._open) - 1)
