"""``webstrata segment``: divide pages into segments."""

from __future__ import annotations

import click

from webstrata._spelling import split
from webstrata.apps.cli.files import file_arguments, read_pages, read_recording
from webstrata.apps.cli.terminal import shown
from webstrata.segmentation import Segmentation
from webstrata.segmentation.base import SEGMENTERS, Segmenter, segmented

__all__ = ["command"]


@click.command("segment", epilog="Example:  webstrata segment page.html --algorithm bf-rulebased,pagesegmenter")
@file_arguments
@click.option(
    "--algorithm",
    "names",
    default="learned",
    show_default=True,
    metavar="NAME[,NAME]",
    help="Segmenters, as in bf-plain(theta=0.5); `webstrata algorithms` lists them.",
)
@click.option("--site", metavar="SITE", help="Segment by the tree of this learnt site, not by --algorithm.")
@click.option("--json", "form", flag_value="json", help="One line of JSON for each page and algorithm, for programs.")
@click.option("--html", "form", flag_value="html", help="The page with data-block marks.")
@click.option("--overlay", "form", flag_value="overlay", help="The page in colours, as one file for a browser.")
@click.option(
    "--text", "form", flag_value="text", default=True, help="The texts of the segments (this is the default)."
)
def command(
    files: tuple[str, ...], encoding: str | None, url: str | None, names: str, site: str | None, form: str
) -> None:
    """Divide pages into segments.

    FILE is an HTML file, a recording of `webstrata render`, or - for the standard input. Visual segmenters need a
    recording.
    """
    segmenters: dict[str, Segmenter]
    if site is None:
        segmenters = {name: SEGMENTERS.make(name) for name in split(names)}
    else:
        from webstrata.apps.cli.sites import site_of

        segmenters = {"som": site_of(site, url).segmenter}
    if not segmenters:
        raise click.UsageError("--algorithm needs the name of a segmenter")
    if form in ("html", "overlay") and len(files) * len(segmenters) > 1:
        raise click.UsageError(f"--{form} writes one page by one algorithm")
    for file in files:
        page = read_recording(file) or next(read_pages((file,), encoding=encoding, url=url))[1]
        for name, segmenter in segmenters.items():
            found = segmented(page, segmenter, needs=SEGMENTERS.needs(name))
            if form == "json":
                click.echo(found.json())
            elif form == "html":
                from webstrata.segmentation.html import to_html

                click.echo(shown(to_html(found)), nl=False)
            elif form == "overlay":
                from webstrata.segmentation.picture import overlay

                click.echo(shown(overlay(found)), nl=False)
            else:
                _print(file, name, found)


def _print(file: str, name: str, found: Segmentation) -> None:
    click.echo(click.style(f"{file} by {name}: {len(found)} segments", bold=True))
    for number, item in enumerate(found.segments):
        indent = "  " * (item.level - 1)
        told = [item.kind, "" if item.score is None else f"({item.score:.2f})"]
        heading = " ".join([f"{indent}[{number}] blocks {item.start}:{item.stop}", *filter(None, told)])
        click.echo(click.style(shown(heading), dim=True))
        for line in found.text(item).splitlines():
            click.echo(f"{indent}    {shown(line)}")
