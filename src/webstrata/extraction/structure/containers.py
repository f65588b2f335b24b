"""The elements that mean something to a reader, and how they may stand in each other."""

from __future__ import annotations

from collections.abc import Iterator

from webstrata.extraction.structure.pieces import Event

__all__ = ["CELLS", "CONTAINERS", "HEADINGS", "LISTS", "PREFORMATTED", "Walk", "accept"]

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
LISTS = frozenset(("ul", "ol", "menu", "dir"))
PREFORMATTED = frozenset(("pre", "listing", "xmp", "plaintext"))
_LEAVES = HEADINGS | PREFORMATTED
CONTAINERS = _LEAVES | LISTS | {"li", "dl", "dt", "dd", "blockquote", "table", "tr", "td", "th", "caption"}
CONTAINERS |= {"figure", "figcaption"}
CELLS = frozenset(("td", "th"))

# What may stand directly inside, and what is put between where something else does.
_INSIDE = {
    **dict.fromkeys(LISTS, (frozenset(("li",)), "li")),
    "dl": (frozenset(("dt", "dd")), "dd"),
    "table": (frozenset(("tr", "caption")), "tr"),
    "tr": (CELLS, "td"),
}
# What an element must stand in directly to be what its name says; outside of that it is looked through.
_NEEDS = {
    "li": LISTS,
    "dt": frozenset(("dl",)),
    "dd": frozenset(("dl",)),
    "tr": frozenset(("table",)),
    "td": frozenset(("tr",)),
    "th": frozenset(("tr",)),
    "caption": frozenset(("table",)),
    "figcaption": frozenset(("figure",)),
}


def accept(
    rows: list[int], names: list[str], above: list[int], alive: list[bool], tables: set[int]
) -> tuple[dict[int, int], dict[int, int]]:
    """The containers that take part, each with the one it stands in, and for every container of the page itself or the
    nearest around it that takes part. -1 is the page.

    Parameters
    ----------
    rows, names : the containers of the page in document order, and their tags
    above, alive : for each of them, the container it stands in, and whether it holds something kept
    tables : the rows of the tables that hold data
    """
    inside: dict[int, int] = {}
    nearest: dict[int, int] = {}
    name_of = {-1: ""}
    last_item: dict[int, int] = {}
    for row, name, around, is_alive in zip(rows, names, above, alive, strict=True):
        up = nearest.get(around, -1)
        parent = name_of[up]
        taken = name not in _NEEDS or parent in _NEEDS[name]
        if name not in CELLS:
            taken = taken and is_alive and parent not in _LEAVES and (name != "table" or row in tables)
        nearest[row] = row if taken else up
        if not taken:
            continue
        name_of[row] = name
        if name == "li":
            last_item[up] = row
        elif name in LISTS and parent in LISTS:
            # A list directly inside a list belongs to the item before it; that is how browsers show it.
            up = last_item.get(up, up)
        inside[row] = up
    return inside, nearest


class Walk:
    """The open containers of the walk."""

    def __init__(self, containers: dict[int, int]) -> None:
        self._containers = containers
        self._open: list[tuple[int, str]] = []
        self._implied = -2

    def close_to(self, row: int) -> Iterator[Event]:
        """Close what is open inside a container; -1 is the page."""
        while self._open and self._open[-1][0] != row:
            closed, name = self._open.pop()
            yield Event("close", name, closed, [])

    def open(self, row: int, name: str) -> Iterator[Event]:
        yield from self.close_to(self._containers[row])
        yield from self._fit(name)
        self._open.append((row, name))
        yield Event("open", name, row, [])

    def content(self, row: int) -> Iterator[Event]:
        """Make ready for a paragraph inside a container."""
        yield from self.close_to(row)
        yield from self._fit("")

    def _fit(self, name: str) -> Iterator[Event]:
        """Open what the page left out between the innermost container and what comes."""
        while self._open and self._open[-1][1] in _INSIDE:
            allowed, between = _INSIDE[self._open[-1][1]]
            if name in allowed:
                return
            self._open.append((self._implied, between))
            yield Event("open", between, self._implied, [])
            self._implied -= 1
