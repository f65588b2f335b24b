"""Printing: everything that commands print goes through `echo`, because names and texts may come from strangers."""

from __future__ import annotations

import sys
from typing import Any

import click

from webstrata._escaping import terminal

__all__ = ["echo"]


def echo(text: object = "", *, err: bool = False, nl: bool = True, **style: Any) -> None:
    """Print text, without control characters on a terminal, which would execute them; unchanged in a file.

    Parameters
    ----------
    err : print to standard error
    nl : end the line
    style : colour and weight, as for `click.style`
    """
    stream = sys.stderr if err else sys.stdout
    shown = terminal(str(text)) if stream.isatty() else str(text)
    click.echo(click.style(shown, **style) if style else shown, err=err, nl=nl)
