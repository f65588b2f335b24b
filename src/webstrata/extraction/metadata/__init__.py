"""The metadata of a page: title, author, date and more."""

from webstrata.extraction.metadata.reader import FIELDS, Metadata, metadata, topic

__all__ = ["FIELDS", "Metadata", "metadata", "topic"]
