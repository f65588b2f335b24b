"""datatrove: an extractor for its pipelines, in place of ``Trafilatura``."""

from __future__ import annotations

from typing import Any

from webstrata.encoding import from_str
from webstrata.errors import from_extra
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import content_format
from webstrata.page import parse

with from_extra("datatrove", "datatrove"):
    from datatrove.pipeline.extractors.base import BaseExtractor

__all__ = ["Webstrata"]


class Webstrata(BaseExtractor):
    """Replaces each document by its content, in datatrove's sandbox; documents without content are dropped.

    Parameters
    ----------
    algorithm : the extractor
    format : the format of the content, one of `webstrata.extraction.formats.CONTENT_FORMATS`
    timeout : time limit for a document in seconds
    parameters : of the extractor, such as ``favour="precision"``

    >>> Webstrata("keep-all").extract("<nav>Home</nav><p>Silt is pale.")
    'Home\\n\\nSilt is pale.'
    """

    name = "webstrata"

    def __init__(
        self,
        algorithm: str = "learned",
        *,
        format: str = "text",  # noqa: A002
        timeout: float = 1,
        **parameters: Any,
    ) -> None:
        super().__init__(timeout)
        EXTRACTORS.make(algorithm, **parameters)
        self.algorithm = algorithm
        self.format = content_format(format)
        self.parameters = parameters

    def extract(self, text: str) -> str:
        """The content of one page."""
        found = EXTRACTORS.make(self.algorithm, **self.parameters)(parse(from_str(text), encoding="utf-8"))
        return str(getattr(found, self.format)) if found.text else ""
