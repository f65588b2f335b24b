"""The influence of features on the score of a paragraph.

At each node of a tree a paragraph goes left or right, and its expected value changes from the mean of both sides to
that of one of them. This difference is credited to the feature of the node (Saabas 2014, "path contributions"). The
sums over both passes (those of the first one damped as in the score), less their means over the paragraphs of the page,
show how a paragraph differs from the others.

There are hundreds of features, many of them nearly the same, so that each alone has little influence. They are added up
by subject (its own text, the elements around it, ...), and for each subject the strongest feature is named. Influences
are log-odds. They are computed on demand.

Deviation: the trees do not store how many training paragraphs went left and right, so both sides of a node count the
same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from webstrata._scan.tags import TAGS
from webstrata.extraction.learned.model import ExtractorModel, columns
from webstrata.extraction.learned.page_features import PageFeatures
from webstrata.extraction.learned.scorer import DAMPING

__all__ = ["Influence", "in_numbers", "influences", "path_sums"]

# Paragraphs at a time, so that their places in all trees take some megabytes.
_ROWS = 128
# Paragraphs whose matrix is held at a time: with what each column contributes, 7 MB.
_PART = 2048

Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]


class Influence(NamedTuple):
    """A subject, its influence on the log-odds of content, and its strongest feature with the value of that."""

    subject: str
    moved: float
    feature: str
    value: float


class _Walk(NamedTuple):
    """The nodes of all trees in one list. A leaf has the feature -1.

    For both sides of a node, left and right, there are its child and the value of that less its own.
    """

    feature: Integers
    threshold: Singles
    children: Integers
    gains: Floats
    roots: Integers


def influences(model: ExtractorModel, page: PageFeatures, *, most: int = 3) -> Iterator[tuple[Influence, ...]]:
    """The strongest influences on each paragraph, the strongest first.

    The rows of a long page are computed twice, for the means and for the influences, because they would take hundreds
    of times the memory of the page.
    """
    walks = [_walk_of(model.arrays, name) for name in ("start", "first", "second")]
    chances, *_ = model.scorer.passes(page)

    def parts() -> Iterator[tuple[Singles, Singles]]:
        for matrix in model.scorer.matrix_rows(page, chances, _PART):
            yield matrix, _moved(walks, matrix)

    short = list(parts()) if len(page) <= _PART else None
    total = sum((moved.sum(axis=0, dtype=np.float64) for _, moved in short or parts()), np.zeros(len(columns().names)))
    mean = (total / len(page)).astype(np.float32) if len(page) > 1 else 0
    for matrix, moved in short or parts():
        moved -= mean
        yield from _strongest(matrix, moved, most)


def _moved(walks: list[_Walk], matrix: Singles) -> Singles:
    """What each column contributes to the scores of some paragraphs."""
    # Half the memory of float64.
    moved = np.empty_like(matrix)
    for start in range(0, len(matrix), _ROWS):
        begun, first_pass, second_pass = (_sums(walk, matrix[start : start + _ROWS]) for walk in walks)
        moved[start : start + _ROWS] = DAMPING * (begun + first_pass) + second_pass
    return moved


def _strongest(matrix: Singles, moved: Singles, most: int) -> Iterator[tuple[Influence, ...]]:
    names, subjects = columns().names, {name: own for name, own in _subjects().items() if name != _PAGE}
    sums = np.stack([moved[:, columns_].sum(axis=1, dtype=np.float64) for columns_ in subjects.values()], axis=1)
    strongest = np.argsort(-np.abs(sums), axis=1, kind="stable")[:, :most]
    members_of = list(subjects.items())
    for row, chosen in enumerate(strongest.tolist()):
        own = []
        for number in chosen:
            subject, members = members_of[number]
            total = float(sums[row, number])
            k = members[int(np.argmax(moved[row, members] * np.sign(total)))]
            own.append(Influence(subject, total, names[k], float(matrix[row, k])))
        yield tuple(own)


# These features are the same for all paragraphs of a page, so they do not explain one of them.
_PAGE = "the kind of page"
# The subject of a feature is the first whose pattern matches its name.
_SUBJECTS = (
    ("how it compares with the rest of the page", r"score|over threshold|words above|page (?:score|content|best)"),
    (_PAGE, r"page .*|like .*|address .*|title words"),
    ("the names of classes and ids around it", r".*\bnames\b.*"),
    ("the tags around it", r".* of tags above|tag of .*|owner tag|element tag|depth|levels"),
    ("what looks the same", r".* of (?:tag )?path|.*record.*|.*\bcop(?:y|ies)\b.*"),
    ("the region it is in", r".* of (?:ancestor|top) \d|.* of section|.* of landmark|.* holds the heaviest too"),
    (
        "the paragraphs before and after it",
        r".* of (?:previous|next)|.* around|text (?:before|after)|(?:last|next) long words|long words within .*"
        r"|(?:words )?(?:since|until) (?:long|content)|score (?:\d )?(?:before|after)|common depth .*",
    ),
    (
        "its place on the page",
        r"(?:paragraphs?|words|long|long words) (?:before|after|share).*|.*\bheading\b.*|since (?:h1|title)"
        r"|share of content .*|score of outer .*",
    ),
    ("its own text", r".*"),
)


@cache
def _subjects() -> dict[str, list[int]]:
    """The columns of each subject."""
    found: dict[str, list[int]] = {}
    for number, name in enumerate(columns().names):
        subject = next(subject for subject, pattern in _SUBJECTS if re.fullmatch(pattern, name))
        found.setdefault(subject, []).append(number)
    return found


def path_sums(arrays: Any, name: str, matrix: npt.NDArray[np.float32]) -> Floats:
    """What each column of a matrix contributes to the sum of some trees of a model, row by row.

    The contributions of a row and the means of the trees at their roots add up to the sum of the trees.
    """
    return _sums(_walk_of(arrays, name), matrix)


def _walk_of(arrays: Any, name: str) -> _Walk:
    return _walk(*(arrays[f"{name}_{part}"] for part in ("feature", "threshold", "tree", "leaves", "value")))


def _sums(walk: _Walk, matrix: Singles) -> Floats:
    width = matrix.shape[1]
    found = np.zeros(matrix.shape)
    for start in range(0, len(matrix), _ROWS):
        rows = matrix[start : start + _ROWS]
        # A row in a tree is at a node; it is left out once that is a leaf.
        at = np.tile(walk.roots, len(rows))
        row_start = np.repeat(np.arange(len(rows)) * width, len(walk.roots))
        while True:
            is_inner = walk.feature.take(at) >= 0
            at, row_start = at[is_inner], row_start[is_inner]
            if not len(at):
                break
            place = row_start + walk.feature.take(at)
            side = 2 * at + (rows.take(place) > walk.threshold.take(at))
            gain = walk.gains.take(side)
            found[start : start + _ROWS] += np.bincount(place, gain, rows.size).reshape(rows.shape)
            at = walk.children.take(side)
    return found


def _walk(feature: Any, threshold: Any, tree: Any, leaves: Any, value: Any) -> _Walk:
    """Trees as nodes, from the sets of leaves in which `webstrata.models.trees` stores them.

    A node is stored as the set of leaves that a row can reach when it goes right: all but those of its left side, whose
    numbers are consecutive. Of the nodes whose left side begins with the same leaf, the longest is the topmost.
    """
    nodes: list[list[float]] = []

    def add(*node: float) -> int:
        nodes.append(list(node))
        return len(nodes) - 1

    def build(sides: dict[int, list[tuple[int, int]]], own: Any, first: int, stop: int) -> int:
        """The node over some leaves; its cut is where its left side ends."""
        cuts = sides.get(first, [])
        while cuts and cuts[-1][0] >= stop:
            cuts.pop()
        if not cuts:
            return add(-1, 0.0, len(nodes), len(nodes), float(own[first]))
        middle, k = cuts.pop()
        here = add(float(feature[k]), float(threshold[k]), 0, 0, 0.0)
        left, right = build(sides, own, first, middle), build(sides, own, middle, stop)
        nodes[here][2:] = [left, right, (nodes[left][4] + nodes[right][4]) / 2]
        return here

    roots = []
    by_tree: dict[int, dict[int, list[tuple[int, int]]]] = {}
    for k, (number, reach) in enumerate(zip(tree.tolist(), leaves.tolist(), strict=True)):
        left = ~reach & 0xFFFFFFFF
        first = (left & -left).bit_length() - 1
        by_tree.setdefault(number, {}).setdefault(first, []).append((left.bit_length(), k))
    for number in range(len(value)):
        sides = by_tree.get(number, {})
        for cuts in sides.values():
            cuts.sort()
        roots.append(build(sides, value[number], 0, value.shape[1] + 1))
    table = np.array(nodes, np.float64).reshape(-1, 5)
    feature, children = table[:, 0].astype(np.int64), table[:, 2:4].astype(np.int64)
    gains = table[children, 4] - table[:, 4:]
    return _Walk(feature, table[:, 1].astype(np.float32), children, gains, np.array(roots, np.int64))


# Parts of the names of features, and how they are written for people.
_PLACES = (
    (re.compile(r"^marks of "), "stops and commas for each word of "),
    (re.compile(r"^score\b"), "likelihood"),
    (re.compile(r" of previous$"), " of the paragraph before"),
    (re.compile(r" of next$"), " of the paragraph after"),
    (re.compile(r" of (\d+) around$"), r" of the \1 paragraphs on both sides"),
    (re.compile(r" of ancestor 1$"), " of the element around it"),
    (re.compile(r" of ancestor (\d)$"), r" of the element \1 levels around it"),
    (re.compile(r" of top (\d)$"), r" of its part of the page, \1 below the top"),
    (re.compile(r" of section$"), " of its section"),
    (re.compile(r" of landmark$"), " of its main, article, nav or the like"),
    (re.compile(r" of tag path$"), " of what stands in the same tags"),
    (re.compile(r" of path$"), " of what looks the same"),
    (re.compile(r" of outer record$"), " of the outermost repeated item around it"),
    (re.compile(r" of siblings of record$"), " of the items beside it"),
    (re.compile(r" of record$"), " of the repeated item around it"),
    (re.compile(r" of what holds the heaviest too$"), " of what it shares with the main text"),
    (re.compile(r"^(\w+) of tags above$"), r"inside of \1"),
    (re.compile(r"^names above$"), "names of the classes and ids around it"),
    (re.compile(r"^(nearest|worst|best) names$"), r"\1 of the names around it"),
    (re.compile(r"^like (\w+)$"), r"how much the page looks like a page of the kind \1"),
    (re.compile(r"^since "), "paragraphs since "),
    (re.compile(r"^until "), "paragraphs until "),
)
_PERCENT = re.compile(r"^(?:page )?(?:\w+ )?(?:link density|short share|long share|share|item share|p share)\b|share\b")


def in_numbers(influence: Influence) -> str:
    """An influence with its log-odds and the value of its strongest feature.

    >>> in_numbers(Influence("the paragraphs before and after it", -1.234, "link density of 10 around", 0.854))
    'the paragraphs before and after it (-1.2), such as link density of the 10 paragraphs on both sides 85 %'
    >>> in_numbers(Influence("the tags around it", -0.5, "nav of tags above", 1.0))
    'the tags around it (-0.5), such as inside of nav'
    """
    such = " ".join(_parts(influence.feature, influence.value))
    return f"{influence.subject} ({influence.moved:+.1f}), such as {such}"


def _parts(name: str, value: float) -> Iterator[str]:
    words = name
    for pattern, replacement in _PLACES:
        words = pattern.sub(replacement, words)
    if name.endswith("tags above"):
        yield words if value else f"not {words}"
        return
    yield words
    if "tag" in name.split() and "path" not in name:
        yield TAGS[int(value)] if 0 < value < len(TAGS) else "none"
    elif value == -1:
        yield "none"
    elif _PERCENT.search(name):
        yield f"{100 * value:.0f} %"
    else:
        yield f"{value:.2f}".rstrip("0").rstrip(".")
