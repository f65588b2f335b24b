"""``webstrata algorithms``: what there is to choose from."""

from __future__ import annotations

import json

import click

from webstrata.extraction import EXTRACTORS
from webstrata.segmentation import SEGMENTERS

__all__ = ["command"]


@click.command("algorithms", epilog="Example:  webstrata algorithms")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an algorithm and line, for machines.")
def command(as_json: bool) -> None:
    """List segmenters and extractors: name, paper, and what each needs besides a page."""
    rows = [
        (kind, name, entry.paper, entry.needs)
        for kind, registry in (("segmenter", SEGMENTERS), ("extractor", EXTRACTORS))
        for name, entry in sorted(registry.entries().items())
    ]
    headings = ("kind", "name", "paper", "needs")
    if as_json:
        for row in rows:
            click.echo(json.dumps(dict(zip(headings, row, strict=True)), ensure_ascii=False))
        return
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(4)]
    for row in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
