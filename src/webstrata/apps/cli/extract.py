"""``webstrata extract``: the content of pages as text, Markdown, HTML or JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from webstrata.apps.cli.files import file_arguments, read_pages
from webstrata.apps.cli.terminal import shown
from webstrata.errors import WebstrataError
from webstrata.extraction import EXTRACTORS, Extraction, Extractor

__all__ = ["command", "extractor_options"]

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
)

_PARAMETERS = ("favour", "comments", "title", "captions", "tables", "images", "links", "deduplicate", "model")


def extractor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that extracts. The command gets the extractor that they name as ``extractor``; a
    wrong option is told before any file is read.

    All but --algorithm are parameters of the extractor under another name, and may be written in its brackets as well.
    """

    @wraps(function)
    def command(*, algorithm: str, **arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in _PARAMETERS}
        parameters = {name: value for name, value in given.items() if value is not None}
        return function(extractor=EXTRACTORS.make(algorithm, **parameters), **arguments)

    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("extract", epilog="Example:  webstrata extract page.html --format markdown --with-metadata")
@file_arguments
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "markdown", "html", "json"]),
    default="text",
    show_default=True,
    help="What to write. JSON is one line for each page, with every block, its score and its reason.",
)
@click.option("--site", metavar="SITE", help="Use what is known of the page's site, learnt by `webstrata site learn`.")
@click.option("--with-metadata", is_flag=True, help="Title, author, date and so on before the content.")
@extractor_options
def command(
    files: tuple[str, ...],
    encoding: str | None,
    url: str | None,
    output_format: str,
    site: str | None,
    with_metadata: bool,
    extractor: Extractor,
) -> None:
    """Write the content of pages to the standard output, without their boilerplate.

    FILE is an HTML file, or - for the standard input. Before each of several pages stands a line with its name. A file
    that cannot be read is reported, the others are still done, and the exit code is 2.
    """
    known = None
    if site is not None:
        from webstrata.apps.cli.sites import site_of

        known = site_of(site, url)
    failed = False
    for number, name in enumerate(files):
        try:
            _, page = next(read_pages((name,), encoding=encoding, url=url))
        except WebstrataError as error:
            click.echo(f"webstrata: {error}", err=True)
            failed = True
            continue
        found = extractor(page) if known is None else known(extractor(page))
        if len(files) > 1 and output_format != "json":
            click.echo(_separator(name, output_format, first=number == 0))
        click.echo(shown(_WRITERS[output_format](name, found, with_metadata)))
    if failed:
        sys.exit(2)


def _separator(name: str, output_format: str, *, first: bool) -> str:
    line = f"==> {name} <==" if output_format == "text" else f"<!-- {name.replace('--', '- -')} -->\n"
    return line if first else f"\n{line}"


def _text(name: str, found: Extraction, with_metadata: bool) -> str:
    return (_front_matter(found) if with_metadata else "") + found.text


def _markdown(name: str, found: Extraction, with_metadata: bool) -> str:
    return (_front_matter(found) if with_metadata else "") + found.markdown


def _front_matter(found: Extraction) -> str:
    """The metadata as YAML, whose strings may be written as in JSON."""
    import json

    fields = (
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in found.metadata.as_dict().items()
        if value is not None
    )
    return f"---\n{''.join(fields)}---\n\n"


def _html(name: str, found: Extraction, with_metadata: bool) -> str:
    if not with_metadata:
        return found.html
    from html import escape  # its table of character references is long

    fields = found.metadata.as_dict()
    title = escape(fields.pop("title") or "")
    lines = [f'<meta name="{key}" content="{escape(value)}">' for key, value in fields.items() if value is not None]
    head = "\n".join(['<meta charset="utf-8">', f"<title>{title}</title>", *lines])
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{found.html}\n</body>\n</html>"


def _json(name: str, found: Extraction, with_metadata: bool) -> str:
    import json

    value = {"file": name, "text": found.text, **found.as_dict(with_metadata=with_metadata)}
    return json.dumps(value, ensure_ascii=False)


_WRITERS: dict[str, Callable[[str, Extraction, bool], str]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "json": _json,
}
