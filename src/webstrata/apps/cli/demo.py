"""``webstrata demo``: the main job on the pages that ship with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from webstrata.extract import extract
from webstrata.page import parse

__all__ = ["command"]


@click.command("demo", epilog="Example:  webstrata demo -o out/demo")
@click.option(
    "-o",
    "--output",
    default="out/demo",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Folder for the results.",
)
def command(output: Path) -> None:
    """Read the pages that ship with the package and write what was found."""
    output.mkdir(parents=True, exist_ok=True)
    for source in sorted(files("webstrata.demo").iterdir(), key=lambda item: item.name):
        if source.name.endswith(".html"):
            page = parse(source.read_bytes())
            target = output / Path(source.name).with_suffix(".txt")
            target.write_text(extract(page).text + "\n", encoding="utf-8")
            click.echo(
                f"{source.name}: {len(page.blocks)} blocks, {len(page.elements)} elements, "
                f"{len(page.links)} links -> {target}"
            )
