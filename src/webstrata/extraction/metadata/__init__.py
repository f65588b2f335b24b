"""The metadata of a page: title, author, date and more."""

from webstrata.extraction.metadata.reader import FIELDS, Metadata, canonical_url, metadata, topic

__all__ = ["FIELDS", "Metadata", "canonical_url", "metadata", "topic"]
