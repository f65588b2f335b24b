"""VIPS (Kreuzer 2013 §6.3): a page is divided by its looks, in rounds, until its parts are coherent enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from webstrata._boxes import Rendered
from webstrata.elements import TAG_NUMBERS
from webstrata.page import Page
from webstrata.segmentation.base import Segment, Segmentation, rendered
from webstrata.segmentation.layout import Layout
from webstrata.segmentation.separators import Separators

__all__ = ["THRESHOLDS", "VIPS", "visual_blocks"]

#: Square pixels below which a part is small, round by round.
THRESHOLDS = (140_000, 105_000, 75_000, 50_000, 30_000, 15_000, 10_000, 6_400, 400, 1)

Kind = Literal["inline", "table", "td", "p", "other"]
#: The rules that apply to each kind of element, of the twelve that `VIPS` lists.
RULES: dict[Kind, frozenset[int]] = {
    "inline": frozenset([1, 2, 3, 4, 5, 6, 8, 9, 12]),
    "table": frozenset([1, 2, 3, 7, 9, 12]),
    "td": frozenset([1, 2, 3, 4, 8, 9, 10, 12]),
    "p": frozenset(range(1, 13)),
    "other": frozenset([1, 2, 3, 4, 6, 8, 9, 11]),
}
_KINDS: dict[int, Kind] = {
    **{TAG_NUMBERS[name]: "table" for name in ("table", "tbody", "thead", "tfoot", "tr")},
    **{TAG_NUMBERS[name]: "td" for name in ("td", "th")},
    TAG_NUMBERS["p"]: "p",
}
# Degrees of coherence of a small part with text (rule 8), and of one whose children are small (rule 9). Elements made
# for text are more coherent than containers of anything.
_SMALL_TEXT: dict[Kind, int] = {"inline": 8, "p": 8, "td": 7, "table": 6, "other": 6}
_SMALL_CHILDREN: dict[Kind, int] = {"inline": 8, "p": 8, "td": 7, "table": 7, "other": 7}
_KEPT, _LARGE, _ONE_FONT, _FONTS, _OTHER_BACKGROUND = 8, 7, 10, 9, 7
# The depth of divisions by separators; without a limit, boxes in the form of a stair take quadratic time.
_DEPTH = 24
_HR = TAG_NUMBERS["hr"]
# Elements that show something without text, of at least this area; smaller ones are decoration.
_PICTURE = 400
_PICTURES = frozenset(
    TAG_NUMBERS[name] for name in "img svg canvas video object embed iframe input button select textarea".split()
)


@dataclass(frozen=True, kw_only=True)
class VIPS:
    """VIPS of Cai et al. 2003 as Kreuzer 2013 §6.3 ran it.

    In each round, visual blocks are taken from the tree by twelve rules that depend on the kind of element: coherent or
    small elements are kept, mixed ones are divided. Separators are the gaps between these blocks; their weight grows
    with their width, with a rule between, and with a change of background or font. Blocks are divided at the heaviest
    separators first. A group is a segment if the weight of its heaviest separator leaves it a degree of coherence of
    ``pdoc``; a single block that is less coherent is divided in the next round, with a smaller area threshold.

    Parameters
    ----------
    pdoc : the permitted degree of coherence, 1 to 10; higher values give smaller segments
    rounds : the number of rounds at most, each with one of `THRESHOLDS`
    tree : give the visual content structure of Cai et al. 2003: also the parts that were divided, nested by level; the
        kind of a segment is its degree of coherence

    Notes
    -----
    The rules: (1) nothing visible inside: dropped, but for pictures. (2) One child that is no text: divided. (3) The
    root of a round: divided. (4) All children are texts, or inline elements with texts only: kept, coherence 10, or 9
    where fonts differ. (5) A child starts a new line: divided. (6) A child is ``hr``: divided. (7) A child has another
    background: divided, that child kept for this round. (8) It has text and is smaller than the threshold: kept.
    (9) Its largest child is smaller than the threshold: kept. (10) The previous sibling was kept: kept. (11) Divided.
    (12) Kept. Blocks kept by rules 10 and 12 are less coherent if they are larger than the threshold.

    Deviations
    ----------
    - The papers leave degrees of coherence open. Ours are 6 to 8 by the kind of element, and 10 less the weight of the
      heaviest separator for groups.
    - A segment is a range of blocks. A group that is interrupted by others in the source is one segment for each part,
      and a picture by itself is a segment without blocks.

    Reference: D. Cai, S. Yu, J.-R. Wen and W.-Y. Ma, VIPS: a vision-based page segmentation algorithm, MSR-TR-2003-79;
    R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013.
    """

    pdoc: int = 8
    rounds: int = len(THRESHOLDS)
    tree: bool = False

    def __call__(self, page: Page | Rendered) -> Segmentation:
        seen = rendered(page, "vips")
        layout = Layout.of(seen)
        parts = list(self._parts(seen.page, layout))
        if self.tree:
            return Segmentation(seen.page, tuple(_nested(layout, parts)), repr(self))
        return Segmentation(seen.page, tuple(layout.segments(part.nodes for part in parts if part.whole)), repr(self))

    def _parts(self, page: Page, layout: Layout) -> Iterator[_Part]:
        """All parts of the page, those that are divided before what they are divided into."""
        separators = Separators(layout)
        bodies = page.elements.find("body")
        waiting = [(int(bodies[0]) if len(bodies) else 0, 0, 1)]
        while waiting:
            root, number, level = waiting.pop()
            found = visual_blocks(layout, root, THRESHOLDS[number])
            for part in self._groups(separators, found, level):
                node = part.nodes[0]
                last = number + 1 >= min(self.rounds, len(THRESHOLDS)) or not layout.children[node]
                if part.whole and len(part.nodes) == 1 and part.coherence < self.pdoc and not last:
                    waiting.append((node, number + 1, part.level + 1))
                    yield replace(part, whole=False)
                else:
                    yield part

    def _groups(self, separators: Separators, found: dict[int, int], level: int) -> Iterator[_Part]:
        """Groups with light separators inside and single blocks; also the groups around and the blocks inside."""
        waiting = [(list(found), 0)] if found else []
        while waiting:
            nodes, depth = waiting.pop()
            cut = separators.cut(nodes) if len(nodes) > 1 else None
            # All blocks of a round together are the part that the round divides.
            here = level + max(depth - 1, 0)
            if cut is None:
                yield from (_Part([node], found[node], here + (depth > 0 and len(nodes) > 1)) for node in nodes)
            elif 10 - cut.weight >= self.pdoc or depth == _DEPTH:
                yield _Part(nodes, max(1, 10 - cut.weight), here)
                yield from (_Part([node], found[node], here + 1, whole=False) for node in nodes)
            else:
                if depth:
                    yield _Part(nodes, max(1, 10 - cut.weight), here, whole=False)
                waiting += [(part, depth + 1) for part in cut.heaviest()]


@dataclass(frozen=True, slots=True)
class _Part:
    """Nodes of the page that belong together, their degree of coherence, and whether they are left whole."""

    nodes: list[int]
    coherence: int
    level: int
    whole: bool = True


def _nested(layout: Layout, parts: Iterable[_Part]) -> Iterator[Segment]:
    """The parts as nested segments, each with its degree of coherence as its kind.

    A part that is the same range as one around it is left out: both are one node of the tree.
    """
    levels: dict[int, list[tuple[int, int, int]]] = {}
    known: set[tuple[int, int]] = set()
    for part in sorted(parts, key=lambda part: part.level):
        for start, stop, *_ in layout.segments([part.nodes]):
            if (start, stop) not in known:
                known.add((start, stop))
                levels.setdefault(part.level, []).append((start, stop, part.coherence))
    found: list[Segment] = []
    for level, spans in sorted(levels.items()):
        end = 0
        for start, stop, coherence in sorted(spans):
            if start >= end or start == stop:
                found.append(Segment(start, stop, level, f"coherence {coherence}"))
                end = max(end, stop)
    # Levels without gaps: a level whose parts are all known from above is none.
    number = {level: place for place, level in enumerate(sorted({item.level for item in found}), start=1)}
    yield from (item._replace(level=number[item.level]) for item in found)


def visual_blocks(layout: Layout, root: int, threshold: float) -> dict[int, int]:
    """The visual blocks below a node in document order, each with its degree of coherence."""
    found: dict[int, int] = {}
    # Children that rule 7 keeps whole.
    whole: set[int] = set()
    # Nodes to visit with their parents; `kept` has, for each parent, whether its last visited child was kept.
    waiting = [(root, root)]
    kept: dict[int, bool] = {}
    while waiting:
        node, parent = waiting.pop()
        if node in whole:
            found[node] = _OTHER_BACKGROUND
            continue
        coherence = _coherence(layout, node, threshold, node == root, kept.get(parent, False), whole)
        kept[parent] = coherence > 0
        if coherence > 0:
            found[node] = coherence
        elif coherence == _DIVIDE:
            waiting += [(child, node) for child in reversed(layout.children[node])]
    return found


_DROP, _DIVIDE = 0, -1


def _coherence(layout: Layout, node: int, threshold: float, is_root: bool, kept: bool, whole: set[int]) -> int:
    """The degree of coherence of a kept node, or `_DROP` or `_DIVIDE`."""
    children = layout.children[node]
    if not children:
        picture = layout.tag[node] in _PICTURES and layout.area(node) >= _PICTURE
        return _ONE_FONT if picture or node >= layout.elements else _DROP
    if is_root or (len(children) == 1 and children[0] < layout.elements):
        return _DIVIDE
    kind = _KINDS.get(layout.tag[node], "inline" if layout.inline[node] else "other")
    rules = RULES[kind]
    if 4 in rules and all(layout.texts_only[child] for child in children):
        return _ONE_FONT if layout.one_font[node] else _FONTS
    if 5 in rules and not all(layout.inline[child] for child in children):
        return _DIVIDE
    if 6 in rules and any(layout.tag[child] == _HR for child in children):
        return _DIVIDE
    if 7 in rules:
        others = [child for child in children if layout.background[child] != layout.background[node]]
        if others:
            whole.update(others)
            return _DIVIDE
    if 8 in rules and layout.area(node) < threshold and any(layout.texts_only[child] for child in children):
        return _SMALL_TEXT[kind]
    if 9 in rules and max(layout.area(child) for child in children) < threshold:
        return _SMALL_CHILDREN[kind]
    if 11 in rules and not (10 in rules and kept):
        return _DIVIDE
    return _KEPT if layout.area(node) < threshold else _LARGE
