"""``webstrata run``: a step over whole crawls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from webstrata.apps.cli.extract import spelled_options
from webstrata.crawls import Blocks, Extract, Job, Limits, Segment, Step, Summary, find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.links import Links
from webstrata.errors import InputError, need
from webstrata.extraction.formats import CONTENT_FORMATS

__all__ = ["command"]

F = TypeVar("F")

_DEFAULTS = ", ".join(f"{item.name}={item.default}" for item in fields(Limits))
_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}


@click.group("run", epilog="Example:  webstrata run extract crawl.warc.gz -o out/crawl --jobs 4")
def command() -> None:
    """Run a step over whole crawls: WARC in, Parquet out, nothing lost.

    INPUT is a WARC file (.warc, .warc.gz, .warc.zst), a file or folder of HTML, JSON lines or Parquet with a field
    html, or - for the standard input. OUT is a folder. A run that was stopped goes on with --resume.
    """


# What --files was called before it had a name of its own, and what each kind of file is called in a job.
_KINDS = {"parquet": "parquet", "json": "jsonl", "text": "txt", "jsonl": "jsonl", "txt": "txt"}
_old_format = click.option("--format", "formats", multiple=True, hidden=True, type=click.Choice(list(_KINDS)))


def _options(function: F) -> F:
    """What all steps have in common."""
    decorators: list[Any] = [
        click.argument("inputs", nargs=-1, required=True, metavar="INPUT..."),
        click.option("-o", "--output", required=True, help="Folder for the results."),
        click.option("--files", type=click.Choice(["parquet", "json", "text"]), default="parquet", show_default=True,
                     help="What the results are written to: Parquet, JSON lines, or texts parted by form feeds."),
        click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes (default: all cores)."),
        click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
                     help="Where to run: on this machine's processes, or on Spark."),
        click.option("--resume", is_flag=True, help="Go on with what an earlier run left in OUT."),
        click.option("--rejected", is_flag=True, help="Write to OUT/_rejected where rejected records are, and why."),
        click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE",
                     help=f"What one page may cost: {_DEFAULTS}. Sizes may end in K, M or G. Can be repeated."),
        click.option("--shard-records", type=click.IntRange(1), default=Job.shard_records, show_default=True,
                     help="Records read for one output file."),
    ]  # fmt: skip
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


@command.command("extract", epilog="Example:  webstrata run extract crawl/*.warc.gz -o out/text --format markdown")
@_options
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar=f"[{'|'.join(CONTENT_FORMATS)}]",
    type=click.Choice(list(dict.fromkeys((*CONTENT_FORMATS, *_KINDS)))),
    help="In which form the content is given, in a column of that name; text always is. Can be repeated.",
)
@click.option("--spans", is_flag=True, help="Add the byte ranges of the kept blocks in the page's UTF-8 source.")
@click.option("--site", metavar="SITE", help="Use what is known of each page's site, learnt by `webstrata site learn`.")
@click.option("--drop-duplicates", is_flag=True,
              help="Keep one of pages with nearly the same content. Reads the input twice.")  # fmt: skip
@spelled_options
def _extract(
    algorithm: str, formats: tuple[str, ...], spans: bool, site: str | None, drop_duplicates: bool, **options: Any
) -> None:
    """The content of each page, with its metadata and where it came from."""
    forms = tuple(name for name in formats if name in CONTENT_FORMATS)
    named: dict[str, Any] = {"algorithm": algorithm, "formats": forms, "spans": spans}
    options["formats"] = tuple(name for name in formats if name not in CONTENT_FORMATS)
    if site is not None:
        named["site"] = str(Path(site).resolve())
    if drop_duplicates:
        named["duplicates"] = str(_find_duplicates(algorithm, **options))
    _run(lambda limits: _extract_step(limits=limits, **named), **options)


def _extract_step(**named: Any) -> Step:
    """The step for what is known."""
    if "duplicates" in named:
        from webstrata.crawls.jobs.extract_unique import ExtractUnique, ExtractUniqueWithSite

        return ExtractUniqueWithSite(**named) if "site" in named else ExtractUnique(**named)
    if "site" in named:
        from webstrata.crawls.jobs.extract_site import ExtractWithSite

        return ExtractWithSite(**named)
    return Extract(**named)


def _find_duplicates(
    algorithm: str,
    *,
    inputs: tuple[str, ...],
    output: str,
    jobs: int | None,
    engine: str,
    resume: bool,
    limits: tuple[str, ...],
    **options: Any,
) -> Path:
    """Find the duplicates of the input beside the folder of the run, and give the folder that they are in."""
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls.jobs.duplicates.clusters import Deduplicator, Duplicates

    folder = Path(f"{Path(output)}-duplicates").resolve()
    if "-" in inputs:
        raise InputError("the input is read twice to drop duplicates, and a pipe can be read once: name a file")
    finder = Deduplicator(inputs=tuple(find_inputs(inputs)), output=folder, algorithm=algorithm, limits=_limits(limits))
    with CrawlProgress(finder.inputs) as progress:
        finder.run(Engine(name=engine, jobs=jobs, resume=resume), progress=progress)
    about = Duplicates(folder).about
    click.echo(f"{about['members']} pages in {about['clusters']} clusters of near-duplicates, listed in {folder}")
    return folder


@command.command("segment", epilog="Example:  webstrata run segment crawl.warc.gz -o out/segments")
@_options
@_old_format
@click.option("--algorithm", metavar="NAME", help="The segmenter, as for `webstrata segment`.")
def _segment(algorithm: str | None, **options: Any) -> None:
    """The segments of each page."""
    named = {} if algorithm is None else {"algorithm": algorithm}
    _run(lambda limits: Segment(**named, limits=limits), **options)


@command.command("blocks", epilog="Example:  webstrata run blocks crawl.warc.gz -o out/blocks")
@_options
@_old_format
def _blocks(**options: Any) -> None:
    """The atomic blocks of each page, with their counts."""
    _run(lambda limits: Blocks(limits=limits), **options)


@command.command("links", epilog="Example:  webstrata run links crawl.warc.gz -o out/links")
@_options
@_old_format
@click.option("--algorithm", metavar="NAME", help="The extractor that tells content from template.")
@click.option("--no-query", is_flag=True, help="Drop the queries of URLs.")
def _links(algorithm: str | None, no_query: bool, **options: Any) -> None:
    """The links of each page, with their text and whether they stand in the content or in the template."""
    named = {} if algorithm is None else {"algorithm": algorithm}
    _run(lambda limits: Links(**named, query=not no_query, limits=limits), **options)


@command.command("search", epilog="Example:  webstrata run search crawl.warc.gz -o out/rows --site out/site")
@_options
@click.option("--algorithm", metavar="NAME", help="The extractor that tells content from template.")
@click.option("--site", metavar="SITE", help="What `webstrata site learn` learnt, for segment classes.")
def _search(algorithm: str | None, site: str | None, **options: Any) -> None:
    """What a search index keeps of each page; `webstrata search index` makes an index of it."""
    from webstrata.crawls.jobs.search import SearchRows

    folder = str(Path(site).resolve()) if site else ""
    name = algorithm or SearchRows.algorithm
    _run(lambda limits: SearchRows(algorithm=name, site=folder, limits=limits), **options)


def _run(
    make: Callable[[Limits], Step],
    *,
    inputs: tuple[str, ...],
    output: str,
    files: str,
    formats: tuple[str, ...],
    jobs: int | None,
    engine: str,
    resume: bool,
    rejected: bool,
    limits: tuple[str, ...],
    shard_records: int,
) -> None:
    need("scale", "pyarrow")
    if engine == "spark":
        need("spark", "pyspark")
    set_limits = _limits(limits)
    found = tuple(find_inputs(inputs))
    if any(item.kind == "warc" for item in found):
        need("scale", "fastwarc")
    job = Job(
        inputs=found,
        step=make(set_limits),
        output=Path(output),
        format=_KINDS[formats[-1] if formats else files],
        limits=set_limits,
        shard_records=shard_records,
        rejected=rejected,
    )
    where = Engine(name=engine, jobs=jobs, resume=resume)
    if where.name == "spark":
        from webstrata.crawls.running.spark import run_job

        # The output may be a URI, which is no path.
        _say(run_job(job, output=output, jobs=jobs), output)
        return
    from webstrata.apps.cli.crawl_progress import CrawlProgress

    try:
        with CrawlProgress(job.inputs) as progress:
            summary = where.map(job, progress=progress)
    except KeyboardInterrupt:
        done = job.counts().total()
        click.echo(f"stopped; {done} records are done: add --resume to go on", err=True)
        click.get_current_context().exit(130)
    _say(summary, output)


def _limits(given: tuple[str, ...]) -> Limits:
    """The default limits with those changed that were given as NAME=VALUE."""
    values: dict[str, Any] = {}
    names = [item.name for item in fields(Limits)]
    for text in given:
        name, _, value = text.partition("=")
        unit = _UNITS.get(value[-1:].lower(), 1)
        try:
            number = float(value if unit == 1 else value[:-1]) * unit
        except ValueError:
            number = 0.0
        if name not in names or not number > 0:
            raise InputError(
                f"--limit {text} cannot be read: write NAME=VALUE with a name of {', '.join(names)} and a value above 0"
            )
        values[name] = number if name == "seconds" else int(number)
    return replace(Limits(), **values)


def _say(summary: Summary, output: str) -> None:
    click.echo(f"{summary.records} records read, {summary.written} written to {output}")
    for reason, count in sorted(summary.rejected.items(), key=lambda item: (-item[1], item[0])):
        click.echo(f"{count:>10} {reason}")
