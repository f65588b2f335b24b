"""What every extractor gives: a score and a decision for each block, with its reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from webstrata.extract import render
from webstrata.page import Page, parse
from webstrata.registry import Entry, Registry
from webstrata.text import Column

__all__ = ["EXTRACTORS", "Extraction", "Extractor", "decide", "extract"]


@dataclass(frozen=True, eq=False, repr=False)
class Extraction:
    """What an extractor says of a page.

    Attributes
    ----------
    page : the page
    keep : for each block, whether it is content
    score : for each block, how much it looks like content, from 0 to 1
    reason : for each block, why: a number into `reasons`
    reasons : the reasons, in words
    algorithm : what made it; evaluating it rebuilds the extractor
    """

    page: Page
    keep: Column
    score: Column
    reason: Column
    reasons: tuple[str, ...]
    algorithm: str

    @cached_property
    def text(self) -> str:
        """The content as text: paragraphs with a blank line between, headings and list items on their own lines."""
        return render.text(self.page, self.keep)

    def json(self, *, indent: int | None = None) -> str:
        """The decisions as JSON: each block with its text, its span in the source, its score and its reason."""
        blocks = self.page.blocks
        rows = [
            {
                "text": block.text,
                "source": [int(blocks.source_start[i]), int(blocks.source_stop[i])],
                "keep": bool(self.keep[i]),
                "score": round(float(self.score[i]), 4),
                "reason": self.reasons[self.reason[i]],
            }
            for i, block in enumerate(blocks)
        ]
        value = {"url": self.page.url, "title": self.page.title, "algorithm": self.algorithm, "blocks": rows}
        return json.dumps(value, ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        return f"<Extraction by {self.algorithm}: {int(self.keep.sum())} of {len(self.keep)} blocks kept>"


class Extractor(Protocol):
    """Page in, Extraction out. Parameters belong to the object, so that its ``repr`` tells all."""

    def __call__(self, page: Page) -> Extraction: ...


def decide(
    extractor: Extractor,
    page: Page,
    keep: npt.ArrayLike,
    *,
    score: npt.ArrayLike | None = None,
    reason: npt.ArrayLike | None = None,
    reasons: Sequence[str] = ("boilerplate", "content"),
) -> Extraction:
    """An Extraction from a decision a block; score and reason follow the decision where they are not given."""
    keep = np.asarray(keep, bool)
    return Extraction(
        page,
        keep,
        np.asarray(keep if score is None else score, np.float64),
        np.asarray(keep if reason is None else reason, np.int64),
        tuple(reasons),
        repr(extractor),
    )


#: The extractors by name; other packages add theirs under the entry-point group "webstrata.extractors".
EXTRACTORS: Registry[Extractor] = Registry(
    "extractor",
    "webstrata.extractors",
    {
        "learned": Entry("webstrata.extract.learned:Learned", "seed 003 §4.4, taken further"),
        "keep-all": Entry("webstrata.extract.shallow:KeepAll", "seed 003 §4.4"),
    },
)


def extract(page: Page | bytes | str, algorithm: str = "learned", **parameters: Any) -> Extraction:
    """Tell content from boilerplate.

    Parameters
    ----------
    page : a `Page`, or HTML as for `webstrata.parse`
    algorithm : the name of an extractor (`webstrata algorithms` lists them)
    parameters : of that extractor

    >>> extract("<nav>Home</nav><p>Strata are layers.", "keep-all").text
    'Home\\n\\nStrata are layers.'
    """
    if not isinstance(page, Page):
        page = parse(page)
    return EXTRACTORS.make(algorithm, **parameters)(page)
