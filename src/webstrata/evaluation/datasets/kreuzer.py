"""The two data sets of R. Kreuzer's thesis (Kreuzer 2013 §4.2): 82 random and 70 popular pages, segmented by hand.

Each page comes as the bytes of the GET ("html"), as the document of a browser ("dom"), and as that document with the
segments marked in it. Known faults of the files are corrected while they are read:

- The dialog, the scripts and the style sheet of the marking tool were saved along with most pages. They are removed.
- On 19 pages the DOM HTML is a copy of another page's. It is replaced by the marked document without its marks.
- 18 of the marked documents are not valid UTF-8; they are decoded as UTF-8 all the same, as the others are.

Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013.
"""

from __future__ import annotations

import json
import lzma
import tarfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from webstrata.encoding import decode
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card, Gold, Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.evaluation.datasets.locate import data_path
from webstrata.page import Element, Page, parse
from webstrata.segmentation.html import from_html

__all__ = [
    "LEFT_OUT_CARD",
    "PARTS",
    "POPULAR_CARD",
    "RANDOM_CARD",
    "Part",
    "clean_dom",
    "read",
    "read_left_out",
    "read_popular",
    "read_random",
    "unpack",
]

Part = Literal["random", "popular"]
PARTS: tuple[Part, ...] = ("random", "popular")

_FILES = {
    "index.json": "dd862c9d8b91d44e86adb5f6b9248162e0c91b998e0fd91631f6db286d82546c",
    "kreuzer-random.tar.xz": "3e14ef55f943bd5d8ba6eee05de43e0d82711b5f0fa09dd3dd7a5c78f2ade4ea",
    "kreuzer-popular.tar.xz": "def01175b3f568ba108b0ff5b6e6cb757f1e9912d7aff7de6880d59a121ed591",
}
_ORIGIN = "R. Kreuzer, MSc thesis, Utrecht 2013 (Kreuzer 2013)"
# URLs of the marking tool's scripts and style sheets contain this.
_TOOL = "awesomeness/builder"


def _card(part: str, title: str, source: str, pages: int, blocks: int, files: tuple[str, ...], note: str) -> Card:
    return Card(
        f"kreuzer-{part}",
        f"Kreuzer, {title}",
        f"github.com/rkrzr/{source}; {_ORIGIN}",
        "public domain, attribution encouraged",
        pages,
        {"blocks": blocks},
        {f"kreuzer/{name}": _FILES[name] for name in files},
        ("html", "dom"),
        note,
        trains=("learned",),
    )


_USED = "The pages that the thesis used. Where its DOM HTML is another page's, the marked page replaces it."
RANDOM_CARD = _card(
    "random", "random pages", "dataset-random", 78, 1219, ("index.json", "kreuzer-random.tar.xz"), _USED
)
POPULAR_CARD = _card(
    "popular", "popular pages", "dataset-popular", 63, 1142, ("index.json", "kreuzer-popular.tar.xz"), _USED
)
LEFT_OUT_CARD = _card(
    "left-out", "pages left out", "dataset-random and dataset-popular", 11, 173, tuple(_FILES),
    "Marked pages that the thesis left out, most of them because one algorithm failed on them. They serve training.",
)  # fmt: skip


def read(*parts: Part, folder: Path | None = None, used: bool | None = True) -> Iterator[Item]:
    """The pages in the order of the index; the group is the part.

    Parameters
    ----------
    parts : "random", "popular"; both by default
    folder : holds ``index.json`` and ``kreuzer-*.tar.xz``; by default that of the data sets
    used : the pages that the thesis used, or the 11 that it left out, or both if None
    """
    folder = folder or data_path("kreuzer")
    try:
        index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"no Kreuzer data in {folder}: {error.strerror}") from error
    for part in parts or PARTS:
        entries = [entry for entry in index if entry["dataset"] == part and used in (None, entry["active"])]
        names = {entry[name] for entry in entries for name in ("orig", "dom", "blocks")}
        files = _members(folder / f"kreuzer-{part}.tar.xz", names)
        for entry in entries:
            yield _item(entry, files)


read_random = partial(read, "random")
read_popular = partial(read, "popular")
read_left_out = partial(read, used=False)


def unpack(folder: Path, *, parts: tuple[Part, ...] = PARTS) -> dict[tuple[str, str], Path]:
    """Write the pages with the files that they load into a folder; gives the path of each page and input.

    The page of the input "html" is the one whose links lead to these files.
    """
    data = data_path("kreuzer")
    for part in parts:
        with tarfile.open(data / f"kreuzer-{part}.tar.xz") as archive:
            archive.extractall(folder / part, filter="data")
    entries = json.loads((data / "index.json").read_text(encoding="utf-8"))
    return {
        (entry["id"], name): folder / entry["dataset"] / entry[key]
        for entry in entries
        for name, key in (("html", "html"), ("dom", "dom"))
        if entry["dataset"] in parts
    }


def _members(archive: Path, names: set[str]) -> dict[str, bytes]:
    """The files of an archive with these names, in one pass over it."""
    files: dict[str, bytes] = {}
    with lzma.open(archive) as stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        for member in tar:
            name = member.name.removeprefix("./")
            if name in names and (file := tar.extractfile(member)) is not None:
                files[name] = file.read()
    if missing := names - files.keys():
        raise InputError(f"{archive} lacks {sorted(missing)[0]} and {len(missing) - 1} other files")
    return files


def _item(entry: dict[str, Any], files: dict[str, bytes]) -> Item:
    url, marked = entry["url"], files[entry["blocks"]]
    fold = fold_of(url, entry["id"])
    truth = from_html(clean_dom(marked), url=url)
    dom = clean_dom(files[entry["dom"]]).encode() if entry["dom_ok"] else truth.page.source
    inputs = {
        "html": PageInput(decode(files[entry["orig"]])[0], "utf-8", url, fold),
        "dom": PageInput(dom, "utf-8", url, fold),
    }
    return Item(entry["id"], inputs, Gold(segmentation=truth, marked=marked), entry["dataset"])


def clean_dom(html: bytes) -> str:
    """A saved document without the leftovers of the marking tool; all other bytes stay as they are.

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
    """The source spans of the tool's dialogs, scripts and style sheets."""
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
