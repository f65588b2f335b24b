"""How algorithms are written: what can be read, what is written, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata._spelling import MAX_LENGTH, Step, read, split, write
from webstrata.errors import InputError

NAMES = st.from_regex(r"[a-z]+(-[a-z0-9]+){0,2}", fullmatch=True)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20), st.binary(max_size=9)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
STEPS = st.builds(Step, NAMES, st.dictionaries(st.from_regex(r"[a-z_]+[a-z]x", fullmatch=True), VALUES, max_size=3))


@pytest.mark.parametrize(
    ("spelling", "steps"),
    [
        ("taggap", [("taggap", {})]),
        ("taggap()", [("taggap", {})]),
        (" bf-plain ( theta = .5 , inner=None, ) ", [("bf-plain", {"theta": 0.5, "inner": None})]),
        ("bf-plain(theta=inf)", [("bf-plain", {"theta": math.inf})]),
        ("a(b=-inf,c=(inf, [-1]))", [("a", {"b": -math.inf, "c": (math.inf, [-1])})]),
        ("numwords + largest-content", [("numwords", {}), ("largest-content", {})]),
        (
            "min-words(minimum=5)+largest-content(max_distance=2)",
            [("min-words", {"minimum": 5}), ("largest-content", {"max_distance": 2})],
        ),
        ("learned(model='a+b(,).npz')+x", [("learned", {"model": "a+b(,).npz"}), ("x", {})]),
        (r'learned(model="a\"+b")', [("learned", {"model": 'a"+b'})]),
        ("trafilatura:extract(fast=True)", [("trafilatura:extract", {"fast": True})]),
    ],
)
def test_what_can_be_read(spelling: str, steps: list[tuple[str, dict[str, Any]]]) -> None:
    assert [tuple(step) for step in read(spelling)] == steps


@given(st.lists(STEPS, min_size=1, max_size=3))
def test_what_is_written_is_read_back(steps: list[Step]) -> None:
    spelling = write(steps)
    if len(spelling) <= MAX_LENGTH:
        assert list(read(spelling)) == steps
        assert write(read(spelling)) == spelling


@given(st.text(max_size=60) | st.text(alphabet="ab(=)+,'\"\\[]{}1_ inf.-#\n\0", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        steps = read(text)
    except InputError:
        return
    assert read(write(steps)) == steps


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("", "has no name"),
        ("numwords+", "has no name"),
        ("+largest-content", "has no name"),
        ("(theta=1)", "name of an algorithm is missing"),
        ("bf-plain(", "write name"),
        ("bf-plain)", "write name"),
        ("bf-plain(theta=1)(width=2)", "write name"),
        ("bf-plain(theta=1).real", "write name"),
        ("bf-plain theta=1", "write name"),
        ("bf-plain x(theta=1)", "write name"),
        ("bf-plain(0.5)", "by its name"),
        ("bf-plain(**{'theta': 1})", "by its name"),
        ("bf-plain(theta)", "by its name"),
        ("bf-plain(theta=1, theta=2)", "twice"),
        ("bf-plain(theta=x)", "a text in quotes"),
        ("bf-plain(theta=9**9**9)", "a text in quotes"),
        ("bf-plain(theta=__import__('os').getpid())", "a text in quotes"),
        ("bf-plain(theta=[x for x in (1, 2)])", "a text in quotes"),
        ("bf-plain(theta=f'{1}')", "a text in quotes"),
        ("bf-plain(theta={[]: 1})", "a text in quotes"),
        ("bf-plain(theta=" + "(" * 400 + ")" * 400 + ")", "a text in quotes"),
        ("bf-plain(theta=" + "-" * 900 + "1)", "a text in quotes"),
        ("bf-plain(theta='" + "x" * MAX_LENGTH + "')", f"at most {MAX_LENGTH} characters"),
    ],
)
def test_what_is_refused(spelling: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(spelling)


def test_a_list_is_split_outside_brackets_and_quotes() -> None:
    assert split(" a,b(c=1,d=(2,3)) ,,e") == ["a", "b(c=1,d=(2,3))", "e"]
    assert split("a(b=','),c(d=\"(\"),e") == ["a(b=',')", 'c(d="(")', "e"]
    assert split(" , ") == []


def test_a_long_list_is_split_in_linear_time() -> None:
    assert len(split('\\"' * 200_000)) == 1
    assert len(split("a(b='c')," * 50_000)) == 50_000
