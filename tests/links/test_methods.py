"""All forms of PageRank give the same ranks, and those that other libraries and a calculation by hand give."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import graphs

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.methods import GaussSeidel, Jacobi, Method, Unified
from webstrata.links.partitions import Partitioned, make_partitions
from webstrata.links.ranks import carried
from webstrata.links.surfer import Surfer
from webstrata.text import Column

METHODS: list[Method] = [
    Jacobi(tolerance=1e-13),
    GaussSeidel(tolerance=1e-13),
    Unified(tolerance=1e-13),
    Unified(tolerance=1e-13, order="descending"),
    Partitioned(tolerance=1e-13, partitions=3, threads=2),
    Partitioned(tolerance=1e-13, partitions=1, threads=1),
]


def dense(graph: LinkGraph) -> Column:
    """The transition chances as a matrix: row s, column t."""
    matrix = np.zeros((graph.pages, graph.pages))
    for page in range(graph.pages):
        targets = graph.targets(page)
        matrix[page, targets] = 1 / max(len(targets), 1)
    return matrix


def solved(matrix: Column, jump: Column, alpha: float, *, dangling: str = "jump") -> Column:
    """The ranks as the solution of the linear system."""
    ranks = np.linalg.solve(np.eye(len(jump)) - alpha * matrix.T, (1 - alpha) * jump)
    return ranks / ranks.sum() if dangling == "jump" else ranks


@settings(deadline=None, max_examples=60)
@given(graph=graphs(), alpha=st.sampled_from([0.0, 0.5, 0.85, 0.95]), data=st.data())
def test_all_methods_solve_the_equation(graph: LinkGraph, alpha: float, data: st.DataObject) -> None:
    weights = data.draw(st.lists(st.integers(0, 3), min_size=graph.pages, max_size=graph.pages))
    jump = np.array(weights, float) if sum(weights) else np.ones(graph.pages)
    for dangling in ("jump", "ignore"):
        expected = solved(dense(graph), jump / jump.sum(), alpha, dangling=dangling)
        for method in METHODS:
            found = rebuilt(method, alpha=alpha, dangling=dangling)(graph, jump)
            assert found.converged
            assert np.abs(found.ranks - expected).max() < 1e-10, method


def rebuilt(method: Method, **changes: object) -> Method:
    return replace(method, **changes)  # type: ignore[arg-type]


@settings(deadline=None, max_examples=30)
@given(graph=graphs())
def test_other_libraries_agree(graph: LinkGraph) -> None:
    networkx = pytest.importorskip("networkx")
    sparse = pytest.importorskip("scipy.sparse")
    ranking = pytest.importorskip("sknetwork.ranking")
    found = GaussSeidel(tolerance=1e-13)(graph).ranks
    peer = networkx.DiGraph()
    peer.add_nodes_from(range(graph.pages))
    peer.add_edges_from((page, int(target)) for page in range(graph.pages) for target in graph.targets(page))
    ranks = networkx.pagerank(peer, alpha=0.85, tol=1e-14, max_iter=1000)
    assert max(abs(ranks[page] - found[page]) for page in range(graph.pages)) < 1e-8
    if graph.links:
        # Its power iteration (solver "piteration") does not agree with its other solvers where pages are dangling.
        shape = (graph.pages, graph.pages)
        matrix = sparse.csr_matrix((np.ones(graph.links), graph.out_target, graph.out_start), shape)
        scores = ranking.PageRank(damping_factor=0.85, solver="RH", n_iter=400).fit_predict(matrix)
        assert np.abs(scores - found).max() < 1e-8
        assert np.abs(power_iteration(matrix) - found).max() < 1e-8


def power_iteration(matrix: Any, alpha: float = 0.85) -> Column:
    """The power method with SciPy."""
    pages = matrix.shape[0]
    degree = np.asarray(matrix.sum(axis=1)).ravel()
    walk = matrix.T.tocsr()
    ranks = np.full(pages, 1 / pages)
    for _ in range(1000):
        shares = np.divide(ranks, degree, out=np.zeros(pages), where=degree > 0)
        after = alpha * (walk @ shares)
        after += (1 - after.sum()) / pages
        change = np.abs(after - ranks).sum()
        ranks = after
        if change < 1e-14:
            break
    return ranks


@settings(deadline=None, max_examples=30)
@given(graph=graphs(), internal=st.sampled_from([None, 0.0, 0.3, 1.0]), content=st.sampled_from([None, 0.0, 0.8, 1.0]))
def test_the_stratified_surfer_chooses_the_kind_first(
    graph: LinkGraph, internal: float | None, content: float | None
) -> None:
    matrix = np.zeros((graph.pages, graph.pages))
    for page in range(graph.pages):
        groups: dict[tuple[bool, bool], list[int]] = {}
        marks = graph.out_content[graph.out_start[page] : graph.out_start[page + 1]]
        for target, mark in zip(graph.targets(page).tolist(), marks.tolist(), strict=True):
            same = graph.pair(page)[0] == graph.pair(target)[0]
            groups.setdefault((same or internal is None, bool(mark) or content is None), []).append(target)
        chance = {
            (same, mark): (1.0 if internal is None else internal if same else 1 - internal)
            * (1.0 if content is None else content if mark else 1 - content)
            for same, mark in groups
        }
        for kind, targets in groups.items():
            if sum(chance.values()):
                matrix[page, targets] = chance[kind] / sum(chance.values()) / len(targets)
    expected = solved(matrix, np.full(graph.pages, 1 / graph.pages), 0.85)
    for method in METHODS:
        found = rebuilt(method, surfer=Surfer(internal=internal, content=content))(graph).ranks
        assert np.abs(found - expected).max() < 1e-10, method


@settings(deadline=None, max_examples=15)
@given(graph=graphs(), count=st.integers(1, 19), surfer=st.sampled_from([Surfer(), Surfer(internal=0.7, content=0.4)]))
def test_many_vectors_are_the_vectors(graph: LinkGraph, count: int, surfer: Surfer) -> None:
    rng = np.random.default_rng(count)
    jumps = rng.random((graph.pages, count)) * (rng.random((graph.pages, 1)) < 0.5)
    jumps[rng.integers(graph.pages, size=count), np.arange(count)] = 1.0
    for plain in METHODS:
        method = rebuilt(plain, surfer=surfer)
        together = method(graph, jumps).ranks
        for column in range(count):
            assert np.abs(method(graph, jumps[:, column]).ranks - together[:, column]).max() < 1e-11


@pytest.mark.parametrize("method", [GaussSeidel(tolerance=1e-9), Unified(tolerance=1e-9)])
def test_many_vectors_end_with_all_digits(method: GaussSeidel | Unified) -> None:
    """Their first sweeps are rough, which must show in no rank, even where ranks differ by many orders of magnitude."""
    rng = np.random.default_rng(3)
    urls = [f"http://h{page // 50}.org/{page:04}" for page in range(2000)]
    source = rng.integers(0, 2000, 12000)
    near = np.clip(source + rng.integers(-30, 30, 12000), 0, 1999)
    graph = build_graph(urls, source, np.where(rng.random(12000) < 0.02, rng.integers(0, 2000, 12000), near))
    jumps = np.zeros((2000, 18))
    jumps[rng.integers(0, 2000, 18), np.arange(18)] = 1e-30
    together = method(graph, jumps)
    assert together.converged
    assert np.allclose(together.ranks.sum(axis=0), 1.0, atol=1e-12)
    for column in range(18):
        assert np.abs(method(graph, jumps[:, column]).ranks - together.ranks[:, column]).sum() < 1e-8
    rough = type(method)(tolerance=0.1, most_sweeps=1)(graph, jumps)
    assert not rough.converged
    assert np.allclose(rough.ranks.sum(axis=0), 1.0, atol=1e-6)


def test_a_worked_example_by_hand() -> None:
    """Three pages, a → b → c and c → a and c → b, alpha = 1/2, the jumps on a alone.

    So a = 1/2 + c/4, b = a/2 + c/4 and c = b/2. Then b = a/2 + b/8, so b = 4a/7, and a = 1/2 + a/14 = 7/13; b is 4/13
    and c is 2/13. (They add up to one.)
    """
    graph = build_graph(["http://x/a", "http://x/b", "http://x/c"], [0, 1, 2, 2], [1, 2, 0, 1])
    for method in METHODS:
        assert np.allclose(rebuilt(method, alpha=0.5)(graph, [1, 0, 0]).ranks, [7 / 13, 4 / 13, 2 / 13], atol=1e-12)


def test_threads_do_not_change_ranks() -> None:
    rng = np.random.default_rng(1)
    urls = [f"http://h{page % 17}.org/{page}" for page in range(400)]
    graph = build_graph(urls, rng.integers(0, 400, 3000), rng.integers(0, 400, 3000))
    one, two = (Partitioned(partitions=4, threads=threads)(graph) for threads in (1, 3))
    assert (one.ranks == two.ranks).all()
    assert one.residuals == two.residuals


def test_votes_are_added_up_by_target() -> None:
    """Two sites in two partitions: three pages of one link to the same page of the other, and one links back."""
    urls = ["http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://b/2"]
    graph = build_graph(urls, [0, 1, 2, 3, 0], [3, 3, 3, 0, 1])
    parts = make_partitions(graph, Surfer().walk(graph), 2)
    assert (parts.links_between, parts.votes, len(parts.walk.slot)) == (4, 2, 1)


def test_it_says_why_it_stopped() -> None:
    graph = build_graph(["http://a/", "http://b/", "http://c/"], [0, 1, 1, 2], [1, 0, 2, 0])
    assert Jacobi(tolerance=1e-6)(graph).reason.startswith("converged after ")
    stopped = Jacobi(tolerance=0, most_sweeps=3)(graph)
    assert stopped.reason.startswith("stopped unconverged after 3 sweeps with residual ")
    assert not stopped.converged
    assert len(stopped.residuals) == 3


def test_the_residual_bounds_the_error_of_the_equation() -> None:
    rng = np.random.default_rng(2)
    graph = build_graph([f"http://h{page % 9}.org/{page}" for page in range(200)], *rng.integers(0, 200, (2, 900)))
    matrix, jump = dense(graph), np.full(200, 1 / 200)
    for method in METHODS:
        for tolerance in (1e-2, 1e-5):
            found = rebuilt(method, tolerance=tolerance)(graph).ranks
            after = 0.85 * matrix.T @ found
            after += (1 - after.sum()) * jump
            assert np.abs(after - found).sum() <= 2 * 0.85 * tolerance


def test_ranks_of_an_older_graph_save_sweeps() -> None:
    rng = np.random.default_rng(6)
    urls = [f"http://h{page // 50}.org/{page:04}" for page in range(2000)]
    ends = rng.integers(0, 2000, (2, 12000))
    old, graph = build_graph(urls[:1990], *(ends[:, :11900] % 1990)), build_graph(urls, *ends)
    jumps = np.ones((2000, 3))
    jumps[:1000, 1], jumps[5:, 2] = 0.0, 0.0
    for method in METHODS:
        usual = rebuilt(method, tolerance=1e-9)
        cold, cold_many = usual(graph), usual(graph, jumps)
        warm = usual(graph, start=carried(old, usual(old).ranks, graph))
        many = usual(graph, jumps, start=cold_many.ranks)
        assert np.abs(warm.ranks - cold.ranks).sum() < 1e-7
        assert np.abs(many.ranks - cold_many.ranks).sum() < 1e-7
        assert len(warm.residuals) <= len(cold.residuals)
        assert len(usual(graph, start=cold.ranks).residuals) <= 3 < len(cold.residuals)
        with pytest.raises(InputError, match="shape"):
            usual(graph, jumps, start=cold.ranks)


@pytest.mark.parametrize("pages", [0, 1])
def test_tiny_graphs(pages: int) -> None:
    graph = build_graph(["http://a/"][:pages], [0] * pages, [0] * pages)
    for method in METHODS:
        assert method(graph).ranks.tolist() == [1.0] * pages


@pytest.mark.parametrize("jump", [[1, 2], [0, 0, 0], [1, -1, 1], [1, np.nan, 1], [[[1]]]])
def test_wrong_jumps_are_refused(jump: object) -> None:
    graph = build_graph(["http://a/", "http://b/", "http://c/"], [0], [1])
    with pytest.raises(InputError):
        Jacobi()(graph, jump)


@pytest.mark.parametrize(
    "wrong", [{"alpha": 1.0}, {"alpha": -0.1}, {"tolerance": float("nan")}, {"dangling": "x"}, {"most_sweeps": 0}]
)
def test_wrong_parameters_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        GaussSeidel(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Surfer(internal=1.5)
