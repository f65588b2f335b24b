"""``webstrata segment``: divide pages into segments."""

from __future__ import annotations

import click

from webstrata.apps.cli.files import file_arguments, read_pages
from webstrata.apps.cli.sites import site_of
from webstrata.segmentation import SEGMENTERS, Segmentation, Segmenter
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
@click.option("--site", metavar="SITE", help="Segment by the tree of this learnt site, not by --algorithm.")
@click.option("--json", "form", flag_value="json", help="One JSON object a page, algorithm and line, for machines.")
@click.option("--html", "form", flag_value="html", help="The page with data-block marks.")
@click.option("--overlay", "form", flag_value="overlay", help="The page in colours, as one file for a browser.")
@click.option(
    "--text", "form", flag_value="text", default=True, help="The texts of the segments (this is the default)."
)
def command(
    files: tuple[str, ...], encoding: str | None, url: str | None, names: str, site: str | None, form: str
) -> None:
    """Divide pages into segments.

    FILE is an HTML file, or - for the standard input.
    """
    segmenters: list[tuple[str, Segmenter]]
    if site is None:
        segmenters = [(name, SEGMENTERS.make(name)) for name in parse_algorithms(names)]
    else:
        segmenters = [("som", site_of(site, url).segmenter)]
    if not segmenters:
        raise click.UsageError("--algorithm needs the name of a segmenter")
    if form in ("html", "overlay") and len(files) * len(segmenters) > 1:
        raise click.UsageError(f"--{form} writes one page by one algorithm")
    for file, page in read_pages(files, encoding=encoding, url=url):
        for name, segmenter in segmenters:
            found = segmenter(page)
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
