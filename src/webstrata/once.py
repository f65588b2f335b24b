"""Properties that are computed once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["once"]

if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:  # noqa: N801 - used as a decorator
        """A property that is computed when it is first asked for, and kept in the instance.

        As `functools.cached_property`, which before Python 3.12 takes a lock that all instances share: it costs more
        than what most properties compute, and threads would wait for each other.

        >>> class Page:
        ...     @once
        ...     def words(self):
        ...         print("counting")
        ...         return 2
        >>> page = Page()
        >>> page.words + page.words
        counting
        4
        """

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self.compute = compute
            self.__doc__ = compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.compute(instance)
            return value
