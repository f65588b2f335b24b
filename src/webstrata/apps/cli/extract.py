"""``webstrata extract``: the content of pages as text, Markdown, HTML, JSON or TEI."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from webstrata._spelling import Step, read, write
from webstrata.apps.cli.contents import Content, Wanted, content_of, separator
from webstrata.apps.cli.files import file_arguments
from webstrata.apps.cli.sources import Source, find_sources
from webstrata.apps.cli.terminal import shown
from webstrata.errors import InputError
from webstrata.extraction import EXTRACTORS, Extractor
from webstrata.extraction.formats import FORMATS

__all__ = ["command", "extractor_options", "spelled_options"]

_OPTIONS = (
    click.option(
        "--algorithm",
        default="learned",
        show_default=True,
        metavar="NAME",
        help="The extractor, as in numwords(words=20)+largest-content; `webstrata algorithms` lists them.",
    ),
    click.option(
        "--favour",
        type=click.Choice(["precision", "recall"]),
        help="precision: keep less, and less boilerplate; recall: keep more, and more of the content.",
    ),
    click.option(
        "--comments/--no-comments",
        default=None,
        help="Give the comments of readers after the content, or leave them out, which is the default.",
    ),
    click.option("--title/--no-title", default=None, help="Give the title of the page, or not. Default: given."),
    click.option(
        "--captions/--no-captions", default=None, help="Give the captions of figures, or not. Default: given."
    ),
    click.option("--tables/--no-tables", default=None, help="Give the text of tables, or not. Default: given."),
    click.option(
        "--images/--no-images", default=None, help="Show images in Markdown and HTML, or not. Default: shown."
    ),
    click.option(
        "--links/--no-links", default=None, help="Keep links in Markdown and HTML, or their text alone. Default: kept."
    ),
    click.option(
        "--deduplicate/--no-deduplicate",
        default=None,
        help="Leave out a paragraph that was given before, word for word, or not. Default: left out.",
    ),
    click.option(
        "--model",
        metavar="FILE",
        help="A model made by `webstrata train`, instead of the one that comes with webstrata.",
    ),
    click.option(
        "--language",
        metavar="CODE[,..]",
        help="Only pages whose content is in these languages, such as en or en,de; guessed, with webstrata[language].",
    ),
)

# The options that are parameters of the extractor.
_PARAMETERS = ("favour", "comments", "title", "captions", "tables", "images", "links", "deduplicate", "model")


def extractor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that extracts. The command gets the extractor that they name as ``extractor``; a
    wrong option is told before any file is read.
    """

    @wraps(function)
    def command(*, algorithm: str, **arguments: Any) -> Any:
        return function(extractor=EXTRACTORS.make(algorithm), **arguments)

    return spelled_options(command)


