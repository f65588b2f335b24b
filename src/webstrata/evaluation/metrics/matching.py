"""Precision, recall and F of blocks that are compared by their text, exactly or fuzzily."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from webstrata.errors import InputError
from webstrata.evaluation.metrics.score import Score

__all__ = ["Mode", "exact_matching", "fuzzy_matching"]

Mode: TypeAlias = Literal["strict", "thesis"]

_ASCII_SPACE = re.compile(r"[ \t\n\r\f\v]+")


def exact_matching(truth: Iterable[str], predicted: Iterable[str], *, mode: Mode = "strict") -> Score:
    """Score of blocks whose text, without its white space, equals that of a block of the ground truth.

    Parameters
    ----------
    truth, predicted
        The texts of the blocks, in any order.
    mode
        ``"strict"`` counts every block that has text (two equal texts are two blocks), drops those that have none, and
        removes all Unicode white space. ``"thesis"`` compares sets, as the thesis does: equal texts count
        once, all blocks without text are together one member, and only ASCII white space is removed, so that a block
        that holds a no-break space has text.

    Examples
    --------
    >>> exact_matching(["a b", "c", "c", "d", ""], ["ab", "c", "e", "f"])
    Score(precision=0.5, recall=0.5, f=0.5, hits=2, retrieved=4, relevant=4)
    >>> exact_matching(["a b", "c", "c", "d", "", " "], ["ab", "c", "e", "f"], mode="thesis")
    Score(precision=0.5, recall=0.5, f=0.5, hits=2, retrieved=4, relevant=4)
    >>> exact_matching(["c", "c"], ["c"]).recall, exact_matching(["c", "c"], ["c"], mode="thesis").recall
    (0.5, 1.0)

    References
    ----------
    R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013,
    sections 5.2 and 5.3.
    """
    relevant, retrieved = _comparable(truth, mode), _comparable(predicted, mode)
    hits = (relevant & retrieved).total()
    return Score.from_counts(hits, retrieved=retrieved.total(), relevant=relevant.total())


def fuzzy_matching(
    truth: Iterable[str],
    predicted: Iterable[str],
    *,
    mode: Mode = "strict",
    threshold: float = 0.8,
    autojunk: bool = True,
) -> Score:
    """Score of blocks whose text, without its white space, nearly equals that of a block of the ground truth.

    Two texts match if they are equal, or if ``SequenceMatcher(None, predicted, truth, autojunk).ratio()`` is above the
    threshold. The ratio is not symmetric: the block of the ground truth is always the second sequence. Matches are
    one to one, so that there is one number of hits and neither ratio can exceed 1: blocks with equal texts are paired
    first, and of the others as many as can be (a maximum matching, which does not depend on their order).

    Parameters
    ----------
    truth, predicted, mode
        As in :func:`exact_matching`.
    threshold
        A pair must be strictly above it, 0.8 in the thesis; between 0 and 1.
    autojunk
        The heuristic of difflib, on by default there and so in the thesis: in a text of 200 characters or more it
        ignores, as the start of a match, each character that makes up over 1% of it. It is fast, and lowers the
        ratio of long texts. Without it the time is quadratic in the length of the texts.

    Notes
    -----
    The results equal those of comparing all pairs. Blocks that are paired exactly are not compared again; of the
    others, only pairs whose lengths allow the ratio, and then only those whose characters, as multisets, have enough in
    common (``real_quick_ratio`` and ``quick_ratio`` of difflib).

    Deviations
    ----------
    The thesis does not say whether one block may match several; here it may not.

    Examples
    --------
    >>> fuzzy_matching(["Read the whole story", "Sport"], ["Read the whole story!", "Weather"])
    Score(precision=0.5, recall=0.5, f=0.5, hits=1, retrieved=2, relevant=2)
    >>> fuzzy_matching(["abcdefgh"], ["abcdefgh1", "abcdefgh2"]).hits
    1

    References
    ----------
    R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013,
    section 5.2. J. W. Ratcliff and D. Metzener, Pattern matching: the gestalt approach, Dr. Dobb's Journal, July 1988.
    """
    if not 0 <= threshold <= 1:
        raise InputError(f"threshold must lie between 0 and 1, not {threshold}")
    relevant, retrieved = _comparable(truth, mode), _comparable(predicted, mode)
    exact = relevant & retrieved
    missed, spare = relevant - exact, retrieved - exact
    edges = _close_pairs(list(missed), list(spare), threshold, autojunk)
    hits = exact.total() + _maximum_matching(missed, spare, edges)
    return Score.from_counts(hits, retrieved=retrieved.total(), relevant=relevant.total())


def _comparable(texts: Iterable[str], mode: Mode) -> Counter[str]:
    """The texts as they are compared, with how often each counts."""
    if mode == "strict":
        return Counter(bare for text in texts if (bare := "".join(text.split())))
    if mode == "thesis":
        return Counter({_ASCII_SPACE.sub("", text) for text in texts})
    raise InputError(f"mode must be 'strict' or 'thesis', not {mode!r}")


def _close_pairs(
    truth: Sequence[str], predicted: Sequence[str], threshold: float, autojunk: bool
) -> dict[str, list[str]]:
    """For each text of the truth, the predicted texts whose ratio with it is above the threshold."""
    by_length = sorted(predicted, key=len)
    lengths = [len(text) for text in by_length]
    characters = {text: Counter(text) for text in by_length}
    matcher = SequenceMatcher(None, "", "", autojunk)
    edges: dict[str, list[str]] = {}
    for wanted in truth:
        window = by_length[_length_window(lengths, len(wanted), threshold)]
        wanted_characters = Counter(wanted) if window else Counter()
        edges[wanted] = []
        for found in window:
            shared = (wanted_characters & characters[found]).total()
            if _ratio(shared, len(wanted) + len(found)) <= threshold:
                continue
            # SequenceMatcher keeps the index of its second sequence while that is the same.
            matcher.set_seq2(wanted)
            matcher.set_seq1(found)
            if matcher.ratio() > threshold:
                edges[wanted].append(found)
    return edges


def _ratio(matches: int, length: int) -> float:
    """The ratio as difflib rounds it; it grows with ``matches``, so that too many matches bound it from above."""
    return 2.0 * matches / length if length else 1.0


def _length_window(lengths: Sequence[int], length: int, threshold: float) -> slice:
    """The part of the ascending ``lengths`` where a ratio above the threshold with a text of ``length`` is possible.

    The bound, twice the shorter length over the sum of both, rises up to equal length and falls after it.
    """

    def hopeless(other: int) -> bool:
        return _ratio(min(other, length), other + length) <= threshold

    middle = bisect_left(lengths, length)
    start = bisect_left(lengths, True, hi=middle, key=lambda other: not hopeless(other))
    stop = bisect_left(lengths, True, lo=middle, key=hopeless)
    return slice(start, stop)


def _maximum_matching(missed: Mapping[str, int], spare: Mapping[str, int], edges: Mapping[str, Sequence[str]]) -> int:
    """Largest number of one-to-one pairs along the edges, where a text may occur several times.

    Augmenting paths, found breadth first: a path leads from a text of the truth that has copies left, over texts whose
    pairing can be exchanged, to a predicted text that has copies left. Equal texts move along it together.
    """
    left = dict(spare)
    paired: dict[str, Counter[str]] = {found: Counter() for found in spare}
    pairs = 0
    for source, copies in missed.items():
        while copies and (path := _augmenting_path(source, edges, paired, left)):
            wanted, found = path[0::2], path[1::2]
            exchanges = list(zip(found[:-1], wanted[1:], strict=True))
            amount = min(copies, left[found[-1]], *(paired[f][w] for f, w in exchanges))
            for f, w in exchanges:
                paired[f][w] -= amount
            for w, f in zip(wanted, found, strict=True):
                paired[f][w] += amount
            left[found[-1]] -= amount
            copies -= amount
            pairs += amount
    return pairs


def _augmenting_path(
    source: str, edges: Mapping[str, Sequence[str]], paired: Mapping[str, Counter[str]], left: Mapping[str, int]
) -> list[str]:
    """Texts of truth and prediction by turns, from ``source`` to a predicted text with copies left; else empty."""
    came_from: dict[str, str] = {}  # predicted text: text of the truth it was reached from
    gave_up: dict[str, str] = {}  # text of the truth: predicted text it would give up
    queue = deque([source])
    while queue:
        wanted = queue.popleft()
        for found in edges[wanted]:
            if found in came_from:
                continue
            came_from[found] = wanted
            if left[found]:
                path = [found, wanted]
                while wanted != source:
                    path += [gave_up[wanted], came_from[gave_up[wanted]]]
                    wanted = path[-1]
                return path[::-1]
            for other, amount in paired[found].items():
                if amount and other != source and other not in gave_up:
                    gave_up[other] = found
                    queue.append(other)
    return []
