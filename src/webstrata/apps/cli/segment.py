"""``webstrata segment``: divide pages into segments."""

from __future__ import annotations

from collections.abc import Callable

import click

from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.inputs import NamedPage, read_recording
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation import Segmentation
from webstrata.segmentation.base import SEGMENTERS, Segmenter, segmented

__all__ = ["command"]


@click.command("segment", epilog="Example:  webstrata segment page.html --algorithm bf-rulebased,pagesegmenter")
@options.page_arguments
@options.segmenters("learned")
@click.option("--site", metavar="SITE", help="Segment by the site's tree, learnt by `webstrata site learn`.")
@click.option("--json", "form", flag_value="json", help="Write one line of JSON for each page and algorithm.")
@click.option("--html", "form", flag_value="html", help="Write the page with data-block attributes.")
@click.option("--overlay", "form", flag_value="overlay", help="Write the page with coloured segments, for a browser.")
@click.option("--text", "form", flag_value="text", default=True, help="Write the texts of the segments.  [default]")
def command(
    files: tuple[str, ...], encoding: str | None, url: str | None, names: str, site: str | None, form: str
) -> None:
    """Divide pages into segments.

    FILE is an HTML file, an address, a recording of `webstrata render`, or - for the standard input. Visual segmenters
    need a recording.
    """
    segmenters = {name: SEGMENTERS.make(name) for name in split(names)}
    if not segmenters:
        raise InputError("--algorithm needs the name of a segmenter")
    of_site = _by_site(site) if site is not None else None
    if form in ("html", "overlay") and len(files) * (1 if of_site else len(segmenters)) > 1:
        raise InputError(f"--{form} writes one page by one algorithm: name one file and one algorithm")
    for file in files:
        page = read_recording(file) or NamedPage(file).parse(url=url, encoding=encoding)
        chosen = segmenters
        if of_site is not None:
            chosen = {"som": of_site(page.url if isinstance(page, Page) else page.page.url)}
        for name, segmenter in chosen.items():
            _write(segmented(page, segmenter, needs=SEGMENTERS.needs(name)), form, f"{file} by {name}")


def _by_site(folder: str) -> Callable[[str | None], Segmenter]:
    """The segmenter of the site of a page, by its address."""
    from webstrata.apps.cli.sites import site_of
    from webstrata.sites import Sites

    sites = Sites(folder)
    return lambda url: site_of(sites, url).segmenter


def _write(found: Segmentation, form: str, heading: str) -> None:
    if form == "json":
        echo(found.json())
    elif form == "html":
        from webstrata.segmentation.html import to_html

        echo(to_html(found), nl=False)
    elif form == "overlay":
        from webstrata.segmentation.picture import overlay

        echo(overlay(found), nl=False)
    else:
        _print_texts(found, heading)


def _print_texts(found: Segmentation, heading: str) -> None:
    echo(f"{heading}: {len(found)} segments", bold=True)
    for number, item in enumerate(found.segments):
        indent = "  " * (item.level - 1)
        labels = [item.kind, "" if item.score is None else f"({item.score:.2f})"]
        line = " ".join([f"{indent}[{number}] blocks {item.start}:{item.stop}", *filter(None, labels)])
        echo(line, dim=True)
        for text in found.text(item).splitlines():
            echo(f"{indent}    {text}")
