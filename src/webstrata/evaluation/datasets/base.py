"""A data set: a card that describes it, and items that hold the input of algorithms and the ground truth."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from webstrata._once import once
from webstrata.errors import EncodingError, InputError
from webstrata.evaluation.metrics.areas import Outlines, TextRectangles
from webstrata.page import Page, parse
from webstrata.rendering.recording import source_digest
from webstrata.segmentation import Segmentation
from webstrata.text import Column

__all__ = ["Card", "Dataset", "Gold", "Item", "PageInput"]


@dataclass(frozen=True)
class PageInput:
    """The HTML of a page as an algorithm gets it.

    Attributes
    ----------
    html : the bytes
    encoding, url : known from the HTTP header or from the data set
    fold : its fold, if models are trained on the data set (`webstrata.evaluation.datasets.folds`)
    boxes, picture : left, top, right and bottom of the text of each block, and the path of the screenshot, if the data
        set has them; otherwise they come from a recording
    """

    html: bytes
    encoding: str | None = None
    url: str | None = None
    fold: int | None = None
    boxes: TextRectangles | None = field(default=None, compare=False, repr=False)
    picture: Path | None = None

    @once
    def digest(self) -> str:
        """A short SHA-256 of the HTML."""
        return source_digest(self.html)

    def page(self) -> Page:
        """Parse it. An unknown encoding is ignored, as browsers do."""
        try:
            return parse(self.html, url=self.url, encoding=self.encoding)
        except EncodingError:
            return parse(self.html, url=self.url)


@dataclass(frozen=True, eq=False)
class Gold:
    """The ground truth of a page. A data set fills some of the fields.

    Attributes
    ----------
    segmentation : the segments, on a page of their own; metrics align its words with those of the input
    marked : the file with ``data-block`` marks, for metrics that follow Kreuzer 2013 to the letter
    text : the content
    labels : the class of each block of the input; 0 is boilerplate
    wanted, unwanted : snippets of the content, and of boilerplate
    fields : known metadata: ``title``, ``author``, ``date``, ``tags``; several authors or tags are joined by "; "
    shapes : the segments as polygons on the picture of the page
    complete : whether ``segmentation`` has all segments of the page, so that ``extra`` ones of an algorithm count
    """

    segmentation: Segmentation | None = None
    marked: bytes | None = None
    text: str | None = None
    labels: Column | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    shapes: Outlines | None = None
    complete: bool = False


@dataclass(frozen=True, eq=False)
class Item:
    """A page of a data set.

    Attributes
    ----------
    name : unique in the data set
    inputs : the versions of the page by name: "html" was sent by the server, "dom" is the document of a browser
    gold : the ground truth
    group : its type, site, suite or split, if the data set has such
    """

    name: str
    inputs: Mapping[str, PageInput]
    gold: Gold
    group: str = ""


@dataclass(frozen=True)
class Card:
    """The description of a data set.

    Attributes
    ----------
    name, title : for the command line, and for people
    source, licence : where it comes from, and what the licence permits
    pages : number of items
    counts : other numbers, compared by the tests: items with a field, or of a group
    files : its files below the directory of data sets, with their SHA-256
    inputs : the names of the inputs that each item has
    note : anything else to know
    conventions : for each group, what its gold text includes, where groups differ
    trains : algorithms whose models in the package were trained on its pages
    """

    name: str
    title: str
    source: str
    licence: str
    pages: int
    counts: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[str, ...] = ("html",)
    note: str = ""
    conventions: Mapping[str, str] = field(default_factory=dict)
    trains: tuple[str, ...] = ()

    @property
    def has_only_segments(self) -> bool:
        """Whether the ground truth is segments alone, so that extractors have nothing to be compared with."""
        return bool(self.counts.get("blocks")) and not self.counts.get("texts")

    def check(self, locate: Callable[[str], Path]) -> None:
        """Raise `InputError` for a file that is missing or differs."""
        for name, expected in self.files.items():
            with locate(name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != expected:
                raise InputError(f"{name} is not the file that the card of {self.name!r} describes: SHA-256 is {found}")


@dataclass(frozen=True)
class Dataset:
    """A card, and a function that reads the items, always in the same order.

    Attributes
    ----------
    card : its description
    read : gives the items
    unpack : for pages that load files: writes these into a folder, and gives the path of each item and input
    """

    card: Card
    read: Callable[[], Iterator[Item]]
    unpack: Callable[[Path], Mapping[tuple[str, str], Path]] | None = None

    @property
    def name(self) -> str:
        """The name on the card."""
        return self.card.name

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs of each item."""
        return self.card.inputs

    def items(self, limit: int | None = None) -> Iterator[Item]:
        """All items, or the first ``limit``."""
        return islice(self.read(), limit)

    def size(self, limit: int | None = None) -> int:
        """The number of items that `items` gives."""
        return self.card.pages if limit is None else min(limit, self.card.pages)
