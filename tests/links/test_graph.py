"""The graph: numbers of two dimensions, links in both directions, files."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph, build_graph

URLS = ["http://www.b.org/", "http://a.org/y", "http://b.org/", "http://a.org/x", "http://a.com/"]


def test_pages_are_ordered_by_site_from_the_right_and_by_url() -> None:
    graph = build_graph(URLS, [0], [1])
    assert list(graph.urls) == [URLS[4], URLS[3], URLS[1], URLS[2], URLS[0]]
    assert list(graph.sites) == ["a.com", "a.org", "b.org", "www.b.org"]
    assert [graph.pair(page) for page in range(5)] == [(0, 0), (1, 0), (1, 1), (2, 0), (3, 0)]
    assert [graph.number(*graph.pair(page)) for page in range(5)] == list(range(5))
    assert graph.find([URLS[0], "http://c/"]).tolist() == [4, -1]


@pytest.mark.parametrize(
    ("site", "sites"),
    [
        ("host", ["a.com", "a.org", "b.org", "www.b.org"]),
        ("domain", ["a.com", "a.org", "b.org"]),
        ("directory", ["a.com", "a.org", "b.org", "www.b.org"]),
    ],
)
def test_sites(site: str, sites: list[str]) -> None:
    assert list(build_graph(URLS, [], [], site=site).sites) == sites


def test_directories_are_sites() -> None:
    urls = ["http://a/x/1", "http://a/x/2?q=/z/", "http://a/y/1", "http://a/"]
    assert list(build_graph(urls, [], [], site="directory").sites) == ["a", "a/x", "a/y"]


@settings(deadline=None, max_examples=50)
@given(st.data())
def test_links_are_a_set_in_both_directions(data: st.DataObject) -> None:
    pages = data.draw(st.integers(1, 12))
    end = st.integers(0, pages - 1)
    links = data.draw(st.lists(st.tuples(end, end, st.integers(0, 1)), max_size=60))
    urls = [f"http://a/{page:02}" for page in range(pages)]
    source, target, content = ([link[end] for link in links] for end in range(3))
    graph = build_graph(urls, source, target, content=content)
    expected: dict[tuple[int, int], int] = {}
    for s, t, mark in links:
        expected[s, t] = max(expected.get((s, t), 0), mark)
    out = {
        (page, int(graph.out_target[place])): int(graph.out_content[place])
        for page in range(pages)
        for place in range(int(graph.out_start[page]), int(graph.out_start[page + 1]))
    }
    back = {
        (int(graph.in_source[place]), page): int(graph.in_content[place])
        for page in range(pages)
        for place in range(int(graph.in_start[page]), int(graph.in_start[page + 1]))
    }
    assert out == back == expected
    for page in range(pages):
        assert (np.diff(graph.targets(page).astype(int)) > 0).all()
        assert (np.diff(graph.sources(page).astype(int)) > 0).all()


def test_a_graph_survives_its_files(tmp_path: Path) -> None:
    graph = build_graph([*URLS, "http://ü.org/é"], [0, 1, 5], [1, 2, 0], content=[1, 0, 1], counts={"outside": 3})
    graph.save(tmp_path / "graph")
    opened = LinkGraph.open(tmp_path / "graph")
    assert isinstance(opened.out_target.base, np.memmap)
    assert list(opened.urls) == list(graph.urls)
    assert dict(opened.counts) == {"outside": 3}
    for name in ("site_start", "out_start", "out_target", "out_content", "in_start", "in_source", "in_content"):
        assert (getattr(opened, name) == getattr(graph, name)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["graph"]
    with pytest.raises(InputError, match="there already"):
        graph.save(tmp_path / "graph")


def test_folders_are_paths_or_strings(tmp_path: Path) -> None:
    folder = f"{tmp_path}/new/graph"
    build_graph(URLS, [0], [1]).save(folder)
    opened = LinkGraph.open(folder)
    assert repr(opened) == f"<LinkGraph {folder}: 5 pages of 4 sites, 1 links>"


def test_an_empty_graph_survives_its_files(tmp_path: Path) -> None:
    build_graph([], [], []).save(tmp_path / "graph")
    assert LinkGraph.open(tmp_path / "graph").pages == 0


def test_damaged_graphs_are_refused(tmp_path: Path) -> None:
    build_graph(URLS, [0, 1], [1, 2]).save(tmp_path / "graph")
    np.save(tmp_path / "graph" / "in_source.npy", np.array([0, 99], np.uint32))
    with pytest.raises(InputError, match="damaged"):
        LinkGraph.open(tmp_path / "graph")
    (tmp_path / "graph" / "graph.json").write_text(json.dumps({"version": 99}))
    with pytest.raises(InputError, match="version 99"):
        LinkGraph.open(tmp_path / "graph")
    with pytest.raises(InputError, match="no link graph"):
        LinkGraph.open(tmp_path)


def test_links_out_of_the_graph_are_refused() -> None:
    with pytest.raises(InputError):
        build_graph(URLS, [0], [5])
    with pytest.raises(InputError):
        build_graph(URLS, [], [], site="planet")
