"""PageRank in the forms of Kohlschütter 2011 chapter 3: Jacobi, Gauss-Seidel, and the form that unites them.

All solve the same equation (3.1 to 3.3): a page holds what jumps bring it, and a share of what the pages hold that link
to it. They differ in which ranks a sweep over the pages sees. Jacobi (3.1) sees those of the sweep before; Gauss-Seidel
(3.7) sees each new rank at once, in the order of the pages; the unified form (3.8, 3.9) in any order. The form for
partitions is in `webstrata.links.partitions`.

What the thesis leaves open is decided so:

- *Scale.* Ranks add up to one: they are chances. `Ranking.relative` has the mean one, which is the μ of §3.4.
- *Dangling pages*, which have no link to take: ``jump`` lets the surfer jump from them, so that ranks add up to one;
  ``ignore`` lets what they hold vanish, as the equations have it, so that ranks add up to less. The second is the first
  times a number, for any jump vector: (I - αA) r ∝ τ in both cases. So both take the same sweeps.
- *Residual* δ: the sum of what ranks change in a sweep, as a share of all. Where at most δ changed, the equation is
  wrong by at most 2αδ in all pages together, since a sweep uses only ranks from before and after it.
- *Jumps.* A sweep gives to jumps what the sweep before did not walk. For Jacobi that is the power method. For the other
  forms it keeps ranks from growing or shrinking together, which would take the most sweeps to settle.
- *A link of a page to itself* is a link, though 3.7 leaves it out. Where new ranks are seen at once, the equation is
  solved for the page: else such pages alone would take as many sweeps as Jacobi.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from webstrata.errors import InputError
from webstrata.links._sweeps import refine, share, sweep, sweep_rough
from webstrata.links.graph import LinkGraph
from webstrata.links.surfer import Surfer, Walk
from webstrata.text import Column

__all__ = ["METHODS", "GaussSeidel", "Jacobi", "PageRank", "Ranking", "Sweeper", "Unified", "links_find"]

# So many vectors are swept together: for more, the ranks of a site no longer fit the nearest caches.
_WIDE = 16
# Until no more than this changes in a sweep, half of the digits will do; they bear ten times less.
_ROUGH = 1e-5
# Rows of so many pages together fit the nearer caches.
_AT_ONCE = 2048
_DANGLING = ("jump", "ignore")


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The ranks of all pages, and how they were found.

    Attributes
    ----------
    ranks : a number for each page; for several jump vectors, a column for each
    residuals : what changed in each sweep; with several vectors, in the one that changed most
    converged : whether the last of them was as small as wanted
    method : what made it; evaluating it rebuilds it
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
        """The pages of the highest ranks; equal ones in the order of their numbers. For one vector."""
        return np.argsort(-self.ranks, kind="stable")[:count]

    def __repr__(self) -> str:
        return f"<Ranking by {self.method}: {self.reason}>"


def links_find(factor: Column, rank: Column, *, at_once: bool) -> Column:
    """What the kernel reads for links: shares of one vector, ranks of several; those very ranks if they change at once.

    Parameters
    ----------
    factor : what each page gives to a link of each stratum
    rank : the ranks, a row for each page
    at_once : whether pages see new ranks at once
    """
    if at_once and rank.shape[1] > 1:
        return rank
    found = np.empty_like(rank) if rank.shape[1] > 1 else np.empty((factor.size, 1))
    share(factor, rank, found)
    return found


def rows(pages: int, width: int, kind: Any = np.float64) -> Column:
    """A row of zeros for each page. Rows begin where lines of the cache begin, so that none takes more than it must."""
    line = 64
    size = pages * width * np.dtype(kind).itemsize
    room = np.zeros(size + line, np.uint8)
    first = -room.ctypes.data % line
    found: Column = room[first : first + size].view(kind).reshape(pages, width)
    return found


class Sweeper:
    """Ranks on their way: sweeps once when it is called, and gives the sums of the kernel.

    It serves many groups of vectors, one after the other, because to get and clear the memory anew for each group would
    take longer than some sweeps.

    Many vectors are first swept with half of the digits, which is half the memory to read. Where that gets no further,
    it goes on with all of them; so ranks are as exact as those of one vector.

    Attributes
    ----------
    exact : whether the last sweep had all digits; that a rough one changed little is no reason to stop
    """

    exact = True

    def __init__(self, walk: Walk, width: int, *, alpha: float, at_once: bool, order: Column | None = None) -> None:
        self.walk, self.order, self.alpha, self.at_once = walk, order, alpha, at_once
        self.stay = walk.stay if at_once else None
        self.jump = self.rank = rows(walk.pages, width)
        self.sums = np.zeros((3, width))
        self.x = links_find(walk.factor, self.rank, at_once=at_once)
        self.rough, self.residual = False, np.inf
        if self.can_be_rough:
            self.given = rows(walk.pages, width, np.float32)
            # While ranks are rough, nobody reads the exact ones.
            self.rough_jump = self.rank.reshape(-1).view(np.float32)[: self.rank.size].reshape(self.rank.shape)

    def begin(self, jump: Column) -> None:
        """Begin anew with these jump vectors; they are read in every sweep until the next time."""
        self.jump = jump
        self.rough = self.can_be_rough
        if self.rough:
            self.residual = np.inf
            np.copyto(self.rough_jump, jump, casting="same_kind")
            np.multiply(jump, self.walk.factor, out=self.given, casting="same_kind")
            return
        np.copyto(self.rank, jump)
        if self.x is not self.rank:
            share(self.walk.factor, self.rank, self.x)

    @property
    def can_be_rough(self) -> bool:
        """Whether there is a rough sweep for this: for many vectors, one stratum, and ranks that are seen at once."""
        return self.walk.pages > 0 and self.x is self.rank and self.walk.factor.shape[1] == 1

    def __call__(self, weight: Column) -> Column:
        walk = self.walk
        self.exact = not self.rough
        if self.rough:
            sweep_rough(walk.start, walk.slot, self.rough_jump, self.order, walk.factor, self.stay, self.alpha, weight,
                        self.given, self.sums)  # fmt: skip
            changed, total, _ = self.sums
            before, self.residual = self.residual, float((changed / np.where(total > 0, total, 1.0)).max())
            if not _ROUGH < self.residual < before:
                self._refine()
            return self.sums
        sweep(walk.start, walk.slot, self.jump, None, self.order, walk.factor, self.stay, self.alpha, weight,
              self.at_once, 0, walk.pages, self.x, self.rank, self.sums)  # fmt: skip
        if not self.at_once:
            share(walk.factor, self.rank, self.x)
        return self.sums

    def _refine(self) -> None:
        """Go on with all digits."""
        refine(self.walk.factor, self.given, self.rank)
        self.rough = False

    def ranks(self) -> Column:
        """The ranks in the order of the pages of the graph."""
        if self.rough:
            self._refine()
        return self.rank

    def close(self) -> None:
        """Let go of what it holds."""


@dataclass(frozen=True, kw_only=True)
class PageRank:
    """What all forms have in common.

    Parameters
    ----------
    alpha : the chance that the surfer follows a link and does not jump
    tolerance : the residual at which it stops
    most_sweeps : it stops after so many in any case, and says so
    dangling : what becomes of the rank of pages without links: jump or ignore
    surfer : with which chance each link is taken
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
            raise InputError("tolerance is at least 0, most_sweeps at least 1")
        if self.dangling not in _DANGLING:
            raise InputError(f"dangling is one of {', '.join(_DANGLING)}, not {self.dangling!r}")

    def __call__(
        self, graph: LinkGraph, jump: Any = None, *, tell: Callable[[float], None] = lambda residual: None
    ) -> Ranking:
        """Rank the pages of a graph.

        Parameters
        ----------
        graph : the graph
        jump : where jumps go: a number for each page, or a column of them for each vector; all pages alike by default.
            It need not add up to one
        tell : is told the residual after each sweep
        """
        return self.rank(self.prepare(graph), jump, tell=tell)

    def prepare(self, graph: LinkGraph) -> Any:
        """What depends on the graph alone, and serves any number of jump vectors."""
        return self.surfer.walk(graph)

    def rank(
        self, prepared: Any, jump: Any = None, *, tell: Callable[[float], None] = lambda residual: None
    ) -> Ranking:
        """Rank the pages of what `prepare` gave."""
        jumps, total = _jumps(jump, prepared.pages)
        # Each vector in one piece: groups of them are written one after the other.
        ranks = np.empty(jumps.shape, order="F")
        width = 1 if jumps.shape[1] == 1 else _WIDE
        walking = (~prepared.dangling).astype(np.float64)
        given = rows(prepared.pages, width)
        curves, converged = [], True
        sweeper = self.sweeper(prepared, width)
        try:
            for first in range(0, jumps.shape[1], width):
                part = slice(first, min(first + width, jumps.shape[1]))
                _divide(jumps[:, part], total[part], given[:, : part.stop - first])
                given[:, part.stop - first :] = 0.0
                sweeper.begin(given)
                weight = 1.0 - self.alpha * (walking @ given)
                curve, done = self._group(sweeper, weight, ranks[:, part], tell)
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
        """What sweeps so many vectors at once."""

    def _group(
        self, sweeper: Sweeper, weight: Column, ranks: Column, tell: Callable[[float], None]
    ) -> tuple[list[float], bool]:
        """Sweep until the vectors that have a column in ranks change little enough, and write them there."""
        count = ranks.shape[1]
        residuals: list[float] = []
        while True:
            changed, total, walked = sweeper(weight)
            held = np.where(total > 0, total, 1.0)
            residuals.append(float((changed / held)[:count].max(initial=0.0)))
            tell(residuals[-1])
            weight = total - self.alpha * walked
            done = sweeper.exact and residuals[-1] <= self.tolerance
            if done or len(residuals) == self.most_sweeps or not len(ranks):
                break
        whole = held if self.dangling == "jump" else np.where(weight > 0, weight, 1.0) / (1 - self.alpha)
        _divide(sweeper.ranks()[:, :count], whole[:count], ranks)
        return residuals, done


def _divide(columns: Column, by: Column, out: Column) -> None:
    """Divide each column by its number, some rows at a time: one side has rows in one piece and the other columns, and
    what lies between two numbers of a column would else be read again for each of them."""
    for first in range(0, len(columns), _AT_ONCE):
        np.divide(columns[first : first + _AT_ONCE], by, out=out[first : first + _AT_ONCE])


def _jumps(jump: Any, pages: int) -> tuple[Column, Column]:
    """The jump vectors as columns and what each adds up to, or an error that says what is wrong with them."""
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
class Jacobi(PageRank):
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
class GaussSeidel(PageRank):
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
class Unified(PageRank):
    """New ranks are seen at once, in whatever order pages are visited (Kohlschütter 2011, equations 3.8 and 3.9).

    Parameters
    ----------
    order : ascending (which is Gauss-Seidel), descending or random
    draw : the number that the random order is drawn with
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


#: The forms that need one thread, by name; `webstrata.links.partitions` adds its own.
METHODS: dict[str, type[PageRank]] = {method.name: method for method in (Jacobi, GaussSeidel, Unified)}
