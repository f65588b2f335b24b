"""``webstrata search``: index pages, put queries to the index, measure rankings, export impacts."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import click

from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.terminal import shown
from webstrata.errors import InputError
from webstrata.search.analyser import Analyser
from webstrata.search.answers import Answer, Snippet
from webstrata.search.index import DEFAULT, Index

__all__ = ["command"]

_FOLDER = click.Path(path_type=Path)
_INDEX = click.argument("index", type=_FOLDER)
_RANKING = "The ranking, such as bm25 or 'segment-aware+pagerank(power=0.5)'."


@click.group(
    "search", epilog='Example:  webstrata search index docs.warc.gz -o idx && webstrata search query idx "clay"'
)
def command() -> None:
    """Index pages with their strata, search them, and measure how good rankings are."""


@command.command("index", epilog="Example:  webstrata search index crawl.warc.gz -o out/index --graph out/graph")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=_FOLDER, help="Folder for the index.")
@click.option("--site", type=_FOLDER, help="What `webstrata site learn` learnt; learnt from INPUT by default.")
@click.option("--no-site", is_flag=True, help="Do without segment classes.")
@click.option("--graph", type=_FOLDER, help="What `webstrata links build` built, for ranks.")
@click.option("--ranks", type=_FOLDER, help="What `webstrata links rank` made of the graph; PageRank by default.")
@click.option("--ranking", "rankings", multiple=True, metavar="NAME",
              help=f"{_RANKING} Its impacts are kept; several may be named, the first is the default.")  # fmt: skip
@click.option("--stemmer", default="", metavar="LANGUAGE", help="Snowball stemmer, such as english.")
@click.option("--stop-words", default="", metavar="WORDS", help="Terms to leave out.")
@click.option("--algorithm", metavar="NAME", help="The extractor that tells content from template.")
@click.option("--add", is_flag=True, help="Add pages to an index that is there.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes (default: all cores).")
def _index(
    inputs: tuple[str, ...],
    output: Path,
    site: Path | None,
    no_site: bool,
    graph: Path | None,
    ranks: Path | None,
    rankings: tuple[str, ...],
    stemmer: str,
    stop_words: str,
    algorithm: str | None,
    add: bool,
    jobs: int | None,
) -> None:
    """Build the index of a crawl.

    INPUT is what `webstrata run` reads, or one folder that `webstrata run search` has written.
    """
    from webstrata.crawls.jobs.search import SearchShards, fold_shards, write_search_index
    from webstrata.links.graph import LinkGraph
    from webstrata.links.ranks import Ranks
    from webstrata.search.rankings import RANKINGS

    if output.exists() != add:
        raise InputError(
            f"{output} is not there: leave out --add"
            if add
            else f"{output} is there already: name a new folder or --add"
        )
    if ranks is not None and graph is None:
        raise InputError("--ranks need the --graph that they were made from")
    for ranking in rankings:
        RANKINGS.make(ranking)
    analyser = Index.open(output).analyser if add else Analyser(stemmer=stemmer, stop_words=stop_words)
    analyser("checked before anything is read")
    opened = LinkGraph.open(graph) if graph is not None else None
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".search-", dir=output.parent) as work:
        rows = _rows(inputs, Path(work), site, no_site, algorithm, jobs)
        with progress_bars() as bars:
            folding, weighing = bar(bars, "building shards"), bar(bars, "weighing terms")
            fold_shards(rows, Path(work) / "shards", SearchShards(analyser=analyser), jobs=jobs,
                        tell=lambda share: folding(int(100 * share), 100))  # fmt: skip
            index = write_search_index(
                Path(work) / "shards", output, analyser=analyser, rankings=rankings or (DEFAULT,), graph=opened,
                ranks=Ranks.open(ranks) if ranks is not None else None, add=add,
                tell=lambda share: weighing(int(100 * share), 100),
            )  # fmt: skip
    click.echo(f"{index.pages:,} pages, {len(index.model.terms):,} terms, written to {output}")


def _rows(
    inputs: tuple[str, ...], work: Path, site: Path | None, no_site: bool, algorithm: str | None, jobs: int | None
) -> Path:
    """The rows of a run over the input, or those that the input is."""
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls import Job, find_inputs
    from webstrata.crawls.folding.engines import Engine
    from webstrata.crawls.jobs.search import SearchRows
    from webstrata.crawls.jobs.sites.learning import SiteLearner

    if len(inputs) == 1 and (Path(inputs[0]) / "_job").is_dir():
        return Path(inputs[0])
    found = tuple(find_inputs(inputs))
    if site is None and not no_site:
        site = work / "site"
        with CrawlProgress(found) as progress:
            SiteLearner(inputs=found, output=site, extractor="").learn(Engine(jobs=jobs), progress=progress)
    step = SearchRows(site=str(site.resolve()) if site is not None else "", algorithm=algorithm or SearchRows.algorithm)
    job = Job(inputs=found, step=step, output=work / "rows")
    with CrawlProgress(job.inputs) as progress:
        summary = job.run(jobs=jobs, progress=progress)
    click.echo(f"{summary.records} records read, {summary.written} pages")
    if not summary.written:
        raise InputError("no page came out of the input, so there is nothing to index")
    return job.output


@command.command("query", epilog='Example:  webstrata search query out/index "glacial clay" --ranking bm25')
@_INDEX
@click.argument("query")
@click.option("--ranking", metavar="NAME", help=f"{_RANKING} The first of the index by default.")
@click.option("-k", default=10, show_default=True, type=click.IntRange(0), help="How many answers.")
@click.option("--start", default=0, show_default=True, type=click.IntRange(0), help="How many answers to leave out.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def _query(index: Path, query: str, ranking: str | None, k: int, start: int, as_json: bool) -> None:
    """Show the best pages for QUERY, each with a piece of its content.

    Words count for the score; "words in quotes" must stand so, and title:word in the title (or heading:, content:,
    template:, anchor:).
    """
    answers = Index.open(index).query(query, k=k, start=start, ranking=ranking)
    if not answers.terms:
        click.echo("the query has no letter and no digit: nothing to look for", err=True)
    for number, answer in enumerate(answers.answers, start + 1):
        if as_json:
            click.echo(json.dumps(_as_dict(answer), ensure_ascii=False))
            continue
        click.secho(shown(f"{number}. {answer.title or answer.url}"), bold=True)
        click.secho(shown(f"   {answer.url}  {answer.score:.3f}"), fg="green")
        if answer.snippet is not None:
            click.echo(shown(f"   {_marked(answer.snippet)}"))
            first, stop = answer.snippet.source
            click.secho(shown(f"   {answer.snippet.stratum} {answer.snippet.segment} bytes {first}-{stop}"), dim=True)
    if not as_json:
        click.echo(f"{answers.matched:,} pages matched")


def _as_dict(answer: Answer) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(answer, name) for name in ("url", "title", "score")}
    snippet = answer.snippet
    return row | {"snippet": None if snippet is None else {name: getattr(snippet, name) for name in snippet.__slots__}}


def _marked(snippet: Snippet) -> str:
    pieces, at = [], 0
    for start, stop in snippet.marks:
        pieces += [snippet.text[at:start], "*", snippet.text[start:stop], "*"]
        at = stop
    return "".join([*pieces, snippet.text[at:]])


@command.command("evaluate", epilog="Example:  webstrata search evaluate out/index queries.jsonl --ranking bm25")
@_INDEX
@click.argument("queries", type=_FOLDER)
@click.option("--ranking", "rankings", multiple=True, metavar="NAME", help=f"{_RANKING} Several may be named.")
@click.option("--measure", default="MRR", show_default=True, help="What rankings are compared by.")
def _evaluate(index: Path, queries: Path, rankings: tuple[str, ...], measure: str) -> None:
    """Measure rankings by QUERIES, a file with {"query": "...", "relevant": {"URL": 1}} on each line.

    The first ranking is the one that the others are compared with.
    """
    from webstrata.evaluation.retrieval import evaluate_rankings, read_queries, table

    opened, judged = Index.open(index), read_queries(queries)
    names = rankings or ("bm25", "bm25nt", "segment-aware", 'segment-aware(reading="occurrence")', "bm25f", "strata")
    with progress_bars() as bars:
        rows = evaluate_rankings(opened, judged, names, measure=measure, progress=bar(bars, "queries"))
    for line in table(rows, measure):
        click.echo(line)


@command.command("export", epilog="Example:  webstrata search export out/index -o impacts.jsonl --ranking bm25")
@_INDEX
@click.option("-o", "--output", required=True, type=_FOLDER, help="File for the vectors, one JSON object a line.")
@click.option("--ranking", metavar="NAME", help=f"{_RANKING} The first of the index by default.")
def _export(index: Path, output: Path, ranking: str | None) -> None:
    """Write the impacts of each page as a sparse vector, which engines for such vectors index and search exactly.

    Each line has the page's url and title, and its vector as {"term number": impact}. OUTPUT.terms.jsonl has the number
    of each term: the vector of a query has a 1 for each of its terms, and the inner product of both is the score.
    """
    from webstrata.search.export import export_vectors

    opened = Index.open(index)
    with progress_bars() as bars:
        pages = export_vectors(opened, output, ranking=ranking, progress=bar(bars, "pages"))
    click.echo(f"{pages:,} vectors written to {output}, their terms to {output}.terms.jsonl")
