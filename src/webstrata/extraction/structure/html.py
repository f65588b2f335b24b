"""Kept blocks as clean HTML: semantic tags alone, absolute URLs, nothing that a browser would run.

Deviation: what a list or a table of the page lacked to be well formed is added (see `outline`).
"""

from __future__ import annotations

import re

from webstrata.escaping import html as escape
from webstrata.extraction.structure import attributes
from webstrata.extraction.structure.containers import HEADINGS
from webstrata.extraction.structure.inline import tidy
from webstrata.extraction.structure.outline import Outline
from webstrata.extraction.structure.pieces import (
    BREAK,
    CODE,
    DELETED,
    EMPHASIS,
    IMAGE,
    MARK,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Event,
    Piece,
)
from webstrata.page import Page
from webstrata.text import Column

__all__ = ["html"]

_MARK_NAMES = {
    STRONG: "strong",
    EMPHASIS: "em",
    DELETED: "del",
    MARK: "mark",
    SUBSCRIPT: "sub",
    SUPERSCRIPT: "sup",
    CODE: "code",
}
_NAMES = {"menu": "ul", "dir": "ul", "listing": "pre", "xmp": "pre", "plaintext": "pre"}
# The first paragraph of these stands without a tag of its own.
_BARE = frozenset(("li", "dt", "dd", "td", "th", "caption", "figcaption"))
_SPANS = ("colspan", "rowspan")
_LANGUAGE_TAG = re.compile(r"[A-Za-z0-9]{1,8}(-[A-Za-z0-9]{1,8})*")


def html(page: Page, keep: Column, *more: tuple[Page, Column], title: str = "") -> str:
    """The kept blocks of a page, and of more pages after it, as one ``article`` in the language of the first.

    A title comes before them, as the first heading.

    >>> from webstrata.page import parse
    >>> page = parse("<div onclick=x()>1 &lt; <b>2</b><ul><li>one</ul>")
    >>> print(html(page, ~page.blocks.hidden))
    <article>
    <p>1 &lt; <strong>2</strong></p>
    <ul>
    <li>one</li>
    </ul>
    </article>
    """
    heading = f"\n<h1>{escape(' '.join(title.split()))}</h1>" if title else ""
    content = "".join(_content(*each) for each in ((page, keep), *more))
    return f"<article{_language(page)}>{heading}{content}\n</article>"


def _content(page: Page, keep: Column) -> str:
    writer = _Writer(page)
    for event in Outline(page, keep).events():
        getattr(writer, f"on_{event.what}")(event)
    return "".join(writer.out)


class _Writer:
    """Writes the events of an outline."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._resources = attributes.Resources(page)
        self.out: list[str] = []
        # The open containers, each with the number of paragraphs it has so far.
        self._open: list[str] = [""]
        self._paragraphs = [0]

    def on_open(self, event: Event) -> None:
        tag = _NAMES.get(event.tag, event.tag)
        self._open.append(tag)
        self._paragraphs.append(0)
        if tag != "pre":
            self.out.append(f"\n<{tag}{self._attributes(tag, event.row)}>")

    def on_close(self, event: Event) -> None:
        tag = self._open.pop()
        paragraphs = self._paragraphs.pop()
        if tag != "pre":
            bare = tag in HEADINGS or (tag in _BARE and paragraphs >= 0)
            self.out.append(f"</{tag}>" if bare else f"\n</{tag}>")
        # What a container holds counts as one of its parent's blocks.
        self._paragraphs[-1] = -1

    def on_run(self, event: Event) -> None:
        text = self._inline(event.pieces)
        if not text:
            return
        tag, before = self._open[-1], self._paragraphs[-1]
        if tag in HEADINGS:
            self.out.append(f" {text}" if before else text)
        elif tag in _BARE and before == 0:
            self.out.append(text)
        else:
            self.out.append(f"\n<p>{text}</p>")
        self._paragraphs[-1] = before + 1 if tag in HEADINGS or before == 0 else -1

    def on_code(self, event: Event) -> None:
        language = self._resources.code_language(event.row)
        name = f' class="language-{escape(language)}"' if language else ""
        # A line feed directly after the tag would be dropped by every parser.
        first = "\n" if event.text.startswith("\n") else ""
        self.out.append(f"\n<pre>{first}<code{name}>{escape(event.text)}</code></pre>")
        self._paragraphs[-1] = -1

    def on_rule(self, event: Event) -> None:
        self.out.append("\n<hr>")
        self._paragraphs[-1] = -1

    def _attributes(self, tag: str, row: int) -> str:
        if tag == "ol":
            start = attributes.number(self.page, row, "start", default=1, most=999_999_999)
            return f' start="{start}"' if start != 1 else ""
        if tag in ("td", "th"):
            spans = {name: attributes.number(self.page, row, name, default=1, most=1000) for name in _SPANS}
            return "".join(f' {name}="{value}"' for name, value in spans.items() if value > 1)
        return ""

    def _inline(self, pieces: list[Piece]) -> str:
        out = []
        pieces = tidy(self._resources, pieces)
        for i, piece in enumerate(pieces):
            if piece.link >= 0 and (i == 0 or pieces[i - 1].link != piece.link):
                out.append(f'<a href="{escape(self._resources.href(piece.link) or "")}">')
            out.append(self._piece(piece))
            if piece.link >= 0 and (i + 1 == len(pieces) or pieces[i + 1].link != piece.link):
                out.append("</a>")
        return "".join(out)

    def _piece(self, piece: Piece) -> str:
        if piece.marks == BREAK:
            return "<br>"
        if piece.marks == IMAGE:
            shown = self._resources.image(piece.image)
            return f'<img src="{escape(shown.src)}" alt="{escape(shown.alt)}">' if shown is not None else ""
        names = [name for mark, name in _MARK_NAMES.items() if piece.marks & mark]
        opened, closed = "".join(f"<{name}>" for name in names), "".join(f"</{name}>" for name in reversed(names))
        return f"{opened}{escape(piece.text)}{closed}"


def _language(page: Page) -> str:
    """The language and the direction that the page declares."""
    lang = page.lang or ""
    direction = page.elements[0].attributes.get("dir", "").strip().lower()
    return (f' lang="{lang}"' if _LANGUAGE_TAG.fullmatch(lang) else "") + (
        f' dir="{direction}"' if direction in ("rtl", "ltr", "auto") else ""
    )
