"""``webstrata extract``: the content of pages as text, Markdown, HTML, JSON or TEI."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from webstrata._spelling import Step, read, write
from webstrata.apps.cli import options
from webstrata.apps.cli.contents import ExtractTask, separator
from webstrata.apps.cli.each_page import find_pages_or_report, write_each
from webstrata.apps.cli.outputs import new_directory
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, Extractor
from webstrata.extraction.formats import FORMATS
from webstrata.extraction.pruning import pruned
from webstrata.page import parse

__all__ = ["check_confidence", "command", "extractor_options", "min_confidence", "spelled_options"]


def _switch(name: str, help: str) -> options.Decorator:  # noqa: A002
    return click.option(f"--{name}/--no-{name}", default=None, help=help)


# The options that are parameters of the extractor.
_PARAMETERS = {
    "favour": click.option(
        "--favour",
        type=click.Choice(["precision", "recall"]),
        help="precision: keep less, with less boilerplate; recall: keep more, with more of the content.",
    ),
    "comments": _switch("comments", "Keep the readers' comments, after the content.  [default: no]"),
    "title": _switch("title", "Keep the title of the page.  [default: yes]"),
    "captions": _switch("captions", "Keep the captions of figures.  [default: yes]"),
    "tables": _switch("tables", "Keep the text of tables.  [default: yes]"),
    "images": _switch("images", "Show images in Markdown and HTML.  [default: yes]"),
    "links": _switch("links", "Keep links in Markdown and HTML, or only their text.  [default: yes]"),
    "deduplicate": _switch("deduplicate", "Drop paragraphs that repeat word for word.  [default: yes]"),
    "hidden": click.option(
        "--hidden",
        type=click.Choice(["drop", "keep"]),
        help="Text that the page hides: drop it, unless most is hidden, or keep it.  [default: drop]",
    ),
    "model": click.option(
        "--model", metavar="FILE", help="A model of `webstrata train`, in place of the one that comes with webstrata."
    ),
}


min_confidence = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="NUMBER",
    help="Leave out pages whose content is less likely right, from 0 to 1.",
)


def check_confidence(extractor: Extractor) -> None:
    """Refuse an extractor without a confidence, before anything runs."""
    if extractor(parse("<p>word")).confidence is None:
        raise InputError("--min-confidence needs the learned extractor, with a model that has a confidence beside it")


def extractor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of commands that extract: the command gets an ``extractor``. Errors come before files are read."""

    @wraps(function)
    def command(*, algorithm: str, **arguments: Any) -> Any:
        return function(extractor=EXTRACTORS.make(algorithm), **arguments)

    return spelled_options(command)


def spelled_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `extractor_options`, but the command gets the spelling of the extractor as ``algorithm``.

    All options but --algorithm and --language are parameters of the extractor and may be written in its brackets as
    well; --language is a filter.
    """

    @wraps(function)
    def command(*, algorithm: str, language: str | None, **arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in _PARAMETERS}
        parameters = {name: value for name, value in given.items() if value is not None}
        first, *rest = read(algorithm)
        if twice := sorted(set(first.parameters) & set(parameters)):
            raise InputError(f"{', '.join(twice)} is set in {algorithm!r} and by an option: leave one out")
        steps = [Step(first.name, {**first.parameters, **parameters}), *rest]
        steps += [Step("language", {"languages": language})] if language else []
        spelling = write(steps)
        EXTRACTORS.make(spelling)
        return function(algorithm=spelling, **arguments)

    decorated: Callable[..., Any] = options.options(
        options.algorithm(
            "learned", "Extractor, as in numwords(words=20)+largest-content; `webstrata algorithms` lists them."
        ),
        *_PARAMETERS.values(),
        click.option(
            "--language",
            metavar="CODE[,..]",
            help="Keep only pages in these languages, such as en or en,de; needs webstrata[language].",
        ),
    )(command)
    return decorated


@click.command("extract", epilog="Example:  webstrata extract pages/ --format markdown -o out --jobs 4")
@options.page_arguments
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="Output format. JSON is one line for each page: text, metadata, and every block with its score and reason.",
)
@options.optional_output("Write to this file, or with several pages to a file for each in this folder.")
@click.option("--output-dir", type=options.FOLDER, metavar="DIR", help="As -o, but always a folder.")
@options.page_jobs
@options.site
@click.option(
    "--prune", metavar="SELECTOR", help="Leave out elements by a CSS selector, such as 'nav, div.share > ul'."
)
@click.option(
    "--structured", is_flag=True, help="Give text the markers of lists, rows of tables with tabs, and formulas as TeX."
)
@click.option("--readings", is_flag=True, help="Write readings over words (ruby), with the brackets of the page.")
@click.option(
    "--citations/--no-citations", default=True, show_default=True, help="Write footnotes and the references to them."
)
@click.option("--with-metadata", is_flag=True, help="Put title, author, date etc. before text, Markdown and HTML.")
@min_confidence
@click.option("--blocks/--no-blocks", default=True, show_default=True, help="Write every block to JSON.")
@extractor_options
def command(
    files: tuple[str, ...],
    encoding: str | None,
    url: str | None,
    output_format: str,
    output: Path | None,
    output_dir: Path | None,
    jobs: int,
    site: str | None,
    prune: str | None,
    structured: bool,
    readings: bool,
    citations: bool,
    with_metadata: bool,
    blocks: bool,
    min_confidence: float | None,
    extractor: Extractor,
) -> None:
    """Write the content of pages without their boilerplate.

    FILE is an HTML file, plain or compressed (.gz); a folder, for the HTML files below it; a pattern such as
    'pages/**/*.html'; an address that begins with http:// or https://; or - for the standard input.

    Several pages are separated by lines with their names, or written to a file each with -o. A page that
    cannot be read is reported, the others are still processed, and the exit code is 2. With several jobs, pages that
    take more than 10 seconds or 1 GB are also reported. So are pages that --min-confidence leaves out.
    """
    if output_dir is not None:
        output = new_directory(output_dir)
    if prune is not None:
        pruned(parse(""), prune)  # errors of the selector come before files are read
    if min_confidence is not None:
        check_confidence(extractor)
    sites = None
    if site is not None:
        from webstrata.sites import Sites

        sites = Sites(site)
    task = ExtractTask(
        extractor=extractor,
        sites=sites,
        format=output_format,
        with_metadata=with_metadata,
        with_blocks=blocks,
        min_confidence=min_confidence,
        url=url,
        encoding=encoding,
        prune=prune,
        written={"structured": structured, "readings": readings, "citations": citations},
    )
    pages, complete = find_pages_or_report(files)
    write_each(
        task,
        pages,
        output=output,
        ending=FORMATS[output_format].ending,
        jobs=jobs,
        separator=partial(separator, output_format=output_format),
        complete=complete,
    )
