"""A document of the browser's snapshot as HTML, unchanged or edited.

Pseudo-elements, shadow trees and the documents of frames are left out, as in the ``outerHTML`` of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from webstrata.rendering.markers import MARKER

__all__ = ["Edit", "SnapshotNodes", "Written", "write_html"]

_ELEMENT, _TEXT, _COMMENT, _DOCTYPE, _FRAGMENT = 1, 3, 8, 10, 11
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
_RAW = frozenset("style script xmp iframe noembed noframes plaintext noscript".split())
# A parser drops a line break at the start of these.
_DROPS_BREAK = frozenset(["pre", "textarea", "listing"])
_TEXT_ESCAPES = {"&": "&amp;", "\xa0": "&nbsp;", "<": "&lt;", ">": "&gt;"}
_VALUE_ESCAPES = {"&": "&amp;", "\xa0": "&nbsp;", '"': "&quot;"}


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
    """How to write an element: name, attributes, markup at its start (``prefix``), and instead of its content."""

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


def write_html(nodes: SnapshotNodes, edit: Callable[[int], Edit | None] | None = None) -> Written:
    """The document as HTML. The callback ``edit`` returns how to write each element, or None to leave it out."""
    writer = _HtmlWriter(nodes, edit or (lambda node: Edit(nodes.name[node], nodes.attributes(node))))
    for node in nodes.index:
        writer.write(node)
    return writer.finish()


@dataclass(eq=False)
class _HtmlWriter:
    nodes: SnapshotNodes
    edit: Callable[[int], Edit | None]
    parts: list[bytes] = field(default_factory=list)
    starts: dict[int, int] = field(default_factory=dict)
    spans: dict[int, tuple[int, int]] = field(default_factory=dict)
    length: int = 0
    # Open elements with the names in the output; nodes inside elements that are left out.
    open: list[tuple[int, str]] = field(default_factory=list)
    skipped: set[int] = field(default_factory=set)
    # Offset of the end of the last start tag.
    _begun: int = -1

    def add(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self.parts.append(data)
        self.length += len(data)

    def write(self, node: int) -> None:
        nodes, above = self.nodes, self.nodes.parent[node]
        while self.open and self.open[-1][0] != above:
            self.add(f"</{self.open.pop()[1]}>")
        kind = nodes.kind[node]
        if above in self.skipped:
            self.skipped.add(node)
        elif kind == _DOCTYPE:
            self.add(nodes.doctype)
        elif kind == _COMMENT:
            # Scripts can create comments that contain the end of a comment.
            self.add(f"<!--{nodes.value[node].replace('--', '- -')}-->")
        elif kind == _TEXT:
            self._text(node, nodes.name[above])
        elif kind == _ELEMENT:
            self._element(node)

    def _text(self, node: int, holder: str) -> None:
        text, start = self.nodes.value[node], self.length
        if holder in _DROPS_BREAK and text.startswith("\n") and start == self._begun:
            self.add("\n")
        self.add(text if holder in _RAW else _escape(text, _TEXT_ESCAPES))
        self.spans[node] = start, self.length

    def _element(self, node: int) -> None:
        edit = self.edit(node)
        if edit is None:
            self.skipped.add(node)
            return
        self.starts[node] = self.length
        written = "".join(
            f' {name}="{_escape(value, _VALUE_ESCAPES)}"'
            for name, value in edit.attributes
            if name != MARKER and not set(name) & set(" \t\n\r\f/>=\"'<")
        )
        self.add(f"<{edit.name}{written}>{edit.prefix}")
        self._begun = self.length
        if edit.inside is not None:
            self.add(f"{edit.inside}</{edit.name}>")
            self.skipped.add(node)
        elif edit.name not in _VOID:
            self.open.append((node, edit.name))

    def finish(self) -> Written:
        while self.open:
            self.add(f"</{self.open.pop()[1]}>")
        return Written(b"".join(self.parts), self.starts, self.spans)


def _escape(text: str, escapes: Mapping[str, str]) -> str:
    for character, reference in escapes.items():
        if character in text:
            text = text.replace(character, reference)
    return text
