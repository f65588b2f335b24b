"""Precision, recall and F of blocks that are compared by their text, exactly or fuzzily."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from webstrata.errors import InputError
from webstrata.evaluation.metrics.score import Score

__all__ = ["Mode", "Pairing", "exact_matching", "fuzzy_matching"]

Mode: TypeAlias = Literal["strict", "thesis"]
Pairing: TypeAlias = Literal["maximum", "greedy"]

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
    pairing: Pairing = "maximum",
) -> Score:
    """Score of blocks whose text, without its white space, nearly equals that of a block of the ground truth.

    Two texts match if they are equal, or if ``SequenceMatcher(None, predicted, truth, autojunk).ratio()`` is above the
    threshold. The ratio is not symmetric: the block of the ground truth is always the second sequence. Matches are
    one to one, so that there is one number of hits and neither ratio can exceed 1.

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

    pairing
        ``"maximum"`` pairs as many blocks as can be paired, which does not depend on their order. ``"greedy"`` gives
        each predicted block, in the order of the texts, the first block of the truth that matches and is left, as a
        program does that compares in two loops.

    Notes
    -----
    The results equal those of comparing all pairs. Blocks with equal texts are paired first, and compared with others
    only where that could free a block for one that has no partner. Only pairs whose lengths allow the ratio are
    compared, and then only those whose characters, as multisets, have enough in common (``real_quick_ratio`` and
    ``quick_ratio`` of difflib).

    Deviations
    ----------
    The thesis does not say whether one block may match several; here it may not.

    Examples
    --------
    >>> fuzzy_matching(["Read the whole story", "Sport"], ["Read the whole story!", "Weather"])
    Score(precision=0.5, recall=0.5, f=0.5, hits=1, retrieved=2, relevant=2)
    >>> fuzzy_matching(["abcdefgh"], ["abcdefgh1", "abcdefgh2"]).hits
    1
    >>> truth, predicted = ["abcdefghij", "cdefghij"], ["abcdefghij", "abcdefghijkl"]
    >>> fuzzy_matching(truth, predicted).hits, fuzzy_matching(truth, predicted, pairing="greedy").hits
    (2, 1)

    References
    ----------
    R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht 2013,
    section 5.2. J. W. Ratcliff and D. Metzener, Pattern matching: the gestalt approach, Dr. Dobb's Journal, July 1988.
    """
    if not 0 <= threshold <= 1:
        raise InputError(f"threshold must lie between 0 and 1, not {threshold}")
    relevant, retrieved = _comparable(truth, mode), _comparable(predicted, mode)
    close = _CloseTexts(list(retrieved), threshold, autojunk)
    if pairing == "maximum":
        hits = _maximum_matching(relevant, retrieved, close)
    elif pairing == "greedy":
        hits = _greedy_matching(relevant, retrieved, close)
    else:
        raise InputError(f"pairing must be 'maximum' or 'greedy', not {pairing!r}")
    return Score.from_counts(hits, retrieved=retrieved.total(), relevant=relevant.total())


def _comparable(texts: Iterable[str], mode: Mode) -> Counter[str]:
    """The texts as they are compared, with how often each counts."""
    if mode == "strict":
        return Counter(bare for text in texts if (bare := "".join(text.split())))
    if mode == "thesis":
        return Counter(dict.fromkeys((_ASCII_SPACE.sub("", text) for text in texts), 1))
    raise InputError(f"mode must be 'strict' or 'thesis', not {mode!r}")


class _CloseTexts:
    """For a text of the truth, the predicted texts whose ratio with it is above the threshold; computed once each."""

    def __init__(self, predicted: Sequence[str], threshold: float, autojunk: bool) -> None:
        self._threshold = threshold
        self._texts = frozenset(predicted)
        self._by_length = sorted(predicted, key=len)
        self._lengths = [len(text) for text in self._by_length]
        self._characters: dict[str, Counter[str]] = {}
        self._matcher = SequenceMatcher(None, "", "", autojunk)
        self._known: dict[str, list[str]] = {}

    def __getitem__(self, wanted: str) -> list[str]:
        found = self._known.get(wanted)
        if found is None:
            found = self._known[wanted] = list(self._compared(wanted))
        return found

    def _compared(self, wanted: str) -> Iterator[str]:
        if wanted in self._texts:
            yield wanted
        characters = Counter(wanted)
        for found in self._by_length[_length_window(self._lengths, len(wanted), self._threshold)]:
            if found == wanted:
                continue
            if found not in self._characters:
                self._characters[found] = Counter(found)
            shared = (characters & self._characters[found]).total()
            if _ratio(shared, len(wanted) + len(found)) <= self._threshold:
                continue
            # SequenceMatcher keeps the index of its second sequence while that is the same.
            self._matcher.set_seq2(wanted)
            self._matcher.set_seq1(found)
            if self._matcher.ratio() > self._threshold:
                yield found


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


def _greedy_matching(relevant: Mapping[str, int], retrieved: Mapping[str, int], close: _CloseTexts) -> int:
    """The number of pairs if each predicted text takes the first text of the truth that is left."""
    wanted_of: dict[str, list[str]] = {}
    for wanted in relevant:
        for found in close[wanted]:
            wanted_of.setdefault(found, []).append(wanted)
    left, pairs = dict(relevant), 0
    for found, copies in retrieved.items():
        for wanted in wanted_of.get(found, ()):
            taken = min(copies, left[wanted])
            left[wanted] -= taken
            copies -= taken
            pairs += taken
    return pairs


def _maximum_matching(relevant: Counter[str], retrieved: Counter[str], close: _CloseTexts) -> int:
    """Largest number of one-to-one pairs of close texts, where a text may occur several times.

    It begins with the pairs of equal texts, and grows by augmenting paths, found breadth first: a path leads from a
    text of the truth that has copies left, over texts whose pairing can be exchanged, to a predicted text that has
    copies left. Equal texts move along it together.
    """
    exact = relevant & retrieved
    left = {found: copies - exact[found] for found, copies in retrieved.items()}
    paired = {found: Counter({found: exact[found]}) for found in retrieved}
    pairs = exact.total()
    for source, copies in (relevant - exact).items():
        while copies and (path := _augmenting_path(source, close, paired, left)):
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
    source: str, close: _CloseTexts, paired: Mapping[str, Counter[str]], left: Mapping[str, int]
) -> list[str]:
    """Texts of truth and prediction by turns, from ``source`` to a predicted text with copies left; else empty."""
    came_from: dict[str, str] = {}  # predicted text: text of the truth it was reached from
    gave_up: dict[str, str] = {}  # text of the truth: predicted text it would give up
    queue = deque([source])
    while queue:
        wanted = queue.popleft()
        for found in close[wanted]:
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
