"""``webstrata blocks``: the block table of a page."""

from __future__ import annotations

import json

import click

from webstrata import features
from webstrata.apps.cli.files import file_arguments, read_pages
from webstrata.page import Page

__all__ = ["command"]


@click.command("blocks", epilog="Example:  webstrata blocks page.html --no-hidden | less -S")
@file_arguments
@click.option("--json", "as_json", is_flag=True, help="One JSON object a block and line, for machines.")
@click.option("--hidden/--no-hidden", default=True, help="Whether to show blocks that a browser does not show.")
def command(files: tuple[str, ...], encoding: str | None, url: str | None, as_json: bool, hidden: bool) -> None:
    """Show the atomic blocks of pages, each with its counts, its densities and its place.

    FILE is an HTML file, or - for the standard input.
    """
    for name, page in read_pages(files, encoding=encoding, url=url):
        if as_json:
            _print_json(name, page, hidden)
        else:
            _print_table(name, page, hidden)


def _print_json(name: str, page: Page, hidden: bool) -> None:
    blocks = page.blocks
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    for i, block in enumerate(blocks):
        if hidden or not block.hidden:
            row = {
                "file": name,
                "block": i,
                "text": block.text,
                "path": "/".join(block.path),
                "gap": sorted(block.gap),
                "source": [int(blocks.source_start[i]), int(blocks.source_stop[i])],
                "words": block.words,
                "link_words": block.link_words,
                "lines": block.lines,
                "wrapped_words": int(blocks.wrapped_words[i]),
                "chars": int(blocks.chars[i]),
                "text_density": round(float(text_density[i]), 4),
                "link_density": round(float(link_density[i]), 4),
                "heading": block.heading,
                "hidden": block.hidden,
                "preformatted": bool(blocks.preformatted[i]),
            }
            click.echo(json.dumps(row, ensure_ascii=False))


def _print_table(name: str, page: Page, hidden: bool) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    blocks = page.blocks
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    table = Table(title=f"{name}: {page.title}" if page.title else name, title_justify="left", header_style="bold")
    for heading in ("block", "words", "links", "lines", "density"):
        table.add_column(heading, justify="right")
    table.add_column("in")
    table.add_column("text", no_wrap=True, overflow="ellipsis", ratio=1)
    for i, block in enumerate(blocks):
        if hidden or not block.hidden:
            table.add_row(
                str(i),
                str(block.words),
                f"{link_density[i]:.0%}",
                str(block.lines),
                f"{text_density[i]:.1f}",
                Text(block.element.tag),
                Text(" ".join(block.text.split())),
                style="dim" if block.hidden else None,
            )
    console = Console()
    # Into a pipe or a file the text is not cut: a terminal is the only place with an edge.
    if not console.is_terminal:
        console = Console(width=10_000, color_system=None)
    console.print(table)
