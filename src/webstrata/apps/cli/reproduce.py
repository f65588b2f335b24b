"""``webstrata reproduce``: the tables and figures of a paper, ours beside the printed ones."""

from __future__ import annotations

import os
from pathlib import Path

import click

from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.errors import need
from webstrata.evaluation.papers.catalogue import PAPERS, Setting, find_paper, reproduce

__all__ = ["command"]


@click.command("reproduce", epilog="Example:  webstrata reproduce kohlschuetter-2011 --only table-4.9 -o out/table-4.9")
@click.argument("key", metavar="[PAPER]", required=False)
@click.option("--only", metavar="NAME[,..]", help="Some tables or figures; all by default.")
@click.option("--pages", type=click.IntRange(1), help="Only the first so many pages of each data set.")
@click.option("--jobs", default=os.cpu_count() or 1, show_default=True, type=click.IntRange(1), help="Processes.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), show_default="out/PAPER", help="Folder for the report."
)
def command(key: str | None, only: str | None, pages: int | None, jobs: int, output: Path | None) -> None:
    """Run the experiments of PAPER again, and write its tables and figures with the printed numbers beside ours.

    Without PAPER, list the papers, their parts and the data sets that they need.
    """
    if key is None:
        for paper in PAPERS.values():
            click.secho(f"{paper.key}: {paper.citation}, {paper.title} ({paper.published})", bold=True)
            click.echo(f"  {', '.join(paper.parts)}")
            click.echo(f"  needs {', '.join(paper.data)}")
        return
    paper = find_paper(key)
    need("eval", "pyarrow", "scipy", "scikit-learn", "statsmodels")
    names = [name.strip() for name in (only or "").split(",") if name.strip()]
    with progress_bars() as bars:
        setting = Setting(
            folder=output or Path("out") / key, pages=pages, jobs=jobs, progress=lambda what: bar(bars, what)
        )
        path = reproduce(paper, setting, names)
    click.echo(path)
