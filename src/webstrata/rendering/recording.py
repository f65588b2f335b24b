"""Rendered pages in files: a zip archive with the HTML, the columns and how the page was rendered.

``about.json`` is how, ``page.html`` the tree, ``boxes`` and ``texts`` the columns. Lengths are integers in 1/64 pixel,
the unit of Chromium; positions are relative to the parent, because most elements begin where their parent does; bytes
of equal significance are adjacent. That makes long runs of zeros, which LZMA compresses well.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._array_checks import ArrayCheck, ArrayChecks, check_arrays, indices
from webstrata._boxes import DISPLAYS, FLOATS, POSITIONS, Boxes, TextBoxes
from webstrata.errors import InputError
from webstrata.files import NewFile
from webstrata.page import Page, parse
from webstrata.text import Column

__all__ = ["SUFFIX", "About", "is_recording", "load", "read_about", "save", "source_digest"]

#: The suffix of recordings.
SUFFIX = ".rendered"

_VERSION = 1
# Far above the size of any real recording: protects from zip bombs.
_LARGEST = 1 << 28
_UNIT = 64
_LENGTHS = ("left", "top", "width", "height")
# Sizes in styles are decimal numbers.
_DECIMAL = 1_000_000
_SCALED = ("font_size", "border_top", "border_right", "border_bottom", "border_left")
_WHOLE = {
    "font_weight": np.int16,
    "colour": np.uint32,
    "background": np.uint32,
    "display": np.uint8,
    "position": np.uint8,
    "float": np.uint8,
    "visible": np.bool_,
}
# The columns as integers, before they become those of `Boxes`.
_CHECKS: ArrayChecks = {
    **{name: ArrayCheck(("int64",), ("elements",)) for name in _LENGTHS},
    **{name: indices("elements", 1 << 40, "int64") for name in _SCALED},
    "font_weight": indices("elements", 1 << 15, "int64"),
    "colour": indices("elements", 1 << 32, "int64"),
    "background": indices("elements", 1 << 32, "int64"),
    "display": indices("elements", len(DISPLAYS), "int64"),
    "position": indices("elements", len(POSITIONS), "int64"),
    "float": indices("elements", len(FLOATS), "int64"),
    "visible": indices("elements", 2, "int64"),
    # One more than the row in the original page, because elements that scripts made have the row -1.
    "source_row": indices("elements", 1 << 31, "int64"),
}


@dataclass(frozen=True, kw_only=True)
class About:
    """How a page was rendered.

    Attributes
    ----------
    url : where the page came from, if it has a URL
    viewport : width and height of the window in pixels
    scripts : whether scripts ran
    browser : name and version
    fonts : the fonts of its texts; other fonts give other boxes
    complete : whether the whole page was loaded in time
    source : the digest of the HTML before it was rendered (`source_digest`); empty in old recordings
    """

    url: str | None = None
    viewport: tuple[int, int] = (1024, 768)
    scripts: bool = False
    browser: str = ""
    fonts: tuple[str, ...] = ()
    complete: bool = True
    source: str = ""


def source_digest(html: bytes) -> str:
    """A short SHA-256 of HTML, by which recordings are found."""
    return hashlib.sha256(html).hexdigest()[:16]


def is_recording(path: str | Path) -> bool:
    """Whether a file is a recording, by its content."""
    return zipfile.is_zipfile(path)


def save(path: Path, page: Page, boxes: Boxes, source_row: Column, about: About) -> None:
    """Write a recording; the file is there when it is complete."""
    parts = {
        "about.json": json.dumps({"version": _VERSION, **asdict(about)}, ensure_ascii=False).encode(),
        "page.html": page.source,
        "boxes": _pack([*_box_columns(boxes, page), source_row - np.arange(len(source_row))], len(boxes)),
        "texts": _pack(_text_columns(boxes.text, boxes, page), len(boxes.text)),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with NewFile(path) as file, zipfile.ZipFile(file.stream, "w", zipfile.ZIP_LZMA) as archive:
            for name, data in parts.items():
                # A fixed date, so that the same page is the same file.
                member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                member.compress_type = zipfile.ZIP_LZMA
                archive.writestr(member, data)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error


def load(path: Path) -> tuple[Page, Boxes, Column, About]:
    """Read a recording."""
    with _reading(path), zipfile.ZipFile(path) as archive:
        parts = {name: _member(archive, name) for name in ("about.json", "page.html", "boxes", "texts")}
        about = _about(json.loads(parts["about.json"]))
        page = parse(parts["page.html"], url=about.url, encoding="utf-8")
        boxes, source_row = _read_boxes(page, parts["boxes"], parts["texts"])
    return page, boxes, source_row, about


def read_about(path: Path) -> About:
    """How the page of a recording was rendered."""
    with _reading(path), zipfile.ZipFile(path) as archive:
        return _about(json.loads(_member(archive, "about.json")))


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Errors from reading a file that is no recording, or a damaged one, as an `InputError` that names it."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    # The error of a broken archive depends on where it is broken.
    except (zipfile.BadZipFile, EOFError, LookupError, ArithmeticError, RuntimeError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not a recording of `webstrata render`: {error}") from error
    except Exception as error:
        if type(error).__name__ not in ("LZMAError", "error"):
            raise
        raise InputError(f"{path} is not a recording of `webstrata render`: {error}") from error


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > _LARGEST:
        raise InputError(f"{name} is too large")
    return archive.read(name)


def _about(value: Any) -> About:
    if not isinstance(value, dict) or value.pop("version", None) != _VERSION:
        raise InputError("it was made by another version")
    width, height = value.pop("viewport")
    fonts = tuple(map(str, value.pop("fonts")))
    found = About(viewport=(int(width), int(height)), fonts=fonts, **value)
    texts = found.url or "", found.browser, found.source
    own = *((text, str) for text in texts), (found.scripts, bool), (found.complete, bool)
    if not all(isinstance(each, kind) for each, kind in own):
        raise InputError("about.json has values of other types")
    return found


def _box_columns(boxes: Boxes, page: Page) -> list[Column]:
    """All columns as integers."""
    lengths = [_units(getattr(boxes, name)) for name in _LENGTHS]
    rows = np.maximum(page.elements.parent, 0)
    found = [lengths[0] - lengths[0][rows], lengths[1] - lengths[1][rows], *lengths[2:]] if len(boxes) else lengths
    if len(boxes):
        # The first row has no parent.
        found[0][0], found[1][0] = lengths[0][0], lengths[1][0]
        # Most elements are as wide as their parent.
        found[2] = lengths[2] - np.where(np.arange(len(boxes)), lengths[2][rows], 0)
    found += [_units(getattr(boxes, name), _DECIMAL) for name in _SCALED]
    for name in _WHOLE:
        column = getattr(boxes, name).astype(np.int64)
        # Styles are inherited: the difference from the parent is nearly always 0.
        found.append(column - np.where(np.arange(len(boxes)), column[rows], 0) if len(boxes) else column)
    return found


def _text_columns(text: TextBoxes, boxes: Boxes, page: Page) -> list[Column]:
    lengths = [_units(getattr(text, name)) for name in _LENGTHS]
    rows = page.blocks.element
    around = [_units(getattr(boxes, name))[rows] for name in _LENGTHS]
    return [own - outer for own, outer in zip(lengths, around, strict=True)]


def _units(column: Column, unit: int = _UNIT) -> Column:
    return np.rint(column.astype(np.float64) * unit).astype(np.int64)


def _pack(columns: Sequence[Column], rows: int) -> bytes:
    """Columns of integers as five planes of bytes each, with the sign in the lowest bit."""
    table = np.array(columns, np.int64).reshape(len(columns), rows)
    folded = ((table << 1) ^ (table >> 63)).astype("<u8")
    planes = folded.view(np.uint8).reshape(len(columns), rows, 8)[:, :, :5]
    return planes.transpose(0, 2, 1).tobytes()


def _unpack(data: bytes, columns: int, rows: int) -> Column:
    if len(data) != columns * rows * 5:
        raise InputError("its columns are not as long as its page")
    planes = np.zeros((columns, rows, 8), np.uint8)
    planes[:, :, :5] = np.frombuffer(data, np.uint8).reshape(columns, 5, rows).transpose(0, 2, 1)
    folded = planes.reshape(columns, -1).view("<u8").reshape(columns, rows)
    return (folded >> np.uint64(1)).astype(np.int64) ^ -(folded & np.uint64(1)).astype(np.int64)


def _read_boxes(page: Page, data: bytes, texts: bytes) -> tuple[Boxes, Column]:
    rows = len(page.elements)
    table = _unpack(data, len(_LENGTHS) + len(_SCALED) + len(_WHOLE) + 1, rows)
    names = (*_LENGTHS, *_SCALED, *_WHOLE)
    whole = dict(zip(names, table, strict=False))
    for name in ("left", "top", "width", *_WHOLE):
        _add_parents(whole[name], page.elements.parent)
    source_row = table[-1] + np.arange(rows)
    advice = "record the page again with `webstrata render`"
    check_arrays({**whole, "source_row": source_row + 1}, _CHECKS, source="it", advice=advice)
    columns: dict[str, Column] = {}
    for name, column in whole.items():
        unit = _DECIMAL if name in _SCALED else _UNIT
        columns[name] = column.astype(_WHOLE[name]) if name in _WHOLE else (column / unit).astype(np.float32)
    text = _unpack(texts, len(_LENGTHS), len(page.blocks))
    around = np.array([whole[name][page.blocks.element] for name in _LENGTHS])
    lengths = ((text + around) / _UNIT).astype(np.float32)
    source_row = source_row.astype(np.int32)
    for column in (*columns.values(), *lengths, source_row):
        column.flags.writeable = False
    return Boxes(**columns, text=TextBoxes(*lengths)), source_row


def _add_parents(column: Column, parent: Column) -> None:
    """Turn differences from the parent into values, in place; a parent is always before its children."""
    values = column.tolist()
    for row, above in enumerate(parent.tolist()):
        if above >= 0:
            values[row] += values[above]
    column[:] = values
