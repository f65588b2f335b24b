"""NeMo Curator: an extraction algorithm for its Common Crawl pipeline."""

from __future__ import annotations

from typing import Any

from webstrata.encoding import from_str
from webstrata.errors import from_extra
from webstrata.extraction import EXTRACTORS
from webstrata.page import parse

with from_extra("nemo-curator", "nemo-curator"):
    from nemo_curator.stages.text.download.html_extractors.base import HTMLExtractorAlgorithm

__all__ = ["Webstrata", "WebstrataExtractor"]


class WebstrataExtractor(HTMLExtractorAlgorithm):
    """The paragraphs of a page's content. Stop words and language are ignored, so all languages are extracted.

    Parameters
    ----------
    algorithm : the extractor
    parameters : of the extractor, such as ``favour="precision"``

    >>> WebstrataExtractor("keep-all").extract_text("<p>Silt is pale.<p>Mud is dark.", frozenset(), "ENGLISH")
    ['Silt is pale.', 'Mud is dark.']
    """

    def __init__(self, algorithm: str = "learned", **parameters: Any) -> None:
        EXTRACTORS.make(algorithm, **parameters)
        self.algorithm = algorithm
        self.parameters = parameters

    def extract_text(self, html: str, stop_words: frozenset[str], language: str) -> list[str] | None:
        """The paragraphs of one page; None if it has no content."""
        found = EXTRACTORS.make(self.algorithm, **self.parameters)(parse(from_str(html), encoding="utf-8"))
        return [part for part in found.text.split("\n\n") if part] or None


Webstrata = WebstrataExtractor  # the name in earlier versions
