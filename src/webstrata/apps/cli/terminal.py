"""Printing text of pages."""

from __future__ import annotations

import sys

from webstrata._escaping import terminal

__all__ = ["shown"]


def shown(text: str) -> str:
    """Text to print: without control characters on a terminal, which would execute them; unchanged in a file."""
    return terminal(text) if sys.stdout.isatty() else text
