"""PageRank by the name of its method."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.links.methods import GaussSeidel, Jacobi, Method, Unified
from webstrata.links.partitions import Partitioned
from webstrata.links.sweeper import Sweeper
from webstrata.registry import unknown

__all__ = ["METHODS", "PageRank"]

#: The methods by name.
METHODS: dict[str, type[Method]] = {method.name: method for method in (Jacobi, GaussSeidel, Unified, Partitioned)}


@dataclass(frozen=True, kw_only=True)
class PageRank(Method):
    """PageRank by any method of `METHODS`, each of which is a class of its own with further parameters.

    Parameters
    ----------
    method : the name of the method
    alpha, tolerance, most_sweeps, dangling, surfer : as of `webstrata.links.methods.Method`

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://c/"], [0, 1, 2], [1, 0, 0])
    >>> ranking = PageRank(method="gauss-seidel", alpha=0.5)(graph)
    >>> ranking.ranks.round(4).tolist(), [graph.urls[page] for page in ranking.top(1)]
    ([0.4444, 0.3889, 0.1667], ['http://a/'])
    """

    method: str = GaussSeidel.name

    name: ClassVar[str] = "pagerank"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise InputError(unknown("method", self.method, METHODS))

    @once
    def _method(self) -> Method:
        shared = {item.name: getattr(self, item.name) for item in fields(Method)}
        return METHODS[self.method](**shared)

    def prepare(self, graph: Any) -> Any:
        return self._method.prepare(graph)

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        return self._method.sweeper(prepared, width)
