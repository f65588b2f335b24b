"""The command line: ``webstrata COMMAND``. Each command is a module, which is imported when the command is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from webstrata import __version__, _escaping
from webstrata.errors import WebstrataError

__all__ = ["main"]

# The commands by what they read, with the first sentence of their help. Each is the `command` of a module of its name.
# The sentences are repeated here so that `webstrata --help` need not import all commands; a test compares them.
_SECTIONS = {
    "Pages": {
        "extract": "Write the content of pages without their boilerplate.",
        "explain": "Write a report: why each block was kept or left out.",
        "segment": "Divide pages into segments.",
        "blocks": "List the blocks of pages, with counts and densities.",
        "densitogram": "Draw the text density of each block, and the segments.",
        "demo": "Read the pages that ship with the package.",
        "serve": "Serve the web page: viewer, search and annotator.",
    },
    "Crawls and sites": {
        "run": "Run a step over whole crawls: WARC in, Parquet out.",
        "site": "Learn the template of a site from its pages.",
        "duplicates": "Find near-duplicate pages.",
        "links": "Build a link graph, rank its pages, find facets.",
        "search": "Index pages, search them, and evaluate rankings.",
        "stats": "Count words and text densities, and fit distributions.",
    },
    "A browser (Chromium)": {
        "render": "Render pages, and record their boxes and styles.",
        "snapshot": "Freeze a page into one HTML file.",
        "record": "Record the pages of data sets, for visual algorithms.",
    },
    "Research": {
        "algorithms": "List segmenters, extractors and filters.",
        "datasets": "List the data sets, and fetch their files.",
        "evaluate": "Run algorithms on data sets, and score their results.",
        "report": "Write tables and plots of the scores of an evaluation.",
        "gate": "Fail if a score of an evaluation is below its floor.",
        "reproduce": "Repeat the experiments of a paper.",
        "sweep": "Sweep the parameters of Block Fusion.",
        "train": "Train the learned extractor, or another model.",
    },
}
_COMMANDS = {name: sentence for section in _SECTIONS.values() for name, sentence in section.items()}


class _Commands(click.Group):
    """Imports commands by name; a `WebstrataError` becomes one line on standard error and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        # No command multiplies large matrices, and idle threads of OpenBLAS take processor time.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command: click.Command = import_module(f"{__name__}.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(name, _COMMANDS, n=1)
            hint = f"did you mean {close[0]}?" if close else "`webstrata --help` lists them."
            raise click.UsageError(f"there is no command {name!r}: {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # As click does it, but without importing every command.
        wide = max(map(len, _COMMANDS))
        for title, section in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{wide}}", sentence) for name, sentence in section.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        # Without importing every command: the shell waits for this.
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=_COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with _one_line_errors():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> object:
        with _one_line_errors():
            return super().invoke(ctx)


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Errors that users can act on become one line without control characters, which a terminal would execute."""
    try:
        yield
    except click.ClickException as error:
        error.message = _escaping.terminal(error.message)  # type: ignore[misc]  # of click, which prints it
        raise
    except WebstrataError as error:
        raise click.UsageError(_escaping.terminal(str(error)), ctx=None) from error
    except OSError as error:
        from webstrata.files import full_disk  # imports NumPy

        if full := full_disk(error):
            raise click.UsageError(str(full), ctx=None) from error
        raise


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="webstrata")
def _group() -> None:
    """Read the strata of web pages: blocks, segments, content and boilerplate."""


def main() -> None:
    """Run the command line. If the reader closes the pipe, exit without an error message."""
    try:
        _group.main(prog_name="webstrata")
    except BrokenPipeError:
        # Python flushes the buffer at exit and would fail again: write it to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
