"""``webstrata links``: the link graph of a crawl, its statistics, its ranks and its facets."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from webstrata.apps.cli import link_files, link_ranks, options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.links import LinkGraph, page_url
from webstrata.links.facets import Dimension, Facets, Membership, RatioMembership, UncertainMembership
from webstrata.links.figures import draw_dots, links_between, pages_per_partition, pages_per_site
from webstrata.links.ranks import Ranks
from webstrata.links.statistics import dot_plot, link_statistics

if TYPE_CHECKING:
    from webstrata.crawls.folding.engines import Engine

__all__ = ["command"]

_MEMBERSHIPS: dict[str, tuple[type[Membership], float]] = {
    "ratio": (RatioMembership, 0.8),
    "uncertain": (UncertainMembership, 0.1),
}
_GRAPH = click.argument("graph", type=FOLDER)
_SITES = click.Choice(["host", "domain", "directory"])


@click.group("links", epilog="Example:  webstrata links build crawl.warc.gz -o out/graph")
def command() -> None:
    """Build a link graph, rank its pages, find facets."""


command.add_command(link_ranks.command)
command.add_command(link_files.import_command)
command.add_command(link_files.export_command)


@command.command("build", epilog="Example:  webstrata links build crawl/*.warc.gz -o out/graph")
@options.input_arguments
@options.output("Folder for the graph.")
@click.option("--by", type=_SITES, default="host", show_default=True, help="What makes pages one site.")
@click.option("--site", "old_by", type=_SITES, hidden=True)  # the name of --by in earlier versions
@click.option("--outside", is_flag=True, help="Keep pages that were not crawled, but are targets of links.")
@options.extractor
@click.option("--no-query", is_flag=True, help="Drop the queries of URLs.")
@options.engine_options
def _build(
    inputs: tuple[str, ...],
    url_from: str,
    output: Path,
    by: str,
    old_by: str | None,
    outside: bool,
    algorithm: str | None,
    no_query: bool,
    engine: Engine,
) -> None:
    """Build the link graph of a crawl.

    INPUT is an input of `webstrata run`, or the output folder of `webstrata run links`, of this machine or of Spark.
    With --engine spark, Spark reads the pages; the graph is built on the disk of this machine.
    """
    from webstrata.crawls.folding.shuffle import rows_at
    from webstrata.crawls.jobs.links import ListLinks, build_rows

    if engine.resume:
        raise InputError("a graph is built at once: `webstrata run links` can be resumed, and its output is an INPUT")
    if output.exists():
        raise InputError(f"{output} is there already: name a new folder")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".links-", dir=output.parent) as work:
        rows = rows_at(inputs[0]) if len(inputs) == 1 else None
        if rows is None:
            rows = Path(work) / "rows"
            step = ListLinks(algorithm=algorithm or ListLinks.algorithm, query=not no_query)
            _list_links(inputs, url_from, step, rows, engine)
        with progress_bars() as bars:
            stages = {name: bar(bars, name) for name in ("sorting pages", "sorting links")}
            graph = build_rows(rows, output, site=old_by or by, outside=outside,
                               progress=lambda stage, done, total: stages[stage](done, total))  # fmt: skip
    echo(f"{graph.pages:,} pages of {len(graph.sites):,} sites, {graph.links:,} links, written to {output}")
    for name, links in graph.counts.items():
        echo(f"{links:>12,} links left out: {name}")


def _list_links(inputs: tuple[str, ...], url_from: str, step: Any, rows: Path, engine: Engine) -> None:
    """Run the step that lists links, as `webstrata run links` does."""
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls import Job, find_inputs

    job = Job(inputs=tuple(find_inputs(inputs, url_from=url_from)), step=step, output=rows)
    with CrawlProgress(job.inputs) as progress:
        summary = engine.map(job, progress=progress)
    echo(f"{summary.records} records read, {summary.written} pages")
    if not summary.written:
        raise InputError(
            "no page of the input has an address, so no link leads from one to another: for a folder of HTML, give"
            " --base-url or --url-from, or a list urls.csv in it"
        )


@command.command("stats", epilog="Example:  webstrata links stats out/graph --partitions 8 -o out/stats")
@_GRAPH
@click.option(
    "--partitions", type=click.IntRange(1), default=8, show_default=True, help="Partitions to distribute sites over."
)
@click.option("-o", "--output", type=FOLDER, help="Folder for charts and statistics.json.")
def _stats(graph: Path, partitions: int, output: Path | None) -> None:
    """Count the links within and between sites, and draw the graph."""
    opened = LinkGraph.open(graph)
    found = link_statistics(opened, partitions=partitions)
    for name, number, share in found.rows():
        echo(f"{name:32} {number:>14,} {100 * share:8.2f} %")
    if output is None:
        return
    output.mkdir(parents=True, exist_ok=True)
    charts = {
        "dot-plot": draw_dots(dot_plot(opened), title="Links in the order of sites and URLs"),
        "partitions": draw_dots(dot_plot(opened, partitions=partitions), title="Links in the order of partitions"),
        "pages-per-site": pages_per_site(found),
        "pages-per-partition": pages_per_partition(found),
        "links-between-partitions": links_between(found),
    }
    for name, svg in charts.items():
        (output / f"{name}.svg").write_text(svg, encoding="utf-8")
        echo(output / f"{name}.svg")
    rows = [{"name": name, "number": number, "share": share} for name, number, share in found.rows()]
    (output / "statistics.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    echo(output / "statistics.json")


@command.command("facets", epilog="Example:  webstrata links facets out/graph out/ranks results.txt")
@_GRAPH
@click.argument("ranks", type=FOLDER)
@click.argument("results", type=click.File(encoding="utf-8"))
@click.option("--membership", type=click.Choice(list(_MEMBERSHIPS)), default="ratio", show_default=True,
              help="Formula of membership: our ratio, or the one of the paper.")  # fmt: skip
@click.option("--theta", type=float, help="Lowest membership of a page.  [default: 0.8 for ratio, 0.1 for uncertain]")
@click.option("-k", type=click.IntRange(1), default=100, show_default=True, help="Number of results to analyse.")
@click.option("--dimension", type=click.Choice(get_args(Dimension)), default="one", show_default=True,
              help="Facets that compete: all, those of a level, or those whose names begin alike.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Rounds of Algorithm 3.1.")
@click.option(
    "--smallest", type=float, default=0.25, show_default=True, help="Lowest share of a facet that reorders results."
)
@click.option("--top", type=click.IntRange(1), default=6, show_default=True, help="Facets to show.")
def _facets(
    graph: Path,
    ranks: Path,
    results: Any,
    membership: str,
    theta: float | None,
    k: int,
    dimension: Dimension,
    rounds: int,
    smallest: float,
    top: int,
) -> None:
    """Find the facets of search results.

    RESULTS is a file, or - for the standard input: a URL on each line, the best first, with a tab and its score if it
    has one, or the output of `webstrata search query --json`. RANKS must have topics.
    """
    opened, known = LinkGraph.open(graph), Ranks.open(ranks)
    if not len(known.topics):
        raise InputError(f"{ranks} has no topics: make ranks with `webstrata links rank --topics`")
    if len(known.unbiased) != opened.pages:
        raise InputError(f"{ranks} has ranks of another graph: make them again")
    pages, scores = _results(opened, results)
    if not pages:
        raise InputError("none of the results is a page of the graph")
    unbiased, biased = known.relative
    make, usual = _MEMBERSHIPS[membership]
    facets = Facets(
        topics=known.topics,
        biased=biased,
        unbiased=unbiased,
        membership=make(),
        theta=usual if theta is None else theta,
        smallest=smallest,
        k=k,
        dimension=dimension,
    )
    for facet in facets.iterate(pages, scores, most_rounds=rounds)[:top]:
        echo(f"{100 * facet.share:6.1f} %  {facet.name}")


def _results(graph: LinkGraph, lines: Any) -> tuple[list[int], list[float]]:
    """The results that are pages of the graph, and their scores; without scores, by their order."""
    read: list[tuple[str, float]] = []
    for number, entry in enumerate(lines):
        try:
            url, score = _result(entry.strip())
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise InputError(
                f"line {number + 1} of the results is neither a URL, with a tab and a number after it or without, nor"
                " JSON with url and score"
            ) from error
        if url:
            read.append((page_url(url) or url, 1 / (number + 1) if score is None else score))
    found = graph.find([url for url, _ in read]).tolist()
    kept = [(page, score) for page, (_, score) in zip(found, read, strict=True) if page >= 0]
    return [page for page, _ in kept], [score for _, score in kept]


def _result(line: str) -> tuple[str, float | None]:
    """The URL of a result, and its score if it has one."""
    if line.startswith("{"):
        found = json.loads(line)
        return str(found["url"]), float(found["score"])
    url, tab, score = line.partition("\t")
    return url, float(score) if tab else None
