"""The iterations of Kohlschütter 2011 chapter 3: Jacobi, Gauss-Seidel, and the form that unites them.

All solve the same equation (3.1 to 3.3): the rank of a page is its share of the jumps plus a share of the ranks of the
pages that link to it. They differ in which ranks a sweep over the pages sees. Jacobi (3.1) sees those of the sweep
before; Gauss-Seidel (3.7) sees each new rank at once, in the order of the pages; the unified form (3.8, 3.9) in any
order. The form for partitions is in `webstrata.links.partitions`.

The thesis leaves these points open:

- *Scale.* Ranks are chances: they add up to one. `Ranking.relative` has the mean one, which is the μ of §3.4.
- *Dangling pages*, which have no link to take: with ``jump`` the surfer jumps from them, so that ranks add up to one;
  with ``ignore`` their rank vanishes, as in the equations, so that ranks add up to less. The second ranks are the first
  times a number, for any jump vector: (I - αA) r ∝ τ in both cases. So both take the same sweeps.
- *Residual* δ: the sum of the changes of all ranks in a sweep, as a share of all ranks. After a sweep with residual δ,
  the equation is wrong by at most 2αδ in all pages together, since a sweep uses only ranks from before and after it.
- *Jumps.* A sweep distributes by jumps the rank that did not follow a link in the sweep before. For Jacobi that is the
  power method. For the other forms it keeps all ranks from growing or shrinking together, which would be the slowest
  part to converge.
- *A link of a page to itself* is a link, though 3.7 leaves it out. Where new ranks are seen at once, the equation is
  solved for the page: otherwise such pages alone would take as many sweeps as Jacobi.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph
from webstrata.links.surfer import Surfer
from webstrata.links.sweeper import WIDTH, Sweeper, aligned_rows
from webstrata.text import Column

__all__ = ["GaussSeidel", "Jacobi", "Method", "Ranking", "Unified"]

# Rows that are divided together: they fit the nearer caches.
_ROWS_AT_ONCE = 2048
_DANGLING = ("jump", "ignore")


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The ranks of all pages, and how they were found.

    Attributes
    ----------
    ranks : a number for each page; for several jump vectors, a column for each
    residuals : the residual of each sweep; with several vectors, the largest of them
    converged : whether the last residual was at most the tolerance
    method : the `repr` of the method; evaluating it rebuilds the method
    """

    ranks: Column
    residuals: tuple[float, ...]
    converged: bool
    method: str

    @property
    def reason(self) -> str:
        """Why it stopped."""
        last = self.residuals[-1] if self.residuals else 0.0
        state = "converged" if self.converged else "stopped unconverged"
        return f"{state} after {len(self.residuals)} sweeps with residual {last:.1e}"

    @property
    def relative(self) -> Column:
        """The ranks as multiples of the mean rank (of each vector)."""
        mean = self.ranks.mean(axis=0)
        return self.ranks / np.where(mean > 0, mean, 1.0)

    def top(self, count: int = 10) -> Column:
        """The pages with the highest ranks, equal ranks in the order of the pages. For one vector."""
        return np.argsort(-self.ranks, kind="stable")[:count]

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.ranks)} pages by {self.method}: {self.reason}>"


@dataclass(frozen=True, kw_only=True)
class Method:
    """The base class of all methods.

    Parameters
    ----------
    alpha : the chance that the surfer follows a link instead of jumping
    tolerance : the residual at which it stops
    most_sweeps : the number of sweeps at most; a ranking that did not converge has ``converged=False``
    dangling : what happens to the rank of pages without links: jump or ignore
    surfer : the chance of each link to be taken
    """

    alpha: float = 0.85
    tolerance: float = 1e-9
    most_sweeps: int = 1000
    dangling: str = "jump"
    surfer: Surfer = field(default_factory=Surfer)

    name: ClassVar[str]

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < 1:
            raise InputError(f"alpha is a chance from 0 to below 1, not {self.alpha}")
        if not self.tolerance >= 0 or self.most_sweeps < 1:
            raise InputError("tolerance must be at least 0, most_sweeps at least 1")
        if self.dangling not in _DANGLING:
            raise InputError(f"dangling is one of {', '.join(_DANGLING)}, not {self.dangling!r}")

    def __call__(
        self,
        graph: LinkGraph,
        jump: Any = None,
        *,
        start: Any = None,
        progress: Callable[[float], None] = lambda residual: None,
    ) -> Ranking:
        """Rank the pages of a graph.

        Parameters
        ----------
        graph : the graph
        jump : the jump vector, a number for each page, or several as columns; equal for all pages by default. It need
            not add up to one
        start : the ranks to start from, such as those of an older graph (`webstrata.links.ranks.carried`), in the
            shape of ``jump``; the jumps by default. Ranks are the same, after fewer sweeps
        progress : called with the residual after each sweep
        """
        return self.rank(self.prepare(graph), jump, start=start, progress=progress)

    def prepare(self, graph: LinkGraph) -> Any:
        """The data that depends on the graph alone, for `rank` with any number of jump vectors."""
        return self.surfer.walk(graph)

    def rank(
        self,
        prepared: Any,
        jump: Any = None,
        *,
        start: Any = None,
        progress: Callable[[float], None] = lambda residual: None,
    ) -> Ranking:
        """Rank the pages of a graph that `prepare` has prepared."""
        jumps, total = _jumps(jump, prepared.pages)
        begins, begins_total = (jumps, total) if start is None else _jumps(start, prepared.pages)
        if begins.shape != jumps.shape:
            raise InputError(f"start has the shape of the jumps, {jumps.shape}, not {begins.shape}")
        # Columns are contiguous: groups of them are written one after the other.
        ranks = np.empty(jumps.shape, order="F")
        width = 1 if jumps.shape[1] == 1 else WIDTH
        walking = (~prepared.dangling).astype(np.float64)
        group = aligned_rows(prepared.pages, width)
        first_ranks = group if start is None else aligned_rows(prepared.pages, width)
        curves, converged = [], True
        sweeper = self.sweeper(prepared, width)
        try:
            for first in range(0, jumps.shape[1], width):
                part = slice(first, min(first + width, jumps.shape[1]))
                count = part.stop - first
                _divide(jumps[:, part], total[part], group[:, :count])
                if start is not None:
                    _divide(begins[:, part], begins_total[part], first_ranks[:, :count])
                    first_ranks[:, count:] = 0.0
                group[:, count:] = 0.0
                sweeper.begin(group, first_ranks)
                weight = 1.0 - self.alpha * (walking @ first_ranks)
                curve, done = self._converge(sweeper, weight, ranks[:, part], progress)
                curves.append(curve)
                converged &= done
        finally:
            sweeper.close()
        longest = max(map(len, curves), default=0)
        residuals = tuple(max(curve[i] for curve in curves if i < len(curve)) for i in range(longest))
        single = jump is None or np.ndim(jump) == 1
        return Ranking(ranks[:, 0] if single else ranks, residuals, converged, repr(self))

    @abstractmethod
    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        """A sweeper for groups of this many vectors."""

    def _converge(
        self, sweeper: Sweeper, weight: Column, ranks: Column, progress: Callable[[float], None]
    ) -> tuple[list[float], bool]:
        """Sweep until the residuals of the columns of ``ranks`` are small enough, and write the ranks there."""
        count = ranks.shape[1]
        residuals: list[float] = []
        while True:
            changed, total, walked = sweeper(weight)
            held = np.where(total > 0, total, 1.0)
            residuals.append(float((changed / held)[:count].max(initial=0.0)))
            progress(residuals[-1])
            weight = total - self.alpha * walked
            done = sweeper.exact and residuals[-1] <= self.tolerance
            if done or len(residuals) == self.most_sweeps or not len(ranks):
                break
        whole = held if self.dangling == "jump" else np.where(weight > 0, weight, 1.0) / (1 - self.alpha)
        _divide(sweeper.ranks()[:, :count], whole[:count], ranks)
        return residuals, done


