"""PageRank beside other libraries: sweeps, time, and how far the ranks are from the solution; votes; many vectors.

    python bench/links.py [--links 10000000] [--wpcd [--keep DIR]] [--vectors 100] [--repeat 3] [--alone]

The graph is generated (`web_graph.py`); --wpcd adds that of the 2007 Wikipedia Selection for Schools, with directories
as sites. Times are of processor time and by the clock, the least of all repetitions; the libraries take turns. Reading
the graph into a library's own form is not counted, nor is cutting it into partitions, which is printed by itself: it is
done once for a graph. All stop at the same change of ranks in a sweep, and the residual is that of the equation,
computed afterwards for all alike. With --alone only our methods run, for graphs of 100,000,000 links.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from web_graph import web_graph
from webstrata.evaluation.datasets.wpcd import archive, by_directory, wpcd_graph
from webstrata.links import GaussSeidel, Harmonic, Jacobi, LinkGraph, Partitioned, Surfer, Unified
from webstrata.links.methods import Method
from webstrata.links.partitions import make_partitions
from webstrata.links.statistics import link_statistics
from webstrata.links.topics import kendall_tau
from webstrata.text import Column

ALPHA = 0.85
Run = Callable[[], tuple[Column, int | None]]


def ours(graph: LinkGraph, method: Method) -> Run:
    prepared = method.prepare(graph)

    def run() -> tuple[Column, int | None]:
        ranking = method.rank(prepared)
        return ranking.ranks, len(ranking.residuals)

    return run


def scipy_power(graph: LinkGraph, tolerance: float) -> Run:
    """The power method, as one writes it with SciPy."""
    walk = sparse_links(graph).T.tocsr()
    degree = np.diff(graph.out_start)
    share = np.divide(1.0, degree, out=np.zeros(graph.pages), where=degree > 0)

    def run() -> tuple[Column, int | None]:
        ranks = np.full(graph.pages, 1 / graph.pages)
        change, sweeps = np.inf, 0
        while change > tolerance:
            after = ALPHA * (walk @ (ranks * share))
            after += (1 - after.sum()) / graph.pages
            change = np.abs(after - ranks).sum()
            ranks, sweeps = after, sweeps + 1
        return ranks, sweeps

    return run


def sparse_links(graph: LinkGraph) -> Any:
    from scipy.sparse import csr_matrix

    parts = np.ones(graph.links), graph.out_target.astype(np.int32), graph.out_start.astype(np.int64)
    return csr_matrix(parts, (graph.pages, graph.pages))


def scikit_network(graph: LinkGraph, tolerance: float) -> Run:
    """Its solver "RH" has a number of sweeps, no tolerance: as many as Jacobi needs."""
    from sknetwork.ranking import PageRank as Peer

    matrix = sparse_links(graph)
    sweeps = len(Jacobi(tolerance=tolerance)(graph).residuals)
    peer = Peer(damping_factor=ALPHA, solver="RH", n_iter=sweeps)
    return lambda: (peer.fit_predict(matrix), sweeps)


def networkit(graph: LinkGraph, tolerance: float) -> Run:
    import networkit as nk

    nk.setNumberOfThreads(1)
    ends = tuple(end.astype(np.uint64) for end in edges(graph))
    peer = nk.GraphFromCoo(ends, n=graph.pages, weighted=False, directed=True)

    def run() -> tuple[Column, int | None]:
        rank = nk.centrality.PageRank(
            peer, damp=ALPHA, tol=tolerance, distributeSinks=nk.centrality.SinkHandling.DistributeSinks
        )
        rank.norm = nk.centrality.Norm.L1_NORM
        rank.run()
        return np.array(rank.scores()), rank.numberOfIterations()

    return run


def igraph(graph: LinkGraph, tolerance: float) -> Run:
    """Its solver prpack has a tolerance of its own."""
    import igraph as ig

    source, target = edges(graph)
    peer = ig.Graph(graph.pages, np.column_stack((source, target)), directed=True)
    return lambda: (np.array(peer.pagerank(damping=ALPHA)), None)


def edges(graph: LinkGraph) -> tuple[Column, Column]:
    source = np.repeat(np.arange(graph.pages, dtype=np.uint32), np.diff(graph.out_start))
    return source, np.asarray(graph.out_target)


def residual(graph: LinkGraph, ranks: Column) -> float:
    """How wrong the equation is in all pages together."""
    walk = Surfer().walk(graph)
    shares = np.where(walk.factor[:, 0] > 0, ranks * walk.factor[:, 0], 0.0)
    added = np.concatenate(([0.0], np.cumsum(shares[graph.in_source])))
    after = ALPHA * np.diff(added[graph.in_start])
    after += (1 - after.sum()) / graph.pages
    return float(np.abs(after - ranks).sum())


def compare(graph: LinkGraph, options: argparse.Namespace) -> None:
    tolerance = options.tolerance
    runs: dict[str, Run] = {}
    methods: dict[str, Method] = {
        "jacobi": Jacobi(tolerance=tolerance),
        "gauss-seidel": GaussSeidel(tolerance=tolerance),
        "unified, random order": Unified(tolerance=tolerance),
        "partitioned, 2 threads": Partitioned(tolerance=tolerance, partitions=2, threads=2),
    }
    if not options.alone:
        runs["scipy"] = scipy_power(graph, tolerance)
    for name, method in methods.items():
        start = time.process_time()
        runs[name] = ours(graph, method)
        if name.startswith("partitioned"):
            print(f"  cutting into partitions: {time.process_time() - start:.2f} CPU s")
    if not options.alone:
        for peer in (scikit_network, networkit, igraph):
            runs[peer.__name__] = peer(graph, tolerance)
    cpu: dict[str, float] = {}
    clock: dict[str, float] = {}
    found: dict[str, tuple[Column, int | None]] = {}
    for _ in range(options.repeat):
        for name, run in runs.items():
            begin, start = time.process_time(), time.perf_counter()
            found[name] = run()
            cpu[name] = min(cpu.get(name, np.inf), time.process_time() - begin)
            clock[name] = min(clock.get(name, np.inf), time.perf_counter() - start)
    base = "scipy" if "scipy" in runs else "jacobi"
    print(f"  {'':24} {'sweeps':>7} {'CPU s':>8} {'clock s':>8} {f'CPU/{base}':>10} {'clock':>7} {'residual':>9}")
    for name, (ranks, sweeps) in found.items():
        print(f"  {name:24} {sweeps or '':>7} {cpu[name]:8.3f} {clock[name]:8.3f} {cpu[name] / cpu[base]:10.2f}"
              f" {clock[name] / clock[base]:7.2f} {residual(graph, ranks):9.1e}")  # fmt: skip


def votes(graph: LinkGraph) -> None:
    for name, number, share in link_statistics(graph, partitions=8).rows():
        print(f"  {name:32} {number:>14,} {100 * share:8.2f} %")
    for count in (2, 8):
        parts = make_partitions(graph, Surfer().walk(graph), count)
        share = parts.votes / max(parts.links_between, 1)
        print(f"  {count} partitions: votes are {100 * share:.1f} % of the links between them")


def many(graph: LinkGraph, options: argparse.Namespace) -> None:
    """Vectors biased on as many runs of pages, beside one of them."""
    method = GaussSeidel(tolerance=options.tolerance)
    prepared = method.prepare(graph)
    pages = np.arange(graph.pages)
    jumps = np.zeros((graph.pages, options.vectors), order="F")
    jumps[pages, pages * options.vectors // graph.pages] = 1.0
    taken = [np.inf, np.inf]
    for _ in range(options.repeat):
        for number, given in enumerate((jumps[:, 0], jumps)):
            begin = time.process_time()
            sweeps = len(method.rank(prepared, given).residuals)
            taken[number] = min(taken[number], time.process_time() - begin)
            print(f"  {given.size // graph.pages:>4} vectors: {time.process_time() - begin:.2f} CPU s, {sweeps} sweeps")
    print(f"  {taken[1] / taken[0]:.1f} times the time of one (the least of each)")


def centralities(graph: LinkGraph) -> None:
    """Harmonic centrality: estimates beside exact distances."""
    exact = Harmonic(registers=0)(graph)
    for registers in (64, 256):
        started = time.process_time()
        found = Harmonic(registers=registers)(graph)
        took = time.process_time() - started
        same = len(set(exact.top(100).tolist()) & set(found.top(100).tolist()))
        tau = kendall_tau(exact.ranks, found.ranks)
        print(
            f"  harmonic, {registers} registers: {took:.2f} s, tau {tau:.3f}, {same} of the first 100 pages", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--wpcd", action="store_true")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--tolerance", type=float, default=1e-6)
    parser.add_argument("--vectors", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    graphs: dict[str, Callable[[], LinkGraph]] = {"generated": lambda: web_graph(options.links)}
    if options.wpcd:
        graphs["wpcd"] = lambda: by_directory(wpcd_graph(archive(), kept=options.keep))
    for name, make in graphs.items():
        graph = make()
        print(f"{name}: {graph}")
        votes(graph)
        compare(graph, options)
        if options.vectors:
            many(graph, options)
        if name == "wpcd":
            centralities(graph)
        print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
