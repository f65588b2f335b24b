"""``webstrata explain``: why each block of a page was kept or left out."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli.extract import extractor_options
from webstrata.apps.cli.files import read_pages
from webstrata.apps.explain import report
from webstrata.errors import InputError
from webstrata.extraction import Extractor
from webstrata.segmentation import segment

__all__ = ["command"]


@click.command("explain", epilog="Example:  webstrata explain page.html -o report.html")
@click.argument("file", metavar="FILE")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default="out/explain.html",
    show_default=True,
    help="The report.",
)
@click.option("--encoding", metavar="LABEL", help="Trust this encoding more than what the page says.")
@click.option("--url", metavar="URL", help="Where the page came from.")
@click.option(
    "--kept-only", is_flag=True, help="Open with the kept blocks alone; a box in the report shows the others."
)
@extractor_options
def command(
    file: str, output: Path, encoding: str | None, url: str | None, kept_only: bool, extractor: Extractor
) -> None:
    """Write a report on a page: its blocks coloured by score, with the reason for each.

    FILE is an HTML file, or - for the standard input. The report is one file that needs nothing else. It opens on the
    content, says of each block what moved its score most, and lists the segments.
    """
    name, page = next(read_pages((file,), encoding=encoding, url=url))
    found = extractor(page)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        segments = segment(page, "learned")
        output.write_text(report(found, name=name, segmentation=segments, kept_only=kept_only), encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from error
    kept = int(found.keep.sum())
    click.echo(f"{name}: {kept} of {len(page.blocks)} blocks kept -> {output}")
