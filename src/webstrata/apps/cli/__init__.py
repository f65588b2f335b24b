"""The command line: ``webstrata COMMAND``. One module a command, imported when the command is called."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from webstrata import __version__
from webstrata.errors import WebstrataError

__all__ = ["main"]

# The commands, each the module of this package that holds it as `command`, with the first sentence of its help. The
# sentences stand here so that `webstrata --help` need not import what all commands need; a test compares them.
_COMMANDS = {
    "algorithms": "List segmenters, extractors and filters: name, paper, needs and parameters.",
    "blocks": "Show the atomic blocks of pages, each with its counts, its densities and its place.",
    "datasets": "List the data sets with their cards: source, licence, counts, and whether they are here.",
    "demo": "Read the pages that ship with the package and write what was found.",
    "densitogram": "Draw the text density of each block of a page, and where segments begin.",
    "evaluate": "Run algorithms on data sets, score what they say, and write a report.",
    "duplicates": "Find near-duplicates in crawls, by their content, their largest segment or as a whole.",
    "explain": "Write a report on a page: its blocks coloured by score, with the reason for each.",
    "extract": "Write the content of pages to the standard output, without their boilerplate.",
    "gate": "Fail if a mean of the scores in DIR is below its floor.",
    "render": "Render pages in Chromium, and record what it shows.",
    "links": "Build the link graph of a crawl, rank its pages, and find the facets of results.",
    "report": "Write the tables and plots of what `webstrata evaluate` left in DIR: report.html, report.md, tables/.",
    "reproduce": (
        "Run the experiments of PAPER again, and write its tables and figures with the printed numbers beside ours."
    ),
    "run": "Run a step over whole crawls: WARC in, Parquet out, nothing lost.",
    "search": "Index pages with their strata, search them, and measure how good rankings are.",
    "segment": "Divide pages into segments.",
    "serve": "Serve the web page: look at strata, search a site, mark segments.",
    "site": "Learn what the pages of a site have in common: its tree, its segment classes, its template texts.",
    "snapshot": "Freeze a page into one HTML file that looks the same offline, and in ten years.",
    "stats": "Count words by density, by length of text and by class, and fit the distributions of the papers.",
    "sweep": "Sweep the parameters of Block Fusion over pages with ground truth, and fit Zipf's law.",
    "train": "Train the learned extractor on DATASET, a Parquet file or a folder of them with the columns of WCXB.",
}


class _Commands(click.Group):
    """Commands by name. What webstrata raises on purpose is one line on stderr and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        # No command multiplies large matrices: OpenBLAS would start threads that take processor time and do nothing.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        command: click.Command = import_module(f"{__name__}.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # Click cuts the sentences the same way, but imports every command to find them.
        limit = formatter.width - 6 - max(map(len, _COMMANDS))
        commands = [click.Command(name, help=_COMMANDS[name]) for name in self.list_commands(ctx)]
        rows = [(str(command.name), command.get_short_help_str(limit)) for command in commands]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        # As above: a shell waits for this at every press of a key.
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=_COMMANDS[name]) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

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
        # Python writes what is left in the buffer at exit, and would fail once more: it goes to the null device.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
