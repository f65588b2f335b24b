"""``webstrata run``: a step over whole crawls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.extract import check_confidence, min_confidence, spelled_options
from webstrata.apps.cli.terminal import echo
from webstrata.crawls import CrawlStep, Extract, Job, Limits, ListBlocks, SegmentPages, Summary, find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.filters import FewestWords, LeastConfidence, PageFilter, Quality, UrlPattern, UrlSample
from webstrata.crawls.jobs.links import ListLinks
from webstrata.crawls.jobs.search import SearchRows
from webstrata.crawls.running.outputs import output_folder
from webstrata.crawls.running.steps import RecordFilter
from webstrata.errors import InputError, need
from webstrata.extraction import EXTRACTORS
from webstrata.extraction.formats import CONTENT_FORMATS
from webstrata.extraction.quality import QUALITY

__all__ = ["STEPS", "StepCommand", "command"]

Decorator = Callable[[Any], Any]

_DEFAULTS = ", ".join(f"{item.name}={item.default}" for item in fields(Limits))
_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}
# The names of file formats for --files, and for --format, as that option was called before; and those of a job.
_KINDS = {"parquet": "parquet", "json": "jsonl", "text": "txt", "jsonl": "jsonl", "txt": "txt"}


@click.group("run", epilog="Example:  webstrata run extract crawl.warc.gz -o out/crawl --jobs 4")
def command() -> None:
    """Run a step over whole crawls: WARC in, Parquet out.

    INPUT is a WARC file (.warc, .warc.gz, .warc.zst), a file or folder of HTML, JSON lines or Parquet with a field
    html, or - for the standard input. OUT is a folder. --resume continues a run that was stopped.
    """


def _take_file_formats(common: dict[str, Any], named: dict[str, Any]) -> None:
    common["formats"] = named.pop("formats")


class StepCommand(NamedTuple):
    """One command of ``webstrata run``.

    Attributes
    ----------
    name : of the command
    step : the class of the step; what its options do not set keeps the default of the class
    help, example : for ``--help``
    options : the options of the command beside those of all steps; they are called like the parameters of the step
    prepare : changes the common options and those of the step before both are used
    """

    name: str
    step: Callable[..., CrawlStep]
    help: str
    example: str
    options: tuple[Decorator, ...]
    prepare: Callable[[dict[str, Any], dict[str, Any]], None] = _take_file_formats


def _prepare_extract(common: dict[str, Any], named: dict[str, Any]) -> None:
    formats = named["formats"]
    named["formats"] = tuple(name for name in formats if name in CONTENT_FORMATS)
    common["formats"] = tuple(name for name in formats if name not in CONTENT_FORMATS)
    if named["detect"]:
        need("language", "py3langid")
    words, rules, confidence = named.pop("min_words"), named.pop("quality"), named.pop("min_confidence")
    left_out: list[PageFilter] = [FewestWords(words=words)] if words is not None else []
    if confidence is not None:
        check_confidence(EXTRACTORS.make(named["algorithm"]))
        left_out.append(LeastConfidence(least=confidence))
    named["pages"] = (*left_out, *(Quality(rules=name) for name in rules))
    if named.pop("drop_duplicates"):
        named["duplicates"] = str(_find_duplicates(named["algorithm"], named["records"], **common))
        common["title"] = "pass 2 of 2"


def _record_filters(
    include: tuple[str, ...], exclude: tuple[str, ...], share: float | None
) -> tuple[RecordFilter, ...]:
    """The filters of records that options set."""
    by_url: list[RecordFilter] = [UrlPattern(include=include, exclude=exclude)] if include or exclude else []
    return (*by_url, UrlSample(share=share)) if share is not None else tuple(by_url)


def _find_duplicates(
    algorithm: str,
    records: tuple[RecordFilter, ...],
    *,
    inputs: tuple[str, ...],
    url_from: str,
    output: str,
    engine: Engine,
    limits: tuple[str, ...],
    **common: Any,
) -> Path:
    """Find the duplicates of the input, and return their folder, which is beside that of the run."""
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.crawls.jobs.duplicates.clusters import Deduplicator, Duplicates

    folder = Path(f"{Path(output)}-duplicates").resolve()
    if "://" in output:
        raise InputError("--drop-duplicates writes the duplicates beside OUT: name a folder of this machine")
    if "-" in inputs:
        raise InputError("the input is read twice to drop duplicates, and a pipe can be read once: name a file")
    found = tuple(find_inputs(inputs, url_from=url_from))
    finder = Deduplicator(inputs=found, output=folder, algorithm=algorithm, limits=_limits(limits), records=records)
    with CrawlProgress(finder.inputs, "pass 1 of 2: near-duplicates") as progress:
        finder.run(engine, progress=progress)
    about = Duplicates(folder).about
    echo(f"{about['members']} pages in {about['clusters']} clusters of near-duplicates, listed in {folder}")
    return folder


def _site_option(text: str) -> Decorator:
    return click.option("--site", metavar="SITE", type=click.Path(resolve_path=True), help=text)


_FILE_FORMAT = click.option("--format", "formats", multiple=True, hidden=True, type=click.Choice(list(_KINDS)))

#: The commands of ``webstrata run``.
STEPS = (
    StepCommand(
        "extract",
        Extract,
        "The content of each page, with its metadata.",
        "webstrata run extract crawl/*.warc.gz -o out/text --format markdown",
        (
            click.option("--format", "formats", multiple=True, metavar=f"[{'|'.join(CONTENT_FORMATS)}]",
                         type=click.Choice(list(dict.fromkeys((*CONTENT_FORMATS, *_KINDS)))),
                         help="A format of the content, in a column of that name; text is always given. Can be "
                         "repeated."),
            click.option("--spans", is_flag=True,
                         help="Add the byte ranges of the kept blocks in the page's UTF-8 source."),
            _site_option("Folder of `webstrata site learn`: use what was learnt about each page's site."),
            click.option("--drop-duplicates", is_flag=True,
                         help="Keep one of pages with nearly the same content. Reads the input twice."),
            click.option("--min-words", type=click.IntRange(1), help="Leave out pages with fewer words of content."),
            min_confidence,
            click.option("--quality", multiple=True, type=click.Choice(list(QUALITY)),
                         help="Leave out pages that break these rules. Can be repeated."),
            click.option("--detect-language", "detect", is_flag=True, help="Add columns with the language of the "
                         "content and its score; `language` is what the page declares."),
            spelled_options,
        ),
        _prepare_extract,
    ),
    StepCommand(
        "segment",
        SegmentPages,
        "The segments of each page.",
        "webstrata run segment crawl.warc.gz -o out/segments",
        (_FILE_FORMAT, click.option("--algorithm", metavar="NAME", help="The segmenter, as for `webstrata segment`.")),
    ),
    StepCommand(
        "blocks",
        ListBlocks,
        "The atomic blocks of each page, with their counts.",
        "webstrata run blocks crawl.warc.gz -o out/blocks",
        (_FILE_FORMAT,),
    ),
    StepCommand(
        "links",
        ListLinks,
        "The links of each page, with their texts and their places.",
        "webstrata run links crawl.warc.gz -o out/links",
        (
            _FILE_FORMAT,
            options.extractor,
            click.option("--no-query", "query", flag_value=False, default=True, help="Drop the queries of URLs."),
        ),
    ),
    StepCommand(
        "search",
        SearchRows,
        "The rows of a search index, for `webstrata search index`.",
        "webstrata run search crawl.warc.gz -o out/rows --site out/site",
        (_FILE_FORMAT, options.extractor, _site_option("What `webstrata site learn` learnt, for segment classes.")),
    ),
)  # fmt: skip

_COMMON = (
    options.input_arguments,
    click.option("-o", "--output", required=True, help="Folder for the results, or its address in a store, as in "
                 "s3://bucket/text."),
    click.option("--files", type=click.Choice(["parquet", "json", "text"]), default="parquet", show_default=True,
                 help="The format of the files: Parquet, JSON lines, or texts separated by form feeds."),
    options.engine_options,
    click.option("--rejected", is_flag=True, help="Write to OUT/_rejected where rejected records are, and why."),
    click.option("--limit", "limits", multiple=True, metavar="NAME=VALUE",
                 help=f"What one page may cost: {_DEFAULTS}. Sizes may end in K, M or G. Can be repeated."),
    click.option("--include", multiple=True, metavar="REGEX", help="Keep only URLs in which this is found. Can "
                 "be repeated: one of them must be found."),
    click.option("--exclude", multiple=True, metavar="REGEX", help="Leave out URLs in which this is found. Can "
                 "be repeated."),
    click.option("--sample", type=float, metavar="SHARE", help="Keep this share of the pages, such as 0.01, by "
                 "a hash of their URLs."),
    click.option("--shard-records", type=click.IntRange(1), default=Job.shard_records, show_default=True,
                 help="Records read for one output file."),
)  # fmt: skip
_FILTERS = ("include", "exclude", "sample")
_COMMON_NAMES = ("inputs", "url_from", "output", "files", "engine", "rejected", "limits", "shard_records")


def _add(row: StepCommand) -> None:
    """Add the command of a step to the group."""

    def run(**given: Any) -> None:
        common = {name: given.pop(name) for name in _COMMON_NAMES}
        given["records"] = _record_filters(*(given.pop(name) for name in _FILTERS))
        row.prepare(common, given)
        named = {name: value for name, value in given.items() if value is not None}
        _run(lambda limits: row.step(**named, limits=limits), **common)

    function = options.options(*_COMMON, *row.options)(run)
    command.command(row.name, help=row.help, epilog=f"Example:  {row.example}")(function)


for _row in STEPS:
    _add(_row)


def _run(
    make: Callable[[Limits], CrawlStep],
    *,
    inputs: tuple[str, ...],
    url_from: str,
    output: str,
    files: str,
    formats: tuple[str, ...],
    engine: Engine,
    rejected: bool,
    limits: tuple[str, ...],
    shard_records: int,
    title: str = "",
) -> None:
    set_limits = _limits(limits)
    if engine.name == "local":
        output_folder(output)  # an address that cannot be written is an error before any work
    step = make(set_limits)
    filters = getattr(step, "records", ())
    job = Job(
        inputs=tuple(item.filtered(filters) for item in find_inputs(inputs, url_from=url_from)),
        step=step,
        output=output if "://" in output else Path(output),
        format=_KINDS[formats[-1] if formats else files],
        limits=set_limits,
        shard_records=shard_records,
        rejected=rejected,
    )
    if engine.name == "spark":
        from webstrata.crawls.running.spark import run_job

        # The output may be a URI, which is not a path.
        _say(run_job(job, output=output, jobs=engine.jobs), output)
        return
    from webstrata.apps.cli.crawl_progress import CrawlProgress, report_earlier

    try:
        with CrawlProgress(job.inputs, title) as progress:
            summary = engine.map(job, progress=progress)
        report_earlier(summary, output)
    except KeyboardInterrupt:
        done = job.counts().total()
        echo(f"stopped after {done} records: add --resume to continue", err=True)
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
    echo(f"{summary.records} records read, {summary.written} written to {output}")
    for reason, count in sorted(summary.rejected.items(), key=lambda item: (-item[1], item[0])):
        echo(f"{count:>10} {reason}")
