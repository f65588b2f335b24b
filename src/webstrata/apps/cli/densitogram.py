"""``webstrata densitogram``: the text density of a page and its segments as a picture."""

from __future__ import annotations

import re
from pathlib import Path

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.inputs import NamedPage, every_page
from webstrata.apps.cli.outputs import page_output
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.picture import densitogram, png

__all__ = ["command"]


@click.command("densitogram", epilog="Example:  webstrata densitogram page.html -o page.svg")
@options.page_arguments
@options.output("Picture to write, .svg or .png, or with several pages the folder for their pictures.")
@options.segmenters("bf-plain,bf-smoothed,bf-rulebased")
@click.option("--width", type=click.IntRange(min=200), help="Width of the picture in pixels.")
def command(
    files: tuple[str, ...], output: Path, names: str, encoding: str | None, url: str | None, width: int | None
) -> None:
    """Draw the text density of each block of a page, and where segments begin.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input. Each segmenter gets a row of the
    picture.
    """
    pages = every_page(files)
    if len(pages) == 1 and output.suffix.lower() not in (".svg", ".png"):
        raise InputError("the picture must be a .svg or a .png file: change --output")
    algorithms = split(names)
    segmenters = [SEGMENTERS.make(name) for name in algorithms]

    def draw(named: NamedPage) -> str:
        page = named.parse(url=url, encoding=encoding)
        return densitogram([segmenter(page) for segmenter in segmenters], names=algorithms, width=width)

    if len(pages) == 1 and output.suffix.lower() == ".png":
        _write_png(draw(pages[0]), output)
        return
    with page_output(output, pages, ending=".svg") as write:
        for named in pages:
            write(named, draw(named))


def _write_png(svg: str, output: Path) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    size = re.search(r"width='(\d+)' height='(\d+)'", svg)
    wide, high = (int(size[1]), int(size[2])) if size else (1024, 768)
    png(svg, output, width=wide, height=high)
    echo(f"1 page -> {output}", err=True)
