"""What every data set is: a card, and items that hold what algorithms see and what is true of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from webstrata._once import once
from webstrata.errors import EncodingError, InputError
from webstrata.page import Page, parse
from webstrata.segmentation import Segmentation
from webstrata.text import Column

__all__ = ["Card", "Dataset", "Document", "Gold", "Item"]


@dataclass(frozen=True)
class Document:
    """HTML as an algorithm gets it.

    Attributes
    ----------
    html : what was sent
    encoding, url : what is known of it from outside
    fold : its fold where models are trained on its data set (`webstrata.evaluation.datasets.folds`)
    """

    html: bytes
    encoding: str | None = None
    url: str | None = None
    fold: int | None = None

    @once
    def digest(self) -> str:
        """A short sum of the HTML."""
        return hashlib.sha256(self.html).hexdigest()[:16]

    def page(self) -> Page:
        """The page. A label that is no encoding is ignored, as browsers do."""
        try:
            return parse(self.html, url=self.url, encoding=self.encoding)
        except EncodingError:
            return parse(self.html, url=self.url)


@dataclass(frozen=True, eq=False)
class Gold:
    """What people said of a page; a data set gives one kind of it or more.

    Attributes
    ----------
    segmentation : the segments, on a page of their own, whose words are aligned with those that algorithms see
    marked : the page as it was saved with ``data-block`` marks, for metrics that follow Kreuzer 2013 to the letter
    text : the content
    labels : the class of each block of the page that algorithms see; 0 is boilerplate
    wanted, unwanted : snippets that belong to the content, and that do not
    fields : metadata by name, those that are known: ``title``, ``author``, ``date``
    """

    segmentation: Segmentation | None = None
    marked: bytes | None = None
    text: str | None = None
    labels: Column | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Item:
    """A page of a data set.

    Attributes
    ----------
    name : unique in the data set
    inputs : the versions of the page by name: "html" is what the server sent, "dom" what a browser made of it
    gold : what is true of it
    group : its type, site or split, if the data set tells
    """

    name: str
    inputs: Mapping[str, Document]
    gold: Gold
    group: str = ""


@dataclass(frozen=True)
class Card:
    """What one should know of a data set before using it.

    Attributes
    ----------
    name, title : for the command line, and for people
    source, licence : where it comes from and what may be done with it
    pages : how many items it has
    counts : other numbers that tell whether it was read rightly
    files : its files below the directory of data sets, with their SHA-256
    note : what else to know
    """

    name: str
    title: str
    source: str
    licence: str
    pages: int
    counts: Mapping[str, int] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def check(self, locate: Callable[[str], Path]) -> None:
        """Raise `InputError` for a file that is missing or differs."""
        for name, expected in self.files.items():
            with locate(name).open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != expected:
                raise InputError(f"{name} is not the file that the card of {self.name!r} describes: SHA-256 is {found}")


@dataclass(frozen=True)
class Dataset:
    """A card and a way to read the items, again and again and always in the same order."""

    card: Card
    inputs: tuple[str, ...]
    read: Callable[[], Iterator[Item]]

    @property
    def name(self) -> str:
        """The name on the card."""
        return self.card.name

    def items(self, limit: int | None = None) -> Iterator[Item]:
        """All items, or the first so many."""
        return islice(self.read(), limit)

    def size(self, limit: int | None = None) -> int:
        """How many items `items` gives."""
        return self.card.pages if limit is None else min(limit, self.card.pages)
