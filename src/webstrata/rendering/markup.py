"""A document of the browser's snapshot as HTML, unchanged or edited.

Pseudo-elements, shadow trees and the documents of frames are left out, as in the ``outerHTML`` of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from webstrata._allowed import HTML, inner_space
from webstrata.rendering.markers import MARKER

__all__ = ["Edit", "SnapshotNodes", "Written", "escape_text", "write_html"]

_ELEMENT, _TEXT, _COMMENT, _DOCTYPE, _FRAGMENT = 1, 3, 8, 10, 11
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
_RAW = frozenset("style script xmp iframe noembed noframes plaintext noscript".split())
# A parser drops a line break at the start of these.
_DROPS_BREAK = frozenset(["pre", "textarea", "listing"])
# Text in these would move to the body.
_NO_TEXT = frozenset(["html", "head", "frameset"])
_TEXT_ESCAPES = {"&": "&amp;", "\xa0": "&nbsp;", "<": "&lt;", ">": "&gt;"}
# Some parsers read tags inside of values.
_VALUE_ESCAPES = {"&": "&amp;", "\xa0": "&nbsp;", '"': "&quot;", "<": "&lt;", ">": "&gt;"}


@dataclass(frozen=True, eq=False)
class SnapshotNodes:
    """The nodes of one document of a snapshot by number; ``index`` are those written to HTML, in document order."""

    index: tuple[int, ...]
    parent: Sequence[int]
    kind: Sequence[int]
    name: Sequence[str]
    value: Sequence[str]
    doctype: str
    _attributes: Sequence[Sequence[int]]
    _strings: Sequence[str]

    @classmethod
    def of(cls, document: Mapping[str, Any], strings: Sequence[str]) -> SnapshotNodes:
        nodes = document["nodes"]
        parent, kind = nodes["parentIndex"], nodes["nodeType"]
        out = set(nodes.get("pseudoType", {}).get("index", ()))
        kept = []
        for number, above in enumerate(parent):
            if above in out or number in out or kind[number] == _FRAGMENT:
                out.add(number)
            else:
                kept.append(number)

        def text(number: int) -> str:
            return strings[number] if number >= 0 else ""

        # The snapshot has names of HTML elements in upper case, and those of other namespaces unchanged.
        names = [name.lower() if name.isupper() else name for name in map(text, nodes["nodeName"])]
        public, system = text(document.get("publicId", -1)), text(document.get("systemId", -1))
        doctype = _doctype(public, system)
        values = list(map(text, nodes["nodeValue"]))
        return cls(tuple(kept), parent, kind, names, values, doctype, nodes["attributes"], strings)

    @cached_property
    def children(self) -> Mapping[int, Sequence[int]]:
        """The elements and texts of each node."""
        found: dict[int, list[int]] = {}
        for at in self.index:
            if self.kind[at] in (_ELEMENT, _TEXT):
                found.setdefault(self.parent[at], []).append(at)
        return found

    def elements(self, node: int) -> list[int]:
        """The elements in a node."""
        return [at for at in self.children.get(node, ()) if self.kind[at] == _ELEMENT]

    def text(self, node: int) -> str:
        """The texts of a node, without those of its elements."""
        return "".join(self.value[at] for at in self.children.get(node, ()) if self.kind[at] == _TEXT)

    def attributes(self, node: int) -> Iterator[tuple[str, str]]:
        """Names and values of the attributes of a node."""
        found = iter(self._attributes[node])
        for name, value in zip(found, found, strict=True):
            yield self._strings[name], self._strings[value] if value >= 0 else ""


def _doctype(public: str, system: str) -> str:
    """The doctype that selects the same layout mode again."""
    public, system = (text.replace('"', "").replace(">", "") for text in (public, system))
    ids = f' PUBLIC "{public}"' if public else " SYSTEM" if system else ""
    return f"<!DOCTYPE html{ids}" + (f' "{system}"' if system else "") + ">\n"


@dataclass(frozen=True)
class Edit:
    """How to write an element: name, attributes, HTML at its start (``prefix``), and HTML instead of its content."""

    name: str
    attributes: Iterable[tuple[str, str]]
    prefix: str = ""
    inside: str | None = None


@dataclass(frozen=True, eq=False)
class Written:
    """HTML, the offset of the start tag of each element, and start and stop of each text."""

    html: bytes
    starts: dict[int, int]
    spans: dict[int, tuple[int, int]]


def write_html(nodes: SnapshotNodes, edit: Callable[[int, str], Edit | None] | None = None) -> Written:
    """The document as HTML, unchanged, or edited and without comments.

    The callback ``edit`` gets an element and the namespace of its place, and returns how to write the element, or None
    to leave it out.
    """
    writer = _HtmlWriter(nodes, edit)
    for node in nodes.index:
        writer.write(node)
    return writer.finish()


@dataclass(frozen=True)
class _Open:
    """An open element: its name in the output, the namespace of its content, and whether that is raw text."""

    node: int
    name: str
    space: str
    raw: bool


@dataclass(eq=False)
class _HtmlWriter:
    nodes: SnapshotNodes
    edit: Callable[[int, str], Edit | None] | None
    parts: list[bytes] = field(default_factory=list)
    starts: dict[int, int] = field(default_factory=dict)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    length: int = 0
    open: list[_Open] = field(default_factory=list)
    # Nodes that are left out, or inside of such a node.
    skipped: set[int] = field(default_factory=set)
    # Offset of the end of the last start tag.
    _begun: int = -1

    def add(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self.parts.append(data)
        self.length += len(data)

    def write(self, node: int) -> None:
        nodes, above = self.nodes, self.nodes.parent[node]
        if above in self.skipped:
            self.skipped.add(node)
            return
        while self.open and self.open[-1].node != above:
            self.add(f"</{self.open.pop().name}>")
        kind = nodes.kind[node]
        if kind == _DOCTYPE:
            self.add(nodes.doctype)
        elif kind == _COMMENT and self.edit is None:
            self.add(f"<!--{_comment(nodes.value[node])}-->")
        elif kind == _TEXT:
            self._text(node)
        elif kind == _ELEMENT:
            self._element(node)

    def _text(self, node: int) -> None:
        text, start = self.nodes.value[node], self.length
        holder = self.open[-1] if self.open else None
        if self.edit is not None and (holder is None or holder.name in _NO_TEXT) and not text.isspace():
            return
        if holder and holder.name in _DROPS_BREAK and text.startswith("\n") and start == self._begun:
            self.add("\n")
        self.add(text if holder and holder.raw else escape_text(text))
        self.spans[node] = start, self.length

    def _element(self, node: int) -> None:
        space = self.open[-1].space if self.open else HTML
        name = self.nodes.name[node]
        edit = self.edit(node, space) if self.edit else Edit(name, self.nodes.attributes(node))
        if edit is None:
            self.skipped.add(node)
            return
        self.starts[node] = self.length
        written = "".join(
            f' {name}="{_escape(value, _VALUE_ESCAPES)}"'
            for name, value in edit.attributes
            if name != MARKER and not set(name) & set(" \t\n\r\f/>=\"'<")
        )
        self.add(f"<{edit.name}{written}>")
        self._begun = self.length
        self.add(edit.prefix)
        if edit.inside is not None:
            self.add(f"{edit.inside}</{edit.name}>")
            self.skipped.add(node)
        elif edit.name not in _VOID or space != HTML:
            self.open.append(_Open(node, edit.name, inner_space(edit.name, space), space == HTML and edit.name in _RAW))

    def finish(self) -> Written:
        while self.open:
            self.add(f"</{self.open.pop().name}>")
        return Written(b"".join(self.parts), self.starts, self.spans)


def _comment(text: str) -> str:
    """The text of a comment, without what would end it: scripts can create such comments."""
    text = text.replace("--", "- -")
    return f" {text} " if text.startswith((">", "->")) or text.endswith(("-", "<!-")) else text


def escape_text(text: str) -> str:
    """Text as the content of an element."""
    return _escape(text, _TEXT_ESCAPES)


def _escape(text: str, escapes: Mapping[str, str]) -> str:
    for character, reference in escapes.items():
        if character in text:
            text = text.replace(character, reference)
    return text
