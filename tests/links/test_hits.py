"""HITS against the eigenvectors of the link matrix, and a calculation by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import graphs, links_of

from webstrata.errors import InputError
from webstrata.links import HITS, Harmonic, LinkGraph, Surfer, build_graph


@settings(deadline=None, max_examples=60)
@given(graph=graphs(), internal=st.sampled_from([None, 0.0, 1.0]), content=st.sampled_from([None, 0.0, 1.0]))
def test_scores_are_those_of_the_definition(graph: LinkGraph, internal: float | None, content: float | None) -> None:
    """Equal starting scores tend to their part in the space of the largest eigenvalue."""
    links = links_of(graph, internal=internal, content=content)
    found = HITS(tolerance=1e-14, most_sweeps=20_000, surfer=Surfer(internal=internal, content=content))(graph)
    if not links.any():
        assert found.converged
        assert not found.ranks.any()
        assert not found.hubs.any()
        return
    value, vectors = np.linalg.eigh(links.T @ links)
    nearest = value[value < value[-1] * (1 - 1e-6)].max(initial=0)
    if nearest > 0.999 * value[-1]:
        return  # no number of sweeps tells these apart
    space = vectors[:, value >= value[-1] * (1 - 1e-6)]
    expected = space @ (space.T @ (links.T @ np.ones(graph.pages)))
    expected /= expected.sum()
    assert np.abs(found.ranks - expected).max() < 1e-9
    hubs = links @ expected
    assert np.abs(found.hubs - hubs / hubs.sum()).max() < 1e-9
    assert (found.turned.ranks == found.hubs).all()
    assert (found.turned.hubs == found.ranks).all()


def test_a_worked_example_by_hand() -> None:
    """a → b, a → c, b → c: authorities (0, 1, g) and hubs (g, 1, 0) up to scale, with g the golden ratio."""
    graph = build_graph(["http://x/a", "http://x/b", "http://x/c"], [0, 0, 1], [1, 2, 2])
    golden = (1 + 5**0.5) / 2
    found = HITS(tolerance=1e-14)(graph)
    assert np.allclose(found.ranks, np.array([0, 1, golden]) / (1 + golden), atol=1e-12)
    assert np.allclose(found.hubs, np.array([golden, 1, 0]) / (1 + golden), atol=1e-12)


def test_it_says_when_it_stopped_unconverged() -> None:
    graph = build_graph(["http://x/a", "http://x/b", "http://x/c"], [0, 0, 1], [1, 2, 2])
    residuals: list[float] = []
    found = HITS(most_sweeps=2, tolerance=0)(graph, progress=residuals.append)
    assert not found.converged
    assert found.reason.startswith("stopped unconverged after 2 sweeps")
    assert tuple(residuals) == found.residuals
    assert eval(found.method) == HITS(most_sweeps=2, tolerance=0)


def test_chances_between_are_refused() -> None:
    graph = build_graph(["http://x/a"], [], [])
    for measure in (HITS(surfer=Surfer(content=0.5)), Harmonic(surfer=Surfer(internal=0.1))):
        with pytest.raises(InputError, match="0 or 1"):
            measure(graph)
    for wrong in ({"tolerance": -1}, {"tolerance": float("nan")}, {"most_sweeps": 0}):
        with pytest.raises(InputError):
            HITS(**wrong)
