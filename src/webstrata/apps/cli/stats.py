"""``webstrata stats``: the densitometric statistics of pages, crawls and plain texts."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from webstrata.errors import InputError

__all__ = ["command"]

_TEXTS = (".txt", ".text")


@click.command("stats", epilog="Example:  webstrata stats crawl.warc.gz -o out/stats")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, metavar="DIR", help="Folder for the report.")
@click.option("--extractor", metavar="NAME", default="learned", show_default=True,
              help="Whose decisions are the classes; none for no classes.")  # fmt: skip
@click.option("--segmenter", metavar="NAME", default="", help="Count its segments in the place of atomic blocks.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="Worker processes (default: all cores).")
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True,
              help="Where to run.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with what an earlier run left in DIR.")
def command(
    inputs: tuple[str, ...],
    output: str,
    extractor: str,
    segmenter: str,
    jobs: int | None,
    engine: str,
    resume: bool,
) -> None:
    """Count words by density, by length of text and by class, and fit the distributions of the papers.

    INPUT is what `webstrata run` reads (WARC files, files or folders of HTML, JSON lines, Parquet), or plain text
    files, whose paragraphs are parted by empty lines. DIR gets report.html, report.md, and each table and figure as
    CSV and SVG.
    """
    from webstrata.apps.cli.crawl_progress import CrawlProgress
    from webstrata.apps.statistics_report import write_statistics
    from webstrata.crawls import find_inputs
    from webstrata.crawls.folding.engines import Engine
    from webstrata.crawls.jobs.statistics import Surveyor

    where = Engine(name=engine, jobs=jobs, resume=resume)
    folder = Path(output)
    texts = [name for name in inputs if name.lower().endswith(_TEXTS)]
    with tempfile.TemporaryDirectory(prefix="webstrata-") as work:
        names = [name for name in inputs if name not in texts]
        if texts:
            names.append(str(_as_pages(texts, Path(work) / "texts.jsonl")))
        surveyor = Surveyor(
            inputs=tuple(find_inputs(names)),
            output=folder / "data",
            extractor="" if extractor == "none" else extractor,
            segmenter=segmenter,
        )
        with CrawlProgress(surveyor.inputs) as progress:
            summary = surveyor.run(
                where, progress=progress, tell=lambda stage: click.echo(f"adding up {stage}", err=True)
            )
    click.echo(f"{summary.records} records read, {summary.written} pages counted")
    click.echo("fitting", err=True)
    click.echo(write_statistics(folder, surveyor.survey(), source=", ".join(inputs)))


def _as_pages(names: list[str], target: Path) -> Path:
    """Plain texts as pages of HTML, one a line."""
    from webstrata.statistics.plain import page_of_text

    with target.open("w", encoding="utf-8") as stream:
        for name in names:
            try:
                text = Path(name).read_bytes().decode("utf-8", "replace")
            except OSError as error:
                raise InputError(f"cannot read {name}: {error.strerror}") from error
            stream.write(json.dumps({"url": Path(name).name, "html": page_of_text(text)}) + "\n")
    return target
