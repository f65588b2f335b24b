"""The spelling of algorithms: a name, parameters in brackets, and further steps after plus signs.

The same spelling is used in Python, on the command line and in the files of an evaluation:

- ``bf-plain``
- ``bf-plain(theta=0.5, width=60)``
- ``min-words(minimum=5)+largest-content(max_distance=2)``

Values are Python's literals (numbers, strings in quotes, True, False, None, tuples, lists, dictionaries, sets), and
``inf``. They are read, never run.

>>> steps = read("min-words( minimum = 5 )+largest-content")
>>> steps
(Step(name='min-words', parameters={'minimum': 5}), Step(name='largest-content', parameters={}))
>>> write(steps)
'min-words(minimum=5)+largest-content'
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from webstrata.errors import InputError

__all__ = ["MAX_LENGTH", "Step", "read", "split", "write"]

#: Characters of a spelling: far more than any algorithm needs.
MAX_LENGTH = 1000

# Quoted text, or any one character. An unclosed quote takes the rest, so that no character is read twice.
_TOKEN = re.compile(r""" "(?:[^"\\]|\\.)*"? | '(?:[^'\\]|\\.)*'? | . """, re.VERBOSE | re.DOTALL)
_NAME = re.compile(r"[^\s()\[\]{}'\"=,+]+")


class Step(NamedTuple):
    """One algorithm as it is written; `str` gives the spelling that `read` reads back.

    >>> str(Step("bf-rulebased", {"theta": float("inf"), "improved": True}))
    'bf-rulebased(theta=inf, improved=True)'
    """

    name: str
    parameters: Mapping[str, Any]

    def __str__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.parameters.items())
        return f"{self.name}({values})" if values else self.name


def write(steps: Iterable[Step]) -> str:
    """The spelling of steps that follow one another."""
    return "+".join(map(str, steps))


def read(spelling: str) -> tuple[Step, ...]:
    """The steps of a spelling, at least one.

    >>> read("bf-plain(0.5)")
    Traceback (most recent call last):
    webstrata.errors.InputError: cannot read 'bf-plain(0.5)': write name(parameter=value), each parameter by its name
    """
    if not isinstance(spelling, str):
        raise InputError(f"an algorithm is named by a string such as 'bf-plain(theta=0.5)', not by {spelling!r}")
    if len(spelling) > MAX_LENGTH:
        raise InputError(f"the name of an algorithm has at most {MAX_LENGTH} characters, this one has {len(spelling)}")
    return tuple(_step(part) for part in _parts(spelling, "+"))


def split(spellings: str) -> list[str]:
    """The spellings in a list with commas. Commas inside brackets and quotes do not count.

    >>> split("taggap, bf-plain(theta=0.5,inner=0.1)")
    ['taggap', 'bf-plain(theta=0.5,inner=0.1)']
    """
    return [part for part in _parts(spellings, ",") if part]


def _parts(text: str, separator: str) -> list[str]:
    """The parts of a text between separators that stand outside of brackets and quotes."""
    parts, start, depth = [], 0, 0
    for token in _TOKEN.finditer(text):
        if token[0] == separator and not depth:
            parts.append(text[start : token.start()].strip())
            start = token.end()
        elif token[0] in ("(", "[", "{"):
            depth += 1
        elif token[0] in (")", "]", "}"):
            depth -= 1
    return [*parts, text[start:].strip()]


def _step(text: str) -> Step:
    """A name, with or without parameters in brackets."""
    name = _NAME.match(text)
    if name is None:
        raise InputError(f"the name of an algorithm is missing before {text!r}" if text else "an algorithm has no name")
    rest = text[name.end() :].strip()
    return Step(name[0], _parameters(rest, text) if rest else {})


def _parameters(brackets: str, text: str) -> dict[str, Any]:
    """The values in ``(name=value, ...)``."""
    try:
        call = ast.parse(f"_{brackets}", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id != "_":
            raise InputError(f"cannot read {text!r}: write name(parameter=value)")
        if call.args or any(keyword.arg is None for keyword in call.keywords):
            raise InputError(f"cannot read {text!r}: write name(parameter=value), each parameter by its name")
        parameters = {str(keyword.arg): ast.literal_eval(_Infinite().visit(keyword.value)) for keyword in call.keywords}
    # The last two come from deep nesting. Their messages do not help users.
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"cannot read {text!r}: write name(parameter=value), the value a number, a text in quotes, True, False, "
            "None or inf"
        ) from error
    if len(parameters) < len(call.keywords):
        raise InputError(f"{text!r} gives a parameter twice")
    return parameters


class _Infinite(ast.NodeTransformer):
    """Reads ``inf``, which `repr` writes but Python has no literal for."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(math.inf) if node.id == "inf" else node
