"""``webstrata render`` and ``webstrata snapshot``: pages as a browser shows them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.errors import InputError, WebstrataError
from webstrata.rendering import RenderedPage, Renderer
from webstrata.rendering.recording import SUFFIX

__all__ = ["command", "snapshot"]

F = TypeVar("F", bound=Callable[..., Any])


class _Size(click.ParamType):  # type: ignore[type-arg]
    """``1024x768``."""

    name = "WIDTHxHEIGHT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", str(value))
        if found is None:
            self.fail(f"{value} is not a size such as 1024x768", param, ctx)
        return int(found[1]), int(found[2])


def _options(function: F) -> F:
    """What both commands have in common."""
    decorators: list[Any] = [
        click.option("--viewport", type=_Size(), default="1024x768", show_default=True, help="Size of the window."),
        click.option("--scripts", is_flag=True, help="Let the scripts of the page run."),
        click.option("--timeout", default=30.0, show_default=True, type=click.FloatRange(1),
                     help="Seconds for a page."),
        click.option("--folder", type=click.Path(path_type=Path, exists=True, file_okay=False),
                     help="The folder whose files a page from a file may use (default: its own)."),
        click.option("--host", "hosts", multiple=True, metavar="HOST",
                     help="Let pages from the web load from this host, too. Can be repeated."),
        click.option("--any-host", is_flag=True, help="Let pages from the web load from anywhere."),
    ]  # fmt: skip
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


@click.command("render", epilog="Example:  webstrata render page.html http://example.org/ -o out/rendered --screenshot")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder for the results.")
@click.option("--screenshot", is_flag=True, help="Write a picture of each page as well.")
@click.option("--tabs", default=1, show_default=True, type=click.IntRange(1, 16), help="Pages at a time.")
@_options
def command(pages: tuple[str, ...], output: Path, tabs: int, **options: Any) -> None:
    """Render pages in Chromium, and record what it shows.

    PAGE is an HTML file or a URL that begins with http. For each page, OUTPUT gets NAME.html, the browser's tree as
    HTML; NAME.rendered, the same with all boxes and styles, which visual segmenters read without a browser; and
    NAME.png. A page that cannot be rendered is reported, the others are still done, and the exit code is 2.

    A page from the web reaches its own host only, one from a file the files of its folder.
    """
    names = _names(pages)
    failed = False
    with Renderer(tabs=tabs) as renderer, progress_bars() as bars:
        tell = bar(bars, "rendering")
        tell(0, len(pages))
        futures: list[Future[RenderedPage] | None] = []
        for page in pages:
            try:
                futures.append(renderer.submit(page, **options))
            except WebstrataError as error:
                futures.append(None)
                failed = True
                bars.console.print(f"webstrata: {error}", markup=False, highlight=False)
        for done, (name, future) in enumerate(zip(names, futures, strict=True), start=1):
            try:
                if future is not None:
                    _write(future.result(), output / name)
            except WebstrataError as error:
                bars.console.print(f"webstrata: {error}", markup=False, highlight=False)
                failed = True
            tell(done, len(pages))
    click.echo(output)
    if failed:
        sys.exit(2)


def _write(found: RenderedPage, path: Path) -> None:
    found.save(path.with_name(path.name + SUFFIX))
    try:
        path.with_name(path.name + ".html").write_bytes(found.page.source)
        if found.screenshot is not None:
            path.with_name(path.name + ".png").write_bytes(found.screenshot)
    except OSError as error:
        raise InputError(f"cannot write beside {path}: {error.strerror}") from error


def _names(pages: tuple[str, ...]) -> list[str]:
    """A name for the files of each page; equal ones are numbered.

    >>> _names(("a/index.html", "b/index.html", "http://example.org/x/"))
    ['index', 'index-2', 'example.org_x']
    """
    found: list[str] = []
    for page in pages:
        parts = urlsplit(page)
        web = parts.scheme in ("http", "https")
        name = f"{parts.hostname}{parts.path.rstrip('/')}" if web else Path(page).name
        name = re.sub(r"[^\w.-]+", "_", re.sub(r"\.x?html?$", "", name))[:100].strip("._") or "page"
        number = 2
        plain = name
        while name in found:
            name, number = f"{plain}-{number}", number + 1
        found.append(name)
    return found


@click.command("snapshot", epilog="Example:  webstrata snapshot http://example.org/ -o example.html")
@click.argument("page", metavar="PAGE")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path, dir_okay=False), help="The file.")
@_options
def snapshot(page: str, output: Path, **options: Any) -> None:
    """Freeze a page into one HTML file that looks the same offline, and in ten years.

    PAGE is an HTML file or a URL that begins with http. Styles, images, fonts and frames are put into the file, scripts
    are left out.
    """
    with Renderer() as renderer:
        frozen, rendered = renderer.freeze(page, **options)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(frozen)
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from error
    missing = "" if rendered.about.complete else "; not all of it came in time"
    click.echo(f"{output}: {len(frozen):,} bytes, fonts {', '.join(rendered.about.fonts) or 'none'}{missing}")
