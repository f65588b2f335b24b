"""The forms in which programs get a page: HTML, the document of the browser, boxes, or a picture."""

from __future__ import annotations

import json
from collections import Counter
from typing import Literal

from webstrata._boxes import Rendered, seen_blocks
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.recordings import recorded, screenshot_of
from webstrata.page import Page

__all__ = ["PageForm", "boxes_json", "given_page", "xpaths"]

PageForm = Literal["html", "dom", "boxes", "screenshot"]


def given_page(document: PageInput, form: PageForm) -> tuple[bytes, str]:
    """A page in one of the forms, and the ending of a file of this form."""
    if form == "html":
        return document.html, ".html"
    if form == "dom":
        return recorded(document).page.source, ".html"
    if form == "boxes":
        return boxes_json(recorded(document)).encode(), ".json"
    return screenshot_of(document), ".png"


def boxes_json(rendered: Rendered) -> str:
    """The document of the browser with the boxes of its visible elements and texts, as JSON."""
    page, boxes = rendered.page, rendered.boxes
    text = boxes.text
    left, top, right, bottom = (
        column.round(1).tolist()
        for column in (boxes.left, boxes.top, boxes.left + boxes.width, boxes.top + boxes.height)
    )
    paths = xpaths(page)
    elements = [
        {"xpath": paths[row], "box": [left[row], top[row], right[row], bottom[row]]}
        for row in range(len(paths))
        if boxes.visible[row] and boxes.width[row] > 0 and boxes.height[row] > 0
    ]
    seen = seen_blocks(rendered)
    corners = zip(
        *(column.round(1).tolist() for column in (text.left, text.top, text.left + text.width, text.top + text.height)),
        strict=True,
    )
    texts = [
        {"text": page.blocks[row].text, "element": paths[int(page.blocks.element[row])], "box": list(box)}
        for row, box in enumerate(corners)
        if seen[row]
    ]
    return json.dumps(
        {
            "url": page.url,
            "html": page.source.decode(),
            "width": max((item["box"][2] for item in elements), default=0),
            "height": max((item["box"][3] for item in elements), default=0),
            "elements": elements,
            "texts": texts,
        },
        ensure_ascii=False,
    )


def xpaths(page: Page) -> list[str]:
    """The XPath of each element.

    >>> from webstrata.page import parse
    >>> xpaths(parse("<p>one<p>two <b>three</b>"))[-2:]
    ['/html[1]/body[1]/p[2]', '/html[1]/body[1]/p[2]/b[1]']
    """
    counts: Counter[tuple[int, str]] = Counter()
    found: list[str] = []
    for row, above in enumerate(page.elements.parent.tolist()):
        tag = page.elements[row].tag
        counts[above, tag] += 1
        found.append(f"{found[above] if above >= 0 else ''}/{tag}[{counts[above, tag]}]")
    return found
