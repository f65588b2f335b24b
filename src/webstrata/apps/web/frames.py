"""A page as it is shown: whole, in a sandboxed frame on an origin of its own, with its elements numbered.

The frame has no rights: its origin is opaque, its own scripts, forms and frames do nothing, and it can load nothing
from anywhere, this server included. One script runs in it, ours (``static/frame.js``). The policy names it by its sum,
so that no other can run, and it is the first thing in the page. It measures the page, draws what it is told to draw,
and tells the page around it what is pointed at.

What the policy would refuse is also taken away beforehand, so that a browser need not complain of it: scripts get a
type that none has, and what would be loaded gets no address. The safety of it does not rest on that.

Elements get their row in ``page.elements`` as an attribute, blocks stand between two comments. Attribute and comments
have a name that is made of the sum of the source, which no page can hold itself.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

import numpy as np

from webstrata._escaping import html as escape
from webstrata.page import TAGS, Page
from webstrata.segmentation.picture import tethered
from webstrata.segmentation.places import own_rows
from webstrata.tree import nearest

__all__ = ["frame_policy", "frame_script", "framed"]

# Inside of these, text is no place for a comment: it would be shown, or never be read as one.
_RAW = (
    "textarea", "title", "xmp", "plaintext", "iframe", "noembed", "noframes", "noscript", "script", "style", "svg",
    "math",
)  # fmt: skip
# The attributes that make elements load something. The first of two attributes of one name counts.
_LOADING = {
    "img": ("src", "srcset"),
    "source": ("src", "srcset"),
    "video": ("src", "poster"),
    "audio": ("src",),
    "track": ("src",),
    "embed": ("src",),
    "iframe": ("src", "srcdoc"),
    "frame": ("src",),
    "object": ("data",),
    "input": ("src",),
    "body": ("background",),
}
_NAME = re.compile(rb"<[^ \t\n\r\f/>]*")


@cache
def frame_script() -> str:
    """The one script that runs in frames."""
    return files("webstrata.apps.web").joinpath("static/frame.js").read_text(encoding="utf-8")


@cache
def frame_policy() -> str:
    """What the frame may do: be styled by what it holds, and run our script."""
    digest = base64.b64encode(hashlib.sha256(frame_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    )


def framed(page: Page) -> str:
    """The page for its frame.

    >>> from webstrata.page import parse
    >>> html = framed(parse("<p>one <b>two</b>")).partition("</script>")[2]
    >>> html.count(" data-ws-"), html.count("<!--ws-")
    (2, 4)
    """
    token = hashlib.sha256(page.source).hexdigest()[:12]
    head = f'<meta charset="utf-8"><script data-ws-token="{escape(token)}">{frame_script()}</script>'
    return tethered(_numbered(page, token).decode(), head)


def _silencing(page: Page, row: int) -> str:
    """The attributes that keep an element from running or loading anything."""
    name = TAGS[page.elements.tag[row]]
    if name == "script":
        return ' type="none"'
    return "".join(
        f' {loading}=""'
        for loading in _LOADING.get(name, ())
        if (value := page.elements.attribute(row, loading)) is not None and not value.lower().startswith("data:")
    )


def _numbered(page: Page, token: str) -> bytes:
    elements, blocks, source = page.elements, page.blocks, page.source
    raw = np.isin(elements.tag, [TAGS.index(name) for name in _RAW])
    inserts: list[tuple[int, int, bytes]] = []
    for row in own_rows(page).tolist():
        found = _NAME.match(source, int(elements.source_start[row]))
        if found:
            inserts.append((found.end(), 0, f' data-ws-{token}="{row}"{_silencing(page, row)}'.encode()))
    inside = raw[nearest(elements, raw)[blocks.element]] if len(blocks) else np.zeros(0, bool)
    for block in np.flatnonzero(~inside).tolist():
        inserts.append((int(blocks.source_start[block]), 2, f"<!--ws-{token}:{block}-->".encode()))
        inserts.append((int(blocks.source_stop[block]), 1, f"<!--ws-{token}/{block}-->".encode()))
    parts: list[bytes] = []
    position = 0
    for at, _, added in sorted(inserts):
        parts += (source[position:at], added)
        position = at
    return b"".join((*parts, source[position:]))
