"""A page frozen into one file: styles, images, fonts and frames inlined, scripts removed, nothing left to load.

The document is written from the browser's tree; the inlined files are those that the browser loaded for it.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urldefrag, urljoin

from webstrata.errors import RenderError
from webstrata.rendering.markup import Edit, SnapshotNodes, write_html
from webstrata.rendering.resources import Resource

__all__ = ["freeze", "freeze_css"]

# The policy lets a browser show the content of the file, and load nothing.
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; font-src data:; media-src data:;"
    " frame-src data:"
)
_LARGEST = 1 << 27
_IMPORTS = 8
_DROPPED = frozenset("script noscript base template object embed applet track".split())
_DROPPED_ATTRIBUTES = frozenset(
    "srcset sizes integrity nonce crossorigin loading ping autoplay autofocus srcdoc manifest http-equiv".split()
)
_PICTURES = {"img": "src", "input": "src", "video": "poster", "body": "background", "table": "background",
             "td": "background", "th": "background", "tr": "background", "tbody": "background"}  # fmt: skip
_NOTHING = "data:,"

_CSS = re.compile(
    r"""/\*.*?(?:\*/|\Z)
      | (?P<import>@import\s+)
        (?:url\(\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^)"'\s]*))\s*\)|"(?P<d>[^"]*)"|'(?P<e>[^']*)')
      | url\(\s*(?:"(?P<f>(?:[^"\\]|\\.)*)"|'(?P<g>(?:[^'\\]|\\.)*)'|(?P<h>[^)"']*?))\s*\)
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)


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


def freeze_css(css: str, base: str, loaded: Mapping[str, Resource], depth: int = 0) -> str:
    """A style sheet with all files that it refers to inlined.

    >>> freeze_css("a { background: url(x.png) } /* url(y) */", "http://example.org/",
    ...     {"http://example.org/x.png": Resource("", 200, "image/png", b"x")})
    'a { background: url("data:image/png;base64,eA==") } /* url(y) */'
    """

    def change(found: re.Match[str]) -> str:
        reference = next((value for value in found.groupdict().values() if value and value != found["import"]), None)
        if found["import"]:
            inner = _sheet(reference or "", base, loaded, depth + 1)
            return f'@import url("{inner}")'
        if found[0][:3].lower() != "url":
            return found[0]
        return f'url("{_data(_unescape(reference or ""), base, loaded)}")'

    # It must not contain the end tag of its element.
    return _CSS.sub(change, css).replace("</", "<\\/")


def _unescape(text: str) -> str:
    return _CSS_ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], text)


def _sheet(reference: str, base: str, loaded: Mapping[str, Resource], depth: int) -> str:
    """A style sheet that another imports, as a data URL."""
    url = _join(base, reference)
    found = loaded.get(url)
    if found is None or depth > _IMPORTS:
        return "data:text/css,"
    css = freeze_css(_decode(found), found.url or url, loaded, depth)
    return f"data:text/css;charset=utf-8;base64,{base64.b64encode(css.encode('utf-8', 'replace')).decode()}"


def _decode(found: Resource) -> str:
    try:
        return found.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return found.body.decode("windows-1252", "replace")


def _data(reference: str, base: str, loaded: Mapping[str, Resource]) -> str:
    """A file as a data URL; references into the same document and data URLs stay as they are."""
    reference = reference.strip()
    if not reference or reference.startswith("#"):
        return reference
    if reference[:5].lower() == "data:":
        return reference.replace('"', "%22").replace("\n", "")
    url, fragment = urldefrag(_join(base, reference))
    found = loaded.get(url) or loaded.get(_join(base, reference))
    if found is None or found.status >= 400:
        return _NOTHING
    kind = "".join(found.type.split(";")[0].split()) or "application/octet-stream"
    kind = kind if re.fullmatch(r"[\w.+-]+/[\w.+-]+", kind) else "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(found.body).decode()}" + (f"#{fragment}" if fragment else "")


def _join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return ""


