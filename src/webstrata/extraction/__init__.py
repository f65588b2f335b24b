"""Content and boilerplate: Page to Extraction."""

from webstrata.extraction.base import EXTRACTORS, FILTERS, Extraction, Extractor, Filter, Recipe, extract

__all__ = ["EXTRACTORS", "FILTERS", "Extraction", "Extractor", "Filter", "Recipe", "extract"]
