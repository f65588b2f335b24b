"""What a page says of itself."""

from webstrata.extraction.metadata.reader import FIELDS, Metadata, metadata, topic

__all__ = ["FIELDS", "Metadata", "metadata", "topic"]
