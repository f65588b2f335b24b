"""Graphs that are built on disk are those of memory, however small the sorted runs are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pa = pytest.importorskip("pyarrow")

from webstrata.links import LinkGraph, build_graph  # noqa: E402
from webstrata.links._hashes import hash_strings  # noqa: E402
from webstrata.links.building import GraphBuilder  # noqa: E402
from webstrata.links.graph import SITES  # noqa: E402
from webstrata.links.numbering import PageSorter  # noqa: E402

COLUMNS = ("site_start", "out_start", "out_target", "out_content", "in_start", "in_source", "in_content")


def random_links(pages: int, links: int) -> tuple[list[str], Any, Any, Any]:
    chance = np.random.default_rng(0)
    hosts = ["a.org", "b.a.org", "a-b.org", "www.c.com", "c.com", "xn--d.org", "münchen.de", "e.co.uk"]
    urls = {f"http://{hosts[n % len(hosts)]}/{'dir/' * (n % 3)}{chance.integers(10**6)}" for n in range(pages)}
    source, target = chance.integers(0, len(urls), (2, links))
    return sorted(urls, key=hash), source, target, chance.random(links) < 0.4


@pytest.mark.parametrize("site", list(SITES))
@pytest.mark.parametrize("run_bytes", [500, 2**20])
def test_a_graph_on_disk_equals_that_of_memory(site: str, run_bytes: int, tmp_path: Path) -> None:
    urls, source, target, content = random_links(700, 9000)
    expected = build_graph(urls, source, target, content=content, site=site)
    for name in ("work", "graph"):
        (tmp_path / name).mkdir()
    builder = GraphBuilder(tmp_path / "work", tmp_path / "graph", site=site, run_bytes=run_bytes)
    for piece in np.array_split(np.array([*urls, *urls[:200]], object), 20):
        builder.add_pages(pa.array(piece.tolist(), pa.string()))
    builder.number()
    names = np.array([*urls, "http://nowhere.org/"], object)
    lost = np.full(3, len(urls))
    for part in np.array_split(np.arange(len(source)), 7):
        targets = pa.array(names[np.concatenate((target[part], lost))].tolist())
        numbers = builder.find(pa.array(names[np.concatenate((source[part], [0, 0, 1]))].tolist()))
        builder.add_links(numbers, targets, np.concatenate((content[part], [True] * 3)))
    builder.finish({"broken": 5})
    graph = LinkGraph.open(tmp_path / "graph")
    assert list(graph.urls) == list(expected.urls)
    assert list(graph.sites) == list(expected.sites)
    for name in COLUMNS:
        assert np.array_equal(getattr(graph, name), getattr(expected, name)), name
        assert getattr(graph, name).dtype == getattr(expected, name).dtype, name
    # From two pages seven links each lead to a page that is not there.
    assert dict(graph.counts) == {"repeated": 9000 - graph.links + 19, "broken": 5, "outside": 2}
    assert not list((tmp_path / "work" / "out").iterdir())


def test_an_empty_graph_can_be_built(tmp_path: Path) -> None:
    for name in ("work", "graph"):
        (tmp_path / name).mkdir()
    builder = GraphBuilder(tmp_path / "work", tmp_path / "graph")
    builder.number()
    builder.finish()
    graph = LinkGraph.open(tmp_path / "graph")
    assert (graph.pages, graph.links, len(graph.sites), graph.site_start.tolist()) == (0, 0, 0, [0])


def test_hashes_are_those_of_the_reference() -> None:
    """The vectors of the reference implementation: inputs 00, 0001, ... and the key 00 to 0f."""
    vectors = {0: "a3817f04ba25a8e66df67214c7550293", 15: "5493e99933b0a8117e08ec0f97cfc3d9"}
    key = bytes(range(16))
    low, high = (int.from_bytes(key[at : at + 8], "little") for at in (0, 8))
    start = np.array([0, *np.cumsum(list(vectors))])
    data = np.frombuffer(b"".join(bytes(range(size)) for size in vectors), np.uint8)
    halves = np.zeros((2, len(vectors)), np.uint64)
    hash_strings(data, start, low, high, halves[0], halves[1])
    assert [halves[:, row].tobytes().hex() for row in range(len(vectors))] == list(vectors.values())


def test_pages_are_found_by_name() -> None:
    urls, source, target, _ = random_links(300, 10)
    graph = build_graph(urls, source, target)
    wanted = [graph.urls[17], "http://nowhere.org/", graph.urls[0], graph.urls[17]]
    assert graph.find(wanted).tolist() == [17, -1, 0, 17]
    assert graph.find([]).tolist() == []


def test_more_than_two_gibibytes_of_offsets_are_no_overflow() -> None:
    """Strings of Arrow have offsets of 32 bits; a column of URLs may have more bytes."""
    piece = pa.array(["http://a.org/" + "x" * 1000] * 4)
    sorter = PageSorter(Path())
    sorter.add(piece)
    assert sorter._pending[0].type == pa.large_string()
