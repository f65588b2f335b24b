"""Connected components against networkx, the pairs of bands against all pairs, and the page that is kept."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webstrata.duplicates import Member, clusters_of, keeper
from webstrata.duplicates._minhash import join, spanning_pairs
from webstrata.duplicates.comparison import Comparison
from webstrata.text import shingles


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=30))
def test_clusters_are_connected_components(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    pages, cluster = clusters_of(a, b)
    graph = nx.Graph(pairs)
    expected = {page: min(part) for part in nx.connected_components(graph) for page in part}
    assert dict(zip(pages.tolist(), cluster.tolist(), strict=True)) == expected


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.integers(0, 2), min_size=4, max_size=4)), max_size=25))
def test_pairs_join_what_all_pairs_of_a_band_join(rows: list[tuple[int, list[int]]]) -> None:
    rows = sorted(rows)
    bands = np.array([band for band, _ in rows], np.int64)
    signatures = np.array([signature for _, signature in rows], np.uint16).reshape(len(rows), 4)
    out = np.empty((len(rows), 2), np.int64)
    count = spanning_pairs(bands, signatures, 3, 1000, out)
    found, expected = nx.Graph(), nx.Graph()
    for graph in (found, expected):
        graph.add_nodes_from(range(len(rows)))
    found.add_edges_from(out[:count].tolist())
    for i, j in combinations(range(len(rows)), 2):
        if bands[i] == bands[j] and (signatures[i] == signatures[j]).sum() >= 3:
            expected.add_edge(i, j)
    assert set(map(frozenset, nx.connected_components(found))) == set(map(frozenset, nx.connected_components(expected)))
    assert not rows or nx.is_forest(found)


def test_pages_with_one_text_cost_no_comparison_of_all() -> None:
    n = 200_000
    out = np.empty((n, 2), np.int64)
    assert spanning_pairs(np.zeros(n, np.int64), np.ones((n, 8), np.uint16), 4, 1000, out) == n - 1


def test_edges_that_lead_nowhere_are_refused() -> None:
    parent = np.arange(3)
    for a, b in (([0], [3]), ([-1], [0])):
        try:
            join(parent, np.array(a), np.array(b))
        except IndexError:
            continue
        raise AssertionError("an edge out of the graph was followed")


def test_the_page_that_is_kept_does_not_depend_on_the_order() -> None:
    best = Member(words=9, crawled="2011-01-02", url="http://a/")
    others = [
        Member(words=8, crawled="2010-01-01", url="http://a/"),
        Member(words=9, crawled="2011-01-03", url="http://a/"),
        Member(words=9, crawled="2011-01-02", url="http://b/"),
        Member(words=9, url="http://a/"),
    ]
    for order in permutations([best, *others]):
        assert order[keeper(order)] is best


TEXT = st.lists(st.sampled_from("one two three four five. | six".split()), max_size=20).map(" ".join)


@given(a=TEXT, b=TEXT, length=st.integers(1, 4))
def test_runs_are_the_text_and_mark_the_shared_shingles(a: str, b: str, length: int) -> None:
    found = Comparison(a, b, length)
    one, other = set(shingles(a, length)), set(shingles(b, length))
    assert (found.shared, found.either) == (len(one & other), len(one | other))
    for side, text in (("a", a), ("b", b)):
        runs = found.runs(side)
        assert "".join(run.text for run in runs) == text
        assert all(x.shared != y.shared for x, y in pairwise(runs))
        assert any(run.shared for run in runs) == bool(one & other)
