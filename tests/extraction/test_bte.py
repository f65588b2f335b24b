"""Body text extraction against the quadratic search that its authors describe."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webstrata.extraction.bte import BTE, best_run
from webstrata.page import parse

COUNTS = st.lists(st.tuples(st.integers(-5, 30), st.integers(0, 20)), max_size=30)


def value(gain: list[int], cost: list[int], start: int, stop: int) -> int:
    """Gains of the rows less the costs between them."""
    return sum(gain[start:stop]) - sum(cost[start + 1 : stop])


@given(COUNTS)
def test_no_run_is_better(counts: list[tuple[int, int]]) -> None:
    gain, cost = [g for g, _ in counts], [c for _, c in counts]
    start, stop = best_run(np.array(gain, np.int64), np.array(cost, np.int64))
    values = [value(gain, cost, i, j) for i in range(len(gain)) for j in range(i + 1, len(gain) + 1)]
    assert value(gain, cost, start, stop) == max([0, *values])
    assert 0 <= start <= stop <= len(gain)


def quadratic(tokens: list[int]) -> int:
    """The best value of all pairs of ends: words (1) inside and tags (-1) outside, as in Finn and others."""
    tags = [token < 0 for token in tokens]
    return max(
        sum(tags[:i]) + sum(not tag for tag in tags[i:j]) + sum(tags[j:])
        for i in range(len(tokens) + 1)
        for j in range(i, len(tokens) + 1)
    )


@given(st.lists(st.sampled_from(["<p>", "<br>", "<li>", "one ", "two three ", "four five six "]), max_size=25))
def test_the_run_is_the_one_that_the_authors_look_for(parts: list[str]) -> None:
    html = "".join(parts)
    tokens = [-1 if token[0] == "<" else 1 for token in re.findall(r"<[^>]*>|[^<\s]+", html)]
    page = parse(html)
    keep = np.flatnonzero(BTE()(page).keep)
    if not len(keep):
        assert not page.blocks.words.sum()
        return
    start, stop = page.blocks.source_start[keep[0]], page.blocks.source_stop[keep[-1]]
    outside = re.findall("<", html[:start] + html[stop:])
    inside = re.findall(r"[^<>\s]+", re.sub(r"<[^>]*>", " ", html[start:stop]))
    assert len(outside) + len(inside) == quadratic(tokens)


def test_hidden_words_do_not_count() -> None:
    page = parse("<p hidden>" + "word " * 50 + "<hr><hr><hr><p>two words")
    assert BTE()(page).text == "two words"
