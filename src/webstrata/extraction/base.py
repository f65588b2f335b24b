"""What every extractor gives: a score and a decision for each block, with its reason."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from webstrata.errors import InputError
from webstrata.extraction.structure.text import text
from webstrata.page import Page, parse
from webstrata.registry import Entry, Registry
from webstrata.text import Column

if TYPE_CHECKING:
    from webstrata.extraction.metadata import Metadata

__all__ = ["EXTRACTORS", "FILTERS", "Extraction", "Extractor", "Filter", "Recipe", "decide", "extract", "make"]


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
    carried : what the page carries outside of its visible text (`webstrata.extraction.embedded`), as a page of its own;
        None where that is nothing, where the visible text has it, or where the extractor does not look for it
    """

    page: Page
    keep: Column
    score: Column
    reason: Column
    reasons: tuple[str, ...]
    algorithm: str
    carried: Page | None = None

    @cached_property
    def _strata(self) -> list[tuple[Page, Column]]:
        """What is rendered: the kept blocks of the page, then all that is carried."""
        return [(self.page, self.keep), *([(self.carried, ~self.carried.blocks.hidden)] if self.carried else [])]

    @cached_property
    def text(self) -> str:
        """The content as text: paragraphs with a blank line between, headings and list items on their own lines."""
        return "\n\n".join(filter(None, (text(page, keep) for page, keep in self._strata)))

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown, with headings, lists, tables, code, links and images."""
        from webstrata.extraction.structure.markdown import markdown  # most users want text: keep the import light

        return "\n\n".join(filter(None, (markdown(page, keep) for page, keep in self._strata)))

    @cached_property
    def html(self) -> str:
        """The content as clean HTML, one ``article``."""
        from webstrata.extraction.structure.html import html

        (page, keep), *more = self._strata
        return html(page, keep, *more)

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says of itself: title, author, date and more."""
        from webstrata.extraction.metadata import metadata

        return metadata(self.page)

    def as_dict(self) -> dict[str, Any]:
        """The decisions as plain values: each block with its text, its span in the source, its score and its reason,
        and the text that is carried beside them."""
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
        carried = text(*self._strata[1]) if self.carried else None
        metadata = self.metadata.as_dict()
        return {
            "url": self.page.url,
            "algorithm": self.algorithm,
            "metadata": metadata,
            "blocks": rows,
            "carried": carried,
        }

    def json(self, *, indent: int | None = None) -> str:
        """The decisions and the metadata as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        carried = f", {int(self.carried.blocks.words.sum())} words carried" if self.carried else ""
        return f"<Extraction by {self.algorithm}: {int(self.keep.sum())} of {len(self.keep)} blocks kept{carried}>"


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
        "bte": Entry("webstrata.extraction.bte:BTE", "Kohlschütter 2011 §4.4"),
        "densitometric": Entry("webstrata.extraction.shallow:Densitometric", "Kohlschütter 2011 §4.4"),
        "density-cutoff": Entry("webstrata.extraction.shallow:DensityCutoff", "Kohlschütter 2011 §4.3"),
        "keep-all": Entry("webstrata.extraction.shallow:KeepAll", "Kohlschütter 2011 §4.4"),
        "learned": Entry("webstrata.extraction.learned.extractor:Learned", "Kohlschütter 2011 §4.4, taken further"),
        "min-words": Entry("webstrata.extraction.shallow:MinWords", "Kohlschütter 2011 §4.4"),
        "numwords": Entry("webstrata.extraction.shallow:NumWords", "Kohlschütter 2011 §4.4"),
        "ttr-em": Entry("webstrata.extraction.ttr:TTREM", "Weninger & Hsu 2008", "webstrata[eval]"),
        "ttr-farthest-first": Entry("webstrata.extraction.ttr:TTRFarthestFirst", "Weninger & Hsu 2008"),
        "ttr-kmeans": Entry("webstrata.extraction.ttr:TTRKMeans", "Weninger & Hsu 2008", "webstrata[eval]"),
        "ttr-threshold": Entry("webstrata.extraction.ttr:TTRThreshold", "Weninger & Hsu 2008"),
    },
)


class Filter(Protocol):
    """A step that follows an extractor: Extraction in, Extraction out."""

    def __call__(self, extraction: Extraction) -> Extraction: ...


#: The steps that may follow an extractor, by name.
FILTERS: Registry[Filter] = Registry(
    "filter",
    "webstrata.filters",
    {
        "largest-content": Entry("webstrata.extraction.filters:LargestContent", "Kohlschütter 2011 §4.4"),
        "main-content": Entry("webstrata.extraction.filters:MainContent", "Kohlschütter 2011 §4.4"),
    },
)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """An extractor and the filters that follow it, one after the other.

    >>> from webstrata.extraction.filters import LargestContent
    >>> from webstrata.extraction.shallow import NumWords
    >>> recipe = Recipe(extractor=NumWords(words=20), filters=(LargestContent(),))
    >>> recipe(parse("<p>" + "word " * 30)).keep.tolist()
    [True]
    """

    extractor: Extractor
    filters: tuple[Filter, ...] = ()

    def __call__(self, page: Page) -> Extraction:
        extraction = self.extractor(page)
        for step in self.filters:
            extraction = step(extraction)
        return replace(extraction, algorithm=repr(self))


def make(name: str, **parameters: Any) -> Extractor:
    """The extractor of that name, or the recipe whose steps are written with ``+`` between.

    Parameters
    ----------
    name : "numwords", or "numwords+largest-content"
    parameters : of the extractor; for a recipe, the parameters of each step under its name

    >>> make("min-words", minimum=5)
    MinWords(minimum=5)
    >>> make("min-words+largest-content", **{"min-words": {"minimum": 5}})
    Recipe(extractor=MinWords(minimum=5), filters=(LargestContent(max_distance=3),))
    """
    first, *rest = name.split("+")
    if not rest:
        return EXTRACTORS.make(name, **parameters)
    unknown = sorted(set(parameters) - {first, *rest})
    if unknown:
        raise InputError(f"{name!r} has no step called {', '.join(unknown)}: give parameters under the step's name")
    return Recipe(
        extractor=EXTRACTORS.make(first, **parameters.get(first, {})),
        filters=tuple(FILTERS.make(step, **parameters.get(step, {})) for step in rest),
    )


def extract(
    page: Page | bytes | str, algorithm: str = "learned", *, site: Filter | None = None, **parameters: Any
) -> Extraction:
    """Tell content from boilerplate.

    Parameters
    ----------
    page : a `Page`, or HTML as for `webstrata.parse`
    algorithm : the name of an extractor (`webstrata algorithms` lists them), or a recipe (see `make`)
    site : what is known of the site of the page (a `webstrata.sites.site.Site`), which decides last
    parameters : of that extractor or recipe

    >>> extract("<nav>Home</nav><p>Strata are layers.", "keep-all").text
    'Home\\n\\nStrata are layers.'
    """
    if not isinstance(page, Page):
        page = parse(page)
    found = make(algorithm, **parameters)(page)
    return found if site is None else site(found)
