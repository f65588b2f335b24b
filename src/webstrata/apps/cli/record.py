"""``webstrata record``: the pages of data sets in a browser, for visual algorithms."""

from __future__ import annotations

import os
from pathlib import Path

import click

from webstrata._recordings_folder import RECORDINGS, recordings_folder
from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.terminal import echo
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.recorder import TIMEOUT, record

__all__ = ["command"]


@click.command("record", epilog="Example:  webstrata record kreuzer-random kreuzer-popular -o out/recordings")
@click.argument("datasets", nargs=-1, required=True, metavar="DATASET...")
@click.option("--input", "inputs", metavar="NAME[,..]", help="html, dom.  [default: all of a data set]")
@options.limited_pages
@options.tabs(2)
@click.option(
    "--timeout", default=TIMEOUT, show_default=True, type=click.FloatRange(1), help="Time limit for a page in seconds."
)
@click.option("--screenshots", is_flag=True, help="Write pictures of the pages as well, for programs that see them.")
@click.option("-o", "--output", type=options.FOLDER, help="Folder.  [default: WEBSTRATA_RECORDINGS, or out/recordings]")
def command(
    datasets: tuple[str, ...],
    inputs: str | None,
    pages: int | None,
    jobs: int,
    timeout: float,
    screenshots: bool,
    output: Path | None,
) -> None:
    """Record the pages of data sets, for visual algorithms.

    Chromium renders the pages of each DATASET; VIPS, WebTerrain and others read the recordings.

    Pages that are recorded already are passed over: an interrupted run continues when it is repeated. `webstrata
    evaluate`, `reproduce` and `train` read the folder. A page that cannot be recorded is reported, and the exit code
    is 1.
    """
    if output is not None:
        os.environ[RECORDINGS] = str(output)
    failed = False
    with progress_bars() as bars:
        for name in datasets:
            found = record(
                find_dataset(name),
                inputs=tuple(split(inputs)) if inputs else (),
                limit=pages,
                tabs=jobs,
                timeout=timeout,
                screenshots=screenshots,
                progress=bar(bars, f"{name}: recording"),
            )
            echo(f"{name}: {found.made} pages recorded, {found.present} were recorded before")
            for page, reason in found.failed:
                echo(f"not recorded: {page}: {reason}", err=True, fg="red")
            failed = failed or bool(found.failed)
    echo(recordings_folder())
    if failed:
        raise SystemExit(1)
