"""The two data sets of R. Kreuzer's thesis (Kreuzer 2013 §4.2): 82 random and 70 popular pages, segmented by hand.

Each page comes as the bytes of the GET ("original HTML"), as the document that a browser made of it ("DOM HTML"), and
as that document with the segments marked in it. What is known to be wrong in the files is put right while reading:

- The dialog, the scripts and the style sheet of the marking tool were saved along with most pages. They are taken out.
- On 19 pages the DOM HTML is a copy of another page's. The marked document without its marks stands in for it.
- 18 of the marked documents are not clean UTF-8; they are read as UTF-8 all the same, as the others are.

Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013.
"""

from __future__ import annotations

import json
import lzma
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from webstrata.errors import InputError
from webstrata.page import Element, Page, parse
from webstrata.segmentation import Segmentation
from webstrata.segmentation.html import from_html

__all__ = ["KreuzerPage", "Part", "clean_dom", "left_out", "read"]

Part = Literal["random", "popular"]
_PARTS: tuple[Part, ...] = ("random", "popular")

# Addresses of the marking tool's scripts and style sheets.
_TOOL = "awesomeness/builder"


@dataclass(frozen=True, eq=False, repr=False)
class KreuzerPage:
    """A page of the data sets.

    ``original`` is what the server sent, ``dom`` what a browser made of it; ``truth`` are the segments, of levels 1 and
    2, on a page of its own whose text is that of ``dom`` but for what the marking changed. ``marked`` is the file that
    holds them, with all that the marking tool left in it.
    """

    id: str
    url: str
    part: Part
    original: Page
    dom: Page
    truth: Segmentation
    marked: bytes

    def __repr__(self) -> str:
        return f"<KreuzerPage {self.id}: {len(self.truth)} segments>"


def read(folder: Path, *parts: Part, active: bool = True) -> Iterator[KreuzerPage]:
    """The pages in a folder with ``index.json`` and ``kreuzer-*.tar.xz``, in the order of the index.

    Parameters
    ----------
    folder : where the files are
    parts : "random", "popular"; both by default
    active : leave out the 11 pages that the thesis left out
    """
    return _read(folder, parts or _PARTS, lambda entry: entry["active"] or not active)


def left_out(folder: Path) -> Iterator[KreuzerPage]:
    """The 11 pages that the thesis left out, most of them because one of its algorithms failed on them."""
    return _read(folder, _PARTS, lambda entry: not entry["active"])


def _read(folder: Path, parts: Sequence[Part], wanted_entry: Callable[[dict[str, Any]], bool]) -> Iterator[KreuzerPage]:
    try:
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"no Kreuzer data in {folder}: {error.strerror}") from error
    for part in parts:
        entries = [entry for entry in index if entry["dataset"] == part and wanted_entry(entry)]
        wanted = {entry[name] for entry in entries for name in ("orig", "dom", "blocks")}
        files = _members(folder / f"kreuzer-{part}.tar.xz", wanted)
        for entry in entries:
            yield _page(entry, files)


def _members(archive: Path, wanted: set[str]) -> dict[str, bytes]:
    """The files of an archive that are wanted, in one pass over it."""
    files: dict[str, bytes] = {}
    with lzma.open(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            if name in wanted and (file := tar.extractfile(member)) is not None:
                files[name] = file.read()
    if missing := wanted - files.keys():
        raise InputError(f"{archive} lacks {sorted(missing)[0]} and {len(missing) - 1} other files")
    return files


def _page(entry: dict[str, Any], files: dict[str, bytes]) -> KreuzerPage:
    url = entry["url"]
    marked = files[entry["blocks"]]
    truth = from_html(clean_dom(marked), url=url)
    dom = parse(clean_dom(files[entry["dom"]]), url=url) if entry["dom_ok"] else truth.page
    return KreuzerPage(entry["id"], url, entry["dataset"], parse(files[entry["orig"]], url=url), dom, truth, marked)


def clean_dom(html: bytes) -> str:
    """A saved document without what the marking tool left in it; all other bytes stay as they are.

    >>> clean_dom(b'<p>one</p><div class="ui-dialog"><input name="group1">High-level types</div>')
    '<p>one</p>'
    """
    page = parse(html, encoding="utf-8")
    parts = []
    position = 0
    for start, stop in sorted(_leftovers(page)):
        if start >= position:
            parts.append(page.source[position:start])
            position = stop
    return b"".join([*parts, page.source[position:]]).decode()


def _leftovers(page: Page) -> Iterator[tuple[int, int]]:
    """Where the tool's dialogs, scripts and style sheets are."""
    elements = page.elements
    choices = {int(row) for row in elements.find("input") if elements[int(row)].attributes.get("name") == "group1"}
    for row in sorted(choices):
        dialog = _outermost_dialog(elements[row])
        if dialog is not None:
            yield _span(dialog)
    for found in np.concatenate((elements.find("script"), elements.find("link"))).tolist():
        attributes = elements[found].attributes
        if _TOOL in (attributes.get("src") or attributes.get("href") or ""):
            yield _span(elements[found])


def _outermost_dialog(element: Element) -> Element | None:
    around = [element.table[row] for row in element.table.ancestors(element.row)]
    dialogs = [above for above in around if "ui-dialog" in above.attributes.get("class", "")]
    return dialogs[-1] if dialogs else None


def _span(element: Element) -> tuple[int, int]:
    return int(element.table.source_start[element.row]), int(element.table.source_stop[element.row])
