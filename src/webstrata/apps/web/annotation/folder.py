"""The data set as a folder of files, of which each is whole at every moment.

::

    card.json                       what the data set is, and the types of its segments
    NAME.html                       the page: what was sent, or the snapshot itself
    NAME.dom.html                   the snapshot, where it is what a browser made of the page
    NAME.json                       url, encoding, whose marks count (``annotator``); for snapshots, ``source_rows``
    NAME.blocks.html                the snapshot with the marks that count, as in Kreuzer 2013
    NAME.segments.json              the same marks as the JSON of a segmentation
    annotators/WHO/NAME.json        the marks of each person: this is what the files above are made from

A file is written under another name, brought to the disk and renamed. The sheet of a person is written first. If the
server dies before the files that are made from it are written, they are made when it starts again.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from webstrata.apps.web.annotation.marks import Sheet
from webstrata.apps.web.settings import TYPES
from webstrata.errors import InputError
from webstrata.files import remove_temporary, write_file

__all__ = ["Conflict", "DataFolder", "Derived", "check_annotator", "check_name", "name_of", "write"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ANNOTATOR = re.compile(r"[^\W_][\w .'-]{0,39}")
_NOT_PAGES = (".dom", ".blocks", ".segments")


class Conflict(InputError):
    """Somebody else has changed the sheet since."""


@dataclass(frozen=True, slots=True)
class Derived:
    """The files that are made from a sheet."""

    blocks: str
    segments: str


def check_name(name: str) -> str:
    """The name of a page, or `InputError`.

    >>> check_name("../x")
    Traceback (most recent call last):
    webstrata.errors.InputError: a page is called by letters, digits, '.', '_' and '-'
    """
    if not _NAME.fullmatch(name) or name.endswith(_NOT_PAGES) or name == "card":
        raise InputError("a page is called by letters, digits, '.', '_' and '-'")
    return name


def name_of(text: str) -> str:
    """A name for a page, from whatever it was called.

    >>> name_of("http://example.org/a page.html"), name_of("../..")
    ('example.org-a-page', 'page')
    """
    stem = re.sub(r"\.x?html?$", "", re.sub(r"^https?://", "", text))
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", stem)[:80].strip(".-_")
    return f"{stem}-page" if stem.endswith(_NOT_PAGES) or stem == "card" else stem or "page"


def check_annotator(name: str) -> str:
    """The name of a person, or `InputError`."""
    if not _ANNOTATOR.fullmatch(name):
        raise InputError("a name has up to 40 letters, digits and spaces")
    return name


def write(path: Path, text: str | bytes) -> None:
    """Write a file as a whole, or raise `InputError`."""
    try:
        write_file(path, text)
    except OSError as error:
        raise InputError(f"cannot write {path.name}: {error.strerror}") from error


class DataFolder:
    """A data set that is being marked.

    Parameters
    ----------
    path : the folder; it is made where it does not exist
    types : the types of segments by level, for a data set that has no list yet
    only_read : whether the folder is to be left as it is
    """

    def __init__(self, path: Path, *, types: dict[int, tuple[str, ...]] | None = None, only_read: bool = False) -> None:
        self.path = path.absolute()
        self._lock = threading.RLock()
        if only_read:
            return
        try:
            (self.path / "annotators").mkdir(parents=True, exist_ok=True)
            remove_temporary(self.path)
        except OSError as error:
            raise InputError(f"{path} cannot be a data set: {error.strerror}") from error
        if not (self.path / "card.json").exists():
            chosen = types or TYPES
            self._write_card({"types": {str(level): list(names) for level, names in chosen.items()}})

    # The card

    @property
    def card(self) -> dict[str, Any]:
        """What the data set says of itself."""
        return self._read_json("card.json")

    @property
    def types(self) -> dict[int, tuple[str, ...]]:
        """The types of segments by level."""
        found = self.card.get("types", {})
        return {int(level): tuple(map(str, names)) for level, names in found.items()} or dict(TYPES)

    def update_card(self, **changes: Any) -> None:
        """Change what the card says, and count anew."""
        with self._lock:
            self._write_card({**self.card, **changes})

    def _write_card(self, card: dict[str, Any]) -> None:
        names = self.pages()
        card = {
            "title": self.path.name,
            "licence": "as its owner says",
            "source": "marked by hand with webstrata",
            **card,
            "pages": len(names),
            "marked": sum((self.path / f"{name}.blocks.html").is_file() for name in names),
            "annotators": self.annotators(),
        }
        write(self.path / "card.json", json.dumps(card, ensure_ascii=False, indent=1))

    # Pages

    def pages(self) -> list[str]:
        """The names of the pages in their order."""
        names = (path.name.removesuffix(".html") for path in self.path.glob("*.html"))
        return sorted(name for name in names if _NAME.fullmatch(name) and not name.endswith(_NOT_PAGES))

    def add(
        self,
        name: str,
        html: bytes,
        *,
        dom: bytes | None = None,
        facts: dict[str, Any] | None = None,
    ) -> str:
        """Add a page; where the name is taken, it gets a number. Gives the name that it has."""
        with self._lock:
            name = check_name(name)
            stem, number = name, 2
            while (self.path / f"{name}.html").exists():
                name = check_name(f"{stem[:90]}-{number}")
                number += 1
            if dom is not None:
                write(self.path / f"{name}.dom.html", dom)
            if facts:
                write(self.path / f"{name}.json", json.dumps(facts, ensure_ascii=False))
            write(self.path / f"{name}.html", html)
            self.update_card()
        return name

    def snapshot(self, name: str) -> tuple[bytes, dict[str, Any]]:
        """The HTML that is marked, and what is known of it."""
        facts = self.facts(name)
        dom = self._file(f"{name}.dom.html")
        if dom is not None:
            return dom, {**facts, "encoding": "utf-8"}
        html = self._file(f"{check_name(name)}.html")
        if html is None:
            raise KeyError(name)
        return html, facts

    def facts(self, name: str) -> dict[str, Any]:
        """What is known of a page."""
        return self._read_json(f"{check_name(name)}.json")

    # Sheets

    def annotators(self) -> list[str]:
        """Everybody who has marked something, by name."""
        folders = (self.path / "annotators").iterdir() if (self.path / "annotators").is_dir() else iter(())
        return sorted(unquote(folder.name) for folder in folders if folder.is_dir() and not folder.is_symlink())

    def sheet(self, name: str, annotator: str) -> Sheet:
        """What a person marked on a page; an empty sheet where that is nothing."""
        data = self._file(self._sheet_path(name, annotator))
        return Sheet.from_json(data) if data is not None else Sheet(check_annotator(annotator))

    def sheets(self, name: str) -> list[Sheet]:
        """What all people marked on a page."""
        found = [self.sheet(name, annotator) for annotator in self.annotators()]
        return [sheet for sheet in found if sheet.version]

    def save(self, name: str, sheet: Sheet, derive: Callable[[], Derived] | Derived) -> Sheet:
        """Keep a sheet that was made from the version before; `Conflict` where that is not the one that is kept."""
        with self._lock:
            kept = self.sheet(name, sheet.annotator)
            if kept.version != sheet.version - 1:
                raise Conflict(
                    f"{sheet.annotator} has saved this page elsewhere meanwhile: load it again to go on from there"
                )
            first = not kept.version
            path = self.path / self._sheet_path(name, sheet.annotator)
            path.parent.mkdir(exist_ok=True)
            write(path, sheet.json())
            facts = self.facts(name)
            if not facts.get("annotator"):
                facts["annotator"] = sheet.annotator
                write(self.path / f"{name}.json", json.dumps(facts, ensure_ascii=False))
            if facts["annotator"] == sheet.annotator:
                self.write_derived(name, sheet, derive() if callable(derive) else derive)
            if first or kept.done != sheet.done or bool(kept.marks) != bool(sheet.marks):
                self.update_card()
        return sheet

    def write_derived(self, name: str, sheet: Sheet, derived: Derived) -> None:
        """Write the files of the marks that count. A page without marks has no truth, and is not evaluated."""
        with self._lock:
            blocks, segments = self.path / f"{name}.blocks.html", self.path / f"{name}.segments.json"
            if sheet.marks:
                write(blocks, derived.blocks)
            else:
                blocks.unlink(missing_ok=True)
            value = {**json.loads(derived.segments), "annotator": sheet.annotator, "version": sheet.version}
            write(segments, json.dumps(value, ensure_ascii=False, indent=1))

    def choose(self, name: str, annotator: str) -> Sheet:
        """Let the marks of a person count for a page."""
        with self._lock:
            sheet = self.sheet(name, annotator)
            if not sheet.version:
                raise InputError(f"{annotator} has marked nothing on {name}")
            write(
                self.path / f"{name}.json",
                json.dumps({**self.facts(name), "annotator": annotator}, ensure_ascii=False),
            )
        return sheet

    def stale(self) -> list[tuple[str, Sheet]]:
        """The pages whose files are older than the sheet that they are made from."""
        found = []
        for name in self.pages():
            annotator = self.facts(name).get("annotator")
            if annotator:
                sheet = self.sheet(name, annotator)
                made = self._read_json(f"{name}.segments.json")
                if sheet.version and (made.get("annotator"), made.get("version")) != (annotator, sheet.version):
                    found.append((name, sheet))
        return found

    # Files

    def _sheet_path(self, name: str, annotator: str) -> str:
        return f"annotators/{quote(check_annotator(annotator), safe='')}/{check_name(name)}.json"

    def _file(self, name: str) -> bytes | None:
        """A file of the folder; a link is none, because it may lead out of it."""
        path = self.path / name
        if path.is_symlink() or path.parent.is_symlink():
            raise InputError(f"{name} is a link, which is not followed")
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot read {name}: {error.strerror}") from error

    def _read_json(self, name: str) -> dict[str, Any]:
        data = self._file(name)
        if data is None:
            return {}
        try:
            value = json.loads(data)
        except ValueError as error:
            raise InputError(f"{name} is not JSON: {error}") from error
        if not isinstance(value, dict):
            raise InputError(f"{name} must hold one JSON object")
        return value
