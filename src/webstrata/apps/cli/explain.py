"""``webstrata explain``: why each block of a page was kept or left out."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.extract import extractor_options
from webstrata.apps.cli.inputs import every_page
from webstrata.apps.cli.outputs import page_output
from webstrata.apps.cli.terminal import echo
from webstrata.apps.explain import report
from webstrata.extraction import Extractor
from webstrata.segmentation import segment

__all__ = ["command"]


@click.command("explain", epilog="Example:  webstrata explain page.html -o report.html")
@options.page_arguments
@options.output("File for the report, or with several pages the folder for their reports.", default="out/explain.html")
@click.option("--kept-only", is_flag=True, help="Open with the kept blocks only; a checkbox shows the others.")
@extractor_options
def command(
    files: tuple[str, ...], output: Path, encoding: str | None, url: str | None, kept_only: bool, extractor: Extractor
) -> None:
    """Write a report on a page: its blocks coloured by score, with the reason for each.

    FILE is an HTML file, a folder, a pattern, an address, or - for the standard input. The report is a single file. It
    shows for each block which features changed its score most, and lists the segments.
    """
    pages = every_page(files)
    with page_output(output, pages, ending=".explain.html") as write:
        for named in pages:
            page = named.parse(url=url, encoding=encoding)
            found = extractor(page)
            segments = segment(page, "learned")
            write(named, report(found, name=named.name, segmentation=segments, kept_only=kept_only))
            echo(f"{named.name}: {int(found.keep.sum())} of {len(page.blocks)} blocks kept", err=True)
