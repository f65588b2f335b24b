"""``webstrata segment``: divide pages into segments."""

from __future__ import annotations

import click

from webstrata.apps.cli.files import file_arguments, read_pages, read_recording
from webstrata.segmentation import SEGMENTERS, Segmentation, segment
from webstrata.segmentation.html import to_html
from webstrata.segmentation.picture import overlay

__all__ = ["command", "parse_algorithms"]


def parse_algorithms(names: str) -> list[str]:
    """The names in a list with commas."""
    return [name.strip() for name in names.split(",") if name.strip()]


@click.command("segment", epilog="Example:  webstrata segment page.html --algorithm bf-rulebased,pagesegmenter")
@file_arguments
@click.option(
    "--algorithm",
    "names",
    default="bf-rulebased",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Segmenters; `webstrata algorithms` lists them.",
)
@click.option("--json", "form", flag_value="json", help="One JSON object a page, algorithm and line, for machines.")
@click.option("--html", "form", flag_value="html", help="The page with data-block marks.")
@click.option("--overlay", "form", flag_value="overlay", help="The page in colours, as one file for a browser.")
@click.option(
    "--text", "form", flag_value="text", default=True, help="The texts of the segments (this is the default)."
)
def command(files: tuple[str, ...], encoding: str | None, url: str | None, names: str, form: str) -> None:
    """Divide pages into segments.

    FILE is an HTML file, a recording of `webstrata render`, or - for the standard input. Visual segmenters need a
    recording.
    """
    segmenters = parse_algorithms(names)
    for name in segmenters:
        SEGMENTERS.make(name)
    if not segmenters:
        raise click.UsageError("--algorithm needs the name of a segmenter")
    if form in ("html", "overlay") and len(files) * len(segmenters) > 1:
        raise click.UsageError(f"--{form} writes one page by one algorithm")
    for file in files:
        page = read_recording(file) or next(read_pages((file,), encoding=encoding, url=url))[1]
        for name in segmenters:
            found = segment(page, name)
            if form == "json":
                click.echo(found.json())
            elif form == "html":
                click.echo(to_html(found), nl=False)
            elif form == "overlay":
                click.echo(overlay(found), nl=False)
            else:
                _print(file, name, found)


def _print(file: str, name: str, found: Segmentation) -> None:
    click.echo(click.style(f"{file} by {name}: {len(found)} segments", bold=True))
    for number, item in enumerate(found.segments):
        indent = "  " * (item.level - 1)
        heading = f"{indent}[{number}] blocks {item.start}:{item.stop} {item.kind}".rstrip()
        click.echo(click.style(heading, dim=True))
        for line in found.text(item).splitlines():
            click.echo(f"{indent}    {line}")
