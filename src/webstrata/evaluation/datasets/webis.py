"""The folder format of Webis-WebSeg-20: one folder for each page, with its segments as polygons.

    PAGE/dom.html             the document of the browser
    PAGE/nodes.csv            an XPath and a box for each visible node
    PAGE/screenshot.png       the picture of the page (optional here)
    PAGE/ground-truth.json    {"id": ..., "width": ..., "height": ..., "segmentations": {NAME: [SEGMENT, ...]}}

A segment is a multipolygon: a list of polygons, each a list of rings, each a list of corners. The first ring is the
outline; holes are not read, because segments have none. `read_folder` makes a data set of such a folder, and
`write_page` writes a recorded page with its segments as one.

Deviations: the texts of ``nodes.csv`` are matched with our blocks by the XPath of their element. Where an element has
more texts than blocks, or fewer, each of its blocks gets the box around all of its texts.

Reference: J. Kiesel, F. Kneist, L. Meyer, K. Komlossy, B. Stein and M. Potthast, Web page segmentation revisited:
evaluation framework and dataset, CIKM 2020. The data: Zenodo 3354902.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from webstrata._boxes import Rendered, seen_blocks
from webstrata.errors import InputError
from webstrata.evaluation.answers.page_forms import xpaths
from webstrata.evaluation.datasets.base import Card, Dataset, Gold, Item, PageInput
from webstrata.evaluation.metrics.areas import Outlines, Polygon, Surface, inside
from webstrata.files import write_file
from webstrata.page import Page, parse
from webstrata.segmentation import Segment, Segmentation

__all__ = ["GROUND_TRUTH", "WebisPage", "read_folder", "read_page", "shapes_of", "write_page"]

GROUND_TRUTH = "ground-truth.json"
#: The segmentation that is the ground truth, if a file has several.
MAJORITY = "majority-vote"

_COLUMNS = ("xpath", "left", "top", "right", "bottom")
# A link is no tag for blocks, so that its texts belong to the element around it.
_LINKS = re.compile(r"(?:/a(?:\[\d+\])?)+$")
Boxes = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class WebisPage:
    """A page in this format.

    Attributes
    ----------
    name : its id
    page : the document of the browser
    width, height : of the page in pixels
    boxes : left, top, right and bottom of the text of each block; zeros if it is not shown
    segmentations : by name; a segment is its polygons
    screenshot : the path of the picture; None if there is none
    """

    name: str
    page: Page
    width: int
    height: int
    boxes: Boxes
    segmentations: dict[str, list[list[Polygon]]]
    screenshot: Path | None = None

    def outlines(self, name: str = MAJORITY) -> Outlines:
        """The segments as shapes, for metrics over what the page shows."""
        rows = _shown(self.boxes)
        surface = Surface(self.width, self.height, self.boxes[rows], self.page.blocks.chars[rows])
        return Outlines(surface, self._shapes(name), self.boxes, self.screenshot)

    def segmentation(self, name: str = MAJORITY) -> Segmentation:
        """The segments as ranges of blocks, where their texts are one: from the first to the last block inside.

        Segments around others come first; one inside of another has a higher level.
        """
        rows = _shown(self.boxes)
        centres = (self.boxes[rows, :2] + self.boxes[rows, 2:]) / 2
        ranges = []
        for shape in self._shapes(name):
            inner = rows[np.logical_or.reduce([inside(centres, polygon) for polygon in shape])]
            if len(inner):
                ranges.append((int(inner[0]), int(inner[-1]) + 1))
        return Segmentation(self.page, tuple(_nested(ranges)), f"Webis: {name}")

    def _shapes(self, name: str) -> list[list[Polygon]]:
        if name not in self.segmentations:
            raise InputError(f"{self.name} has no segmentation {name!r}: it has {', '.join(self.segmentations)}")
        return self.segmentations[name]


def shapes_of(rendered: Rendered, segments: Iterable[Segment]) -> list[list[Polygon]]:
    """The rectangles around the shown texts of segments; segments without such a text have none and are left out."""
    boxes, seen = _text_boxes(rendered), seen_blocks(rendered)
    found = []
    for segment in segments:
        rows = np.flatnonzero(seen[segment.start : segment.stop]) + segment.start
        if len(rows):
            (left, top), (right, bottom) = boxes[rows, :2].min(axis=0), boxes[rows, 2:].max(axis=0)
            found.append([np.array([[left, top], [left, bottom], [right, bottom], [right, top]])])
    return found


def write_page(
    folder: Path, name: str, rendered: Rendered, segmentations: dict[str, Segmentation], screenshot: bytes | None = None
) -> None:
    """Write a recorded page with its segmentations as ``folder/name``."""
    boxes, seen = _text_boxes(rendered), seen_blocks(rendered)
    width, height = (int(np.ceil(boxes[seen, side].max(initial=1))) for side in (2, 3))
    if screenshot is not None:
        width, height = _size(screenshot)
    target = folder / name
    target.mkdir(parents=True, exist_ok=True)
    write_file(target / "dom.html", rendered.page.source)
    write_file(target / "nodes.csv", _nodes(rendered.page, boxes, seen))
    if screenshot is not None:
        write_file(target / "screenshot.png", screenshot)
    truth = {
        "id": name,
        "width": width,
        "height": height,
        "segmentations": {
            key: [[[polygon.tolist()] for polygon in shape] for shape in shapes_of(rendered, found)]
            for key, found in segmentations.items()
        },
    }
    write_file(target / GROUND_TRUTH, json.dumps(truth))


def _nodes(page: Page, boxes: Boxes, seen: npt.NDArray[np.bool_]) -> str:
    """The texts of a page as a table: an XPath and a box for each, in the order of the page."""
    paths = xpaths(page)
    output = io.StringIO()
    table = csv.writer(output)
    table.writerow([*_COLUMNS, "text"])
    counts: dict[int, int] = defaultdict(int)
    for row in np.flatnonzero(seen).tolist():
        element = int(page.blocks.element[row])
        counts[element] += 1
        path = f"{paths[element]}/text()[{counts[element]}]"
        table.writerow([path, *boxes[row].tolist(), page.blocks[row].text])
    return output.getvalue()


def read_page(folder: Path) -> WebisPage:
    """Read the page in a folder; files that are missing or damaged raise `InputError`."""
    try:
        truth = json.loads((folder / GROUND_TRUTH).read_text(encoding="utf-8"))
        page = parse((folder / "dom.html").read_bytes(), encoding="utf-8")
        width, height = int(truth["width"]), int(truth["height"])
        segmentations = {str(name): [_shape(item) for item in items] for name, items in truth["segmentations"].items()}
        nodes = (folder / "nodes.csv").read_text(encoding="utf-8")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise InputError(f"{folder} is not a page of Webis-WebSeg-20: {error!r}") from error
    picture = folder / "screenshot.png"
    boxes = _read_boxes(page, nodes, folder / "nodes.csv")
    name = str(truth.get("id", folder.name))
    return WebisPage(name, page, width, height, boxes, segmentations, picture if picture.is_file() else None)


def _shape(item: Any) -> list[Polygon]:
    """The outlines of a multipolygon."""
    shape = [np.array(rings[0], np.float64) for rings in item]
    if not shape or any(polygon.ndim != 2 or polygon.shape[1] != 2 for polygon in shape):
        raise InputError(f"a segment is a list of polygons, each a list of rings of x and y, not {str(item)[:80]}")
    return shape


def _read_boxes(page: Page, nodes: str, path: Path) -> Boxes:
    """The box of each block, from the texts of its element."""
    table = csv.DictReader(io.StringIO(nodes))
    if missing := set(_COLUMNS) - set(table.fieldnames or ()):
        raise InputError(f"{path} has no column {sorted(missing)[0]!r}: it needs {', '.join(_COLUMNS)}")
    texts: dict[str, list[list[float]]] = defaultdict(list)
    for line in table:
        xpath = (line["xpath"] or "").lower()
        element, is_text, _ = xpath.partition("/text()")
        try:
            box = [float(line[name] or "nan") for name in _COLUMNS[1:]]
        except ValueError as error:
            raise InputError(f"{path}: line {table.line_num}: {error}") from error
        if is_text and box[2] > box[0] and box[3] > box[1]:
            texts[_LINKS.sub("", element)].append(box)
    found = np.zeros((len(page.blocks), 4))
    paths = [_LINKS.sub("", path) for path in xpaths(page)]
    rows: dict[str, list[int]] = defaultdict(list)
    for row in np.flatnonzero(~page.blocks.hidden).tolist():
        rows[paths[int(page.blocks.element[row])]].append(row)
    for element, own in rows.items():
        boxes = np.array(texts.get(element, ())).reshape(-1, 4)
        if len(boxes) == len(own):
            found[own] = boxes
        elif len(boxes):
            found[own] = [*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)]
    return found


def _nested(ranges: list[tuple[int, int]]) -> Iterator[Segment]:
    around: list[int] = []
    for start, stop in sorted(ranges, key=lambda span: (span[0], -span[1])):
        while around and around[-1] <= start:
            around.pop()
        yield Segment(start, stop, sum(stop <= other for other in around) + 1)
        around.append(stop)


def _shown(boxes: Boxes) -> npt.NDArray[np.int64]:
    return np.flatnonzero((boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]))


def _text_boxes(rendered: Rendered) -> Boxes:
    text = rendered.boxes.text
    columns = (text.left, text.top, text.left + text.width, text.top + text.height)
    return np.column_stack(columns).astype(np.float64)


def _size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, from its header."""
    if png[:8] != b"\x89PNG\r\n\x1a\n" or len(png) < 24:
        raise InputError("the screenshot is not a PNG")
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def read_folder(folder: Path) -> Dataset:
    """The pages in a folder as a data set; the inputs are the documents of the browser."""
    names = sorted(path.parent.name for path in folder.glob(f"*/{GROUND_TRUTH}"))
    if not names:
        raise InputError(f"{folder} has no page in the format of Webis-WebSeg-20: no */{GROUND_TRUTH}")
    card = Card(
        folder.resolve().name,
        f"Webis folder {folder.name}",
        "a folder in the format of Webis-WebSeg-20",
        "as its owner says",
        len(names),
        {"blocks": len(names)},
    )

    def items() -> Iterator[Item]:
        for name in names:
            found = read_page(folder / name)
            document = PageInput(found.page.source, "utf-8", boxes=found.boxes, picture=found.screenshot)
            yield Item(name, {"html": document}, Gold(segmentation=found.segmentation(), shapes=found.outlines()))

    return Dataset(card, items)
