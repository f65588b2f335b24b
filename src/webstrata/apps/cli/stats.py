"""``webstrata stats``: the densitometric statistics of pages, crawls and plain texts."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.files import open_regular

if TYPE_CHECKING:
    from webstrata.crawls.folding.engines import Engine

__all__ = ["command"]

_TEXTS = (".txt", ".text")


@click.command("stats", epilog="Example:  webstrata stats crawl.warc.gz -o out/stats")
@options.input_arguments
@options.output("Folder for the report.", metavar="DIR")
@click.option("--extractor", metavar="NAME", default="learned", show_default=True,
              help="Extractor whose decisions are the classes; none for no classes.")  # fmt: skip
@click.option("--segmenter", metavar="NAME", default="", help="Count its segments instead of atomic blocks.")
@options.engine_options
def command(
    inputs: tuple[str, ...], url_from: str, output: Path, extractor: str, segmenter: str, engine: Engine
) -> None:
    """Count words and text densities, and fit distributions.

    Words are counted by density, by length of text and by class; the distributions are those of the papers.

    INPUT is an input of `webstrata run` (WARC files, files or folders of HTML, JSON lines, Parquet), or a plain text
    file with empty lines between its paragraphs. DIR gets report.html, report.md, and each table and figure as CSV and
    SVG.
    """
    from webstrata.apps.cli.crawl_progress import CrawlProgress, report_earlier
    from webstrata.apps.statistics_report import write_statistics
    from webstrata.crawls import find_inputs
    from webstrata.crawls.jobs.statistics import Surveyor

    texts = [name for name in inputs if name.lower().endswith(_TEXTS)]
    with tempfile.TemporaryDirectory(prefix="webstrata-") as work:
        names = [name for name in inputs if name not in texts]
        if texts:
            names.append(str(_as_pages(texts, Path(work) / "texts.jsonl")))
        surveyor = Surveyor(
            inputs=tuple(find_inputs(names, url_from=url_from)),
            output=output / "data",
            extractor="" if extractor == "none" else extractor,
            segmenter=segmenter,
        )
        with CrawlProgress(surveyor.inputs) as progress:
            summary = surveyor.run(
                engine, progress=progress, on_fold=lambda stage: echo(f"adding up {stage}", err=True)
            )
    report_earlier(summary, output)
    echo(f"{summary.records} records read, {summary.written} pages counted")
    echo("fitting", err=True)
    echo(write_statistics(output, surveyor.survey(), source=", ".join(inputs)))


def _as_pages(names: list[str], target: Path) -> Path:
    """Plain texts as HTML pages in JSON lines."""
    from webstrata.statistics.plain import page_of_text

    with target.open("w", encoding="utf-8") as stream:
        for name in names:
            try:
                with open_regular(name) as file:
                    text = file.read().decode("utf-8", "replace")
            except OSError as error:
                raise InputError(f"cannot read {name}: {error.strerror}") from error
            stream.write(json.dumps({"url": Path(name).name, "html": page_of_text(text)}) + "\n")
    return target
