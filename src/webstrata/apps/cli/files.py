"""Reading pages that are named on the command line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

from webstrata.apps.cli.sources import Source, parse_source
from webstrata.page import Page

if TYPE_CHECKING:
    from webstrata.rendering.page import RenderedPage

__all__ = ["file_arguments", "read_pages", "read_recording"]

F = TypeVar("F")


def file_arguments(function: F) -> F:
    """The arguments and options of every command that reads pages: FILE..., --encoding and --url."""
    decorators: list[Any] = [
        click.argument("files", nargs=-1, required=True, metavar="FILE..."),
        click.option("--encoding", metavar="LABEL", help="Trust this encoding more than what the page says."),
        click.option("--url", metavar="URL", help="Where the page came from; links are resolved against it."),
    ]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def read_pages(
    files: tuple[str, ...], *, encoding: str | None = None, url: str | None = None
) -> Iterator[tuple[str, Page]]:
    """The pages of files, compressed or not, and of addresses, with their names; ``-`` is the standard input."""
    for name in files:
        yield name, parse_source(Source(name, name), url=url, encoding=encoding)


def read_recording(name: str) -> RenderedPage | None:
    """The rendered page that a file holds; None where it is no recording."""
    if name == "-":
        return None
    with suppress(OSError), open(name, "rb") as stream:  # a file that cannot be read is told when it is read as HTML
        if stream.read(2) != b"PK":  # recordings are archives; what reads them is imported for these alone
            return None
    from webstrata.rendering.page import RenderedPage
    from webstrata.rendering.recording import is_recording

    return RenderedPage.load(name) if is_recording(name) else None
