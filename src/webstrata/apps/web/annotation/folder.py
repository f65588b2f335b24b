"""The data set as a folder of files; each file is written atomically.

::

    card.json                       title, licence and source of the data set, and its types of segments
    NAME.html                       the page as it was added
    NAME.dom.html                   the snapshot, if a browser rendered the page; else NAME.html is the snapshot
    NAME.json                       url, encoding, whose marks count (``annotator``); for snapshots, ``source_rows``
    NAME.blocks.html                the snapshot with the marks that count, as in Kreuzer 2013
    NAME.segments.json              the same marks as the JSON of a segmentation
    annotators/WHO/NAME.json        the marks of each person; the two files above are derived from these

The sheet of a person is written before the derived files. If the server is killed in between, they are written when it
starts again.
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

from webstrata.apps.web.annotation.marks import Sheet, current_kind
from webstrata.apps.web.settings import TYPES
from webstrata.errors import InputError
from webstrata.files import remove_temporary, write_file

__all__ = ["DataFolder", "DerivedFiles", "SheetConflict", "check_annotator", "check_name", "name_of"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ANNOTATOR = re.compile(r"[^\W_][\w .'-]{0,39}")
_NOT_PAGES = (".dom", ".blocks", ".segments")


class SheetConflict(InputError):
    """The sheet was changed elsewhere since it was loaded."""


@dataclass(frozen=True, slots=True)
class DerivedFiles:
    """The contents of NAME.blocks.html and NAME.segments.json."""

    blocks: str
    segments: str


def check_name(name: str) -> str:
    """The name of a page, if it is valid; else `InputError`.

    >>> check_name("../x")
    Traceback (most recent call last):
    webstrata.errors.InputError: the name of a page has letters, digits, '.', '_' and '-' only
    """
    if not _NAME.fullmatch(name) or name.endswith(_NOT_PAGES) or name == "card":
        raise InputError("the name of a page has letters, digits, '.', '_' and '-' only")
    return name


def name_of(text: str) -> str:
    """A valid name for a page, from a file name or an address.

    >>> name_of("http://example.org/a page.html"), name_of("../..")
    ('example.org-a-page', 'page')
    """
    stem = re.sub(r"\.x?html?$", "", re.sub(r"^https?://", "", text))
    stem = re.sub(r"[^A-Za-z0-9._-]+", "-", stem)[:80].strip(".-_")
    return f"{stem}-page" if stem.endswith(_NOT_PAGES) or stem == "card" else stem or "page"


def check_annotator(name: str) -> str:
    """The name of a person, if it is valid; else `InputError`."""
    if not _ANNOTATOR.fullmatch(name):
        raise InputError("the name of a person has at most 40 letters, digits and spaces")
    return name


def _write(path: Path, text: str | bytes) -> None:
    """Write a file as a whole, or raise `InputError`."""
    try:
        write_file(path, text)
    except OSError as error:
        raise InputError(f"cannot write {path.name}: {error.strerror}") from error


class DataFolder:
    """A data set that people mark.

    Parameters
    ----------
    path : the folder; it is created if needed
    types : types of segments by level, for a new data set
    only_read : do not write into the folder
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
            raise InputError(f"cannot use {path} as a data set: {error.strerror}") from error
        if not (self.path / "card.json").exists():
            chosen = types or TYPES
            self._write_card({"types": {str(level): list(names) for level, names in chosen.items()}})

    # The card

    @property
    def card(self) -> dict[str, Any]:
        """The content of card.json."""
        return self._read_json("card.json")

    @property
    def types(self) -> dict[int, tuple[str, ...]]:
        """The types of segments by level."""
        found = self.card.get("types", {})
        return {int(level): tuple(current_kind(str(name)) for name in names) for level, names in found.items()} or dict(
            TYPES
        )

    def update_card(self, **changes: Any) -> None:
        """Change fields of the card, and update its counts."""
        with self._lock:
            self._write_card({**self.card, **changes})

    def _write_card(self, card: dict[str, Any]) -> None:
        names = self.pages()
        card = {
            "title": self.path.name,
            "licence": "unknown: ask its owner",
            "source": "marked by hand with webstrata",
            **card,
            "pages": len(names),
            "marked": sum((self.path / f"{name}.blocks.html").is_file() for name in names),
            "annotators": self.annotators(),
        }
        _write(self.path / "card.json", json.dumps(card, ensure_ascii=False, indent=1))

    # Pages

    def pages(self) -> list[str]:
        """The names of the pages, sorted."""
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
        """Add a page, with a number after its name if the name is taken; returns the name."""
        with self._lock:
            name = check_name(name)
            stem, number = name, 2
            while (self.path / f"{name}.html").exists():
                name = check_name(f"{stem[:90]}-{number}")
                number += 1
            if dom is not None:
                _write(self.path / f"{name}.dom.html", dom)
            if facts:
                _write(self.path / f"{name}.json", json.dumps(facts, ensure_ascii=False))
            _write(self.path / f"{name}.html", html)
            self.update_card()
        return name

    def snapshot(self, name: str) -> tuple[bytes, dict[str, Any]]:
        """The HTML to mark, and the facts about it."""
        facts = self.facts(name)
        dom = self._file(f"{name}.dom.html")
        if dom is not None:
            return dom, {**facts, "encoding": "utf-8"}
        html = self._file(f"{check_name(name)}.html")
        if html is None:
            raise KeyError(name)
        return html, facts

    def facts(self, name: str) -> dict[str, Any]:
        """The content of NAME.json."""
        return self._read_json(f"{check_name(name)}.json")

    # Sheets

    def annotators(self) -> list[str]:
        """The names of all people who have marked a page, sorted."""
        folders = (self.path / "annotators").iterdir() if (self.path / "annotators").is_dir() else iter(())
        return sorted(unquote(folder.name) for folder in folders if folder.is_dir() and not folder.is_symlink())

    def sheet(self, name: str, annotator: str) -> Sheet:
        """The sheet of a person for a page; empty if there is none."""
        data = self._file(self._sheet_path(name, annotator))
        return Sheet.from_json(data) if data is not None else Sheet(check_annotator(annotator))

    def sheets(self, name: str) -> list[Sheet]:
        """The sheets of all people for a page."""
        found = [self.sheet(name, annotator) for annotator in self.annotators()]
        return [sheet for sheet in found if sheet.version]

    def save(self, name: str, sheet: Sheet, derive: Callable[[], DerivedFiles] | DerivedFiles) -> Sheet:
        """Save the next version of a sheet; `SheetConflict` if the saved version is not the one before it."""
        with self._lock:
            saved = self.sheet(name, sheet.annotator)
            if saved.version != sheet.version - 1:
                raise SheetConflict(f"{sheet.annotator} has saved this page in another tab: load it again")
            first = not saved.version
            path = self.path / self._sheet_path(name, sheet.annotator)
            path.parent.mkdir(exist_ok=True)
            _write(path, sheet.json())
            facts = self.facts(name)
            if not facts.get("annotator"):
                facts["annotator"] = sheet.annotator
                _write(self.path / f"{name}.json", json.dumps(facts, ensure_ascii=False))
            if facts["annotator"] == sheet.annotator:
                self.write_derived(name, sheet, derive() if callable(derive) else derive)
            if first or saved.done != sheet.done or bool(saved.marks) != bool(sheet.marks):
                self.update_card()
        return sheet

    def write_derived(self, name: str, sheet: Sheet, derived: DerivedFiles) -> None:
        """Write the derived files. A page without marks gets no blocks.html, so it is not evaluated."""
        with self._lock:
            blocks, segments = self.path / f"{name}.blocks.html", self.path / f"{name}.segments.json"
            if sheet.marks:
                _write(blocks, derived.blocks)
            else:
                blocks.unlink(missing_ok=True)
            value = {**json.loads(derived.segments), "annotator": sheet.annotator, "version": sheet.version}
            _write(segments, json.dumps(value, ensure_ascii=False, indent=1))

    def choose(self, name: str, annotator: str) -> Sheet:
        """Use the marks of a person as ground truth of a page."""
        with self._lock:
            sheet = self.sheet(name, annotator)
            if not sheet.version:
                raise InputError(f"{annotator} has not marked {name}: choose another person")
            _write(
                self.path / f"{name}.json",
                json.dumps({**self.facts(name), "annotator": annotator}, ensure_ascii=False),
            )
        return sheet

    def stale(self) -> list[tuple[str, Sheet]]:
        """The pages whose derived files are older than their sheet."""
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
        """The bytes of a file; None if there is none. Links are refused, because they may lead out of the folder."""
        path = self.path / name
        if path.is_symlink() or path.parent.is_symlink():
            raise InputError(f"{name} is a link: replace it by a file")
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
            raise InputError(f"{name} is not a JSON object")
        return value
