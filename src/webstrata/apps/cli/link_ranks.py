"""``webstrata links rank``: PageRank, HITS and harmonic centrality of the pages of a graph."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import click
import numpy as np

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError, need
from webstrata.links import HITS, METHODS, Harmonic, LinkGraph, PageRank, Partitioned, Ranking, Surfer
from webstrata.links.figures import convergence
from webstrata.links.methods import Method
from webstrata.links.ranks import Ranks, carried
from webstrata.links.topics import Topics
from webstrata.text import Column

__all__ = ["command"]

# The measures that are no PageRank: they know neither jumps nor topics.
_MEASURES = {measure.name: measure for measure in (HITS, Harmonic)}
_OF_PAGERANK = ("alpha", "dangling", "topics", "topic_pages", "topic_paths", "start", "engine")


@click.command("rank", epilog="Example:  webstrata links rank out/graph -o out/ranks --content 1 --top 20")
@click.argument("graph", type=FOLDER)
@options.output("Folder for the ranks.")
@click.option("--method", type=click.Choice([*METHODS, *_MEASURES]), default="gauss-seidel", show_default=True,
              help="Iteration of PageRank, or another measure: hits or harmonic centrality.")  # fmt: skip
@click.option("--alpha", type=float, default=PageRank.alpha, show_default=True, help="Probability to follow a link.")
@click.option("--tolerance", type=float, default=PageRank.tolerance, show_default=True, help="Residual to stop at.")
@click.option("--dangling", type=click.Choice(["jump", "ignore"]), default="jump", show_default=True,
              help="Whether the rank of pages without links jumps to other pages.")  # fmt: skip
@click.option("--internal", type=float, help="Probability of links to the same site, if a page has both kinds.")
@click.option(
    "--content", type=float, help="Probability of content links, if a page has both kinds; 1 for content links only."
)
@click.option("--partitions", type=click.IntRange(1), default=2, show_default=True, help="For --method partitioned.")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", default=2, show_default=True,
              help="Threads, for --method partitioned and harmonic.")  # fmt: skip
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="Sweep partitions on this machine or on Spark.")  # fmt: skip
@click.option("--hubs", is_flag=True, help="For --method hits: scores as hubs, not as authorities.")
@click.option("--registers", type=int, help="For --method harmonic: size of counters, 0 for exact distances.")
@click.option("--start", nargs=2, type=FOLDER, metavar="GRAPH RANKS",
              help="Start from the ranks of an older graph: fewer sweeps.")  # fmt: skip
@click.option(
    "--topics", type=click.File(encoding="utf-8"), help="Also rank with a bias on each topic: file of NAME, tab, URL."
)
@click.option(
    "--topic-pages", metavar="REGEX", help="Topics from category pages: their URLs match, and group 1 is the name."
)
@click.option("--topic-paths", type=click.IntRange(1), metavar="LEVELS", help="Topics from the folders of URLs.")
@click.option("--top", type=click.IntRange(0), default=10, show_default=True, help="Pages to show.")
@click.pass_context
def command(context: click.Context, /, graph: Path, output: Path, method: str, top: int, **chosen: Any) -> None:
    """Rank the pages of a graph.

    With topics, they are ranked once for each topic as well. OUTPUT gets the ranks as NumPy files and
    OUTPUT/residuals.svg the residual after each sweep.
    """
    opened = LinkGraph.open(graph)
    if output.exists():
        raise InputError(f"{output} is there already: name a new folder")
    surfer = Surfer(internal=chosen["internal"], content=chosen["content"])
    topics = Topics((), ())
    if method in _MEASURES:
        _refuse(context, method)
        curves, unbiased, biased = _measured(opened, method, surfer, chosen)
    else:
        topics = _topics(opened, chosen["topics"], chosen["topic_pages"], chosen["topic_paths"])
        with _spark_folder(output, chosen["engine"]) as folder:
            rank = _iteration(method, surfer, chosen, folder)
            curves, unbiased, biased = _ranked(opened, rank, topics, _older(chosen["start"]))
    Ranks(unbiased.ranks, topics, biased, unbiased.method).save(output)
    (output / "residuals.svg").write_text(convergence(curves), encoding="utf-8")
    echo(f"{method}: {unbiased.reason}")
    relative = unbiased.relative
    for page in unbiased.top(top).tolist():
        echo(f"{relative[page]:12.2f}  {_name(opened, page)}")


def _refuse(context: click.Context, method: str) -> None:
    """Refuse options that a measure would not heed."""
    given = click.core.ParameterSource.COMMANDLINE
    for name in _OF_PAGERANK:
        if context.get_parameter_source(name) == given:
            raise InputError(f"--{name.replace('_', '-')} is for PageRank, not for --method {method}")


def _measured(
    graph: LinkGraph, method: str, surfer: Surfer, chosen: dict[str, Any]
) -> tuple[dict[str, Any], Ranking, Column]:
    """The scores of a measure that is no PageRank."""
    with progress_bars() as bars:
        swept = _counted(bar(bars, "sweeping"))
        if method == HITS.name:
            found = HITS(tolerance=chosen["tolerance"], surfer=surfer)(graph, progress=swept)
            ranking: Ranking = found.turned if chosen["hubs"] else found
        else:
            measure = Harmonic(registers=chosen["registers"], threads=chosen["jobs"], surfer=surfer)
            ranking = measure(graph, progress=swept)
    return {method: ranking.residuals}, ranking, np.zeros((graph.pages, 0))


def _spark_folder(output: Path, engine: str) -> Any:
    """A folder for the partitions that tasks of Spark read, beside the output; nothing without Spark."""
    if engine != "spark":
        return nullcontext()
    need("spark", "pyspark")
    output.parent.mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(prefix=".partitions-", dir=output.parent.resolve())


def _iteration(method: str, surfer: Surfer, chosen: dict[str, Any], folder: str | None) -> Method:
    """The iteration of PageRank with its parameters."""
    shared = {name: chosen[name] for name in ("alpha", "tolerance", "dangling")}
    parts = {"partitions": chosen["partitions"], "threads": chosen["jobs"]}
    if folder is not None:
        from webstrata.crawls.jobs.spark_ranks import SparkPartitioned

        return SparkPartitioned(surfer=surfer, folder=folder, **shared, **parts)
    return METHODS[method](surfer=surfer, **shared, **(parts if method == Partitioned.name else {}))


def _older(start: tuple[Path, Path] | None) -> tuple[LinkGraph, Ranks] | None:
    return None if start is None else (LinkGraph.open(start[0]), Ranks.open(start[1]))


def _ranked(
    graph: LinkGraph, rank: Method, topics: Topics, older: tuple[LinkGraph, Ranks] | None
) -> tuple[dict[str, Any], Ranking, Column]:
    """PageRank without bias and by topic, and the residuals of both."""
    start = None if older is None else carried(older[0], older[1].unbiased, graph)
    with progress_bars() as bars:
        progress = _counted(bar(bars, "sweeping"))
        prepared = rank.prepare(graph)
        unbiased = rank.rank(prepared, start=start, progress=progress)
        curves, biased = {"no bias": unbiased.residuals}, np.zeros((graph.pages, 0))
        if len(topics):
            start = None if older is None else _carried_topics(*older, graph, topics, unbiased.ranks)
            ranking = rank.rank(prepared, topics.jumps(graph.pages), start=start, progress=progress)
            biased, curves[f"{len(topics)} topics"] = ranking.ranks, ranking.residuals
            echo(f"{len(topics)} topics: {ranking.reason}")
    return curves, unbiased, biased


def _carried_topics(older: LinkGraph, ranks: Ranks, graph: LinkGraph, topics: Topics, unbiased: Column) -> Column:
    """The older ranks of each topic, or those without bias for a new topic."""
    columns = np.repeat(unbiased[:, None], len(topics), axis=1)
    known = [(place, ranks.topics.names.index(name)) for place, name in enumerate(topics.names)
             if name in ranks.topics.names]  # fmt: skip
    if known:
        found = carried(older, ranks.biased[:, [old for _, old in known]], graph)
        columns[:, [place for place, _ in known]] = found
    return columns


def _counted(update: Any) -> Any:
    """A callback that counts the sweeps."""
    sweeps = count(1)

    def progress(residual: float) -> None:
        sweep = next(sweeps)
        update(sweep, sweep)

    return progress


def _topics(graph: LinkGraph, file: Any, pages: str | None, levels: int | None) -> Topics:
    given = [option for option in (file, pages, levels) if option is not None]
    if len(given) > 1:
        raise InputError("give one of --topics, --topic-pages and --topic-paths")
    if file is not None:
        return Topics.read(file, graph)
    if pages is not None:
        return Topics.from_category_pages(graph, pages)
    return Topics.from_paths(graph, levels=levels) if levels is not None else Topics((), ())


def _name(graph: LinkGraph, page: int) -> str:
    return graph.urls[page] if len(graph.urls) else "page {} of site {}".format(*reversed(graph.pair(page)))
