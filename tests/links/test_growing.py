"""Pairs of site and place survive the adding of pages."""

from __future__ import annotations

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.links import GaussSeidel, LinkGraph, Partitioned, build_graph
from webstrata.links.growing import grown
from webstrata.links.partitions import deal_sites


def test_pairs_and_links_of_all_pages_are_kept() -> None:
    chance = np.random.default_rng(4)
    urls = [f"http://{'abcdefg'[number % 7]}.org/{chance.integers(10**9)}" for number in range(200)]
    source, target = chance.integers(0, 200, (2, 900))
    content = chance.random(900) < 0.5
    chosen = chance.permutation(200)[:120]
    older = build_graph([urls[page] for page in chosen if "d.org" not in urls[page]], [], [])
    graph = build_graph(urls, source, target, content=content)
    found = grown(older, graph)
    assert all(found.urls[found.number(*older.pair(page))] == older.urls[page] for page in range(older.pages))
    assert any(graph.urls[graph.number(*older.pair(page))] != older.urls[page] for page in range(older.pages))

    def links(one: LinkGraph) -> set[tuple[str, str, int]]:
        ends = zip(np.repeat(np.arange(200), np.diff(one.out_start)), one.out_target, one.out_content, strict=True)
        return {(one.urls[int(a)], one.urls[int(b)], int(mark)) for a, b, mark in ends}

    assert links(found) == links(graph)
    for page in range(found.pages):
        site, _ = found.pair(page)
        assert found.urls[page].startswith(f"http://{found.sites[site]}/")
    ranks, expected = (GaussSeidel(tolerance=1e-13)(one).ranks for one in (found, graph))
    assert np.abs(ranks[found.find(graph.urls)] - expected).max() < 1e-12
    # What has grown grows again.
    more = grown(found, build_graph([*urls, "http://aa.org/"], [], []))
    assert [more.urls[page] for page in range(200)] == list(found.urls)
    assert (more.pair(200), more.sites[7]) == ((7, 0), "aa.org")


def test_older_sites_keep_their_partition_and_new_ones_balance() -> None:
    older = build_graph([f"http://{site}.org/{page}" for site in "bdf" for page in range(4)], [], [])
    urls = [*older.urls, *(f"http://{site}.org/{page}" for site in "aceg" for page in range(6)), "http://b.org/new"]
    graph = grown(older, build_graph(urls, range(36), range(1, 37)))
    kept = deal_sites(older, 3)
    part = deal_sites(graph, 3, kept)
    assert part[:3].tolist() == kept.tolist()
    loads = np.bincount(part, np.diff(graph.site_start))
    assert loads.tolist() == [11, 16, 10]
    ranks = Partitioned(partitions=3, kept=tuple(kept.tolist()), tolerance=1e-13)(graph).ranks
    assert np.abs(ranks - GaussSeidel(tolerance=1e-13)(graph).ranks).max() < 1e-12
    for wrong in ([3], [-1], [0] * 8):
        with pytest.raises(InputError, match="kept has a number below 3"):
            deal_sites(graph, 3, wrong)


def test_an_older_graph_of_the_same_pages_gives_its_order() -> None:
    urls = ["http://b.org/", "http://a.org/1", "http://a.org/"]
    graph = build_graph(urls, [0], [1])
    assert list(grown(graph, graph).urls) == list(graph.urls)
    assert list(grown(build_graph([], [], []), graph).urls) == list(graph.urls)


def test_what_cannot_be_kept_is_refused() -> None:
    urls = ["http://a.org/x/1", "http://a.org/y/2"]
    older = build_graph(urls, [], [])
    with pytest.raises(InputError, match="lacks pages"):
        grown(older, build_graph(urls[:1], [], []))
    with pytest.raises(InputError, match="other kinds of sites"):
        grown(older, build_graph(urls, [], [], site="directory"))
