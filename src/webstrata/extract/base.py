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
from webstrata.extract.markup.html import html
from webstrata.extract.markup.markdown import markdown
from webstrata.extract.metadata import Metadata, metadata
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

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, with headings, lists, tables, code, links and images."""
        return markdown(self.page, self.keep)

    @cached_property
    def html(self) -> str:
        """The content as clean HTML, one ``article``."""
        return html(self.page, self.keep)

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says of itself: title, author, date and more."""
        return metadata(self.page)

    def as_dict(self) -> dict[str, Any]:
        """The decisions as plain values: each block with its text, its span in the source, its score and its reason."""
        blocks = self.page.blocks
        columns = (blocks.text_start, blocks.text_stop, blocks.source_start, blocks.source_stop)
        rows = [
            {
                "text": self.page.text[start:stop],
                "source": [source_start, source_stop],
                "keep": keep,
                "score": round(score, 4),
                "reason": self.reasons[reason],
            }
            for start, stop, source_start, source_stop, keep, score, reason in zip(
                *(column.tolist() for column in (*columns, self.keep, self.score, self.reason)), strict=True
            )
        ]
        metadata = self.metadata.as_dict()
        return {"url": self.page.url, "algorithm": self.algorithm, "metadata": metadata, "blocks": rows}

    def json(self, *, indent: int | None = None) -> str:
        """The decisions and the metadata as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=indent)

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
        "keep-all": Entry("webstrata.extract.shallow:KeepAll", "seed 003 §4.4"),
    },
)


def extract(page: Page | bytes | str, algorithm: str = "keep-all", **parameters: Any) -> Extraction:
    """Tell content from boilerplate.

    Parameters
    ----------
    page : a `Page`, or HTML as for `webstrata.parse`
    algorithm : the name of an extractor (`webstrata algorithms` lists them)
    parameters : of that extractor

    >>> extract("<nav>Home</nav><p>Strata are layers.").text
    'Home\\n\\nStrata are layers.'
    """
    if not isinstance(page, Page):
        page = parse(page)
    return EXTRACTORS.make(algorithm, **parameters)(page)
