"""The values of title, author and date: candidates, what each is like, and the choice of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from webstrata.extraction.metadata.bylines import author_candidates, author_features
from webstrata.extraction.metadata.candidates import FieldCandidates
from webstrata.extraction.metadata.choice import MetadataModel
from webstrata.extraction.metadata.datelines import date_candidates, date_features
from webstrata.extraction.metadata.sources import MetadataSources
from webstrata.extraction.metadata.titles import title_candidates, title_features

__all__ = ["Circumstances", "Evidence", "FieldDecision", "candidates_of", "decide"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where the value of a field comes from, and how sure it is.

    Attributes
    ----------
    value : of the field; None if there is none, or none that is likely enough
    source : the most trusted source that names the value
    sources : all of them
    confidence : the chance that the value is right; for an answer that was not given, that of the best candidate
    """

    value: str | None
    source: str
    sources: tuple[str, ...]
    confidence: float

    def as_dict(self) -> dict[str, Any]:
        """The evidence as JSON values."""
        return {
            "value": self.value,
            "source": self.source,
            "sources": list(self.sources),
            "confidence": round(self.confidence, 3),
        }


class FieldDecision(NamedTuple):
    """The evidence for a field, and the best candidate even if it is not likely enough for an answer."""

    evidence: Evidence
    best: str | None


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is known of the page when title, author and date are chosen."""

    site_name: str
    url: str
    language: str

    @property
    def month_first(self) -> bool:
        """Only English may put the month first; a page without a language is taken for English."""
        return self.language.lower() in ("", "en", "en-us")

    @property
    def primary_language(self) -> str:
        """The language without its region, in lower case."""
        return self.language.lower().partition("-")[0]


def candidates_of(
    field: str, sources: MetadataSources, known: Circumstances
) -> tuple[FieldCandidates, list[list[float]]]:
    """The candidates for a field, and a row of numbers for each."""
    if field == "title":
        found = title_candidates(sources)
        return found, title_features(sources, found, site_name=known.site_name, url=known.url) if len(found) else []
    if field == "author":
        found = author_candidates(sources, site_name=known.site_name)
        return found, author_features(sources, found, site_name=known.site_name, url=known.url) if len(found) else []
    found = date_candidates(sources, url=known.url, month_first=known.month_first, language=known.primary_language)
    return found, date_features(sources, found, url=known.url) if len(found) else []


def decide(field: str, sources: MetadataSources, known: Circumstances, model: MetadataModel) -> FieldDecision:
    """The value of a field, if one is likely enough."""
    found, rows = candidates_of(field, sources, known)
    if not rows:
        return FieldDecision(Evidence(None, "", (), 0.0), None)
    of = model.fields[field]
    index, confidence = of.best(rows)
    best = list(found)[index]
    names = found.names(best.sources)
    value = best.value if confidence >= of.least else None
    return FieldDecision(Evidence(value, names[0], names, confidence), best.value)
