"""PageRank by the name of its method."""

from __future__ import annotations

import pytest

from webstrata.errors import InputError
from webstrata.links import METHODS, PageRank, Surfer, build_graph
from webstrata.links.graph import LinkGraph


@pytest.fixture(scope="module")
def graph() -> LinkGraph:
    urls = [f"http://{host}.org/{page}" for host in "abc" for page in range(3)]
    return build_graph(urls, [0, 1, 2, 3, 4, 5, 6, 7], [3, 0, 4, 6, 8, 2, 1, 0], content=[0, 1, 0, 1, 1, 0, 1, 1])


@pytest.mark.parametrize("name", list(METHODS))
def test_a_method_by_name_gives_the_ranks_of_its_class(graph: LinkGraph, name: str) -> None:
    surfer = Surfer(content=0.8)
    named = PageRank(method=name, alpha=0.7, dangling="ignore", surfer=surfer)(graph)
    own = METHODS[name](alpha=0.7, dangling="ignore", surfer=surfer)(graph)
    assert (named.ranks == own.ranks).all()
    assert named.residuals == own.residuals


def test_a_ranking_names_what_rebuilds_it(graph: LinkGraph) -> None:
    rank = PageRank(method="jacobi", alpha=0.5)
    assert eval(rank(graph).method) == rank


def test_unknown_methods_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean gauss-seidel"):
        PageRank(method="gauss-seidl")
    with pytest.raises(InputError, match="alpha"):
        PageRank(alpha=2)
