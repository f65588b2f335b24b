"""Block Fusion against Algorithm 1 as it is printed, and against examples worked by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.errors import InputError
from webstrata.segmentation import segment
from webstrata.segmentation._fusion import fuse
from webstrata.segmentation.fusion import BFPlain, BFRuleBased, BFSmoothed, Iteration
from webstrata.segmentation.rules import FORCE_GAP, NO_GAP

OPEN, FORCED, JOINED = 0, 1, 2


@dataclass(frozen=True)
class Atom:
    """A block of Algorithm 1: the words of each of its lines, and what the gap before it says."""

    lines: tuple[int, ...]
    gap: int = OPEN

    @property
    def density(self) -> float:
        if len(self.lines) > 1:
            return sum(self.lines[:-1]) / (len(self.lines) - 1)
        return float(sum(self.lines))


def literal(
    atoms: Sequence[Atom], theta: float, smoothing: int, passes: int = -1
) -> tuple[list[int], list[tuple[int, int]]]:
    """Algorithm 1 line by line: how many atoms each block has in the end, and (blocks, fusions) a pass."""

    def delta(x: Atom, y: Atom) -> bool:
        if y.gap != OPEN:
            return y.gap == JOINED
        high = max(x.density, y.density)
        return (abs(x.density - y.density) / high if high else 0.0) <= theta

    def dominated(b: list[Atom], i: int) -> bool:
        if smoothing == 0 or i + 1 >= len(b) or FORCED in (b[i].gap, b[i + 1].gap):
            return False
        left, right = b[i - 1].density, b[i + 1].density
        equal = left == right if smoothing == 1 else left <= 5 and right <= 5
        return equal and b[i].density < left

    def union(*blocks: Atom) -> Atom:
        return Atom(tuple(line for block in blocks for line in block.lines), blocks[0].gap)

    b, sizes = list(atoms), [1] * len(atoms)
    log: list[tuple[int, int]] = []
    loop = True
    while loop and len(log) != passes:
        loop = False
        before = len(b)
        i = 1
        while i < len(b):
            if dominated(b, i):
                b[i - 1 : i + 2] = [union(*b[i - 1 : i + 2])]
                sizes[i - 1 : i + 2] = [sum(sizes[i - 1 : i + 2])]
                loop = True
            elif delta(b[i - 1], b[i]):
                b[i - 1 : i + 1] = [union(*b[i - 1 : i + 1])]
                sizes[i - 1 : i + 1] = [sum(sizes[i - 1 : i + 1])]
                loop = True
            else:
                i += 1
        log.append((before, before - len(b)))
    return sizes, log


def native(
    atoms: Sequence[Atom], theta: float, smoothing: int, passes: int = -1
) -> tuple[list[int], list[tuple[int, int]]]:
    words = np.array([sum(atom.lines) for atom in atoms], np.int32)
    lines = np.array([len(atom.lines) for atom in atoms], np.int32)
    wrapped = np.array([sum(atom.lines[:-1]) for atom in atoms], np.int32)
    # Bit 0 enforces a gap, bit 1 avoids one, bit 2 does neither.
    gap = np.zeros((len(atoms), 3), np.uint64)
    gap[:, 0] = [{OPEN: 4, FORCED: 1, JOINED: 2}[atom.gap] for atom in atoms]
    flags = np.zeros(len(atoms), np.uint8)
    masks = ((1, 0, 0), (2, 0, 0))
    no_cuts = np.zeros(0, np.uint8)
    firsts, lasts, log = fuse(words, lines, wrapped, flags, gap, masks, no_cuts, theta, smoothing, 5.0, passes)
    return [last - first + 1 for first, last in zip(firsts, lasts, strict=True)], log


ATOMS = st.builds(
    Atom,
    st.lists(st.integers(0, 14), min_size=1, max_size=4).map(tuple),
    st.sampled_from([OPEN, OPEN, OPEN, OPEN, FORCED, JOINED]),
)


@settings(max_examples=1500)
@given(st.lists(ATOMS, max_size=60), st.sampled_from([0, 0.2, 0.38, 0.6, 1, math.inf]), st.integers(0, 2))
@pytest.mark.slow
def test_equals_the_printed_algorithm_pass_for_pass(atoms: list[Atom], theta: float, smoothing: int) -> None:
    assert native(atoms, theta, smoothing) == literal(atoms, theta, smoothing)


@settings(max_examples=200)
@given(st.lists(ATOMS, max_size=30), st.integers(0, 3), st.integers(0, 2))
def test_equals_the_printed_algorithm_after_some_passes(atoms: list[Atom], passes: int, smoothing: int) -> None:
    assert native(atoms, 0.38, smoothing, passes) == literal(atoms, 0.38, smoothing, passes)


def one_fusion_a_pass(n: int) -> list[Atom]:
    """Neighbours of 7 and 13 words never meet, but each meets the heavy block of density 10 that comes from the right.

    The high blocks are 13 and 14 by turns, so that smoothing finds no equal neighbours.
    """
    return [Atom(((7, 13, 7, 14)[i % 4],)) for i in range(n)] + [Atom((10,) * 50 * n)]


@pytest.mark.parametrize("smoothing", [0, 1])
def test_one_fusion_a_pass(smoothing: int) -> None:
    atoms = one_fusion_a_pass(60)
    sizes, log = native(atoms, 0.38, smoothing)
    assert (sizes, log) == literal(atoms, 0.38, smoothing)
    assert sizes == [61]
    assert [fusions for _, fusions in log] == [1] * 60 + [0]


def test_smoothing_by_hand() -> None:
    """Kohlschütter & Nejdl 2008 §4 names 1/2/1 and 1/5/1: the low blocks between equal high ones are taken in."""
    one, two, five = Atom((1,)), Atom((2,)), Atom((5,))
    assert native([one, two, one], 0.38, 0)[0] == [1, 1, 1]
    assert native([one, two, one], 0.38, 1)[0] == [1, 1, 1]  # the enclosing ones are the lower
    assert native([two, one, two], 0.38, 0)[0] == [1, 1, 1]
    assert native([two, one, two], 0.38, 1)[0] == [3]
    assert native([five, one, five], 0.38, 1)[0] == [3]
    # 1/5/1/5/1: the inner 5/1/5 becomes one block of density 3, which is far from 1.
    assert native([one, five, one, five, one], 0.38, 1)[0] == [1, 3, 1]
    # 1/2/1/2/1: 2/1/2 has density 3/2, which the last 1 joins (1/3); then 5/3 is too far from the first 1 (2/5).
    assert native([one, two, one, two, one], 0.38, 1)[0] == [1, 4]
    assert native([one, two, one, two, one], 0.4, 1)[0] == [5]


def test_improved_smoothing_by_hand() -> None:
    atoms = [Atom((5,)), Atom((1,)), Atom((4,))]
    assert native(atoms, 0.1, 1)[0] == [1, 1, 1]
    assert native(atoms, 0.1, 2)[0] == [3]
    assert native([Atom((6,)), Atom((1,)), Atom((6,))], 0.1, 2)[0] == [1, 1, 1]


def test_densities_of_fused_blocks_leave_out_the_last_line() -> None:
    # 10 | 10 gives lines 10, 10: density 10. With 3 behind it, lines 10, 10, 3: still 10, so 6.5 is at 0.35.
    assert native([Atom((10,)), Atom((10,)), Atom((3,)), Atom((9,))], 0.38, 0)[0] == [2, 1, 1]
    assert native([Atom((10, 3)), Atom((10,)), Atom((9,))], 0.38, 0)[0] == [3]


def test_threshold_zero_fuses_equal_densities_only() -> None:
    atoms = [Atom((2,)), Atom((2,)), Atom((3,)), Atom((0,)), Atom((0,))]
    assert native(atoms, 0, 0)[0] == [2, 1, 2]


@pytest.mark.parametrize("name", ["bf-plain", "bf-smoothed"])
def test_infinite_threshold_fuses_all(name: str) -> None:
    page = webstrata.parse("<h1>a</h1><p>b c d e f</p><hr><p>—</p>")
    assert segment(page, name, theta=math.inf).texts() == [page.text]


def test_log() -> None:
    page = webstrata.parse("<i>one</i><i>two</i><i>and now three four five</i>")
    found, log = BFPlain().run(page)
    assert log == (Iteration(3, 1), Iteration(2, 0))
    assert BFPlain().run(page, iterations=0)[0].texts() == ["one", "two", "and now three four five"]
    assert found == BFPlain()(page)


@pytest.mark.parametrize("tag", sorted(FORCE_GAP))
def test_gap_enforcing_tags(tag: str) -> None:
    page = webstrata.parse(f"<div>a b</div><{tag}></{tag}><div>c d</div>")
    assert len(segment(page, "bf-rulebased")) == len(segment(page, "justrules")) == 2
    assert len(segment(page, "bf-plain")) == 1


@pytest.mark.parametrize("tag", sorted(NO_GAP - {"a", "br"}))
def test_gap_avoiding_tags(tag: str) -> None:
    page = webstrata.parse(f"one<{tag}>two three four five six seven eight</{tag}>")
    assert len(segment(page, "bf-rulebased", theta=0)) == 1
    assert len(segment(page, "bf-plain")) == 2


def test_rules_of_mixed_gaps() -> None:
    one, many = "one", "two three four five six seven"
    assert len(segment(f"{one}<b><hr>{many}", "bf-rulebased", theta=math.inf)) == 2  # enforcing wins over avoiding
    assert len(segment(f"{one}<b><div>{many}", "bf-rulebased")) == 2  # one other tag, and density decides
    assert len(segment(f"{one}<br>{many}", "bf-rulebased")) == 1
    assert len(segment(f"{one}<p hidden><hr></p>{many}", "bf-rulebased", theta=math.inf)) == 2


@settings(max_examples=200)
@given(st.lists(ATOMS, max_size=40))
def test_infinite_rule_based_parts_at_enforced_gaps_only(atoms: list[Atom]) -> None:
    atoms = [replace(atom, gap=FORCED if i == 0 else atom.gap) for i, atom in enumerate(atoms)]
    starts = [i for i, atom in enumerate(atoms) if atom.gap == FORCED] + [len(atoms)]
    assert native(atoms, math.inf, 1)[0] == np.diff(starts).tolist()


def test_parameters_are_checked() -> None:
    for parameters in ({"theta": -1.0}, {"theta": math.nan}, {"inner": 0.7}, {"width": 0}):
        with pytest.raises(InputError):
            BFRuleBased(**parameters)
    assert repr(BFSmoothed()) == "BFSmoothed(theta=0.38, inner=None, width=80, improved=False)"


def test_width_changes_the_lines() -> None:
    page = webstrata.parse("<p>aa bb cc dd<p>ee")
    assert len(segment(page, "bf-plain", width=80)) == 2
    assert len(segment(page, "bf-plain", width=2)) == 1
