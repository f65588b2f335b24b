"""Facets against a plain reading of Kohlschütter 2011, equations 3.12 to 3.16 and Algorithm 3.1."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.links.facets import Facets, RatioMembership, UncertainMembership
from webstrata.links.topics import Topics

RANK = st.sampled_from([0.05, 0.2, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 4.0, 9.0])
NAMES = ("Art", "Art/New", "Maths", "Maths/Sets")


def membership(ranks: list[float], facet: int, dimension: list[int]) -> float:
    """Equation 3.15 with 3.13 and 3.14; the mean rank is one."""
    rivals = sum(dimension[g] == dimension[facet] and ranks[g] >= 1.0 for g in range(len(ranks)))
    return math.log(ranks[facet]) / rivals if rivals else 0.0


def shares(samples: list[list[int]], ranks: list[list[float]], theta: float, dimension: list[int]) -> list[float]:
    """The formula inside of Algorithm 3.1, which with one sample is equation 3.16."""
    total = sum(len(sample) for sample in samples)
    return [
        sum(membership(ranks[page], facet, dimension) >= theta for sample in samples for page in sample) / total
        for facet in range(len(NAMES))
    ]


def iterated(
    results: list[int],
    scores: list[float],
    ranks: list[list[float]],
    theta: float,
    smallest: float,
    k: int,
) -> list[float]:
    """Algorithm 3.1 from the unbiased rank, which is one everywhere."""
    dimension = [0] * len(NAMES)
    known: set[int] = set()
    new = {-1}
    found: list[float] = []
    for _ in range(4):
        if new <= known:
            break
        known |= new
        samples = []
        for facet in sorted(known):
            bias = [1.0 if facet < 0 else ranks[page][facet] for page in results]
            order = sorted(range(len(results)), key=lambda place: -scores[place] * bias[place])
            samples.append([results[place] for place in order[:k]])
        found = shares(samples, ranks, theta, dimension)
        new = {facet for facet, share in enumerate(found) if share >= smallest and share > 0}
    return found


@settings(max_examples=50)
@given(st.data(), st.sampled_from([0.1, 0.3, 0.7]), st.booleans())
def test_facets_are_those_of_the_printed_equations(data: st.DataObject, theta: float, by_level: bool) -> None:
    pages = data.draw(st.integers(1, 8))
    ranks = data.draw(st.lists(st.lists(RANK, min_size=4, max_size=4), min_size=pages, max_size=pages))
    results = data.draw(st.lists(st.integers(0, pages - 1), min_size=1, max_size=8, unique=True))
    topics = Topics(NAMES, tuple(np.array([0]) for _ in NAMES))
    facets = Facets(topics=topics, biased=np.array(ranks), unbiased=np.ones(pages), theta=theta,
                    dimension="level" if by_level else "one",
                    membership=UncertainMembership(), k=3, smallest=0.3)  # fmt: skip
    dimension = [0, 1, 0, 1] if by_level else [0] * 4
    for page in results:
        expected = [membership(ranks[page], facet, dimension) for facet in range(4)]
        np.testing.assert_allclose(facets.members([page])[0], expected, atol=1e-12)
    found = {facet.topic: facet.share for facet in facets.of(results)}
    expected = shares([results[:3]], ranks, theta, dimension)
    assert found == {facet: share for facet, share in enumerate(expected) if share}
    if not by_level:
        scores = data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=len(results), max_size=len(results)))
        again = {facet.topic: facet.share for facet in facets.iterate(results, scores, most_rounds=4)}
        printed = iterated(results, scores, ranks, theta, 0.3, 3)
        assert again == {facet: share for facet, share in enumerate(printed) if share}


@given(st.lists(st.lists(RANK, min_size=5, max_size=5), min_size=1, max_size=8))
def test_general_importance_is_the_facet_of_the_unbiased_rank(rows: list[list[float]]) -> None:
    """Both memberships, page by page: an unbiased rank above the mean, and with the ratio above what any facet adds."""
    ranks, unbiased = np.array(rows)[:, :4], np.array(rows)[:, 4]
    topics = Topics(NAMES, tuple(np.array([0]) for _ in NAMES))
    expected: dict[bool, list[bool]] = {True: [], False: []}
    for *biased, rank in rows:
        expected[False].append(rank > 1 and math.log(rank) >= 0.1)
        own, added = math.log(rank), math.log(max(biased) / rank)
        expected[True].append(own > 0 and own / max(own, added) >= 0.8)
    for ratio, membership in ((True, RatioMembership()), (False, UncertainMembership())):
        facets = Facets(
            topics=topics, biased=ranks, unbiased=unbiased, membership=membership, theta=0.8 if ratio else 0.1
        )
        assert facets.general(range(len(rows))) == np.mean(expected[ratio])
    assert facets.general([]) == 0