def _divide(columns: Column, by: Column, out: Column) -> None:
    """Divide each column by its number, some rows at a time.

    One array is in row order and the other in column order: without the cut, cache lines would be read once a column.
    """
    for first in range(0, len(columns), _ROWS_AT_ONCE):
        np.divide(columns[first : first + _ROWS_AT_ONCE], by, out=out[first : first + _ROWS_AT_ONCE])


def _jumps(jump: Any, pages: int) -> tuple[Column, Column]:
    """The jump vectors as columns, and the sum of each."""
    if jump is None:
        return np.ones((pages, 1)), np.array([max(pages, 1.0)])
    given = np.asarray(jump, np.float64)
    columns = given[:, None] if given.ndim == 1 else given
    if columns.ndim != 2 or len(columns) != pages:
        raise InputError(f"a jump vector has one number for each of the {pages} pages, not the shape {given.shape}")
    total = columns.sum(axis=0)
    if pages and not (np.isfinite(total).all() and columns.min(initial=0.0) >= 0 and (total > 0).all()):
        raise InputError("jumps are chances: at least 0, and above 0 for at least one page of each vector")
    return columns, np.where(total > 0, total, 1.0)


@dataclass(frozen=True, kw_only=True)
class Jacobi(Method):
    """Each sweep sees the ranks of the sweep before (Kohlschütter 2011, equation 3.1).

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/", "http://c/"], [0, 1, 2], [1, 0, 0])
    >>> Jacobi(alpha=0.5)(graph).ranks.round(4).tolist()
    [0.4444, 0.3889, 0.1667]
    """

    name: ClassVar[str] = "jacobi"

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        return Sweeper(prepared, width, alpha=self.alpha, at_once=False)


@dataclass(frozen=True, kw_only=True)
class GaussSeidel(Method):
    """Each page sees the new ranks of the pages before it (Kohlschütter 2011, equation 3.7).

    >>> from webstrata.links.graph import build_graph
    >>> graph = build_graph(["http://a/", "http://b/"], [0], [1])
    >>> GaussSeidel(alpha=0.5)(graph).ranks.tolist(), GaussSeidel(alpha=0.5, dangling="ignore")(graph).ranks.tolist()
    ([0.4, 0.6], [0.25, 0.375])
    """

    name: ClassVar[str] = "gauss-seidel"

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        return Sweeper(prepared, width, alpha=self.alpha, at_once=True)


@dataclass(frozen=True, kw_only=True)
class Unified(Method):
    """New ranks are seen at once, and pages are visited in any order (Kohlschütter 2011, equations 3.8 and 3.9).

    Parameters
    ----------
    order : ascending (which is Gauss-Seidel), descending or random
    draw : the seed of the random order
    """

    order: str = "random"
    draw: int = 0

    name: ClassVar[str] = "unified"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order not in ("ascending", "descending", "random"):
            raise InputError(f"order is one of ascending, descending, random, not {self.order!r}")

    def sweeper(self, prepared: Any, width: int) -> Sweeper:
        order = np.arange(prepared.pages, dtype=np.int64)
        if self.order == "random":
            np.random.default_rng(self.draw).shuffle(order)
        elif self.order == "descending":
            order = np.ascontiguousarray(order[::-1])
        return Sweeper(prepared, width, alpha=self.alpha, at_once=True, order=order)
