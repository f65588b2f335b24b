"""Text of pages on its way to the standard output."""

from __future__ import annotations

import sys

from webstrata._escaping import terminal

__all__ = ["shown"]


def shown(text: str) -> str:
    """Text to be printed: on a terminal without control characters, which it would obey; in a file as it is."""
    return terminal(text) if sys.stdout.isatty() else text
