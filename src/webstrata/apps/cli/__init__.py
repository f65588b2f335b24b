"""The command line: ``webstrata COMMAND``. One module a command, imported when it is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from webstrata import __version__
from webstrata.errors import WebstrataError

__all__ = ["main"]

# Command, and the module of this package that holds it as `command`.
_COMMANDS = {
    "algorithms": "algorithms",
    "blocks": "blocks",
    "datasets": "datasets",
    "demo": "demo",
    "densitogram": "densitogram",
    "evaluate": "evaluate",
    "explain": "explain",
    "extract": "extract",
    "gate": "gate",
    "report": "report",
    "run": "run",
    "segment": "segment",
    "site": "site",
    "sweep": "sweep",
    "train": "train",
}


class _Commands(click.Group):
    """Commands by name. What webstrata raises on purpose is one line on stderr and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{_COMMANDS[name]}").command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except WebstrataError as error:
            raise click.UsageError(str(error), ctx=None) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="webstrata")
def _group() -> None:
    """Read the strata of web pages: blocks, segments, content and boilerplate."""


def main() -> None:
    """Run the command line. A reader that closes the pipe early ends it silently."""
    try:
        _group.main(prog_name="webstrata")
    except BrokenPipeError:
        # Python flushes stdout at exit and would fail again: let it flush into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
