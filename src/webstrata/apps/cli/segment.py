"""``webstrata segment``: divide pages into segments."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webstrata._recordings_folder import RECORDINGS, recordings_folder
from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.each_page import PageOutput, find_pages_or_report, write_each
from webstrata.apps.cli.inputs import NamedPage, read_recording
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation import Segmentation
from webstrata.segmentation.base import RENDERED, SEGMENTERS, Segmenter, segmented

if TYPE_CHECKING:
    from webstrata.rendering.page import RenderedPage
    from webstrata.sites import Sites

__all__ = ["command"]

_ENDINGS = {"text": ".txt", "json": ".jsonl", "html": ".blocks.html", "overlay": ".overlay.html"}


@dataclass(frozen=True, kw_only=True)
class _Divide:
    """Reads pages and writes their segments.

    Attributes
    ----------
    segmenters : by name
    sites : learnt sites: the tree of its site divides each page
    """

    segmenters: Mapping[str, Segmenter]
    sites: Sites | None
    form: str
    url: str | None
    encoding: str | None

    def __call__(self, named: NamedPage) -> PageOutput:
        page = read_recording(named.name) or named.parse(url=self.url, encoding=self.encoding)
        segmenters = self.segmenters
        if self.sites is not None:
            from webstrata.apps.cli.sites import site_of

            address = page.url if isinstance(page, Page) else page.page.url
            segmenters = {"som": site_of(self.sites, address).segmenter}
        found = {name: _segmented(page, each, SEGMENTERS.needs(name)) for name, each in segmenters.items()}
        return PageOutput("".join(_written(each, self.form, f"{named.name} by {name}") for name, each in found.items()))


@click.command("segment", epilog="Example:  webstrata segment page.html --algorithm bf-rulebased,pagesegmenter")
@options.page_arguments
@options.segmenters("learned")
@click.option("--site", metavar="SITE", help="Segment by the site's tree, learnt by `webstrata site learn`.")
@options.recordings
@click.option("--json", "form", flag_value="json", help="Write one line of JSON for each page and algorithm.")
@click.option("--html", "form", flag_value="html", help="Write the page with data-block attributes.")
@click.option("--overlay", "form", flag_value="overlay", help="Write the page with coloured segments, for a browser.")
@click.option("--text", "form", flag_value="text", default=True, help="Write the texts of the segments.  [default]")
@options.optional_output("Write to this file, or with several pages to a file for each in this folder.")
@options.page_jobs
def command(
    files: tuple[str, ...],
    encoding: str | None,
    url: str | None,
    names: str,
    site: str | None,
    recordings: Path | None,
    form: str,
    output: Path | None,
    jobs: int,
) -> None:
    """Divide pages into segments.

    FILE is an HTML file, a folder, a pattern, an address, a recording of `webstrata render`, or - for the standard
    input. Visual segmenters need a recording. An HTML file whose recording is in the folder of recordings is segmented
    by it, where a segmenter sees boxes.
    """
    if recordings is not None:
        os.environ[RECORDINGS] = str(recordings)
    segmenters = {name: SEGMENTERS.make(name) for name in split(names)}
    if not segmenters:
        raise InputError("--algorithm needs the name of a segmenter")
    sites = None
    if site is not None:
        from webstrata.sites import Sites

        sites = Sites(site)
    pages, complete = find_pages_or_report(files)
    if form in ("html", "overlay") and len(segmenters) > 1 and sites is None:
        raise InputError(f"--{form} writes a page by one algorithm: name one")
    if form in ("html", "overlay") and len(pages) > 1 and output is None:
        raise InputError(f"--{form} writes a file for each page: name a folder by -o")
    task = _Divide(segmenters=segmenters, sites=sites, form=form, url=url, encoding=encoding)
    write_each(task, pages, output=output, ending=_ENDINGS[form], jobs=jobs, complete=complete)


def _segmented(page: Page | RenderedPage, segmenter: Segmenter, needs: str) -> Segmentation:
    """The segments of a page; of plain HTML by its recording, where there is one and the segmenter sees boxes."""
    sees_boxes = needs == RENDERED or getattr(segmenter, "sees_boxes", False)
    if isinstance(page, Page) and sees_boxes and recordings_folder().is_dir():
        from webstrata.evaluation.datasets.base import PageInput
        from webstrata.evaluation.datasets.recordings import segmented_as_recorded

        return segmented_as_recorded(PageInput(page.source, "utf-8", page.url), segmenter)
    return segmented(page, segmenter, needs=needs)


def _written(found: Segmentation, form: str, heading: str) -> str:
    if form == "json":
        return f"{found.json()}\n"
    if form == "html":
        from webstrata.segmentation.html import to_html

        return to_html(found)
    if form == "overlay":
        from webstrata.segmentation.picture import overlay

        return overlay(found)
    return "".join(f"{line}\n" for line in _lines(found, heading))


def _lines(found: Segmentation, heading: str) -> Iterator[str]:
    yield f"{heading}: {len(found)} segment{'s' * (len(found) != 1)}"
    for number, item in enumerate(found.segments):
        indent = "  " * (item.level - 1)
        labels = [item.kind, "" if item.score is None else f"({item.score:.2f})"]
        yield " ".join([f"{indent}[{number}] blocks {item.start}:{item.stop}", *filter(None, labels)])
        for text in found.text(item).splitlines():
            yield f"{indent}    {text}"
