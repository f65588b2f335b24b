"""What a page says of itself."""

from webstrata.extraction.metadata.reader import Metadata, metadata, topic

__all__ = ["Metadata", "metadata", "topic"]