@dataclass(eq=False)
class _Freezer:
    snapshot: Mapping[str, Any]
    loaded: Mapping[str, Resource]
    sheets: tuple[str, ...]
    densities: tuple[float, ...]
    _size: int = 0
    _styles: int = 0
    _images: int = 0

    def document(self, number: int, depth: int) -> str:
        """One document, with the documents of its frames inlined."""
        document, strings = self.snapshot["documents"][number], self.snapshot["strings"]
        nodes = SnapshotNodes.of(document, strings)
        frames = _rare(document["nodes"], "contentDocumentIndex")
        sources = {node: strings[at] for node, at in _rare(document["nodes"], "currentSourceURL").items()}
        base = strings[document["baseURL"]]
        edit = partial(self._edit, nodes, base, frames, sources, depth)
        html = write_html(nodes, edit).html.decode()
        self._size += len(html)
        if self._size > _LARGEST:
            raise RenderError(f"the page cannot be frozen: one file of it would have more than {_LARGEST >> 20} MB")
        return html

    def _edit(
        self,
        nodes: SnapshotNodes,
        base: str,
        frames: Mapping[int, int],
        sources: Mapping[int, str],
        depth: int,
        node: int,
    ) -> Edit | None:
        name = nodes.name[node]
        pairs = dict(nodes.attributes(node))
        if name in _DROPPED or (name == "source" and nodes.name[nodes.parent[node]] == "picture"):
            return None
        if name == "meta" and ("http-equiv" in pairs or "charset" in pairs):
            return None
        if name == "link":
            return self._link(pairs, base)
        attributes = list(self._attributes(name, pairs, base, sources.get(node)))
        if name == "head":
            policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
            return Edit(name, attributes, f'<meta charset="utf-8">{policy}{self._adopted(depth)}')
        if name == "img" and depth == 0:
            number, self._images = self._images, self._images + 1
            if number < len(self.densities) and self.densities[number] != 1:
                # Replaces `src`, so that the file holds the image once.
                others = [pair for pair in attributes if pair[0] != "src"]
                shown = dict(attributes).get("src", "")
                return Edit(name, [*others, ("srcset", f"{shown} {self.densities[number]:g}x")])
        if name == "style":
            return Edit(name, attributes, inside=self._style(nodes, node, base, depth))
        if name in ("iframe", "frame"):
            inner = self.document(frames[node], depth + 1) if node in frames and depth < 4 else ""
            # Not as `srcdoc`, which would always use standards mode.
            data = base64.b64encode(inner.encode("utf-8", "replace")).decode()
            source = "src", f"data:text/html;charset=utf-8;base64,{data}"
            return Edit(name, [*attributes, source], inside="" if name == "iframe" else None)
        return Edit(name, attributes)

    def _link(self, pairs: Mapping[str, str], base: str) -> Edit | None:
        """A linked style sheet becomes a style; other links have no visible effect."""
        kinds = pairs.get("rel", "").lower().split()
        if "stylesheet" not in kinds or "alternate" in kinds or "disabled" in pairs:
            return None
        url = _join(base, pairs.get("href", ""))
        found = self.loaded.get(url)
        if found is None or found.status >= 400:
            return None
        media = [("media", pairs["media"])] if pairs.get("media") else []
        return Edit("style", media, inside=freeze_css(_decode(found), found.url or url, self.loaded))

    def _style(self, nodes: SnapshotNodes, node: int, base: str, depth: int) -> str:
        css = "".join(nodes.value[at] for at in range(node + 1, len(nodes.parent)) if nodes.parent[at] == node)
        if depth == 0:
            number, self._styles = self._styles, self._styles + 1
            css = css or (self.sheets[number] if number < len(self.sheets) - 1 else "")
        return freeze_css(css, base, self.loaded)

    def _adopted(self, depth: int) -> str:
        css = self.sheets[-1] if self.sheets and depth == 0 else ""
        return f"<style>{freeze_css(css, '', self.loaded)}</style>" if css else ""

    def _attributes(
        self, name: str, pairs: Mapping[str, str], base: str, current: str | None
    ) -> Iterator[tuple[str, str]]:
        for key, value in pairs.items():
            if key.startswith("on") or key in _DROPPED_ATTRIBUTES:
                continue
            if key == "style":
                yield key, freeze_css(value, base, self.loaded).replace("<\\/", "</")
            elif key in (_PICTURES.get(name), "poster") or (name in ("image", "use", "feImage") and "href" in key):
                yield key, _data(current if key == "src" and current else value, base, self.loaded)
            elif key in ("src", "data", "classid", "codebase"):
                continue
            elif key in ("href", "action", "formaction", "cite", "xlink:href"):
                target = _join(base, value)
                if not target.lower().startswith(("javascript:", "data:", "vbscript:")):
                    yield key, value if value.startswith("#") else target
            else:
                yield key, value
        if name == "img" and "src" not in pairs and current:
            yield "src", _data(current, base, self.loaded)


def _rare(nodes: Mapping[str, Any], name: str) -> dict[int, int]:
    found = nodes.get(name, {"index": [], "value": []})
    return dict(zip(found["index"], found["value"], strict=True))
