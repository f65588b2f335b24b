"""Checks of the parameters of an algorithm against its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, is_dataclass
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from webstrata.errors import InputError

__all__ = ["Parameter", "check", "parameters_of", "takes"]

_WORDS: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    float: "a number",
    str: "a text",
    type(None): "None",
}


def check(name: str, factory: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Raise an InputError if an algorithm cannot be called with these parameters.

    Parameters
    ----------
    name : of the algorithm, for messages
    factory : its class, or a function that makes it

    >>> def algorithm(*, theta: float = 0.38, inner: float | None = None): ...
    >>> check("bf-plain", algorithm, {"theta": 0.5})
    >>> check("bf-plain", algorithm, {"thta": 0.5})
    Traceback (most recent call last):
    webstrata.errors.InputError: bf-plain has no parameter 'thta': it takes theta=0.38, inner=None
    >>> check("bf-plain", algorithm, {"inner": "small"})
    Traceback (most recent call last):
    webstrata.errors.InputError: bf-plain: inner must be a number or None, not 'small'
    """
    accepted = _accepted(factory)
    if accepted is None or any(item.kind is inspect.Parameter.VAR_KEYWORD for item in accepted.values()):
        return
    if wrong := [key for key in parameters if key not in accepted]:
        raise InputError(f"{name} has no parameter {wrong[0]!r}: it takes {takes(factory)}")
    missing = [key for key, item in accepted.items() if item.default is item.empty and key not in parameters]
    if missing:
        raise InputError(f"{name} needs {', '.join(missing)}: it takes {takes(factory)}")
    hints = _hints(factory)
    for key, value in parameters.items():
        if key in hints and not _fits(value, hints[key]):
            raise InputError(f"{name}: {key} must be {_in_words(hints[key])}, not {value!r}")


def takes(factory: Callable[..., Any]) -> str:
    """The parameters of an algorithm with their defaults, in words.

    >>> def algorithm(*, folder: str, theta: float = 0.38): ...
    >>> takes(algorithm)
    'folder=..., theta=0.38'
    """
    accepted = _accepted(factory)
    if accepted is None:
        return "unknown parameters"
    parts = (f"{key}={'...' if item.default is item.empty else repr(item.default)}" for key, item in accepted.items())
    return ", ".join(parts) or "no parameters"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an algorithm, as a form can ask for it.

    Attributes
    ----------
    name : of the parameter
    kinds : the types that it may have, by their names: "bool", "int", "float", "str", "None"; none where it has others
    choices : the values that it may have, where these are listed
    default : its default; None as well where it has none
    required : whether it has no default
    """

    name: str
    kinds: tuple[str, ...]
    choices: tuple[Any, ...]
    default: Any
    required: bool


def parameters_of(factory: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of an algorithm.

    >>> def algorithm(*, theta: float = 0.38, inner: float | None = None): ...
    >>> [(item.name, item.kinds) for item in parameters_of(algorithm)]
    [('theta', ('float',)), ('inner', ('float', 'None'))]
    """
    hints = _hints(factory)
    found = []
    for name, item in (_accepted(factory) or {}).items():
        hint = hints.get(name)
        options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = tuple("None" if option is type(None) else option.__name__ for option in options if option in _WORDS)
        choices = tuple(value for option in options if get_origin(option) is Literal for value in get_args(option))
        required = item.default is item.empty
        found.append(Parameter(name, kinds, choices, None if required else item.default, required))
    return tuple(found)


def _accepted(factory: Callable[..., Any]) -> Mapping[str, inspect.Parameter] | None:
    """The parameters by name; None for native code without a signature."""
    try:
        return inspect.signature(factory).parameters
    except ValueError:
        return None


def _hints(factory: Callable[..., Any]) -> dict[str, Any]:
    """The type hints of the parameters that can be resolved."""
    stated: Any = factory if is_dataclass(factory) or not inspect.isclass(factory) else factory.__init__
    try:
        return get_type_hints(stated)
    except NameError:
        # Another package may use types that it imports for type checkers only. Its parameters are not checked then.
        return {}


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type; True for types that cannot be written in a spelling."""
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, option) for option in get_args(hint))
    if get_origin(hint) is Literal:
        return any(value == option and type(value) is type(option) for option in get_args(hint))
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    return hint not in _WORDS or isinstance(value, hint)


def _in_words(hint: Any) -> str:
    """A type in words."""
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_in_words, get_args(hint)))
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(map(repr, get_args(hint)))
    return _WORDS.get(hint, str(hint))
