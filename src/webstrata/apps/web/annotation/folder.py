"""The data set as a folder of files; each file is written atomically.

::

    card.json                       title, licence and source of the data set, and its types of segments
    NAME.html                       the page as it was added
    NAME.dom.html                   the snapshot, if a browser rendered the page; else NAME.html is the snapshot
    NAME.json                       url, encoding, whose marks count (``annotator``); for snapshots, ``source_rows``
    NAME.blocks.html                the snapshot with the marks that count, as in Kreuzer 2013
    NAME.segments.json              the same marks as the JSON of a segmentation
    annotators/WHO/NAME.json        the marks of each person; the two files above are derived from these

The sheet of a person is written before the derived files. If the server is killed in between, or the disk is full, they
are written when it starts again. One server at a time has a folder open: it holds the lock of ``.webstrata.lock``.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from webstrata._locks import locked
from webstrata.apps.web.annotation.marks import Sheet, current_kind
from webstrata.apps.web.settings import TYPES
from webstrata.errors import InputError
from webstrata.files import remove_temporary, write_file

__all__ = ["DataFolder", "DerivedFiles", "SheetConflict", "check_annotator", "check_name", "name_of"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ANNOTATOR = re.compile(r"[^\W_][\w .'-]{0,39}")
_NOT_PAGES = (".dom", ".blocks", ".segments")
# The files of a page. The page itself comes last: what has no NAME.html is no page.
_ENDINGS = (".json", ".dom.html", ".blocks.html", ".segments.json", ".html")
# Facts that are texts; others are ignored.
_TEXTS = frozenset({"url", "encoding", "group", "annotator"})
# File names have at most 255 bytes, and a letter that is not ASCII takes up to twelve of them.
_LONGEST_FOLDER = 240
# After a kill, it may take a moment until the system has released the lock.
_LOCK_SECONDS = 2


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
    if not _is_name(name):
        raise InputError("the name of a page has letters, digits, '.', '_' and '-' only")
    return name


def _is_name(name: str) -> bool:
    return bool(_NAME.fullmatch(name)) and not name.endswith(_NOT_PAGES) and name != "card"


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
    if not _is_annotator(name):
        raise InputError("the name of a person has at most 40 letters, digits and spaces (26 in some scripts)")
    return name


def _is_annotator(name: str) -> bool:
    return bool(_ANNOTATOR.fullmatch(name)) and len(quote(name, safe="")) <= _LONGEST_FOLDER


class DataFolder:
    """A data set that people mark.

    Parameters
    ----------
    path : the folder; it is created if needed
    types : types of segments by level, for a new data set
    bare : neither create, lock nor tidy the folder, to read another data set or to write pages that are then adopted
    """

    def __init__(self, path: Path, *, types: dict[int, tuple[str, ...]] | None = None, bare: bool = False) -> None:
        self.path = path.absolute()
        self._lock = threading.RLock()
        self._held = ExitStack()
        self._bare = bare
        if bare:
            return
        try:
            (self.path / "annotators").mkdir(parents=True, exist_ok=True)
            self._held.enter_context(locked(self.path / ".webstrata.lock", path, seconds=_LOCK_SECONDS))
            remove_temporary(self.path)
        except OSError as error:
            raise InputError(f"cannot use {path} as a data set: {error.strerror}") from error
        if not (self.path / "card.json").exists():
            chosen = types or TYPES
            self._write_card({"types": {str(level): list(names) for level, names in chosen.items()}})

    def close(self) -> None:
        """Let other servers open the folder."""
        self._held.close()

    # The card

    @property
    def card(self) -> dict[str, Any]:
        """The content of card.json."""
        return self._read_json("card.json")

    @property
    def types(self) -> dict[int, tuple[str, ...]]:
        """The types of segments by level."""
        found = self.card.get("types") or TYPES
        try:
            return {int(level): tuple(current_kind(str(name)) for name in names) for level, names in found.items()}
        except (AttributeError, TypeError, ValueError) as error:
            raise InputError("the types in card.json are damaged: correct them, or delete the file") from error

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
        self._write("card.json", json.dumps(card, ensure_ascii=False, indent=1))

    # Pages

    def pages(self) -> list[str]:
        """The names of the pages, sorted."""
        names = (path.name.removesuffix(".html") for path in self.path.glob("*.html"))
        return sorted(filter(_is_name, names))

    def files(self) -> Iterator[Path]:
        """All files of the data set; other files of the folder are not among them, and neither are links."""
        names = self.pages()
        found = [self.path / "card.json", *(self.path / f"{name}{ending}" for name in names for ending in _ENDINGS)]
        found += [self.path / self._sheet_path(name, who) for who in self.annotators() for name in names]
        return (path for path in found if path.is_file() and not path.is_symlink())

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
            name = self._free(name)
            self.put(name, html, dom=dom, facts=facts)
            self.update_card()
        return name

    def put(
        self,
        name: str,
        html: bytes,
        *,
        dom: bytes | None = None,
        facts: dict[str, Any] | None = None,
        sheets: Iterable[Sheet] = (),
    ) -> None:
        """Write the files of a new page; the card stays as it is."""
        for sheet in sheets:
            self._write_sheet(name, sheet)
        if dom is not None:
            self._write(f"{name}.dom.html", dom)
        if facts:
            self._write_facts(name, facts)
        self._write(f"{name}.html", html)

    def _free(self, name: str) -> str:
        """A name that no file of a page has: the name, if need be with a number."""
        stem, number = name, 2
        while any((self.path / f"{check_name(name)}{ending}").exists() for ending in _ENDINGS):
            name = f"{stem[:90]}-{number}"
            number += 1
        return name

    def adopt(self, other: DataFolder) -> int:
        """Move all pages of another folder of the same disk here, or none if that fails; returns their number."""
        os.sync()
        done: list[tuple[Path, Path]] = []
        names = other.pages()
        with self._lock:
            try:
                for name in names:
                    for old, new in self._moves(other, name, self._free(name)):
                        new.parent.mkdir(exist_ok=True)
                        os.rename(old, new)
                        done.append((old, new))
                self.update_card()
            except BaseException as error:
                for old, new in reversed(done):
                    os.rename(new, old)
                if isinstance(error, OSError):
                    raise InputError(f"cannot add the pages: {error.strerror}") from error
                raise
        return len(names)

    def _moves(self, other: DataFolder, name: str, new: str) -> Iterator[tuple[Path, Path]]:
        """The files of a page of another folder that exist, each with its path here."""
        found = [(self._sheet_path(name, who), self._sheet_path(new, who)) for who in other.annotators()]
        found += [(f"{name}{ending}", f"{new}{ending}") for ending in _ENDINGS]
        return ((other.path / old, self.path / path) for old, path in found if (other.path / old).is_file())

    def snapshot(self, name: str) -> tuple[bytes, dict[str, Any]]:
        """The HTML to mark, and the facts about it."""
        facts = self.facts(name)
        dom = self.file(f"{name}.dom.html")
        if dom is not None:
            return dom, {**facts, "encoding": "utf-8"}
        html = self.file(f"{check_name(name)}.html")
        if html is None:
            raise KeyError(name)
        return html, facts

    def facts(self, name: str) -> dict[str, Any]:
        """The content of NAME.json."""
        found = self._read_json(f"{check_name(name)}.json")
        return {key: value for key, value in found.items() if key not in _TEXTS or isinstance(value, str)}

    def _write_facts(self, name: str, facts: dict[str, Any]) -> None:
        self._write(f"{name}.json", json.dumps(facts, ensure_ascii=False))

    # Sheets

    def annotators(self) -> list[str]:
        """The names of all people who have marked a page, sorted."""
        folders = (self.path / "annotators").iterdir() if (self.path / "annotators").is_dir() else iter(())
        names = (unquote(folder.name) for folder in folders if folder.is_dir() and not folder.is_symlink())
        return sorted(filter(_is_annotator, names))

    def sheet(self, name: str, annotator: str) -> Sheet:
        """The sheet of a person for a page; empty if there is none."""
        data = self.file(self._sheet_path(name, annotator))
        return replace(Sheet.from_json(data), annotator=annotator) if data is not None else Sheet(annotator)

    def sheets(self, name: str) -> list[Sheet]:
        """The sheets of all people for a page."""
        found = [self.sheet(name, annotator) for annotator in self.annotators()]
        return [sheet for sheet in found if sheet.version]

    def save(self, name: str, sheet: Sheet, derived: DerivedFiles) -> str:
        """Save the next version of a sheet; `SheetConflict` if the saved version is not the one before it.

        Returns a warning if the sheet is saved, but files that follow from it are not; it is empty if all is well.
        """
        with self._lock:
            saved = self.sheet(name, sheet.annotator)
            if saved.version != sheet.version - 1:
                raise SheetConflict(f"{sheet.annotator} has saved this page in another tab: load it again")
            self._write_sheet(name, sheet)
            try:
                facts = self.facts(name)
                if not facts.get("annotator"):
                    facts["annotator"] = sheet.annotator
                    self._write_facts(name, facts)
                if facts["annotator"] == sheet.annotator:
                    self.write_derived(name, sheet, derived)
                if not saved.version or saved.done != sheet.done or bool(saved.marks) != bool(sheet.marks):
                    self.update_card()
            except InputError as error:
                return f"the marks are saved, but not the files for evaluation: {error}"
        return ""

    def write_derived(self, name: str, sheet: Sheet, derived: DerivedFiles) -> None:
        """Write the derived files. A page without marks gets no blocks.html, so it is not evaluated."""
        with self._lock:
            if sheet.marks:
                self._write(f"{name}.blocks.html", derived.blocks)
            else:
                (self.path / f"{name}.blocks.html").unlink(missing_ok=True)
            value = {**json.loads(derived.segments), "annotator": sheet.annotator, "version": sheet.version}
            self._write(f"{name}.segments.json", json.dumps(value, ensure_ascii=False, indent=1))

    def choose(self, name: str, sheet: Sheet, derived: DerivedFiles) -> None:
        """Use a sheet as ground truth of a page; `SheetConflict` if the sheet has changed meanwhile."""
        with self._lock:
            if self.sheet(name, sheet.annotator).version != sheet.version:
                raise SheetConflict(f"{sheet.annotator} is changing the marks of this page: try again in a moment")
            self._write_facts(name, {**self.facts(name), "annotator": sheet.annotator})
            self.write_derived(name, sheet, derived)

    def stale(self) -> Iterator[tuple[str, Sheet]]:
        """The pages whose derived files are older than the sheet that counts. Pages with damaged files are left out."""
        for name in self.pages():
            try:
                annotator = self.facts(name).get("annotator")
                sheets = [self.sheet(name, annotator)] if annotator else self.sheets(name)
                made = self._read_json(f"{name}.segments.json")
            except InputError:
                continue
            for sheet in sheets[:1]:
                if sheet.version and (made.get("annotator"), made.get("version")) != (sheet.annotator, sheet.version):
                    yield name, sheet

    # Files

    def _sheet_path(self, name: str, annotator: str) -> str:
        return f"annotators/{quote(check_annotator(annotator), safe='')}/{check_name(name)}.json"

    def _write_sheet(self, name: str, sheet: Sheet) -> None:
        self._write(self._sheet_path(name, sheet.annotator), sheet.json())

    def _write(self, name: str, data: str | bytes) -> None:
        """Write a file as a whole, or raise `InputError`. In a bare folder, it need not survive a crash."""
        path = self.path / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._bare:
                path.write_bytes(data.encode("utf-8", "replace") if isinstance(data, str) else data)
            else:
                write_file(path, data)
        except OSError as error:
            raise InputError(f"cannot write {path.name}: {error.strerror}") from error

    def file(self, name: str) -> bytes | None:
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
        data = self.file(name)
        if data is None:
            return {}
        try:
            value = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{name} is not JSON: {type(error).__name__}") from error
        if not isinstance(value, dict):
            raise InputError(f"{name} is not a JSON object")
        return value
