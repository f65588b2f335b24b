"""Whatever can be evaluated, behind one call: a document in, the fields of an `Answer` out.

An algorithm is named by

- the name of a segmenter or extractor, with parameters if need be: ``bf-plain``, ``bf-plain(theta=0.5)``;
- a recipe: ``numwords+largest-content``;
- a Python function of HTML bytes: ``trafilatura:extract``. It gives a text, a list of texts, a `Segmentation` or an
  `Extraction`;
- the name of an external program (see `webstrata.evaluation.answers.drivers`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from webstrata.boxes import Rendered, seen_blocks
from webstrata.errors import InputError
from webstrata.evaluation.answers.drivers import Driver, connect
from webstrata.evaluation.datasets.base import Document
from webstrata.evaluation.datasets.recordings import recorded
from webstrata.evaluation.metrics.blockhtml import Characters, segment_texts
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.base import make
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS, Segmentation, Segmenter
from webstrata.segmentation.base import RENDERED
from webstrata.text import Column

__all__ = [
    "Algorithm",
    "Reply",
    "Spec",
    "make_algorithm",
    "parse_spec",
    "ranges",
    "rendered_reply",
    "reply",
    "split_names",
]

#: The fields of an `Answer` that an algorithm fills: ``text``, ``keep``, ``segments``, ``blocks``.
Reply = dict[str, Any]


class Algorithm(Protocol):
    """Something that answers; its ``repr`` tells what it is, parameters and all."""

    def __call__(self, document: Document, limit: float) -> Reply: ...


@dataclass(frozen=True)
class Spec:
    """What to evaluate, as it was named; it travels to other processes, and is made there."""

    name: str
    driver: Driver | None = None


@dataclass(frozen=True)
class _OnPage:
    """A segmenter or an extractor of ours."""

    inner: Callable[[Page], Segmentation | Extraction]

    def __call__(self, document: Document, limit: float) -> Reply:
        return reply(self.inner(document.page()))

    def __repr__(self) -> str:
        return repr(self.inner)


@dataclass(frozen=True)
class _OnRendered:
    """A visual segmenter of ours, on the recording of the document."""

    inner: Segmenter

    def __call__(self, document: Document, limit: float) -> Reply:
        return rendered_reply(recorded(document), self.inner)

    def __repr__(self) -> str:
        return repr(self.inner)


@dataclass(frozen=True)
class _OnBytes:
    """A Python function of HTML."""

    location: str
    function: Callable[[bytes], Any]

    def __call__(self, document: Document, limit: float) -> Reply:
        return reply(self.function(document.html))

    def __repr__(self) -> str:
        return self.location


def split_names(names: str) -> list[str]:
    """The names in a list with commas; those inside brackets part parameters.

    >>> split_names("taggap, bf-plain(theta=0.5,inner=0.1)")
    ['taggap', 'bf-plain(theta=0.5,inner=0.1)']
    """
    parts, depth = [""], 0
    for character in names:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def parse_spec(name: str, drivers: Mapping[str, Driver] | None = None) -> Spec:
    """The specification that a name stands for; an unknown one is told here, before anything runs.

    >>> parse_spec("taggap")
    Spec(name='taggap', driver=None)
    """
    driver = (drivers or {}).get(name)
    spec = Spec(name, driver)
    if driver is None:
        make_algorithm(spec)
    return spec


def make_algorithm(spec: Spec) -> Algorithm:
    """What a specification stands for, ready to answer."""
    if spec.driver is not None:
        return connect(spec.driver, reply)
    name, parameters = _parameters(spec.name)
    if ":" in name:
        return _OnBytes(name, _function(name))
    if name in SEGMENTERS.entries() and SEGMENTERS.entries()[name].needs == RENDERED:
        return _OnRendered(SEGMENTERS.make(name, **parameters))
    if name in SEGMENTERS.entries():
        return _OnPage(SEGMENTERS.make(name, **parameters))
    if name.partition("+")[0] in EXTRACTORS.entries():
        return _OnPage(make(name, **parameters))
    known = ", ".join((*SEGMENTERS, *EXTRACTORS))
    raise InputError(f"no algorithm is called {name!r}: choose one of {known}; or give module:function or a driver")


def _parameters(name: str) -> tuple[str, dict[str, Any]]:
    """``name(parameter=value)`` as name and parameters, which are Python literals."""
    bare, bracket, rest = name.partition("(")
    if not bracket:
        return name, {}
    try:
        call = ast.parse(f"_({rest}", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(keyword.arg is None for keyword in call.keywords):
            raise ValueError("parameters are given by name")
        return bare, {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (SyntaxError, ValueError) as error:
        raise InputError(
            f"cannot read {name!r}: write name(parameter=value), the value as in Python ({error})"
        ) from error


def _function(location: str) -> Callable[[bytes], Any]:
    module, _, attribute = location.partition(":")
    try:
        function = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot find {location!r}: {error}") from error
    if not callable(function):
        raise InputError(f"{location!r} cannot be called")
    found: Callable[[bytes], Any] = function
    return found


def reply(value: Any) -> Reply:
    """The fields of an answer, from anything that an algorithm may give.

    >>> reply(["One", {"text": "Two", "level": 2}])["segments"]
    [{'text': 'One', 'level': 1, 'kind': ''}, {'text': 'Two', 'level': 2, 'kind': ''}]
    >>> reply(None)
    {'text': ''}
    """
    if isinstance(value, Extraction):
        return {"text": value.text, "keep": ranges(value.keep), "blocks": len(value.keep)}
    if isinstance(value, Segmentation):
        rows = [{**item._asdict(), "text": value.text(item)} for item in value.segments]
        return {"segments": rows, "blocks": len(value.page.blocks)}
    if value is None or isinstance(value, str):
        return {"text": value or ""}
    if isinstance(value, Mapping) and ("blocks" in value or "text" in value):
        return reply(value["blocks"] if "blocks" in value else value["text"])
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return {"segments": [_segment(item) for item in value]}
    raise InputError(
        f"an answer is a text, a list of texts, a Segmentation or an Extraction, not {type(value).__name__}"
    )


def rendered_reply(rendered: Rendered, segmenter: Segmenter) -> Reply:
    """What a visual segmenter says. The page that it saw is not the one that was given, so texts count and not blocks.

    ``text`` is what can be seen of a segment, ``marked`` all character data of the elements that it is.
    """
    found = segmenter(rendered)  # type: ignore[arg-type]
    page, seen = found.page, seen_blocks(rendered)
    marked = segment_texts(found, Characters.of(page.source))
    rows = []
    for item, characters in zip(found.segments, marked, strict=True):
        texts = [page.blocks[row].text for row in range(item.start, item.stop) if seen[row]]
        rows.append({"text": "\n".join(texts), "level": item.level, "kind": item.kind, "marked": characters})
    return {"segments": rows}


def _segment(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"text": value, "level": 1, "kind": ""}
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        return {"text": value["text"], "level": int(value.get("level", 1)), "kind": str(value.get("kind", ""))}
    raise InputError("a block is a text, or an object with a text, and a level and a kind if they are known")


def ranges(keep: Column) -> list[list[int]]:
    """The runs of true values, as start and stop.

    >>> ranges(np.array([True, True, False, True]))
    [[0, 2], [3, 4]]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], keep, [False])).astype(np.int8)))
    return [[int(start), int(stop)] for start, stop in edges.reshape(-1, 2)]
