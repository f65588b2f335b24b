"""All algorithms behind one call: the HTML of a page in, the fields of a `PageAnswer` out.

An algorithm is named by

- the spelling of a segmenter or extractor (see `webstrata._spelling`): ``bf-plain``, ``bf-plain(theta=0.5)``,
  ``numwords+largest-content``;
- ``learned-out-of-fold(folds="DIR")``: the learned extractor, each page by a model that has not seen its host;
- ``learned-segmenter(folds="DIR", boxes=True)``: the learned segmenter in the same way, on plain pages or on recorded
  ones. ``learned`` alone is the extractor, and on data sets that have segments only the segmenter;
- ``metadata``: title, author and date;
- a peer, an extractor of another package: ``trafilatura(comments=False)``;
- a Python function of HTML bytes: ``trafilatura:extract``, or ``trafilatura:extract(favor_recall=True)``. It gives a
  text, a list of texts, a `Segmentation` or an `Extraction`;
- the name of an external program (see `webstrata.evaluation.answers.drivers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from webstrata._boxes import Rendered, seen_blocks
from webstrata._spelling import read, write
from webstrata.errors import InputError
from webstrata.evaluation.answers.drivers import Driver, connect
from webstrata.evaluation.answers.shapes import with_texts
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.recordings import recorded, segmented_as_recorded
from webstrata.evaluation.metrics.blockhtml import Characters, segment_texts
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.registry import Entry, Registry, unknown
from webstrata.segmentation import SEGMENTERS, Segmentation, Segmenter
from webstrata.segmentation.base import RENDERED
from webstrata.text import Column

__all__ = ["OTHERS", "Algorithm", "Reply", "Spec", "make_algorithm", "parse_spec", "ranges", "rendered_reply", "reply"]

#: The fields of a `PageAnswer` that an algorithm fills: ``text``, ``keep``, ``segments``, ``blocks``, ``fields``.
Reply = dict[str, Any]

#: Algorithms that see a `PageInput` and not a page alone: ours for evaluation, and the peers.
OTHERS: Registry[Callable[[PageInput], Any]] = Registry(
    "algorithm",
    "webstrata.evaluated",
    {
        "learned-out-of-fold": Entry("webstrata.evaluation.answers.ours:OutOfFold"),
        "learned-segmenter": Entry("webstrata.evaluation.answers.ours:OutOfFoldSegmenter"),
        "metadata": Entry("webstrata.evaluation.answers.ours:PageMetadata"),
        "pagesegmenter-marked": Entry("webstrata.evaluation.answers.ours:PageSegmenterMarked", "Kreuzer 2013 §6.2.2"),
        "boilerpy3": Entry("webstrata.evaluation.answers.peers:BoilerPy3", needs="webstrata[bench]"),
        "justext": Entry("webstrata.evaluation.answers.peers:JusText", needs="webstrata[bench]"),
        "readability-lxml": Entry("webstrata.evaluation.answers.peers:ReadabilityLxml", needs="webstrata[bench]"),
        "resiliparse": Entry("webstrata.evaluation.answers.peers:Resiliparse", needs="webstrata[bench]"),
        "trafilatura": Entry("webstrata.evaluation.answers.peers:Trafilatura", needs="webstrata[bench]"),
        "trafilatura-metadata": Entry(
            "webstrata.evaluation.answers.peers:TrafilaturaMetadata", needs="webstrata[bench]"
        ),
    },
)


class Algorithm(Protocol):
    """An algorithm; its ``repr`` contains all parameters."""

    def __call__(self, document: PageInput, limit: float) -> Reply: ...


@dataclass(frozen=True)
class Spec:
    """The name of an algorithm, from which worker processes make it.

    Attributes
    ----------
    name : its spelling
    driver : the external program, if it is one
    segments : a name that an extractor and a segmenter share means the segmenter
    """

    name: str
    driver: Driver | None = None
    segments: bool = False


@dataclass(frozen=True)
class _InProcess:
    """An algorithm that runs in this process, by its ``repr`` and the function that gives its reply."""

    name: str
    run: Callable[[PageInput], Reply]

    def __call__(self, document: PageInput, limit: float) -> Reply:
        return self.run(document)

    def __repr__(self) -> str:
        return self.name


def parse_spec(name: str, drivers: Mapping[str, Driver] | None = None, *, segments: bool = False) -> Spec:
    """The specification of a name; a wrong name raises `InputError` here, before anything runs.

    >>> parse_spec("bf-plain( theta = .5 )")
    Spec(name='bf-plain(theta=0.5)', driver=None, segments=False)
    """
    driver = (drivers or {}).get(name)
    if driver is not None:
        return Spec(name, driver)
    spec = Spec(write(read(name)), segments=segments)
    make_algorithm(spec)
    return spec


def make_algorithm(spec: Spec) -> Algorithm:
    """The algorithm of a specification."""
    if spec.driver is not None:
        return connect(spec.driver, reply)
    first, *rest = read(spec.name)
    if ":" in first.name and not rest:
        function = partial(_function(first.name), **first.parameters)
        return _InProcess(spec.name, lambda document: reply(with_texts(function(document.html), document)))
    shared = SEGMENTERS.owns(first.name) and EXTRACTORS.owns(first.name)
    # `in` reads the entry points of other packages, so our own names are tested first.
    if spec.segments if shared else not EXTRACTORS.owns(first.name) and first.name in SEGMENTERS:
        segmenter = SEGMENTERS.make(spec.name)
        if SEGMENTERS.needs(spec.name) == RENDERED:
            return _InProcess(repr(segmenter), lambda document: rendered_reply(recorded(document), segmenter))
        if getattr(segmenter, "sees_boxes", False):
            return _InProcess(repr(segmenter), lambda document: reply(segmented_as_recorded(document, segmenter)))
        return _InProcess(repr(segmenter), lambda document: reply(segmenter(document.page())))
    if first.name in EXTRACTORS:
        extractor = EXTRACTORS.make(spec.name)
        return _InProcess(repr(extractor), lambda document: reply(extractor(document.page())))
    if first.name in OTHERS:
        # Not cached: the models in a folder may have changed.
        other = OTHERS.build(read(spec.name))
        return _InProcess(repr(other), lambda document: reply(other(document)))
    known = unknown("algorithm", first.name, (*SEGMENTERS, *EXTRACTORS, *OTHERS))
    raise InputError(f"{known}; or give module:function or a driver")


def _function(location: str) -> Callable[[bytes], Any]:
    module, _, attribute = location.partition(":")
    try:
        function = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot find {location!r}: {error}") from error
    if not callable(function):
        raise InputError(f"{location!r} is not a function")
    found: Callable[[bytes], Any] = function
    return found


def reply(value: Any) -> Reply:
    """The fields of an answer, from any value that an algorithm may return.

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
    if isinstance(value, Mapping) and isinstance(value.get("fields"), Mapping):
        return {"fields": {str(name): None if found is None else str(found) for name, found in value["fields"].items()}}
    if isinstance(value, Mapping) and ("blocks" in value or "text" in value):
        return reply(value["blocks"] if "blocks" in value else value["text"])
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return {"segments": [_segment(item) for item in value]}
    raise InputError(
        f"an answer is a text, a list of texts, a Segmentation or an Extraction, not {type(value).__name__}"
    )


