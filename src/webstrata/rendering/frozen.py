"""A page frozen into one file: styles, images, fonts and frames inlined, scripts removed, nothing left to load.

The document is written from the browser's tree; the inlined files are those that the browser loaded for it. Elements
and attributes are written if `webstrata._allowed` lists them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webstrata._allowed import HTML, POLICY, SVG, allowed_attribute, allowed_element
from webstrata.errors import RenderError
from webstrata.rendering.inlining import data_url, decode_css, freeze_css, is_css, join
from webstrata.rendering.markup import Edit, SnapshotNodes, escape_text, write_html
from webstrata.rendering.resources import Resource
from webstrata.urls import safe

__all__ = ["freeze"]

_LARGEST = 1 << 27
_FRAMES = 4
_PICTURES = {"img": "src", "input": "src", "video": "poster", "body": "background", "table": "background",
             "td": "background", "th": "background", "tr": "background", "tbody": "background"}  # fmt: skip
# SVG elements whose reference is a picture or a part of the same document.
_REFERRING = frozenset("feImage image linearGradient pattern radialGradient textPath use".split())
_IN_HEAD = frozenset(["link", "meta", "style", "title"])


def freeze(
    snapshot: Mapping[str, Any],
    loaded: Mapping[str, Resource],
    sheets: Sequence[str] = (),
    densities: Sequence[float] = (),
) -> bytes:
    """The first document of a snapshot as one file.

    Parameters
    ----------
    snapshot : result of ``DOMSnapshot.captureSnapshot``
    loaded : the files of the page by the URL of their request
    sheets : the rules of style sheets that scripts filled (`webstrata.rendering.scripts.CSSOM`)
    densities : of the images of the page (`webstrata.rendering.scripts.DENSITIES`)
    """
    return _Freezer(snapshot, loaded, tuple(sheets), tuple(densities)).document(0, 0).encode("utf-8", "replace")


@dataclass(eq=False)
class _Freezer:
    snapshot: Mapping[str, Any]
    loaded: Mapping[str, Resource]
    sheets: tuple[str, ...]
    densities: tuple[float, ...]
    size: int = 0
    styles: int = 0
    images: int = 0

    def document(self, number: int, depth: int) -> str:
        """One document, with the documents of its frames inlined."""
        html = _DocumentFreezer(self, number, depth).html()
        self.size += len(html)
        if self.size > _LARGEST:
            raise RenderError(f"the page cannot be frozen: one file of it would have more than {_LARGEST >> 20} MB")
        return html


class _DocumentFreezer:
    """Writes one document of the snapshot."""

    def __init__(self, whole: _Freezer, number: int, depth: int) -> None:
        document, strings = whole.snapshot["documents"][number], whole.snapshot["strings"]
        self._whole, self._depth, self._loaded = whole, depth, whole.loaded
        self._base = strings[document["baseURL"]]
        self._nodes = nodes = SnapshotNodes.of(document, strings)
        self._frames = _rare(document["nodes"], "contentDocumentIndex")
        self._sources = {node: strings[at] for node, at in _rare(document["nodes"], "currentSourceURL").items()}
        # Scripts can build any tree, but html, head and body are written once each, and the head first.
        roots = [at for at in nodes.elements(0) if nodes.name[at] == "html"]
        inside = nodes.elements(roots[0]) if roots else []
        heads = [at for at in inside[:1] if nodes.name[at] == "head"]
        bodies = [at for at in inside if nodes.name[at] in ("body", "frameset")]
        self._html, self._head, self._body = (found[0] if found else None for found in (roots, heads, bodies))

    def html(self) -> str:
        written = write_html(self._nodes, self._edit).html.decode()
        # The policy comes first, even in a document without an html element.
        return written if self._html is not None else f"{self._nodes.doctype}<html><head>{self._start()}</head></html>"

    def _start(self) -> str:
        css = self._whole.sheets[-1] if self._whole.sheets and self._depth == 0 else ""
        return POLICY + (f"<style>{freeze_css(css, '', self._loaded)}</style>" if css else "")

    def _edit(self, node: int, space: str) -> Edit | None:
        nodes, above = self._nodes, self._nodes.parent[node]
        original = nodes.name[node].lower()
        if not self._has_place(node, original, nodes.name[above]):
            return None
        pairs = dict(nodes.attributes(node))
        if space == HTML and original == "link":
            return self._link(pairs)
        name = allowed_element(original, space)
        if name is None:
            return None
        attributes = dict(self._attributes(name, pairs, space, self._sources.get(node)))
        if node == self._html:
            return Edit(name, attributes.items(), "" if self._head is not None else f"<head>{self._start()}</head>")
        if node == self._head:
            return Edit(name, attributes.items(), self._start())
        if name == "style":
            css = self._style(node)
            return Edit(name, attributes.items(), inside=css if space == HTML else escape_text(css))
        if space == HTML and name in ("title", "textarea"):
            # A parser drops a line break at the start of a textarea.
            start = "\n" if name == "textarea" else ""
            return Edit(name, attributes.items(), inside=start + escape_text(nodes.text(node)))
        if space == HTML and name in ("iframe", "frame"):
            attributes |= {"src": self._frame(node), "sandbox": ""}
            return Edit(name, attributes.items(), inside="" if name == "iframe" else None)
        if name == "img":
            self._choose(attributes)
        return Edit(name, attributes.items())

    def _has_place(self, node: int, name: str, above: str) -> bool:
        """Whether an element can be where it is, as far as the structure of a document goes."""
        if name in ("html", "head", "body") or self._nodes.parent[node] == self._html:
            return node in (self._html, self._head, self._body)
        if name in ("frame", "frameset"):
            return above == "frameset" or node == self._body
        if above in ("head", "frameset"):
            return above == "head" and name in _IN_HEAD
        return name != "source" or above != "picture"

    def _frame(self, node: int) -> str:
        inner = ""
        if node in self._frames and self._depth < _FRAMES:
            inner = self._whole.document(self._frames[node], self._depth + 1)
        # Not as `srcdoc`, which would always use standards mode.
        return f"data:text/html;charset=utf-8;base64,{base64.b64encode(inner.encode('utf-8', 'replace')).decode()}"

    def _choose(self, attributes: dict[str, str]) -> None:
        """Write the density of an image of a ``srcset``."""
        if self._depth == 0:
            number, self._whole.images = self._whole.images, self._whole.images + 1
            densities = self._whole.densities
            if number < len(densities) and densities[number] != 1:
                # Replaces `src`, so that the file holds the image once.
                attributes["srcset"] = f"{attributes.pop('src', '')} {densities[number]:g}x"

    def _link(self, pairs: Mapping[str, str]) -> Edit | None:
        """A linked style sheet becomes a style; other links have no visible effect."""
        kinds = pairs.get("rel", "").lower().split()
        if "stylesheet" not in kinds or "alternate" in kinds or "disabled" in pairs:
            return None
        url = join(self._base, pairs.get("href", ""))
        found = self._loaded.get(url)
        if found is None or found.status >= 400 or not is_css(found):
            return None
        media = [("media", pairs["media"])] if pairs.get("media") else []
        return Edit("style", media, inside=freeze_css(decode_css(found), found.url or url, self._loaded))

    def _style(self, node: int) -> str:
        css = self._nodes.text(node)
        if self._depth == 0:
            number, self._whole.styles = self._whole.styles, self._whole.styles + 1
            sheets = self._whole.sheets[:-1]
            css = css or (sheets[number] if number < len(sheets) else "")
        return freeze_css(css, self._base, self._loaded)

    def _attributes(
        self, name: str, pairs: Mapping[str, str], space: str, current: str | None
    ) -> Iterator[tuple[str, str]]:
        for written, value in pairs.items():
            key = written.lower()
            if not allowed_attribute(key) or (name == "meta" and key == "charset"):
                continue
            if key in ("href", "xlink:href"):
                url = data_url(value, self._base, self._loaded) if name in _REFERRING else self._target(name, value)
                # Only images load anything; other elements of SVG refer to a part of the document.
                if url is not None and (name in ("a", "area", "image", "feImage") or url.startswith("#")):
                    yield written, url
            elif key in (_PICTURES.get(name), "poster"):
                yield key, data_url(current if key == "src" and current else value, self._base, self._loaded)
            elif key == "src" or (key == "usemap" and not value.startswith("#")):
                continue
            elif key == "style" or space == SVG:
                yield written, freeze_css(value, self._base, self._loaded)
            else:
                yield written, value
        if name == "img" and "src" not in pairs and current:
            yield "src", data_url(current, self._base, self._loaded)

    def _target(self, name: str, value: str) -> str | None:
        """The URL of a link, if a browser would not run it."""
        if name not in ("a", "area"):
            return None
        return value if value.startswith("#") else safe(self._base, value)


def _rare(nodes: Mapping[str, Any], name: str) -> dict[int, int]:
    found = nodes.get(name, {"index": [], "value": []})
    return dict(zip(found["index"], found["value"], strict=True))
