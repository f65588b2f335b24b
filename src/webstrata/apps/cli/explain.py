"""``webstrata explain``: why each block of a page was kept or left out."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.extract import extractor_options
from webstrata.apps.cli.inputs import NamedPage
from webstrata.apps.cli.terminal import echo
from webstrata.apps.explain import report
from webstrata.errors import InputError
from webstrata.extraction import Extractor
from webstrata.segmentation import segment

__all__ = ["command"]


@click.command("explain", epilog="Example:  webstrata explain page.html -o report.html")
@click.argument("file", metavar="FILE")
@options.output("File for the report.", default="out/explain.html")
@options.encoding
@options.url
@click.option("--kept-only", is_flag=True, help="Open with the kept blocks only; a checkbox shows the others.")
@extractor_options
def command(
    file: str, output: Path, encoding: str | None, url: str | None, kept_only: bool, extractor: Extractor
) -> None:
    """Write a report on a page: its blocks coloured by score, with the reason for each.

    FILE is an HTML file, an address, or - for the standard input. The report is a single file. It opens at the content,
    shows for each block which features changed its score most, and lists the segments.
    """
    page = NamedPage(file).parse(url=url, encoding=encoding)
    found = extractor(page)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        segments = segment(page, "learned")
        output.write_text(report(found, name=file, segmentation=segments, kept_only=kept_only), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from error
    kept = int(found.keep.sum())
    echo(f"{file}: {kept} of {len(page.blocks)} blocks kept -> {output}")