def spelled_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `extractor_options`, for a command that wants the extractor's spelling: it gets it as ``algorithm``.

    All but --algorithm and --language are parameters of the extractor under another name, and may be written in its
    brackets as well; --language is a filter that follows it.
    """

    @wraps(function)
    def command(*, algorithm: str, language: str | None, **arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in _PARAMETERS}
        parameters = {name: value for name, value in given.items() if value is not None}
        first, *rest = read(algorithm)
        if twice := sorted(set(first.parameters) & set(parameters)):
            raise InputError(f"{', '.join(twice)} is given in {algorithm!r} and once more beside it")
        steps = [Step(first.name, {**first.parameters, **parameters}), *rest]
        steps += [Step("language", {"languages": language})] if language else []
        spelling = write(steps)
        EXTRACTORS.make(spelling)
        return function(algorithm=spelling, **arguments)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("extract", epilog="Example:  webstrata extract pages/ --format markdown --output-dir out --jobs 4")
@file_arguments
@click.option(
    "--format",
    "output_format",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="What to write. JSON is one line for each page: text, metadata, and every block with its score and reason.",
)
@click.option(
    "--output-dir", type=click.Path(path_type=Path), metavar="DIR", help="Write a file for each page to this folder."
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to share the pages."
)
@click.option("--site", metavar="SITE", help="Use what is known of the page's site, learnt by `webstrata site learn`.")
@click.option("--with-metadata", is_flag=True, help="Title, author, date and so on before text, Markdown and HTML.")
@click.option("--blocks/--no-blocks", default=True, help="Whether JSON tells of each block; by default it does.")
@extractor_options
def command(
    files: tuple[str, ...],
    encoding: str | None,
    url: str | None,
    output_format: str,
    output_dir: Path | None,
    jobs: int,
    site: str | None,
    with_metadata: bool,
    blocks: bool,
    extractor: Extractor,
) -> None:
    """Write the content of pages to the standard output, without their boilerplate.

    FILE is an HTML file, plain or compressed (.gz); a folder, for the HTML files in it and below it; a pattern such as
    'pages/**/*.html'; an address that begins with http:// or https://; or - for the standard input.

    Before each of several pages stands a line with its name, unless they go to files of their own. A page that cannot
    be read is reported, the others are still done, and the exit code is 2. With several jobs, so is one that takes more
    than 10 seconds or 1 GB.
    """
    known = None
    if site is not None:
        from webstrata.apps.cli.sites import site_of

        known = site_of(site, url)
    wanted = Wanted(
        extractor=extractor,
        site=known,
        format=output_format,
        with_metadata=with_metadata,
        with_blocks=blocks,
        url=url,
        encoding=encoding,
    )
    found = list(find_sources(files))
    sources = [source for source in found if isinstance(source, Source)]
    errors = [str(error) for error in found if isinstance(error, InputError)]
    for error in errors:
        _complain(error)
    write_content = _to_stdout(output_format, len(sources)) if output_dir is None else _to_files(output_dir, wanted)
    failed = bool(errors)
    for source, content in _shown_progress(_contents(wanted, sources, jobs), len(sources), output_dir):
        if content.error:
            _complain(content.error)
            failed = True
        else:
            write_content(source, content.text)
    if failed:
        sys.exit(2)


def _complain(error: str) -> None:
    click.echo(f"webstrata: {error}", err=True)


def _contents(wanted: Wanted, sources: list[Source], jobs: int) -> Iterator[tuple[Source, Content]]:
    """The content of each page, in the order of the pages: in this process, or under the guard on several."""
    if jobs == 1 or len(sources) < 2:
        for source in sources:
            yield source, content_of(wanted, source)
        return
    from webstrata.workers.limits import Limits
    from webstrata.workers.pool import Failure, Pool

    if any(source.name == "-" for source in sources):
        raise InputError("the standard input cannot be shared by several jobs: leave out --jobs")
    pool = Pool[Source, Content](start=partial(_start, wanted), limits=Limits(), jobs=min(jobs, len(sources)))
    with closing(pool([source] for source in sources)) as results:
        for (source,), (answer,) in results:
            if isinstance(answer, Failure):
                answer = Content(error=f"cannot read {source.name}: {answer.reason} ({answer.detail})")
            yield source, answer


def _start(wanted: Wanted) -> Callable[[Source], Content]:
    return partial(content_of, wanted)


def _shown_progress(
    contents: Iterable[tuple[Source, Content]], total: int, output_dir: Path | None
) -> Iterator[tuple[Source, Content]]:
    """The contents as they come, with a bar on the terminal where they go to files."""
    if output_dir is None or total < 2 or not sys.stderr.isatty():
        yield from contents
        return
    from webstrata.apps.cli.bars import bar, progress_bars

    with progress_bars() as bars:
        tell = bar(bars, "extracting")
        for done, content in enumerate(contents, 1):
            yield content
            tell(done, total)


def _to_stdout(output_format: str, total: int) -> Callable[[Source, str], None]:
    first = True

    def write_content(source: Source, text: str) -> None:
        nonlocal first
        if total > 1:
            click.echo(separator(source.name, output_format, first=first), nl=False)
            first = False
        click.echo(shown(text))

    return write_content


def _to_files(folder: Path, wanted: Wanted) -> Callable[[Source, str], None]:
    def write_content(source: Source, text: str) -> None:
        path = folder / f"{source.target}{FORMATS[wanted.format].ending}"
        try:
            if not source.is_address and path.exists() and path.samefile(source.name):
                raise InputError(f"{path} would be written over the page itself: choose another --output-dir")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n", encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"cannot write {path}: {error.strerror}") from error

    return write_content
