"""A page for its frame: whole, sandboxed on an opaque origin, with numbered elements and blocks.

The scripts, forms and frames of the page do nothing, and it can load nothing, from this server neither. One script
runs, ours (``static/frame.js``): the content security policy allows it by its hash, and it is the first thing in the
page. It measures the page, draws over it, and reports to the page around it where the user points.

What the policy refuses is also disabled in the HTML, so that browsers log no errors: scripts get an unknown type, and
attributes that load something get an empty value. Security does not depend on this.

Elements get their row in ``page.elements`` as an attribute, and blocks are enclosed in two comments. Both names contain
a hash of the source, so no page can contain them itself.
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

# A comment inside of these would be shown as text, or would not be read as a comment.
_RAW = (
    "textarea", "title", "xmp", "plaintext", "iframe", "noembed", "noframes", "noscript", "script", "style", "svg",
    "math",
)  # fmt: skip
# The attributes that load something. Of two attributes of one name the first counts, so an empty one disables it.
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
    """The script that runs in frames."""
    return files("webstrata.apps.web").joinpath("static/frame.js").read_text(encoding="utf-8")


@cache
def frame_policy() -> str:
    """The policy of a frame: inline styles, data URLs, and our script."""
    digest = base64.b64encode(hashlib.sha256(frame_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"
    )


def framed(page: Page) -> str:
    """The HTML of a page for its frame.

    >>> from webstrata.page import parse
    >>> html = framed(parse("<p>one <b>two</b>")).partition("</script>")[2]
    >>> html.count(" data-ws-"), html.count("<!--ws-")
    (2, 4)
    """
    token = hashlib.sha256(page.source).hexdigest()[:12]
    head = f'<meta charset="utf-8"><script data-ws-token="{escape(token)}">{frame_script()}</script>'
    return tethered(_numbered(page, token).decode(), head)


def _silencing(page: Page, row: int) -> str:
    """Attributes that stop an element from running or loading anything."""
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
