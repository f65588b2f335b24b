"""``webstrata links import`` and ``export``: link graphs as files of text."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.links import LinkGraph
from webstrata.links.exchange import HOSTS, export_graph, import_graph
from webstrata.links.graph import SITES
from webstrata.links.ranks import Ranks

__all__ = ["export_command", "import_command"]


@click.command("import", epilog="Example:  webstrata links import edges.txt.gz --vertices vertices.txt.gz -o out/graph")
@click.argument("edges", type=FOLDER)
@options.output("Folder for the graph.")
@click.option("--vertices", type=FOLDER, help="Lines of a number and a name; EDGES are lines of two numbers then.")
@click.option("--hosts", type=click.Choice(list(HOSTS)), default="reversed", show_default=True,
              help="Spelling of names that are hosts: org.example.www or www.example.org.")  # fmt: skip
@click.option(
    "--by", type=click.Choice(list(SITES)), default="host", show_default=True, help="What makes pages one site."
)
def import_command(edges: Path, output: Path, vertices: Path | None, hosts: str, by: str) -> None:
    """Build a link graph from a list of edges.

    EDGES is a file of text, compressed or not: a line for each link, with a tab between its ends, which are URLs or
    hosts. With --vertices, they are numbers, as in the web graphs of Common Crawl.
    """
    if output.exists():
        raise InputError(f"{output} is there already: name a new folder")
    output.parent.mkdir(parents=True, exist_ok=True)
    with progress_bars() as bars:
        stages = {name: bar(bars, name) for name in ("sorting pages", "sorting links")}
        graph = import_graph(edges, output, vertices=vertices, hosts=hosts, site=by,
                             progress=lambda stage, lines: stages[stage](lines, lines))  # fmt: skip
    echo(f"{graph.pages:,} pages of {len(graph.sites):,} sites, {graph.links:,} links, written to {output}")
    for name in ("repeated", "broken"):
        echo(f"{graph.counts[name]:>12,} links left out: {name}")


@click.command("export", epilog="Example:  webstrata links export out/graph --ranks out/ranks -o out/edges")
@click.argument("graph", type=FOLDER)
@options.output("Folder for vertices.txt.gz and edges.txt.gz.")
@click.option("--ranks", type=FOLDER, help="Ranks of `webstrata links rank`, for a third column of the vertices.")
def export_command(graph: Path, output: Path, ranks: Path | None) -> None:
    """Write a link graph as text.

    URLs are numbered, and edges are pairs of numbers.

    `webstrata links import` reads these files again, but not whether links are in the content.
    """
    if output.exists():
        raise InputError(f"{output} is there already: name a new folder")
    output.parent.mkdir(parents=True, exist_ok=True)
    opened = LinkGraph.open(graph)
    export_graph(opened, output, ranks=None if ranks is None else Ranks.open(ranks))
    echo(f"{opened.pages:,} vertices and {opened.links:,} edges, written to {output}")
