"""``webstrata densitogram``: the text density of a page and its segments as a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.each_page import PageOutput, find_pages_or_report, write_each
from webstrata.apps.cli.inputs import NamedPage
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.picture import densitogram, png

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class _Draw:
    """Reads pages and draws them, with a row for each segmenter."""

    names: tuple[str, ...]
    width: int | None
    url: str | None
    encoding: str | None

    def __call__(self, named: NamedPage) -> PageOutput:
        page = named.parse(url=self.url, encoding=self.encoding)
        found = [SEGMENTERS.make(name)(page) for name in self.names]
        return PageOutput(densitogram(found, names=list(self.names), width=self.width))


@click.command("densitogram", epilog="Example:  webstrata densitogram page.html -o page.svg")
@options.page_arguments
@options.output("Picture to write, .svg or .png, or with several pages the folder for their pictures.")
@options.segmenters("learned,bf-rulebased")
@options.page_jobs
@click.option("--width", type=click.IntRange(min=200), help="Width of the picture in pixels.")
def command(
    files: tuple[str, ...],
    output: Path,
    names: str,
    encoding: str | None,
    url: str | None,
    jobs: int,
    width: int | None,
) -> None:
    """Draw the text density of each block, and the segments.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input. Each segmenter gets a row of the
    picture.
    """
    pages, complete = find_pages_or_report(files)
    if len(pages) == 1 and not pages[0].is_listed and output.suffix.lower() not in (".svg", ".png"):
        raise InputError("the picture must be a .svg or a .png file: change --output")
    algorithms = tuple(split(names))
    for name in algorithms:
        SEGMENTERS.make(name)  # an error of a name is not one of each page
    task = _Draw(names=algorithms, width=width, url=url, encoding=encoding)
    if len(pages) == 1 and output.suffix.lower() == ".png":
        _write_png(task(pages[0]).text, output)
        return
    write_each(task, pages, output=output, ending=".svg", jobs=jobs, complete=complete)


def _write_png(svg: str, output: Path) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    size = re.search(r"width='(\d+)' height='(\d+)'", svg)
    wide, high = (int(size[1]), int(size[2])) if size else (1024, 768)
    png(svg, output, width=wide, height=high)
    echo(f"1 page -> {output}", err=True)
