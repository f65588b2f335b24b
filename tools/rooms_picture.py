"""Draw the rooms of the package and which imports which, from the import graph.

    python tools/rooms_picture.py [docs/img/rooms.svg]

An arrow goes from a room to a room that it imports, unless it gets there through other rooms as well. Modules at the
top level are two rooms: ``page`` (what a page is) and ``registry`` (how algorithms are found by name).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean

from import_graph import SOURCE, Graph, import_graph
from webstrata.drawing.svg import picture, text

TARGET = SOURCE.parent / "docs" / "img" / "rooms.svg"
REGISTRY = ("registry", "_spelling", "_parameters", "errors")
#: Pixels of a box, of the room for an arrow that passes between boxes, and around them.
BOX, HEIGHT, BEND, GAP_X, GAP_Y, MARGIN = 112, 34, 8, 22, 40, 16
#: Sweeps up and down, after which the order of the rows no longer changes.
ROUNDS = 6

#: A row, counted from the bottom, and the name of a room or of a bend in it.
Stop = tuple[int, str]
Edge = tuple[str, str]


def room_of(module: str) -> str:
    """The room of a module, as the picture names it."""
    _, _, inner = module.partition(".")
    top = inner.split(".")[0]
    if not top or top == "__main__":
        return "front door"
    if (SOURCE / "webstrata" / top).is_dir():
        return top
    return "registry" if top in REGISTRY else "page"


def arrows(graph: Graph) -> dict[str, set[str]]:
    """For each room the rooms that it imports directly and by no longer way."""
    direct: dict[str, set[str]] = {}
    for module, pairs in graph.items():
        rooms = {room_of(got) for _, got in pairs}
        direct.setdefault(room_of(module), set()).update(rooms)
    for room, targets in direct.items():
        # The command line asks the package for its version, and the front door loads everything on demand.
        targets -= {room, "front door"}
    direct.pop("front door")
    return {room: {end for end in ends if not _by_others(direct, room, end)} for room, ends in direct.items()}


def _by_others(direct: Mapping[str, set[str]], room: str, end: str) -> bool:
    return any(end in _reached(direct, other) for other in direct[room] - {end})


def _reached(direct: Mapping[str, set[str]], room: str) -> set[str]:
    found: set[str] = set()
    waiting = [room]
    while waiting:
        new = direct.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def levels(edges: Mapping[str, set[str]]) -> dict[str, int]:
    """For each room the length of the longest way down from it."""
    depth: dict[str, int] = {}

    def measure(room: str) -> int:
        if room not in depth:
            depth[room] = 1 + max((measure(end) for end in edges.get(room, ())), default=-1)
        return depth[room]

    for room in sorted(edges):
        measure(room)
    return depth


def routes(edges: Mapping[str, set[str]], depth: Mapping[str, int]) -> dict[Edge, list[Stop]]:
    """Each arrow as its stops from row to row: between its rooms, bends that keep it away from the boxes of a row."""
    return {
        (room, end): [
            (depth[room], room),
            *((row, f"{room}>{end}@{row}") for row in range(depth[room] - 1, depth[end], -1)),
            (depth[end], end),
        ]
        for room in sorted(edges)
        for end in sorted(edges[room])
    }


def arrange(stops: Sequence[list[Stop]]) -> list[list[str]]:
    """The rows from the lowest up, each in an order that makes arrows short: by the mean place of the neighbours."""
    rows: list[list[str]] = [[] for _ in range(1 + max(level for route in stops for level, _ in route))]
    neighbours: dict[str, set[str]] = {}
    for route in stops:
        for level, name in route:
            if name not in rows[level]:
                rows[level].append(name)
        for (_, upper), (_, lower) in pairwise(route):
            neighbours.setdefault(upper, set()).add(lower)
            neighbours.setdefault(lower, set()).add(upper)
    place = {name: (i + 0.5) / len(row) for row in rows for i, name in enumerate(row)}
    for row in [*rows, *rows[::-1]] * ROUNDS:
        row.sort(key=lambda name: fmean(place[other] for other in neighbours[name]))
        place |= {name: (i + 0.5) / len(row) for i, name in enumerate(row)}
    return rows


def draw(edges: Mapping[str, set[str]]) -> str:
    """The picture: applications at the top, the native pass at the bottom."""
    ways = routes(edges, levels(edges))
    rows = arrange(list(ways.values()))[::-1]
    widths = {name: BEND if ">" in name else BOX for row in rows for name in row}
    lengths = [sum(widths[name] for name in row) + GAP_X * (len(row) - 1) for row in rows]
    width, height = 2 * MARGIN + max(lengths), 2 * MARGIN + len(rows) * HEIGHT + (len(rows) - 1) * GAP_Y
    middle = {}
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        x = (width - length) / 2
        for name in row:
            middle[name] = x + widths[name] / 2, float(MARGIN + number * (HEIGHT + GAP_Y))
            x += widths[name] + GAP_X
    parts = [
        "<defs><marker id='tip' viewBox='0 0 8 8' refX='7' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        "<path d='M0 0L8 4L0 8z' fill='#557'/></marker></defs>"
    ]
    for way in ways.values():
        curve = _curve([middle[name] for _, name in way])
        parts.append(f"<path d='{curve}' fill='none' stroke='#557' marker-end='url(#tip)'/>")
    for room in sorted(edges):
        x, y = middle[room]
        parts.append(
            f"<rect x='{x - BOX / 2:.0f}' y='{y:.0f}' width='{BOX}' height='{HEIGHT}' rx='6' fill='#e3f1ef' "
            "stroke='#00796b'/>"
        )
        parts.append(text(x, y + HEIGHT / 2 + 4, room, anchor="middle", size=13))
    return picture(width, height, parts, alone=True)


def _curve(points: Sequence[tuple[float, float]]) -> str:
    """A line from below the first point to above the last, straight down through the rows between."""
    path = [f"M{points[0][0]:.0f} {points[0][1] + HEIGHT:.0f}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        half = (y1 + HEIGHT + y2) / 2
        path.append(f"C{x1:.0f} {half:.0f} {x2:.0f} {half:.0f} {x2:.0f} {y2:.0f}")
        if (x2, y2) != points[-1]:
            path.append(f"V{y2 + HEIGHT:.0f}")
    return "".join(path)


def rooms_picture() -> str:
    """The picture of the package as it is now."""
    return draw(arrows(import_graph(SOURCE, everywhere=True)))


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    target.write_text(rooms_picture(), encoding="utf-8")
    print(target)
