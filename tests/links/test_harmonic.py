"""Harmonic centrality against distances by a plain search, exact and with counters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import graphs, links_of

from webstrata.errors import InputError
from webstrata.links import Harmonic, LinkGraph, Surfer, build_graph
from webstrata.text import Column


def by_definition(links: Column) -> list[float]:
    """The sum of reciprocal distances to each page, by powers of the matrix."""
    pages = len(links)
    distance = np.where(np.eye(pages, dtype=bool), 0.0, np.inf)
    reached = np.eye(pages, dtype=bool)
    for step in range(1, pages):
        reached = reached | (reached @ (links > 0))
        distance[reached & np.isinf(distance)] = step
    with np.errstate(divide="ignore"):
        return [float((1 / distance[np.arange(pages) != page, page]).sum()) for page in range(pages)]


@settings(deadline=None, max_examples=60)
@given(graph=graphs(), internal=st.sampled_from([None, 0.0, 1.0]), content=st.sampled_from([None, 0.0, 1.0]))
def test_exact_centralities_are_those_of_the_definition(
    graph: LinkGraph, internal: float | None, content: float | None
) -> None:
    surfer = Surfer(internal=internal, content=content)
    expected = by_definition(links_of(graph, internal=internal, content=content))
    found = Harmonic(surfer=surfer)(graph)
    assert found.converged
    assert np.allclose(found.ranks, expected, atol=1e-12)
    estimated = Harmonic(surfer=surfer, registers=2**12)(graph)
    assert estimated.converged
    # Small balls are counted almost exactly in this many registers, unless two pages share one.
    assert np.allclose(estimated.ranks, expected, atol=0.02 + 0.02 * graph.pages)


def large(pages: int = 4000) -> LinkGraph:
    chance = np.random.default_rng(4)
    urls = [f"http://h{page % 31}.org/{page:05}" for page in range(pages)]
    return build_graph(urls, chance.integers(0, pages, 4 * pages), (pages * chance.random(4 * pages) ** 2).astype(int))


def test_counters_are_as_exact_as_they_promise() -> None:
    graph = large()
    exact = Harmonic(registers=0)(graph).ranks
    error = {}
    for registers in (64, 1024):
        found = Harmonic(registers=registers, draw=1)(graph)
        assert found.converged
        error[registers] = float(
            np.sqrt(np.mean((found.ranks / np.maximum(exact, 1) - exact / np.maximum(exact, 1)) ** 2))
        )
        assert error[registers] < 3 * 1.04 / registers**0.5
        assert np.corrcoef(found.ranks, exact)[0, 1] > 0.99
    assert error[1024] < error[64]


def test_threads_do_not_change_centralities() -> None:
    graph = large(500)
    for registers in (0, 64):
        one, three = (Harmonic(registers=registers, threads=threads)(graph).ranks for threads in (1, 3))
        assert (one == three).all()


def test_a_chain_stops_at_the_most_sweeps() -> None:
    pages = 50
    graph = build_graph([f"http://x/{page:03}" for page in range(pages)], range(pages - 1), range(1, pages))
    assert np.allclose(Harmonic()(graph).ranks, np.cumsum([0, *(1 / np.arange(1, pages))]))
    rounds: list[float] = []
    found = Harmonic(registers=256, most_sweeps=5)(graph, progress=rounds.append)
    assert not found.converged
    assert tuple(rounds) == found.residuals
    assert len(rounds) == 5


@pytest.mark.parametrize(
    "wrong", [{"registers": 63}, {"registers": 8}, {"registers": 2**15}, {"most_sweeps": 0}, {"threads": 0}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError):
        Harmonic(**wrong)  # type: ignore[arg-type]