def rendered_reply(rendered: Rendered, segmenter: Segmenter) -> Reply:
    """The answer of a visual segmenter. Its page is the rendered one, so texts count and not block numbers.

    ``text`` is the visible text of a segment, ``marked`` all character data of its elements.
    """
    found = segmenter(rendered)  # type: ignore[arg-type]
    page, seen = found.page, seen_blocks(rendered)
    marked = segment_texts(found, Characters.of(page.source))
    rows = []
    for item, characters in zip(found.segments, marked, strict=True):
        texts = [page.blocks[row].text for row in range(item.start, item.stop) if seen[row]]
        row = {"text": "\n".join(texts), "level": item.level, "kind": item.kind, "extra": item.extra}
        rows.append({**row, "marked": characters})
    return {"segments": rows}


def _segment(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"text": value, "level": 1, "kind": ""}
    if isinstance(value, Mapping) and isinstance(value.get("text"), str):
        row = {"text": value["text"], "level": int(value.get("level", 1)), "kind": str(value.get("kind", ""))}
        others: dict[str, Any] = {"marked": str(value["marked"])} if "marked" in value else {}
        others |= {"polygon": value["polygon"]} if "polygon" in value else {}
        return row | others | ({"extra": True} if value.get("extra") is True else {})
    raise InputError("a block is a text, or an object with a text and optionally a level and a kind")


def ranges(keep: Column) -> list[list[int]]:
    """The runs of true values as pairs of start and stop.

    >>> ranges(np.array([True, True, False, True]))
    [[0, 2], [3, 4]]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], keep, [False])).astype(np.int8)))
    return [[int(start), int(stop)] for start, stop in edges.reshape(-1, 2)]
