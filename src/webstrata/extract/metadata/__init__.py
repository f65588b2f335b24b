"""What a page says of itself."""

from webstrata.extract.metadata.reader import Metadata, metadata

__all__ = ["Metadata", "metadata"]
