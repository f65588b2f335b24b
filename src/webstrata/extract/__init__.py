"""Content and boilerplate: Page to Extraction."""

from webstrata.extract.base import EXTRACTORS, Extraction, Extractor, extract

__all__ = ["EXTRACTORS", "Extraction", "Extractor", "extract"]
