"""Algorithms by name: ours, and those that other packages register through entry points.

An algorithm is an immutable object, made from a class with keyword-only parameters; its ``repr`` rebuilds it. Modules
are imported lazily, so that listing names is cheap. `webstrata._spelling` defines how an algorithm and its parameters
are written.

Our own algorithms are found without reading entry points. Those of other packages are read once in a process, when a
name is not ours or all names are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar

from webstrata._parameters import Parameter, check, parameters_of, takes
from webstrata._spelling import MAX_LENGTH, Step, read, write
from webstrata.errors import InputError

__all__ = ["Entry", "Registry", "unknown"]

T = TypeVar("T")

#: Size of the cache of algorithms; a sweep over parameters makes many and needs each for a short time only.
_KEPT = 128
# Values of exactly these types are identified by their spelling, so that an algorithm with them can be cached.
_PLAIN = (bool, int, float, str, type(None))


class Entry(NamedTuple):
    """Where an algorithm is defined.

    Attributes
    ----------
    location : "module:name"
    paper : the paper it comes from
    needs : its input besides a page, or the extra it needs; "" for most
    package : the distribution that registered it; "" for ours
    """

    location: str
    paper: str = ""
    needs: str = ""
    package: str = ""


class Registry(Generic[T]):
    """The algorithms of one kind.

    Parameters
    ----------
    kind : what the algorithms are, for messages ("segmenter")
    group : the entry-point group under which other packages add theirs
    entries : ours, by name

    >>> from webstrata.segmentation import SEGMENTERS
    >>> SEGMENTERS.make("bf-plain(theta=0.5)")
    BFPlain(theta=0.5, inner=None, width=80)
    >>> SEGMENTERS.make("bf-plain", theta=0.5) is SEGMENTERS.make("bf-plain(theta=0.5)")
    True
    """

    def __init__(self, kind: str, group: str, entries: Mapping[str, Entry]) -> None:
        self.kind = kind
        self.group = group
        self._entries = dict(entries)
        self._found = lru_cache(maxsize=_KEPT)(lambda spelling: self.build(read(spelling)))

    def entries(self) -> dict[str, Entry]:
        """All algorithms by name; ours cannot be replaced from outside."""
        return {**_installed(self.group), **self._entries}

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self.entries()))

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in _installed(self.group)

    def owns(self, name: str) -> bool:
        """Whether a name is one of ours, not of another package."""
        return name in self._entries

    def needs(self, spelling: str) -> str:
        """What an algorithm needs besides a page; "" for most.

        >>> from webstrata.segmentation import SEGMENTERS
        >>> SEGMENTERS.needs("vips(pdoc=9)"), SEGMENTERS.needs("bf-plain")
        ('a rendered page', '')
        """
        name = read(spelling)[0].name
        entry = self._entries.get(name) or _installed(self.group).get(name)
        return entry.needs if entry else ""

    def make(self, spelling: str, **parameters: Any) -> T:
        """The algorithm of that spelling. The same spelling gives the same object again.

        Parameters
        ----------
        spelling : "bf-plain", or "bf-plain(theta=0.5)"
        parameters : of the algorithm, as Python values; equivalent to those in brackets
        """
        if parameters:
            steps = _add(read(spelling), spelling, parameters)
            spelling = write(steps)
            if len(spelling) > MAX_LENGTH or not all(_is_plain(value) for value in parameters.values()):
                return self.build(steps)
        return self._found(spelling)

    def build(self, steps: Sequence[Step]) -> T:
        """A new algorithm from the steps that `webstrata._spelling.read` gives."""
        if len(steps) > 1:
            raise InputError(f"a {self.kind} is one step, and {write(steps)!r} has {len(steps)}")
        (step,) = steps
        factory = self._factory(step.name)
        check(step.name, factory, step.parameters)
        try:
            algorithm: T = factory(**step.parameters)
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise InputError(f"{step.name}: {error}") from error
            raise InputError(f"{step.name} cannot be made as {step}: {error}") from error
        return algorithm

    def takes(self, name: str) -> str:
        """The parameters of an algorithm with their defaults, in words.

        >>> from webstrata.segmentation import SEGMENTERS
        >>> SEGMENTERS.takes("bf-plain")
        'theta=0.38, inner=None, width=80'
        """
        return takes(self._factory(name))

    def parameters(self, name: str) -> tuple[Parameter, ...]:
        """The parameters of an algorithm, one by one.

        >>> from webstrata.segmentation import SEGMENTERS
        >>> [item.name for item in SEGMENTERS.parameters("vips")]
        ['pdoc', 'rounds', 'tree']
        """
        return parameters_of(self._factory(name))

    def spell(self, algorithm: T) -> str:
        """The spelling that makes an algorithm of ours, with the parameters that are not the default.

        >>> from webstrata.segmentation import SEGMENTERS
        >>> SEGMENTERS.spell(SEGMENTERS.make("bf-plain", theta=0.5, width=80))
        'bf-plain(theta=0.5)'
        """
        made_by = type(algorithm)
        location = f"{made_by.__module__}:{made_by.__qualname__}"
        name = next((name for name, entry in self._entries.items() if entry.location == location), None)
        if name is None or not is_dataclass(algorithm):
            raise InputError(f"no {self.kind} of ours is a {made_by.__qualname__}")
        values = {item.name: (getattr(algorithm, item.name), item.default) for item in fields(algorithm)}
        changed = {key: value for key, (value, default) in values.items() if default is MISSING or value != default}
        return str(Step(name, changed))

    def shortened(self, algorithm: str) -> str:
        """The spelling of an algorithm of ours by its ``repr``, without the defaults; any other text as it is.

        >>> from webstrata.segmentation import SEGMENTERS
        >>> SEGMENTERS.shortened("BFPlain(theta=0.5, inner=None, width=80)"), SEGMENTERS.shortened("Gold()")
        ('bf-plain(theta=0.5)', 'Gold()')
        """
        made_by, bracket, _ = algorithm.partition("(")
        ours = {entry.location.partition(":")[2]: name for name, entry in self._entries.items()}
        if not bracket or made_by not in ours:
            return algorithm
        try:
            return self.spell(self.make(ours[made_by] + algorithm.removeprefix(made_by)))
        except InputError:
            return algorithm

    def _factory(self, name: str) -> Callable[..., T]:
        entry = self._entries.get(name) or _installed(self.group).get(name)
        if entry is None:
            raise InputError(unknown(self.kind, name, self))
        module, _, attribute = entry.location.partition(":")
        try:
            factory: Callable[..., T] = getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            if name in self._entries:
                raise
            raise InputError(f"{self.kind} {name!r} of {entry.package} cannot be loaded: {error}") from error
        return factory


def unknown(kind: str, name: str, names: Iterable[str]) -> str:
    """The message about an unknown name: similar names, and all names.

    >>> unknown("segmenter", "bfplain", ["bf-plain", "taggap"])
    "no segmenter is called 'bfplain', did you mean bf-plain? There are bf-plain, taggap"
    """
    from difflib import get_close_matches  # on the way to an error only

    names = sorted(names)
    close = get_close_matches(name, names)
    meant = f", did you mean {' or '.join(close)}? There are" if close else ": choose one of"
    return f"no {kind} is called {name!r}{meant} {', '.join(names)}"


def _add(steps: Sequence[Step], spelling: str, parameters: Mapping[str, Any]) -> tuple[Step, ...]:
    """The one step of a spelling with these parameters besides its own."""
    if len(steps) > 1:
        raise InputError(
            f"{spelling!r} has {len(steps)} steps: write each step's parameters in brackets after its name, "
            f"as in {steps[0].name}({next(iter(parameters))}=...)"
        )
    (step,) = steps
    if twice := sorted(set(step.parameters) & set(parameters)):
        raise InputError(f"{', '.join(twice)} is given in {spelling!r} and once more beside it")
    return (Step(step.name, {**step.parameters, **parameters}),)


def _is_plain(value: Any) -> bool:
    # NaN has no spelling that could be read.
    return type(value) in _PLAIN and value == value


@cache
def _installed(group: str) -> dict[str, Entry]:
    """The algorithms of one entry-point group that other packages register, by name."""
    points = _entry_points().select(group=group)
    return {point.name: Entry(point.value, package=point.dist.name if point.dist else "") for point in points}


@cache
def _entry_points() -> Any:
    """The entry points of all installed packages. Reading them takes milliseconds, more with each package."""
    from importlib.metadata import entry_points  # imported lazily: it takes longer than this package

    return entry_points()
