"""A page for its frame: whole, sandboxed on an opaque origin, with numbered elements and blocks.

The page is written by the list of what is allowed (`webstrata._harmless`), and a content security policy refuses the
same again. One script runs, ours (``static/frame.js``): the policy allows it by its hash, and it is the first thing in
the page. It measures the page, draws over it, and reports to the page around it where the user points.

Elements get their row in ``page.elements`` as an attribute, and blocks are enclosed in two comments. Both names contain
a hash of the source, so no page can contain them itself.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

import numpy as np

from webstrata._escaping import html as escape
from webstrata._harmless import harmless
from webstrata.page import TAGS, Page
from webstrata.segmentation.places import own_rows
from webstrata.tree import nearest

__all__ = ["frame_policy", "frame_script", "framed"]

# A comment inside of these would be shown as text, or would not be read as a comment.
_RAW = (
    "textarea", "title", "xmp", "plaintext", "iframe", "noembed", "noframes", "noscript", "script", "style", "svg",
    "math",
)  # fmt: skip


@cache
def frame_script() -> str:
    """The script that runs in frames."""
    return files("webstrata.apps.web").joinpath("static/frame.js").read_text(encoding="utf-8")


@cache
def frame_policy() -> str:
    """The policy of a frame: our script, inline styles, and data URLs, also of sheets, which frozen pages import."""
    digest = base64.b64encode(hashlib.sha256(frame_script().encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline' data:; img-src data:; "
        "font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox allow-scripts"
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
    attributes = {row: f' data-ws-{token}="{row}"' for row in own_rows(page).tolist()}
    return harmless(page, head, attributes=attributes, inserts=_block_marks(page, token))


def _block_marks(page: Page, token: str) -> list[tuple[int, str]]:
    """The comments around blocks, in the order of their offsets."""
    elements, blocks = page.elements, page.blocks
    raw = np.isin(elements.tag, [TAGS.index(name) for name in _RAW])
    inside = raw[nearest(elements, raw)[blocks.element]] if len(blocks) else np.zeros(0, bool)
    found: list[tuple[int, str]] = []
    for block in np.flatnonzero(~inside).tolist():
        found.append((int(blocks.source_start[block]), f"<!--ws-{token}:{block}-->"))
        found.append((int(blocks.source_stop[block]), f"<!--ws-{token}/{block}-->"))
    return found
