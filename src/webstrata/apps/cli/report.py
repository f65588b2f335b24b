"""``webstrata report``: draw the scores that are there."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.errors import need
from webstrata.evaluation.papers.kreuzer_2013 import tables
from webstrata.evaluation.reports.report import write_report

__all__ = ["command"]


@click.command("report", epilog="Example:  webstrata report out/evaluation")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
def command(folder: Path) -> None:
    """Write the tables and plots of what `webstrata evaluate` left in DIR: report.html, report.md, tables/."""
    need("eval", "pyarrow", "scipy", "statsmodels")
    click.echo(write_report(folder, papers=(tables,)))
