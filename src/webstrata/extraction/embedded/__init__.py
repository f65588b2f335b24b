"""The text that a page carries outside of its visible text: in JSON-LD, and in the state of its scripts."""

from webstrata.extraction.embedded.page import carried

__all__ = ["carried"]
