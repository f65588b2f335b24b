"""``webstrata blocks``: the block table of a page."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from webstrata import features
from webstrata._escaping import terminal
from webstrata._lengths import LONGEST_TAG_NAME, MOST_LEVELS
from webstrata.apps.cli import options
from webstrata.apps.cli.each_page import PageOutput, find_pages_or_report, write_each
from webstrata.apps.cli.inputs import NamedPage
from webstrata.page import Page
from webstrata.tree import path_of

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class _List:
    """Reads pages and writes their blocks, as a table or as JSON.

    Attributes
    ----------
    hidden : whether blocks that browsers hide are listed
    width : of the terminal, to cut the lines of the table
    """

    as_json: bool
    hidden: bool
    width: int | None
    url: str | None
    encoding: str | None

    def __call__(self, named: NamedPage) -> PageOutput:
        page = named.parse(url=self.url, encoding=self.encoding)
        if self.as_json:
            return PageOutput("".join(f"{line}\n" for line in _rows_of_json(named.name, page, self.hidden)))
        lines = (terminal(line)[: self.width] for line in _table(named.name, page, self.hidden))
        return PageOutput("".join(f"{line}\n" for line in lines))


@click.command("blocks", epilog="Example:  webstrata blocks page.html --no-hidden | less -S")
@options.page_arguments
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each block.")
@click.option("--hidden/--no-hidden", default=True, show_default=True, help="List blocks that browsers hide.")
@options.optional_output("Write to this file, or with several pages to a file for each in this folder.")
@options.page_jobs
def command(
    files: tuple[str, ...],
    encoding: str | None,
    url: str | None,
    as_json: bool,
    hidden: bool,
    output: Path | None,
    jobs: int,
) -> None:
    """List the blocks of pages, with counts and densities.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input. A block is a piece of text
    between two tags; its row has its place in the page as well.
    """
    pages, complete = find_pages_or_report(files)
    shown = output is None and sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if shown else None
    task = _List(as_json=as_json, hidden=hidden, width=width, url=url, encoding=encoding)
    ending = ".blocks.jsonl" if as_json else ".blocks.txt"
    write_each(task, pages, output=output, ending=ending, jobs=jobs, complete=complete)


def _rows_of_json(name: str, page: Page, hidden: bool) -> Iterator[str]:
    """One line of JSON for each block."""
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
            yield json.dumps(row, ensure_ascii=False)


def _path(page: Page, row: int) -> list[str]:
    """The path of a block without links; only the end of a deep one, so that the size of the output stays linear."""
    element = int(page.blocks.element[row])
    names = path_of(page.elements, element, levels=MOST_LEVELS, letters=LONGEST_TAG_NAME)
    return [name for name in names if name != "a"]


def _table(name: str, page: Page, hidden: bool) -> Iterator[str]:
    """One line for each block, below the names of the columns."""
    blocks = page.blocks
    text_density, link_density = features.text_density(blocks), features.link_density(blocks)
    yield f"{name}: {page.title or 'no title'}"
    yield f"{'block':>6} {'words':>6} {'links':>6} {'lines':>6} {'density':>8}  {'in':10} text"
    for i, block in enumerate(blocks):
        if hidden or not block.hidden:
            numbers = f"{i:6} {block.words:6} {link_density[i]:6.0%} {block.lines:6} {text_density[i]:8.1f}"
            mark = "(hidden) " if block.hidden else ""
            yield f"{numbers}  {_path(page, i)[-1]:10.10} {mark}{' '.join(block.text.split())}"
