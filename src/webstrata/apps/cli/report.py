"""``webstrata report``: tables and plots of existing scores."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli.terminal import echo
from webstrata.errors import need
from webstrata.evaluation.papers.kreuzer_2013 import tables
from webstrata.evaluation.reports.report import write_report

__all__ = ["command"]


@click.command("report", epilog="Example:  webstrata report out/evaluation")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
def command(folder: Path) -> None:
    """Write tables and plots of the scores of an evaluation.

    DIR is the output of `webstrata evaluate`. They are written to DIR: report.html, report.md, and tables/.
    """
    need("eval", "pyarrow", "scipy")
    echo(write_report(folder, papers=(tables,)))
