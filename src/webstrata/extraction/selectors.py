"""CSS selectors over the elements of a page.

Names of elements, classes, ids, attributes, descendants and children: what people write to leave out parts of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from webstrata.elements import TAG_NUMBERS, Elements
from webstrata.errors import InputError
from webstrata.text import Column
from webstrata.tree import nearest

__all__ = ["matching"]

_NAME = r"-?[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff-]*|--[\w-]+"
_COMPOUND = re.compile(
    rf"(?P<tag>\*|{_NAME})|\#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    rf"|\[\s*(?P<name>[\w:-]+)\s*(?:(?P<sign>[~^$*|]?=)\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>{_NAME}))\s*)?\]"
)
_COMBINATOR = re.compile(r"\s*([>,])\s*|\s+")
_KNOWN = "a selector has names, #ids, .classes, [attributes], '>' and ','"
# Start tags with an attribute have at least this many bytes: "<a b>".
_SHORTEST = 5
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "": lambda _value, _wanted: True,
    "=": lambda value, wanted: value == wanted,
    "~=": lambda value, wanted: wanted in value.split(),
    "^=": lambda value, wanted: bool(wanted) and value.startswith(wanted),
    "$=": lambda value, wanted: bool(wanted) and value.endswith(wanted),
    "*=": lambda value, wanted: bool(wanted) and wanted in value,
    "|=": lambda value, wanted: value == wanted or value.startswith(f"{wanted}-"),
}


class _Test(NamedTuple):
    """A condition on an attribute."""

    name: str
    sign: str
    value: str


class _Compound(NamedTuple):
    """Conditions on one element, and how it stands to the one before: " " inside of it, ">" its child, "" for none."""

    combinator: str
    tag: str
    tests: tuple[_Test, ...]


def matching(elements: Elements, selector: str) -> Column:
    """Which elements of a page a selector finds.

    >>> from webstrata.page import parse
    >>> elements = parse("<div class='ad box'><p>a</div><nav><p id=b>b</nav>").elements
    >>> [elements[row].html for row in np.flatnonzero(matching(elements, "div.ad > p, #b"))]
    ['<p>a', '<p id=b>b']
    """
    found = np.zeros(len(elements), bool)
    for parts in _read(selector):
        found |= _of(elements, parts)
    return found


def _read(selector: str) -> Iterator[list[_Compound]]:
    """The alternatives of a selector."""
    parts: list[_Compound] = []
    text, at, combinator = selector.strip(), 0, ""
    while True:
        compound, at = _compound(text, at, combinator, selector)
        parts.append(compound)
        if at == len(text):
            yield parts
            return
        between = _COMBINATOR.match(text, at)
        if not between:
            raise InputError(f"{text[at:]!r} in {selector!r} is not read: {_KNOWN}")
        at = between.end()
        combinator = between[1] or " "
        if combinator == ",":
            yield parts
            parts, combinator = [], ""


def _compound(text: str, at: int, combinator: str, selector: str) -> tuple[_Compound, int]:
    """The conditions that begin at a place, and where they end."""
    tag, tests, start = "*", list[_Test](), at
    while match := _COMPOUND.match(text, at):
        if match["tag"] and at > start:
            break
        at = match.end()
        if match["tag"]:
            tag = match["tag"].lower()
        elif match["id"]:
            tests.append(_Test("id", "=", match["id"]))
        elif match["class"]:
            tests.append(_Test("class", "~=", match["class"]))
        else:
            value = next((each for each in match.group("double", "single", "bare") if each is not None), "")
            tests.append(_Test(match["name"].lower(), match["sign"] or "", value))
    if at == start:
        raise InputError(f"{text[at:]!r} in {selector!r} is not read: {_KNOWN}")
    return _Compound(combinator, tag, tuple(tests)), at


def _of(elements: Elements, parts: list[_Compound]) -> Column:
    """The elements that one alternative finds."""
    found: Column = np.ones(len(elements), bool)
    above = np.maximum(elements.parent, 0)
    has_parent = elements.parent >= 0
    for part in parts:
        if part.combinator == ">":
            found = found[above] & has_parent
        elif part.combinator:
            found = found[nearest(elements, found)[above]] & has_parent
        found = _with_tag(elements, found, part.tag)
        if part.tests:
            found = _with_attributes(elements, found, part.tests)
    return found


def _with_tag(elements: Elements, found: Column, tag: str) -> Column:
    if tag == "*":
        return found
    found = found & (elements.tag == TAG_NUMBERS.get(tag, 0))
    if tag not in TAG_NUMBERS:  # all names that HTML does not know have one number
        for row in np.flatnonzero(found).tolist():
            found[row] = elements[row].tag == tag
    return found


def _with_attributes(elements: Elements, found: Column, tests: tuple[_Test, ...]) -> Column:
    found = found & (elements.open_stop - elements.source_start >= _SHORTEST)
    for row in np.flatnonzero(found).tolist():
        values = ((elements.attribute(row, test.name), test) for test in tests)
        found[row] = all(value is not None and _TESTS[test.sign](value, test.value) for value, test in values)
    return found
