"""Algorithms in forms: their names, a field for each parameter, and the spelling of a form that was filled in.

Parameters that take any text have no field, because such a text may be the path of a file on the server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webstrata._parameters import Parameter
from webstrata._spelling import Step, read, write
from webstrata.errors import InputError
from webstrata.extraction import FILTERS
from webstrata.registry import Registry

__all__ = ["Choice", "Field", "checked", "choices", "fields", "in_words", "kind_in_words", "spelled"]


@dataclass(frozen=True, slots=True)
class Choice:
    """An algorithm to choose: its name, its paper, and what it needs besides the HTML ("" if nothing)."""

    name: str
    paper: str
    needs: str


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter as a field of a form; ``kind`` is "flag", "whole", "number" or "choice"."""

    name: str
    kind: str
    value: str
    default: str
    choices: tuple[str, ...]
    may_be_empty: bool


def choices(registry: Registry[Any]) -> list[Choice]:
    """All algorithms of a registry."""
    return [Choice(name, entry.paper, entry.needs) for name, entry in sorted(registry.entries().items())]


def fields(registry: Registry[Any], spelling: str) -> list[Field]:
    """The fields for the parameters of the first step of a spelling, filled in with its values.

    >>> from webstrata.segmentation import SEGMENTERS
    >>> [(item.name, item.kind, item.value) for item in fields(SEGMENTERS, "bf-plain(theta=0.5)")]
    [('theta', 'number', '0.5'), ('inner', 'number', ''), ('width', 'whole', '80')]
    """
    step = read(spelling)[0]
    return [
        Field(
            item.name,
            _kind(item),
            _written(step.parameters.get(item.name, item.default)),
            _written(item.default),
            tuple(map(str, item.choices)),
            "None" in item.kinds or not item.required,
        )
        for item in registry.parameters(step.name)
        if _kind(item)
    ]


def checked(registry: Registry[Any], spelling: str) -> str:
    """The spelling, if it is valid and sets no parameter that has no field; else `InputError`.

    >>> from webstrata.extraction import EXTRACTORS
    >>> checked(EXTRACTORS, "learned(model='/etc/passwd')")
    Traceback (most recent call last):
    webstrata.errors.InputError: learned: model cannot be set from here
    """
    for number, step in enumerate(read(spelling)):
        own = registry if number == 0 else FILTERS
        allowed = {item.name for item in own.parameters(step.name) if _kind(item)} if step.name in own else set()
        for name, value in step.parameters.items():
            if name not in allowed and isinstance(value, str):
                raise InputError(f"{step.name}: {name} cannot be set from here")
    registry.make(spelling)
    return spelling


def _kind(item: Parameter) -> str:
    if item.choices:
        return "choice"
    for python_type, kind in (("bool", "flag"), ("float", "number"), ("int", "whole")):
        if python_type in item.kinds:
            return kind
    return ""


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def spelled(registry: Registry[Any], name: str, filled: Mapping[str, str]) -> str:
    """The spelling of an algorithm with the values of its fields; defaults are left out.

    >>> from webstrata.segmentation import SEGMENTERS
    >>> spelled(SEGMENTERS, "bf-plain", {"theta": "0.5", "width": "80", "inner": ""})
    'bf-plain(theta=0.5)'
    """
    parameters = {}
    for item in registry.parameters(name):
        if item.name in filled and _kind(item):
            value = _value(name, item, filled[item.name])
            if value != item.default or item.required:
                parameters[item.name] = value
    return checked(registry, write([Step(name, parameters)]))


def in_words(spelling: str) -> str:
    """A spelling as a caption.

    >>> in_words("numwords+largest-content(margin=0.5)")
    'numwords, then largest-content with margin 0.5'
    """
    return ", then ".join(_step_in_words(step) for step in read(spelling))


def kind_in_words(kind: str) -> str:
    """The kind of a segment as a label.

    >>> kind_in_words("LinkList"), kind_in_words("Link-list"), kind_in_words("menu"), kind_in_words("FAQ")
    ('Link list', 'Link list', 'Menu', 'FAQ')
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", kind.replace("-", " ").replace("_", " ")).split()
    lower = [word if word.isupper() else word.lower() for word in words]
    return " ".join(lower)[:1].upper() + " ".join(lower)[1:]


def _step_in_words(step: Step) -> str:
    values = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in step.parameters.items())
    return f"{step.name} with {values}" if values else step.name


def _value(name: str, item: Parameter, text: str) -> Any:
    text = text.strip()
    kind = _kind(item)
    if not text:
        return None if "None" in item.kinds else item.default
    try:
        if kind == "choice":
            return next(value for value in item.choices if str(value) == text)
        if kind == "flag":
            return {"True": True, "true": True, "on": True, "False": False, "false": False}[text]
        if kind == "whole":
            return int(text)
        return int(text) if "int" in item.kinds and text.isdigit() else float(text)
    except (ValueError, KeyError, StopIteration):
        raise InputError(f"{name}: {item.name} cannot be {text[:40]!r}") from None
