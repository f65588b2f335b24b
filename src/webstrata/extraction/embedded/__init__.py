"""Text outside of the visible text of a page: in JSON-LD, and in the state of scripts."""

from webstrata.extraction.embedded.page import carried

__all__ = ["carried"]
