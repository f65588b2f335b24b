"""``webstrata extract``: the content of pages as text, Markdown, HTML or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import wraps
from html import escape
from typing import Any

import click

from webstrata.apps.cli.files import file_arguments, read_pages
from webstrata.apps.cli.sites import site_of
from webstrata.errors import WebstrataError
from webstrata.extraction import EXTRACTORS, Extraction, extract
from webstrata.page import parse

__all__ = ["command", "extractor_options"]


_OPTIONS = (
    click.option("--algorithm", metavar="NAME", help=f"The extractor: {', '.join(EXTRACTORS)}. Default: the best one."),
    click.option(
        "--favour",
        type=click.Choice(["precision", "recall"]),
        help="Rather leave content out than keep boilerplate (precision), or the other way round (recall).",
    ),
    click.option(
        "--no-comments", "comments", flag_value=False, default=None, help="Leave out what readers wrote below."
    ),
    click.option(
        "--model", metavar="FILE", help="A model of the learned extractor, made by `webstrata train`, for ours."
    ),
)


def extractor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that extracts. The command gets them as the parameters of `extract`, those that
    were given only; a bad one is reported before any file is read."""

    @wraps(function)
    def command(**arguments: Any) -> Any:
        given = {name: arguments.pop(name) for name in ("algorithm", "favour", "comments", "model")}
        parameters = {name: value for name, value in given.items() if value is not None}
        extract(parse(b""), **parameters)
        return function(parameters=parameters, **arguments)

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
    help="What to write. JSON is one object a page and line, with every block, its score and its reason.",
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
    parameters: dict[str, Any],
) -> None:
    """Write the content of pages to the standard output, without their boilerplate.

    FILE is an HTML file, or - for the standard input. Several pages are parted by a line with the file's name. A file
    that cannot be read is reported, the others are still done, and the exit code is 2.
    """
    known = None if site is None else site_of(site, url)
    failed = False
    for number, name in enumerate(files):
        try:
            _, page = next(read_pages((name,), encoding=encoding, url=url))
            found = extract(page, site=known, **parameters)
        except WebstrataError as error:
            click.echo(f"webstrata: {error}", err=True)
            failed = True
            continue
        if len(files) > 1 and output_format != "json":
            click.echo(_separator(name, output_format, first=number == 0))
        click.echo(_WRITERS[output_format](name, found, with_metadata))
    if failed:
        sys.exit(2)


def _separator(name: str, output_format: str, *, first: bool) -> str:
    line = f"==> {name} <==" if output_format == "text" else f"<!-- {name.replace('--', '- -')} -->\n"
    return line if first else f"\n{line}"


def _text(name: str, found: Extraction, with_metadata: bool) -> str:
    return _front_matter(found) * with_metadata + found.text


def _markdown(name: str, found: Extraction, with_metadata: bool) -> str:
    return _front_matter(found) * with_metadata + found.markdown


def _front_matter(found: Extraction) -> str:
    """The metadata as YAML; a string of JSON is one of YAML."""
    fields = (
        f"{key}: {json.dumps(value, ensure_ascii=False)}\n"
        for key, value in found.metadata.as_dict().items()
        if value is not None
    )
    return f"---\n{''.join(fields)}---\n\n"


def _html(name: str, found: Extraction, with_metadata: bool) -> str:
    if not with_metadata:
        return found.html
    fields = found.metadata.as_dict()
    title = escape(fields.pop("title") or "")
    lines = [f'<meta name="{key}" content="{escape(value)}">' for key, value in fields.items() if value is not None]
    head = "\n".join(['<meta charset="utf-8">', f"<title>{title}</title>", *lines])
    return f"<!DOCTYPE html>\n<html>\n<head>\n{head}\n</head>\n<body>\n{found.html}\n</body>\n</html>"


def _json(name: str, found: Extraction, with_metadata: bool) -> str:
    value = {"file": name, "text": found.text, **found.as_dict()}
    if not with_metadata:
        del value["metadata"]
    return json.dumps(value, ensure_ascii=False)


_WRITERS: dict[str, Callable[[str, Extraction, bool], str]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "json": _json,
}
