"""Graphs as files of text: those of Common Crawl, lists of edges, and our own again."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from random_graphs import graphs

pytest.importorskip("pyarrow")

from webstrata.errors import InputError
from webstrata.links import GaussSeidel, LinkGraph, Ranks, build_graph
from webstrata.links.exchange import export_graph, import_graph
from webstrata.links.graph import SITES
from webstrata.links.topics import Topics


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(graph=graphs())
def test_what_is_exported_is_imported_again(graph: LinkGraph, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("text")
    ranks = Ranks(GaussSeidel()(graph).ranks, Topics((), ()), np.zeros((graph.pages, 0)), "x")
    export_graph(graph, folder / "text", ranks=ranks)
    again = import_graph(folder / "text/edges.txt.gz", folder / "graph", vertices=folder / "text/vertices.txt.gz")
    assert list(again.urls) == list(graph.urls)
    for name in ("site_start", "out_start", "out_target", "in_start", "in_source"):
        assert (getattr(again, name) == getattr(graph, name)).all(), name
    lines = gzip.decompress((folder / "text/vertices.txt.gz").read_bytes()).decode().splitlines()
    assert [float(line.split("\t")[2]) for line in lines] == ranks.unbiased.tolist()


def test_a_web_graph_of_common_crawl(tmp_path: Path) -> None:
    """Hosts with reversed labels; domain graphs have a third column. Numbers need not be dense."""
    vertices, edges = tmp_path / "vertices.txt.gz", tmp_path / "edges.txt.gz"
    vertices.write_bytes(gzip.compress(b"0\tcom.example\t3\n2\torg.a.www\t1\n5\torg.b\t9\n7\tno host/at all\t1\n"))
    edges.write_bytes(gzip.compress(b"0\t2\n0\t5\n2\t5\n5\t0\n5\t0\n") + gzip.compress(b"5\t7\n0\t3\n"))
    graph = import_graph(edges, tmp_path / "graph", vertices=vertices)
    assert list(graph.urls) == ["http://example.com/", "http://www.a.org/", "http://b.org/"]
    assert [graph.targets(page).tolist() for page in range(3)] == [[1, 2], [2], [0]]
    assert dict(graph.counts) == {"repeated": 1, "broken": 2, "outside": 0}


def test_vertices_with_large_numbers_take_no_more_memory(tmp_path: Path) -> None:
    """A table of all numbers would have eight gigabytes."""
    (tmp_path / "v").write_text("7\torg.a\n2147483000\torg.b\n50\tno host/at all\n9\torg.c\n")
    (tmp_path / "e").write_text("7\t2147483000\n9\t7\n9\t50\n8\t9\n")
    tracemalloc.start()
    try:
        graph = import_graph(tmp_path / "e", tmp_path / "graph", vertices=tmp_path / "v")
        assert tracemalloc.get_traced_memory()[1] < 2**27
    finally:
        tracemalloc.stop()
    assert list(graph.urls) == ["http://a.org/", "http://b.org/", "http://c.org/"]
    assert [graph.targets(page).tolist() for page in range(3)] == [[1], [], [0]]
    assert graph.counts["broken"] == 2
    (tmp_path / "e").write_text("7\t2147483001\n")
    with pytest.raises(InputError, match="not among the vertices"):
        import_graph(tmp_path / "e", tmp_path / "other", vertices=tmp_path / "v")


def test_a_list_of_edges_between_names(tmp_path: Path) -> None:
    edges = tmp_path / "edges.tsv"
    edges.write_text("http://A.org/#top\twww.b.org\nwww.b.org\twww.b.org\nmailto:x/y\twww.b.org\n")
    graph = import_graph(edges, tmp_path / "graph", hosts="plain")
    assert list(graph.urls) == ["http://a.org/", "http://www.b.org/"]
    assert graph.out_target.tolist() == [1, 1]
    assert graph.counts["broken"] == 1
    assert set(SITES) == {"host", "domain", "directory"}


@pytest.mark.parametrize(
    ("vertices", "edges"),
    [("x\torg.a\n", "0\t0\n"), ("0\torg.a\n", "0\t1\n"), ("0\torg.a\n", "0\t-1\n"), ("0\torg.a\n", "0 0\n"),
     ("-1\torg.a\n", ""), (f"{2**40}\torg.a\n", "0\t0\n"), ("0\torg.a\n", "0\tx\n"), ("0\n", "0\t0\n")],
)  # fmt: skip
def test_broken_files_are_refused(vertices: str, edges: str, tmp_path: Path) -> None:
    (tmp_path / "v").write_text(vertices)
    (tmp_path / "e").write_text(edges)
    with pytest.raises(InputError):
        import_graph(tmp_path / "e", tmp_path / "graph", vertices=tmp_path / "v")
    assert not (tmp_path / "graph").exists()


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    graph = build_graph(["http://a.org/", "http://b.org/"], [0], [1])
    other = Ranks(np.ones(3), Topics((), ()), np.zeros((3, 0)), "x")
    with pytest.raises(InputError, match="ranks of 3 pages"):
        export_graph(graph, tmp_path / "x", ranks=other)
    with pytest.raises(InputError, match="reversed or plain"):
        import_graph(tmp_path / "e", tmp_path / "g", hosts="sideways")
