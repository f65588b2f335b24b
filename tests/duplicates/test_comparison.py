"""Two texts side by side."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from webstrata.duplicates import TextComparison
from webstrata.text import shingles

TEXT = st.lists(st.sampled_from("one two three four five. | six".split()), max_size=20).map(" ".join)


@given(a=TEXT, b=TEXT, length=st.integers(1, 4))
def test_runs_are_the_text_and_mark_the_shared_shingles(a: str, b: str, length: int) -> None:
    found = TextComparison(a, b, length)
    one, other = set(shingles(a, length)), set(shingles(b, length))
    assert (found.shared, found.either) == (len(one & other), len(one | other))
    for side, text in (("a", a), ("b", b)):
        runs = found.runs(side)
        assert "".join(run.text for run in runs) == text
        assert all(x.shared != y.shared for x, y in pairwise(runs))
        assert any(run.shared for run in runs) == bool(one & other)
