"""Whether tables, lists, code and figures of pages are kept whole: those with a hole, of those that are kept in part.

    python bench/wholes.py [--folds out/folds] [--only wcxb,many-dev] [--show 10]

A structure counts when something of it is kept. It is whole when each of its parts with shown text is: the cells of a
data table, the items of a list, the terms and definitions of a definition list, the blocks of code and of a figure.
What lays out the page does not count: lists with headings, tables or several boxes in their items, and tables with more
than two paragraphs a cell; nor does what is inside of a structure that counts.

On WCXB each page is read by the model that has not seen its host, with the models that bench/flagship.py trains; on
many-dev by the shipped model. --show prints the first structures with holes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from rich.console import Console
from rich.table import Table

from flagship import ROOT, need_folds
from pages import progress
from webstrata.elements import TAG_NUMBERS
from webstrata.evaluation.answers.ours import OutOfFold
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.extraction import extract
from webstrata.page import Page
from webstrata.paragraphs import ITEM, ends
from webstrata.text import Column

KINDS = {"table": "table", "ul": "list", "ol": "list", "dl": "definition list", "pre": "code", "figure": "figure"}
_TAGS = {TAG_NUMBERS[name]: kind for name, kind in KINDS.items()}
_ROW, _HEAD, _BOX = TAG_NUMBERS["tr"], TAG_NUMBERS["th"], TAG_NUMBERS["div"]
_PARTS = {
    "table": [TAG_NUMBERS["td"], _HEAD],
    "list": [TAG_NUMBERS["li"]],
    "definition list": [TAG_NUMBERS["dt"], TAG_NUMBERS["dd"]],
}
_HEADINGS = [TAG_NUMBERS[f"h{level}"] for level in range(1, 7)]
# What shows that an element lays out the page.
_LAYOUT = {
    "table": [*_HEADINGS, TAG_NUMBERS["pre"], TAG_NUMBERS["blockquote"], TAG_NUMBERS["table"]],
    "list": [*_HEADINGS, TAG_NUMBERS["table"], TAG_NUMBERS["article"], TAG_NUMBERS["section"]],
    "definition list": [*_HEADINGS, TAG_NUMBERS["article"], TAG_NUMBERS["section"]],
}
_LONGEST_CELL = 1000


@dataclass(frozen=True)
class Structure:
    """A structure of a page of which something is kept.

    Attributes
    ----------
    kind : "table", "list", "definition list", "code" or "figure"
    row : its element
    parts, kept : the parts with shown text, and those of which all is kept
    """

    kind: str
    row: int
    parts: int
    kept: int


def structures(page: Page, keep: Column) -> Iterator[Structure]:
    """The outermost structures of a page of which some blocks are kept."""
    elements, blocks = page.elements, page.blocks
    shown = ~blocks.hidden & (blocks.words > 0)
    tags, stops = elements.tag, _stops(elements.parent)
    first, end = elements.first_block, elements.end_block
    inside_of = 0
    for row in np.flatnonzero(np.isin(tags, list(_TAGS))).tolist():
        kind, stop = _TAGS[int(tags[row])], int(stops[row])
        if row < inside_of or _lays_out(kind, page, row, stop):
            continue
        inside_of = stop
        wanted = np.flatnonzero(np.isin(tags[row:stop], _PARTS.get(kind, []))) + row
        runs = [(int(first[part]), int(end[part])) for part in wanted]
        if kind not in _PARTS:
            runs = [(block, block + 1) for block in range(first[row], end[row])]
        parts = [keep[a:b][shown[a:b]] for a, b in runs if shown[a:b].any()]
        if any(part.any() for part in parts):
            yield Structure(kind, row, len(parts), sum(bool(part.all()) for part in parts))


def _stops(parent: Column) -> Column:
    """The row after the last one of each subtree."""
    stops = np.arange(1, len(parent) + 1)
    for row in range(len(parent) - 1, 0, -1):
        stops[parent[row]] = max(stops[parent[row]], stops[row])
    return stops


def _lays_out(kind: str, page: Page, row: int, stop: int) -> bool:
    """Whether an element only lays out the page."""
    tags = page.elements.tag[row + 1 : stop]
    if np.isin(tags, _LAYOUT.get(kind, [])).any():
        return True
    if kind == "list":
        return int((tags == _BOX).sum()) > int(np.isin(tags, _PARTS["list"]).sum())
    if kind != "table":
        return False
    rows = np.flatnonzero(tags == _ROW)
    cells = np.isin(tags, _PARTS["table"])
    columns = max((int(part.sum()) for part in np.split(cells, rows)[1:]), default=0)
    several = len(rows) > 1 or (tags == _HEAD).any()
    places = np.flatnonzero(cells) + row + 1
    first, end = page.elements.block_span(row)
    if int((ends(page)[first:end] >= ITEM).sum()) > 2 * len(places):
        return True
    return columns < 2 or not several or any(_size(page, int(cell)) > _LONGEST_CELL for cell in places)


def _size(page: Page, row: int) -> int:
    """The number of characters in an element."""
    first, end = page.elements.block_span(row)
    return int(page.blocks.text_stop[end - 1] - page.blocks.text_start[first]) if end > first else 0


def measure(name: str, folds: Path, shown: list[str], show: int) -> dict[str, list[Structure]]:
    """The structures of the pages of a data set by kind; `shown` gets descriptions of those with holes."""
    found: dict[str, list[Structure]] = defaultdict(list)
    read = OutOfFold(folds=str(folds)) if name == "wcxb" else None
    dataset = find_dataset(name)
    for item in progress(dataset.items(), name, dataset.card.pages):
        source = item.inputs["html"]
        extraction = read(source) if read else extract(source.page())
        for each in structures(extraction.page, extraction.keep):
            found[each.kind].append(each)
            if each.kept < each.parts and len(shown) < show:
                element = extraction.page.elements[each.row]
                shown.append(f"{name} {item.name} {each.kind} {each.kept}/{each.parts}: {element.path[-4:]}")
    return found


@click.command(help=__doc__)
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds", help="Models without a fold.")
@click.option("--only", default="wcxb,many-dev", show_default=True, help="The data sets.")
@click.option("--show", default=0, help="Print this number of structures with holes of each data set.")
def main(folds: Path, only: str, show: int) -> None:
    names = only.split(",")
    if "wcxb" in names:
        need_folds(folds)
    console = Console(width=120)
    table = Table(title="structures of which something is kept", title_justify="left")
    for heading in ("data set", "kind", "structures", "whole", "share", "parts kept"):
        table.add_column(heading, justify="left" if heading in ("data set", "kind") else "right")
    for name in names:
        shown: list[str] = []
        for kind, found in sorted(measure(name, folds, shown, show).items()):
            whole = sum(each.kept == each.parts for each in found)
            kept, parts = sum(each.kept for each in found), sum(each.parts for each in found)
            table.add_row(name, kind, str(len(found)), str(whole), f"{whole / len(found):.3f}", f"{kept / parts:.3f}")
        for line in shown:
            console.print(line, soft_wrap=True)
    console.print(table)


if __name__ == "__main__":
    main()
