"""``webstrata densitogram``: the text density of a page and its segments as a picture."""

from __future__ import annotations

import re
from pathlib import Path

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.inputs import NamedPage
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.segmentation import SEGMENTERS
from webstrata.segmentation.picture import densitogram, png

__all__ = ["command"]


@click.command("densitogram", epilog="Example:  webstrata densitogram page.html -o page.svg")
@click.argument("file", metavar="FILE")
@options.output("Picture to write: .svg or .png.")
@options.segmenters("bf-plain,bf-smoothed,bf-rulebased")
@options.encoding
@click.option("--width", type=click.IntRange(min=200), help="Width of the picture in pixels.")
def command(file: str, output: Path, names: str, encoding: str | None, width: int | None) -> None:
    """Draw the text density of each block of a page, and where segments begin.

    FILE is an HTML file, an address, or - for the standard input. Each segmenter gets a row of the picture.
    """
    if output.suffix.lower() not in (".svg", ".png"):
        raise InputError("the picture must be a .svg or a .png file: change --output")
    algorithms = split(names)
    segmenters = [SEGMENTERS.make(name) for name in algorithms]
    page = NamedPage(file).parse(encoding=encoding)
    svg = densitogram([segmenter(page) for segmenter in segmenters], names=algorithms, width=width)
    output.parent.mkdir(parents=True, exist_ok=True)
    if output.suffix.lower() == ".svg":
        output.write_text(svg, encoding="utf-8")
    else:
        size = re.search(r"width='(\d+)' height='(\d+)'", svg)
        wide, high = (int(size[1]), int(size[2])) if size else (1024, 768)
        png(svg, output, width=wide, height=high)
    echo(output)
