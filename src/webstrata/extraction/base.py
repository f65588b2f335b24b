"""Extractors, filters and recipes, by name; `extract` runs one on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from webstrata._spelling import Step
from webstrata.errors import InputError
from webstrata.extraction.result import Extraction, Kind
from webstrata.page import Page, parse
from webstrata.registry import Entry, Registry

__all__ = [
    "EXTRACTORS",
    "FILTERS",
    "Extraction",
    "Extractor",
    "Filter",
    "Kind",
    "LearnedOptions",
    "Recipe",
    "decide",
    "extract",
    "named_extractor",
]


class Extractor(Protocol):
    """Page in, Extraction out. The parameters are fields of the object, so its ``repr`` has them all."""

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
    """An Extraction from a decision for each block; by default, score and reason follow from the decision."""
    keep = np.asarray(keep, bool)
    return Extraction(
        page,
        keep,
        keep.astype(np.uint8),
        np.asarray(keep if score is None else score, np.float64),
        np.asarray(keep if reason is None else reason, np.int64),
        tuple(reasons),
        repr(extractor),
    )


class Filter(Protocol):
    """A step that follows an extractor: Extraction in, Extraction out."""

    def __call__(self, extraction: Extraction) -> Extraction: ...


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


class _Extractors(Registry[Extractor]):
    """Extractors, and recipes: an extractor with ``+`` and a filter after it, or several.

    >>> EXTRACTORS.make("min-words(minimum=5)+largest-content")
    Recipe(extractor=MinWords(minimum=5), filters=(LargestContent(max_distance=3),))
    >>> EXTRACTORS.spell(EXTRACTORS.make("min-words(minimum=5)+largest-content"))
    'min-words(minimum=5)+largest-content'
    """

    def build(self, steps: Sequence[Step]) -> Extractor:
        first, *rest = steps
        extractor = super().build((first,))
        filters = tuple(FILTERS.build((step,)) for step in rest)
        return Recipe(extractor=extractor, filters=filters) if filters else extractor

    def spell(self, algorithm: Extractor) -> str:
        if isinstance(algorithm, Recipe):
            return "+".join((super().spell(algorithm.extractor), *map(FILTERS.spell, algorithm.filters)))
        return super().spell(algorithm)


#: The extractors by name; other packages add theirs under the entry-point group "webstrata.extractors".
EXTRACTORS: Registry[Extractor] = _Extractors(
    "extractor",
    "webstrata.extractors",
    {
        "bte": Entry("webstrata.extraction.bte:BTE", "Kohlschütter 2011 §4.4"),
        "densitometric": Entry("webstrata.extraction.shallow:Densitometric", "Kohlschütter 2011 Algorithm 4.2"),
        "density-cutoff": Entry("webstrata.extraction.shallow:DensityCutoff", "Kohlschütter 2011 §4.3"),
        "keep-all": Entry("webstrata.extraction.shallow:KeepAll", "Kohlschütter 2011 §4.4"),
        "learned": Entry(
            "webstrata.extraction.learned.extractor:LearnedExtractor", "Kohlschütter 2011 §4.4, taken further"
        ),
        "min-words": Entry("webstrata.extraction.shallow:MinWords", "Kohlschütter 2011 §4.4"),
        "min-density": Entry("webstrata.extraction.shallow:MinDensity", "Kohlschütter 2011 §4.4"),
        "numwords": Entry("webstrata.extraction.shallow:NumWords", "Kohlschütter 2011 Algorithm 4.3"),
        "ttr-em": Entry("webstrata.extraction.ttr:TTREM", "Weninger & Hsu 2008", "webstrata[eval]"),
        "ttr-farthest-first": Entry("webstrata.extraction.ttr:TTRFarthestFirst", "Weninger & Hsu 2008"),
        "ttr-kmeans": Entry("webstrata.extraction.ttr:TTRKMeans", "Weninger & Hsu 2008", "webstrata[eval]"),
        "ttr-threshold": Entry("webstrata.extraction.ttr:TTRThreshold", "Weninger & Hsu 2008"),
    },
)

#: The steps that may follow an extractor, by name.
FILTERS: Registry[Filter] = Registry(
    "filter",
    "webstrata.filters",
    {
        "language": Entry("webstrata.extraction.language:Language", needs="webstrata[language]"),
        "largest-content": Entry("webstrata.extraction.filters:LargestContent", "Kohlschütter 2011 §4.4"),
        "main-content": Entry("webstrata.extraction.filters:MainContent", "Kohlschütter 2011 §4.4"),
    },
)


def named_extractor(algorithm: str, **parameters: Any) -> Extractor:
    """The extractor with this spelling, as by `Registry.make`; options of other extractors are explained."""
    try:
        return EXTRACTORS.make(algorithm, **parameters)
    except InputError:
        from webstrata.extraction.foreign_options import explain_foreign_options  # only needed for the error

        explain_foreign_options(algorithm, parameters)
        raise


class LearnedOptions(TypedDict, total=False):
    """The parameters of the learned extractor, for type checkers and editors."""

    favour: Literal["balanced", "precision", "recall"]
    comments: bool
    title: bool
    captions: bool
    tables: bool
    images: bool
    links: bool
    deduplicate: bool
    hidden: Literal["drop", "keep"]
    model: str | None


@overload
def extract(
    page: Page | bytes | str,
    algorithm: Literal["learned"] = "learned",
    *,
    url: str | None = None,
    encoding: str | None = None,
    site: Filter | None = None,
    citations: bool = True,
    structured: bool = False,
    readings: bool = False,
    prune: str | None = None,
    **parameters: Unpack[LearnedOptions],
) -> Extraction: ...
@overload
def extract(
    page: Page | bytes | str,
    algorithm: str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    site: Filter | None = None,
    citations: bool = True,
    structured: bool = False,
    readings: bool = False,
    prune: str | None = None,
    **parameters: Any,
) -> Extraction: ...
def extract(
    page: Page | bytes | str,
    algorithm: str = "learned",
    *,
    url: str | None = None,
    encoding: str | None = None,
    site: Filter | None = None,
    citations: bool = True,
    structured: bool = False,
    readings: bool = False,
    prune: str | None = None,
    **parameters: Any,
) -> Extraction:
    """Tell content from boilerplate.

    Parameters
    ----------
    page : HTML as bytes or text, or a `Page` that was parsed before
    algorithm : the name of an extractor (`webstrata algorithms` lists them), with parameters other than the defaults
        in brackets: "min-words(minimum=5)"; a recipe adds filters: "min-words(minimum=5)+largest-content"
    url : where the HTML came from; links and images are resolved against it
    encoding : a label that overrides what the page declares, such as the one of the HTTP header
    citations : whether Markdown, HTML, TEI and structured text have footnotes and the references to them
    structured : whether the text has the markers of lists, rows of tables as lines with tabs, and formulas as TeX
    readings : whether readings over words (``ruby``) are written, with the brackets that the page has for them
    prune : a CSS selector: the page is read as if it had no elements that this finds ("nav, div.share > ul")
    site : a filter that knows the site of the page (`webstrata.sites.site.Site`); it decides last
    parameters : parameters of a single extractor, as Python values. Those of the learned one, with their defaults:
        hidden: Literal["drop", "keep"] = "drop"
        favour: Literal["balanced", "precision", "recall"] = "balanced"
        comments: bool = False
        title: bool = True
        captions: bool = True
        tables: bool = True
        images: bool = True
        links: bool = True
        deduplicate: bool = True
        model: str | None = None

    >>> extract("<nav>Home</nav><p>Strata are layers.", "keep-all").text
    'Home\\n\\nStrata are layers.'
    >>> extract("<nav>Home</nav><p>Strata are layers.", "min-words(minimum=3)").text
    'Strata are layers.'
    >>> extract("<p><a href=/silt>Silt</a> is pale.", "keep-all", url="https://example.org/").markdown
    '[Silt](https://example.org/silt) is pale.'
    >>> extract("<div class=share>Share</div><p>Strata are layers.", "keep-all", prune=".share").text
    'Strata are layers.'
    """
    extractor = named_extractor(algorithm, **parameters)
    if not isinstance(page, Page):
        page = parse(page, url=url, encoding=encoding)
    elif url is not None or encoding is not None:
        raise InputError("a page that was parsed has its url and its encoding already: give them to webstrata.parse")
    if prune is not None:
        from webstrata.extraction.pruning import pruned

        page = pruned(page, prune)
    found = extractor(page)
    if structured or readings or not citations:
        found = replace(found, citations=citations, structured=structured, readings=readings)
    return found if site is None else site(found)
