"""Topics, their similarity, and the facets of results."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from webstrata.errors import InputError
from webstrata.links.facets import Dimension, Facets, RatioMembership, UncertainMembership
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.methods import GaussSeidel
from webstrata.links.topics import Topics, average_precision, combine, kendall_tau_top


def two_clusters() -> tuple[LinkGraph, Topics]:
    """Ten pages of art and ten of maths that link among themselves, a hub for all, and topics of three pages each."""
    urls = [f"http://a/art/{page:02}" for page in range(10)] + [f"http://a/maths/{page:02}" for page in range(10)]
    rng = np.random.default_rng(5)
    links = [(side + int(s), side + int(t)) for side in (0, 10) for s, t in rng.integers(0, 10, (40, 2))]
    links += [(side + page, side + (page + 1) % 10) for side in (0, 10) for page in range(10)]
    links += [(page, 20) for page in range(20)] + [(20, page) for page in range(20)]
    graph = build_graph([*urls, "http://a/zz"], [s for s, _ in links], [t for _, t in links])
    return graph, Topics.of({"Art": [0, 1, 2], "Maths": [10, 11, 12]})


def facets_of(graph: LinkGraph, topics: Topics, **more: object) -> Facets:
    rank = GaussSeidel()
    return Facets(
        topics=topics,
        biased=rank(graph, topics.jumps(graph.pages)).relative,
        unbiased=rank(graph).relative,
        **more,  # type: ignore[arg-type]
    )


def test_pages_belong_to_the_topic_of_their_neighbours() -> None:
    graph, topics = two_clusters()
    members = facets_of(graph, topics).members(range(20))
    assert (members.argmax(axis=1) == np.repeat([0, 1], 10)).all()


def test_facets_of_results() -> None:
    graph, topics = two_clusters()
    facets = facets_of(graph, topics)
    found = {facet.name: facet.share for facet in facets.of([3, 4, 5, 13])}
    assert found["Art"] == 0.75
    assert found["Maths"] == 0.25
    assert facets.of([]) == []


def test_algorithm_3_1_looks_again_with_the_facets_it_found() -> None:
    """Only the first result is looked at. Biased on its facet, the same one comes first, so that the rounds end."""
    graph, topics = two_clusters()
    facets = facets_of(graph, topics, k=1, smallest=0.5)
    once = facets.iterate([3, 13], [1.0, 0.1], most_rounds=1)
    again = facets.iterate([3, 13], [1.0, 0.1], most_rounds=9)
    assert [facet.name for facet in once] == [facet.name for facet in again] == ["Art"]
    both = facets.iterate([3, 13], [1.0, 1.0], start=[None, 0, 1], most_rounds=1)
    assert {facet.name for facet in both} == {"Art", "Maths"}


def test_the_printed_membership_by_hand() -> None:
    """Ranks 4, 2 and 0.5 in one dimension: two are at least one, so logarithms are halved. None: all are nought."""
    value = UncertainMembership()(np.array([[4.0, 2.0, 0.5], [0.9, 0.5, 0.1]]), np.ones(2), np.zeros(3))
    assert np.allclose(value[0], [np.log(4) / 2, np.log(2) / 2, np.log(0.5) / 2])
    assert (value[1] == 0).all()


def test_dimensions_do_not_compete() -> None:
    value = UncertainMembership()(np.array([[4.0, 2.0, 8.0]]), np.ones(1), np.array([0, 0, 1]))
    assert np.allclose(value, [[np.log(4) / 2, np.log(2) / 2, np.log(8)]])
    ratio = RatioMembership()(np.array([[4.0, 2.0, 8.0]]), np.array([2.0]), np.array([0, 0, 1]))
    assert np.allclose(ratio, [[1.0, 0.0, 1.0]])


def test_facets_compete_within_the_first_part_of_their_names() -> None:
    topics = Topics.of({"origin/academia": [0], "topic/Art": [0], "topic/Art/New": [1]})
    biased, unbiased = np.array([[4.0, 2.0, 8.0]]), np.ones(1)
    found = {
        kind: Facets(topics=topics, biased=biased, unbiased=unbiased, dimension=kind).members([0])[0].round(3).tolist()
        for kind in get_args(Dimension)
    }
    assert found == {"one": [0.667, 0.333, 1.0], "level": [1.0, 0.5, 1.0], "first": [1.0, 0.333, 1.0]}
    with pytest.raises(InputError, match="dimension must be one of one, level, first"):
        Facets(topics=topics, biased=biased, unbiased=unbiased, dimension="second")  # type: ignore[arg-type]


def test_ranks_of_nought_are_no_members() -> None:
    for membership in (UncertainMembership(), RatioMembership()):
        value = membership(np.array([[0.0, 2.0], [0.0, 0.0]]), np.array([1.0, 0.0]), np.zeros(2))
        assert not np.isnan(value).any()
        assert value[0, 0] < 0 < value[0, 1]


def test_topics_from_files_paths_and_lists() -> None:
    graph, _ = two_clusters()
    read = Topics.read(["Art\thttp://a/art/01\n", "\n", "Art/Old\thttp://a/art/02", "Art\thttp://nowhere/"], graph)
    assert (read.names, [pages.tolist() for pages in read.pages]) == (("Art", "Art/Old"), [[1], [2]])
    assert (read.level(1), read.parent(1), read.parent(0)) == (2, 0, None)
    paths = Topics.from_paths(graph)
    assert {name: len(pages) for name, pages in zip(paths.names, paths.pages, strict=True)} == {"art": 10, "maths": 10}
    urls = ["http://a/list.Art.htm", "http://a/list.Art.New.htm", "http://a/1", "http://a/2"]
    lists = build_graph(urls, [0, 0, 0, 1], [1, 2, 3, 3])
    found = Topics.from_category_pages(lists, r"list\.(.+)\.htm$")
    assert found.names == ("Art", "Art/New")
    assert [[lists.urls[int(page)] for page in pages] for pages in found.pages] == [urls[2:], urls[3:]]
    for wrong in ("(", "list"):
        with pytest.raises(InputError):
            Topics.from_category_pages(lists, wrong)
    for lines in (["no tab"], ["Art\thttp://nowhere/"]):
        with pytest.raises(InputError):
            Topics.read(lines, graph)


def test_tau_of_the_first_results_by_hand() -> None:
    """First are 0 and 1, and 0 and 2. So pages 0, 1, 2 have the places 0, 1, 2 and 0, 2, 1: one pair of three turns."""
    left, right = np.array([9.0, 8.0, 7.0, 1.0]), np.array([9.0, 2.0, 8.0, 1.0])
    assert kendall_tau_top(left, right, count=2) == pytest.approx(1 / 3)


def test_average_precision_by_hand() -> None:
    assert average_precision([1, 2, 3, 4], {2, 4}) == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert average_precision([1, 2], {2}, count=1) == 0


def test_ranks_combine_as_their_jumps_do() -> None:
    """Equation 3.6: PageRank is linear in the jump vector."""
    graph = build_graph([f"http://a/{n}" for n in range(5)], [0, 1, 2, 3, 4, 0], [1, 2, 0, 4, 3, 3])
    jumps = np.zeros((5, 2))
    jumps[[0, 3], [0, 1]] = 1.0
    method = GaussSeidel(tolerance=1e-12)
    ranks = method(graph, jumps).ranks
    weights = np.array([3.0, 1.0])
    assert np.allclose(combine(ranks, weights), method(graph, jumps @ weights / 4).ranks, atol=1e-9)
    for wrong in ([1.0], [-1.0, 2.0], [0.0, 0.0]):
        with pytest.raises(InputError, match="a weight for each column"):
            combine(ranks, np.array(wrong))
