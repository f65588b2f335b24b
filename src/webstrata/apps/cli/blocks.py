"""``webstrata blocks``: the block table of a page."""

from __future__ import annotations

import json
import shutil
import sys

import click

from webstrata import features
from webstrata._escaping import terminal
from webstrata._lengths import LONGEST_TAG_NAME, MOST_LEVELS
from webstrata.apps.cli import options
from webstrata.apps.cli.inputs import every_page
from webstrata.apps.cli.terminal import echo
from webstrata.page import Page
from webstrata.tree import path_of

__all__ = ["command"]


@click.command("blocks", epilog="Example:  webstrata blocks page.html --no-hidden | less -S")
@options.page_arguments
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each block.")
@click.option("--hidden/--no-hidden", default=True, show_default=True, help="Show blocks that browsers hide.")
def command(files: tuple[str, ...], encoding: str | None, url: str | None, as_json: bool, hidden: bool) -> None:
    """Show the atomic blocks of pages, each with its counts, its densities and its path.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input.
    """
    show = _print_json if as_json else _print_table
    for page in every_page(files):
        show(page.name, page.parse(url=url, encoding=encoding), hidden)


def _print_json(name: str, page: Page, hidden: bool) -> None:
    blocks = page.blocks
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    for i, block in enumerate(blocks):
        if hidden or not block.hidden:
            row = {
                "file": name,
                "block": i,
                "text": block.text,
                "path": "/".join(_path(page, i)),
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
            echo(json.dumps(row, ensure_ascii=False))


def _path(page: Page, row: int) -> list[str]:
    """The path of a block without links; only the end of a deep one, so that the size of the output stays linear."""
    element = int(page.blocks.element[row])
    names = path_of(page.elements, element, levels=MOST_LEVELS, letters=LONGEST_TAG_NAME)
    return [name for name in names if name != "a"]


def _print_table(name: str, page: Page, hidden: bool) -> None:
    """One line for each block. On a terminal, lines are cut to its width and hidden blocks are dim."""
    blocks = page.blocks
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    echo(terminal(f"{name}: {page.title or 'no title'}")[:width], bold=True)
    echo(f"{'block':>6} {'words':>6} {'links':>6} {'lines':>6} {'density':>8}  {'in':10} text", underline=True)
    for i, block in enumerate(blocks):
        if hidden or not block.hidden:
            numbers = f"{i:6} {block.words:6} {link_density[i]:6.0%} {block.lines:6} {text_density[i]:8.1f}"
            line = f"{numbers}  {_path(page, i)[-1]:10.10} {' '.join(block.text.split())}"
            echo(terminal(line)[:width], dim=block.hidden)
