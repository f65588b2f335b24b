"""``webstrata render`` and ``webstrata snapshot``: pages as a browser shows them."""

from __future__ import annotations

import re
import sys
from concurrent.futures import Future
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.inputs import every_page
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError, WebstrataError
from webstrata.rendering import RenderedPage, Renderer
from webstrata.rendering.recording import SUFFIX

__all__ = ["command", "snapshot"]


class _Size(click.ParamType):  # type: ignore[type-arg]
    """A size such as ``1024x768``."""

    name = "WIDTHxHEIGHT"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", str(value))
        if found is None:
            self.fail(f"{value} is not a size such as 1024x768", param, ctx)
        return int(found[1]), int(found[2])


_browser_options = options.options(
    click.option("--viewport", type=_Size(), default="1024x768", show_default=True, help="Size of the window."),
    click.option("--scripts", is_flag=True, help="Run the scripts of the page."),
    click.option(
        "--timeout", default=30.0, show_default=True, type=click.FloatRange(1), help="Time limit for a page in seconds."
    ),
    click.option(
        "--folder",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Folder of the files that a page from a file may load.  [default: its own folder]",
    ),
    click.option(
        "--host",
        "hosts",
        multiple=True,
        metavar="HOST",
        help="Let pages from the web load from this host, too. Can be repeated.",
    ),
    click.option("--any-host", is_flag=True, help="Let pages from the web load from all hosts."),
)


@click.command("render", epilog="Example:  webstrata render page.html http://example.org/ -o out/rendered --screenshot")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@options.output("Folder for the results.")
@click.option("--screenshot", is_flag=True, help="Write a screenshot of each page.")
@options.tabs(1)
@_browser_options
def command(pages: tuple[str, ...], output: Path, jobs: int, **settings: Any) -> None:
    """Render pages, and record their boxes and styles.

    PAGE is an HTML file, a folder, a pattern, or an address that begins with http. For each page, OUTPUT gets
    NAME.html, the DOM as HTML; NAME.rendered, a recording with boxes and styles that visual segmenters read without a
    browser; and NAME.png, the screenshot. A page that cannot be rendered is reported, the others are still processed,
    and the exit code is 2.

    A page from the web can load from its own host only, a page from a file only files of its folder.
    """
    pages = tuple(page.name for page in every_page(pages))
    names = _names(pages)
    failed, written = False, 0
    with Renderer(tabs=jobs) as renderer, progress_bars() as bars:
        update = bar(bars, "rendering")
        update(0, len(pages))
        futures: list[Future[RenderedPage] | None] = []
        for page in pages:
            try:
                futures.append(renderer.submit(page, **settings))
            except WebstrataError as error:
                futures.append(None)
                failed = True
                bars.console.print(f"webstrata: {error}", markup=False, highlight=False)
        for done, (name, future) in enumerate(zip(names, futures, strict=True), start=1):
            try:
                if future is not None:
                    _write(future.result(), output / name)
                    written += 1
            except WebstrataError as error:
                bars.console.print(f"webstrata: {error}", markup=False, highlight=False)
                failed = True
            update(done, len(pages))
    echo(f"{written} page{'s' * (written != 1)} -> {output}", err=True)
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
@options.output("File for the snapshot.", type=click.Path(path_type=Path, dir_okay=False))
@_browser_options
def snapshot(page: str, output: Path, **settings: Any) -> None:
    """Freeze a page into one HTML file.

    The file looks the same offline. PAGE is an HTML file or an address that begins with http. The file contains styles,
    images, fonts and frames, but no scripts.
    """
    with Renderer() as renderer:
        frozen, rendered = renderer.freeze(page, **settings)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_bytes(frozen)
    except OSError as error:
        raise InputError(f"cannot write {output}: {error.strerror}") from error
    missing = "" if rendered.about.complete else "; some parts did not load in time"
    echo(f"{output}: {len(frozen):,} bytes, fonts {', '.join(rendered.about.fonts) or 'none'}{missing}")
