"""A page as a browser shows it: its tree as a `Page`, its boxes, and how it was rendered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webstrata._boxes import Boxes
from webstrata.page import Page, parse
from webstrata.rendering.capture import Capture, boxes_of
from webstrata.rendering.recording import About, load, save
from webstrata.text import Column

__all__ = ["RenderedPage"]


@dataclass(frozen=True, eq=False, repr=False)
class RenderedPage:
    """A page that a browser has laid out, live or recorded. Made by `webstrata.rendering.render`.

    Attributes
    ----------
    page : the tree of the browser, written as HTML and parsed
    boxes : boxes and styles of its elements and texts, row for row with ``page.elements`` and ``page.blocks``
    source_row : for each element its row in the elements of the original HTML; -1 if it has none
    about : how it was rendered: viewport, browser, fonts
    screenshot : the whole page as PNG, if requested; recordings do not hold it
    """

    page: Page
    boxes: Boxes
    source_row: Column
    about: About
    screenshot: bytes | None = None

    def __repr__(self) -> str:
        width, height = self.about.viewport
        return f"<RenderedPage {self.page.url or repr(self.page.title)}: {len(self.boxes)} boxes at {width}x{height}>"

    @classmethod
    def of(cls, found: Capture, about: About, *, screenshot: bytes | None = None) -> RenderedPage:
        """The page of data captured from a browser."""
        page = parse(found.html, url=about.url, encoding="utf-8")
        boxes, source_row = boxes_of(page, found)
        return cls(page, boxes, source_row, about, screenshot)

    def save(self, path: str | Path) -> None:
        """Record the page in a file; `load` reads it without a browser."""
        save(Path(path), self.page, self.boxes, self.source_row, self.about)

    @classmethod
    def load(cls, path: str | Path) -> RenderedPage:
        """Read a recording; other files raise `InputError`."""
        return cls(*load(Path(path)))
