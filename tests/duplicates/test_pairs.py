"""Pairs of bands against all pairs."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webstrata.duplicates._minhash import spanning_pairs
from webstrata.duplicates.pairs import shared_bands, similar_pairs
from webstrata.duplicates.signatures import Rule


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


@given(st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), max_size=12))
def test_similar_pairs_connect_what_agrees_in_a_band(rows: list[list[int]]) -> None:
    rule = Rule(bands=2, rows=2, shared=0.5)
    signatures = np.array(rows, np.uint32).reshape(-1, 4)
    expected, found = nx.Graph(), nx.Graph()
    found.add_edges_from(zip(*(column.tolist() for column in similar_pairs(signatures, rule)), strict=True))
    for i, j in combinations(range(len(rows)), 2):
        if rows[i][:2] == rows[j][:2] or rows[i][2:] == rows[j][2:]:
            expected.add_edge(i, j)
    assert set(map(frozenset, nx.connected_components(found))) == set(map(frozenset, nx.connected_components(expected)))


def test_no_bands_have_no_pairs() -> None:
    assert shared_bands(np.zeros(0, np.int64)).tolist() == []
    assert shared_bands(np.array([1])).tolist() == []
