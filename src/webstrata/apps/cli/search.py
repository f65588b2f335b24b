"""``webstrata search``: index pages, put queries to the index, measure rankings, export impacts."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars, share_bar
from webstrata.apps.cli.options import FOLDER
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.search.analyser import Analyser
from webstrata.search.answers import Answer, Snippet
from webstrata.search.index import DEFAULT, Index
from webstrata.search.living import IndexWriter
from webstrata.search.manifest import Manifest

if TYPE_CHECKING:
    from webstrata.crawls.folding.engines import Engine

__all__ = ["command"]

_INDEX = click.argument("index", type=FOLDER)
_RANKING = "Ranking, such as bm25 or 'segment-aware+pagerank(power=0.5)'."


def _ranking(function: Any) -> Any:
    return click.option("--ranking", metavar="NAME", help=f"{_RANKING}  [default: the first of the index]")(function)


@click.group(
    "search", epilog='Example:  webstrata search index docs.warc.gz -o idx && webstrata search query idx "clay"'
)
def command() -> None:
    """Index pages, search them, and evaluate rankings."""


@command.command("index", epilog="Example:  webstrata search index crawl.warc.gz -o out/index --graph out/graph")
@options.input_arguments
@options.output("Folder for the index.")
@click.option("--site", type=FOLDER, help="Folder of `webstrata site learn`.  [default: learn it from INPUT]")
@click.option("--no-site", is_flag=True, help="Do not use segment classes.")
@click.option("--graph", type=FOLDER, help="Folder of `webstrata links build`, for ranks.")
@click.option("--ranks", type=FOLDER, help="Folder of `webstrata links rank`.  [default: PageRank of --graph]")
@click.option("--ranking", "rankings", multiple=True, metavar="NAME",
              help=f"{_RANKING} Its impacts are stored. Can be repeated; the first is the default.")  # fmt: skip
@click.option("--stemmer", default="", metavar="LANGUAGE", help="Snowball stemmer, such as english.")
@click.option("--stop-words", default="", metavar="WORDS", help="Terms to leave out.")
@options.extractor
@click.option("--add", is_flag=True, help="Add pages to an existing index.")
@options.engine_options
def _index(**values: Any) -> None:
    """Build the index of a crawl.

    INPUT is an input of `webstrata run`, or the output folder of `webstrata run search`, of this machine or of Spark.
    With --engine spark, Spark reads the pages and makes the shards; this machine puts them together.
    """
    _build(**values)


@command.command("add", epilog="Example:  webstrata search add out/index new.warc.gz --site out/site")
@_INDEX
@options.input_arguments
@click.option("--site", type=FOLDER, help="Folder of `webstrata site learn`.  [default: learn it from INPUT]")
@click.option("--no-site", is_flag=True, help="Do not use segment classes.")
@options.extractor
@options.engine_options
def _add(index: Path, **values: Any) -> None:
    """Add pages to an index, in place of those with the same URLs.

    Other pages are not read again, and queries see all of the new pages or none. Name the --site that the index was
    built with: a site learned from a few new pages alone has other segment classes.
    """
    given: dict[str, Any] = {"graph": None, "ranks": None, "rankings": (), "stemmer": "", "stop_words": ""}
    _build(**values, **given, output=index, add=True)


def _build(
    inputs: tuple[str, ...],
    url_from: str,
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
    engine: Engine,
) -> None:
    """Build an index, or add pages to one."""
    from webstrata.crawls.jobs.search import SearchShards, fold_shards, write_search_index
    from webstrata.links.graph import LinkGraph
    from webstrata.links.ranks import Ranks
    from webstrata.search.rankings import RANKINGS

    if engine.resume:
        raise InputError("an index is built at once: `webstrata run search` can be resumed, and its output is an INPUT")
    if output.exists() != add:
        raise InputError(
            f"there is no index {output}: leave out --add"
            if add
            else f"{output} exists already: name a new folder or add --add"
        )
    if ranks is not None and graph is None:
        raise InputError("--ranks needs --graph: name the graph of the ranks")
    for ranking in rankings:
        RANKINGS.make(ranking)
    analyser = Manifest.read(output).analyser if add else Analyser(stemmer=stemmer, stop_words=stop_words)
    analyser("raises an error for a wrong stemmer before pages are read")
    opened = LinkGraph.open(graph) if graph is not None else None
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".search-", dir=output.parent) as work:
        rows = _rows(inputs, url_from, Path(work), site, no_site, algorithm, engine)
        with progress_bars() as bars:
            folding, weighing = share_bar(bars, "building shards"), share_bar(bars, "weighing terms")
            fold_shards(rows, Path(work) / "shards", SearchShards(analyser=analyser), engine=engine,
                        progress=folding)  # fmt: skip
            index = write_search_index(
                Path(work) / "shards", output, analyser=analyser, rankings=rankings or (DEFAULT,), graph=opened,
                ranks=Ranks.open(ranks) if ranks is not None else None, add=add,
                progress=weighing,
            )  # fmt: skip
    echo(f"{index.pages:,} pages, {len(index.model.terms):,} terms, written to {output}")


@command.command("remove", epilog="Example:  webstrata search remove out/index http://a.org/old.html --urls gone.txt")
@_INDEX
@click.argument("url", nargs=-1)
@click.option("--urls", "listed", type=FOLDER, metavar="FILE", help="Text file with a URL on each line.")
def _remove(index: Path, url: tuple[str, ...], listed: Path | None) -> None:
    """Remove pages from an index, without building it again."""
    lines = [] if listed is None else listed.read_text(encoding="utf-8").splitlines()
    urls = [*url, *(line.strip() for line in lines if line.strip())]
    if not urls:
        raise InputError("there is nothing to remove: name URLs, or a file of them with --urls")
    with IndexWriter(index) as writer:
        removed = writer.delete(urls)
        echo(f"{removed:,} pages removed, {writer.pages:,} left in {index}")


def _rows(
    inputs: tuple[str, ...],
    url_from: str,
    work: Path,
    site: Path | None,
    no_site: bool,
    algorithm: str | None,
    engine: Engine,
) -> Path | str:
    """The output folder of `webstrata run search`: the input, or a new one."""
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls import Job, find_inputs
    from webstrata.crawls.folding.shuffle import rows_at
    from webstrata.crawls.jobs.search import SearchRows
    from webstrata.crawls.jobs.sites.learning import SiteLearner

    if len(inputs) == 1 and (rows := rows_at(inputs[0])) is not None:
        return rows
    passes = ""
    found = tuple(find_inputs(inputs, url_from=url_from))
    if site is None and not no_site:
        site = work / "site"
        echo(
            "pass 1 of 2 learns the sites of the input; --site takes them from a folder, --no-site leaves them out",
            err=True,
        )
        with CrawlProgress(found, "pass 1 of 2") as progress:
            SiteLearner(inputs=found, output=site, extractor="").learn(engine, progress=progress)
        passes = "pass 2 of 2"
    step = SearchRows(site=str(site.resolve()) if site is not None else "", algorithm=algorithm or SearchRows.algorithm)
    job = Job(inputs=found, step=step, output=work / "rows")
    with CrawlProgress(job.inputs, passes) as progress:
        summary = engine.map(job, progress=progress)
    echo(f"{summary.records} records read, {summary.written} pages")
    if not summary.written:
        raise InputError("the input has no readable page to index: check INPUT")
    return Path(job.output)


@command.command("query", epilog='Example:  webstrata search query out/index "glacial clay" --ranking bm25')
@_INDEX
@click.argument("query")
@_ranking
@click.option("-k", default=10, show_default=True, type=click.IntRange(0), help="Number of results.")
@click.option("--start", default=0, show_default=True, type=click.IntRange(0), help="Number of results to skip.")
@click.option("--json", "as_json", is_flag=True, help="Write one line of JSON for each result.")
def _query(index: Path, query: str, ranking: str | None, k: int, start: int, as_json: bool) -> None:
    """Show the best pages for QUERY, each with a snippet.

    Each word adds to the score. A result must have "words in quotes" as a phrase, a word that begins so for begin*,
    and title:word in its title (also heading:, content:, template:, anchor:). It must not have -word.

    site:a.org, lang:en, after:2024-05, before:2024-05-17 and kind:CLASS (a segment class, as results show it) choose
    pages. Write -- before a QUERY that begins with a dash.
    """
    answers = Index.open(index).query(query, k=k, start=start, ranking=ranking)
    if not answers.terms:
        echo("the query has no letters and no digits", err=True)
    if answers.suggestion:
        echo(f"did you mean: {answers.suggestion}", err=True)
    for number, answer in enumerate(answers.answers, start + 1):
        if as_json:
            echo(json.dumps(_as_dict(answer), ensure_ascii=False))
            continue
        echo(f"{number}. {answer.title or answer.url}", bold=True)
        echo(f"   {answer.url}  {answer.score:.3f}", fg="green")
        if answer.snippet is not None:
            echo(f"   {_marked(answer.snippet)}")
            if answer.snippet.heading:
                echo(f"   under: {answer.snippet.heading}", dim=True)
            first, stop = answer.snippet.source
            echo(f"   {answer.snippet.stratum} {answer.snippet.segment} bytes {first}-{stop}", dim=True)
    if not as_json:
        echo(f"{answers.matched:,} pages matched")


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
@click.argument("queries", type=FOLDER)
@click.option("--ranking", "rankings", multiple=True, metavar="NAME", help=f"{_RANKING} Can be repeated.")
@click.option("--measure", default="MRR", show_default=True, help="Measure to compare rankings by.")
def _evaluate(index: Path, queries: Path, rankings: tuple[str, ...], measure: str) -> None:
    """Evaluate rankings by queries whose relevant pages are known.

    QUERIES is a file with {"query": "...", "relevant": {"URL": 1}} on each line.

    The first ranking is the baseline of the others.
    """
    from webstrata.evaluation.retrieval import evaluate_rankings, read_queries, table

    opened, judged = Index.open(index), read_queries(queries)
    names = rankings or ("bm25", "bm25nt", "segment-aware", 'segment-aware(reading="occurrence")', "bm25f", "strata")
    with progress_bars() as bars:
        rows = evaluate_rankings(opened, judged, names, measure=measure, progress=bar(bars, "queries"))
    for line in table(rows, measure):
        echo(line)


@command.command("publish", epilog="Example:  webstrata search publish out/index -o site/search")
@_INDEX
@options.output("Folder for the files.")
@_ranking
def _publish(index: Path, output: Path, ranking: str | None) -> None:
    """Write an index as files that a browser searches.

    OUTPUT has a page with a search field, index.html. To have the field in another page, write there:

    \b
    <div data-webstrata-search></div>
    <script type="module" src="/search/search.js"></script>

    A query reads a file for each of its words and one for each page that is shown.
    """
    from webstrata.search.publishing import publish

    opened = Index.open(index)
    with progress_bars() as bars:
        publish(opened, output, ranking=ranking, progress=bar(bars, "pages"))
    echo(f"{opened.pages:,} pages written to {output}")


@command.command("export", epilog="Example:  webstrata search export out/index -o impacts.jsonl --ranking bm25")
@_INDEX
@options.output("File for the vectors, in JSON lines.")
@_ranking
def _export(index: Path, output: Path, ranking: str | None) -> None:
    """Write the impacts of each page as a sparse vector.

    Vector databases search such vectors.

    Each line has the page's url and title, and its vector as {"term number": impact}. OUTPUT.terms.jsonl has the number
    of each term. The vector of a query has a 1 for each of its terms; the inner product of both vectors is the score.
    """
    from webstrata.search.export import export_vectors

    opened = Index.open(index)
    with progress_bars() as bars:
        pages = export_vectors(opened, output, ranking=ranking, progress=bar(bars, "pages"))
    echo(f"{pages:,} vectors written to {output}, their terms to {output}.terms.jsonl")
