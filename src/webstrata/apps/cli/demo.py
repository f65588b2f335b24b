"""``webstrata demo``: the main job on the pages that ship with the package."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.terminal import echo
from webstrata.apps.explain import report
from webstrata.extraction import extract
from webstrata.page import Page, parse
from webstrata.segmentation import segment
from webstrata.segmentation.picture import densitogram, overlay

__all__ = ["command"]


@click.command("demo", epilog="Example:  webstrata demo -o out/demo")
@options.output_folder("out/demo")
def command(output: Path) -> None:
    """Read the pages that ship with the package.

    Their content, segments and reports are written to the folder.
    """
    (output / "pages").mkdir(parents=True, exist_ok=True)
    for source in sorted(files("webstrata.demo").iterdir(), key=lambda item: item.name):
        if source.name.endswith(".html"):
            html = source.read_bytes()
            (output / "pages" / source.name).write_bytes(html)
            echo(f"{source.name}: {_read(source.name.removesuffix('.html'), parse(html), output)}")
    echo(f"\nIn {output}, for each page:")
    echo("  pages/NAME.html    the page itself, to try other commands on")
    echo("  NAME.md            its main content as Markdown")
    echo("  NAME.explain.html  why each block was kept or left out (open it in a browser)")
    echo("  NAME.overlay.html  its segments in colours, on the page itself")
    echo("  NAME.svg           its text densities and the segments of Block Fusion")


def _read(name: str, page: Page, output: Path) -> str:
    """Write the results of one page; returns a one-line summary."""
    found = extract(page)
    segments, fused = segment(page), segment(page, "bf-rulebased")
    results = {
        f"{name}.md": found.markdown,
        f"{name}.explain.html": report(found, name=name, segmentation=segments),
        f"{name}.overlay.html": overlay(segments),
        f"{name}.svg": densitogram([fused], names=["bf-rulebased"]),
    }
    for file, text in results.items():
        (output / file).write_text(text, encoding="utf-8")
    counts = f"{len(page.blocks)} blocks in {len(segments.segments)} segments, {len(page.links)} links"
    return f"{counts}; content: {int(found.keep.sum())} blocks, {int(page.blocks.words[found.keep].sum())} words"
