"""Regular expressions: none takes time that doubles with each letter of a hostile text."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import product
from types import ModuleType
from typing import Any

import webstrata
from webstrata.errors import MissingExtra

# Letters of a text. An expression that doubles its time with each two of them takes a second.
_LETTERS = 36
_SECONDS = 0.3


def modules() -> Iterator[ModuleType]:
    for module in pkgutil.walk_packages(webstrata.__path__, "webstrata."):
        if module.name.endswith("__main__"):
            continue
        try:
            yield importlib.import_module(module.name)
        except MissingExtra:  # an integration with a package that is not installed
            continue


def expressions(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """The expressions of a value, also in lists and mappings."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 2 and isinstance(value, list | tuple | set | frozenset | dict):
        for each in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from expressions(each, depth + 1)


def slowest(expression: re.Pattern[Any]) -> tuple[float, str]:
    """The longest time for a text that repeats what is in an expression and ends with something else."""
    source = expression.pattern if isinstance(expression.pattern, str) else expression.pattern.decode("latin-1")
    plain = re.sub(r"\\[a-zA-Z]", " ", source)
    signs = re.findall(r"[^\w\s\\()\[\]{}?*+|^$]", plain)
    parts = list(dict.fromkeys([*" 1aA.-", *signs, *re.findall(r"[a-z]{1,9}", plain)[:10]]))
    units = [*parts, *("".join(pair) for pair in product(parts[:6], repeat=2))]
    most = 0.0, ""
    for begin, unit in product(["", *parts[:12]], units):
        text = begin + (unit * _LETTERS)[:_LETTERS] + "\0"
        given = text.encode() if isinstance(expression.pattern, bytes) else text
        start = time.process_time()
        expression.fullmatch(given)
        expression.search(given)
        most = max(most, (time.process_time() - start, text))
        if most[0] > _SECONDS:
            break
    return most


def test_no_expression_doubles_its_time_with_each_letter() -> None:
    found = {each for module in modules() for value in vars(module).values() for each in expressions(value)}
    assert len(found) > 200
    slow = {each.pattern: text for each in found for seconds, text in [slowest(each)] if seconds > _SECONDS}
    assert not slow


def test_an_expression_that_does_is_seen() -> None:
    assert slowest(re.compile("a(?:[-.][a-z.]+)+"))[0] > _SECONDS
