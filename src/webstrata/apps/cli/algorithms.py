"""``webstrata algorithms``: the algorithms to choose from."""

from __future__ import annotations

import json
from typing import Any

import click

from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, FILTERS
from webstrata.registry import Registry
from webstrata.segmentation import SEGMENTERS

__all__ = ["command"]

_REGISTRIES: tuple[Registry[Any], ...] = (SEGMENTERS, EXTRACTORS, FILTERS)


@click.command("algorithms", epilog="Example:  webstrata algorithms")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each algorithm.")
def command(as_json: bool) -> None:
    """List segmenters, extractors and filters.

    Each with its name, paper, needs and parameters.

    Every command accepts these names. Parameters are written in brackets, as in bf-plain(theta=0.5); filters follow an
    extractor, as in numwords+largest-content.
    """
    rows = [
        (registry.kind, name, entry.paper, entry.needs, _parameters(registry, name))
        for registry in _REGISTRIES
        for name, entry in sorted(registry.entries().items())
    ]
    headings = ("kind", "name", "paper", "needs", "parameters")
    if as_json:
        for row in rows:
            echo(json.dumps(dict(zip(headings, row, strict=True)), ensure_ascii=False))
        return
    widths = [max(len(row[i]) for row in (headings, *rows)) for i in range(len(headings))]
    for row in (headings, *rows):
        echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _parameters(registry: Registry[Any], name: str) -> str:
    """The parameters with their defaults, or the error of a broken third-party package."""
    try:
        return registry.takes(name)
    except InputError as error:
        return str(error)
