"""``webstrata reproduce``: the tables and figures of a paper, with our numbers beside the printed ones."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.terminal import echo
from webstrata.errors import need
from webstrata.evaluation.papers.catalogue import PAPERS, Setting, find_paper, reproduce
from webstrata.evaluation.papers.index import write_index
from webstrata.evaluation.reports.document import NotRun

__all__ = ["command"]


@click.command("reproduce", epilog="Example:  webstrata reproduce kohlschuetter-2011 --only table-4.9 -o out/table-4.9")
@click.argument("key", metavar="[PAPER]", required=False)
@click.option("--only", metavar="NAME[,..]", help="Tables or figures to reproduce.  [default: all]")
@options.limited_pages
@options.processes()
@click.option(
    "--site",
    "sites",
    type=options.FOLDER,
    metavar="FOLDER",
    multiple=True,
    help="One more whole site, for fernandes-2011 and the strata of kohlschuetter-2011.",
)
@click.option("--page", type=options.FOLDER, metavar="FILE", help="A page to draw, for weninger-hsu-2008.")
@click.option("-o", "--output", type=options.FOLDER, show_default="out/PAPER", help="Folder for the report.")
def command(
    key: str | None,
    only: str | None,
    pages: int | None,
    jobs: int,
    sites: tuple[Path, ...],
    page: Path | None,
    output: Path | None,
) -> None:
    """Repeat the experiments of a paper.

    Its tables and figures are written beside the printed ones.

    Without PAPER, list the papers, their tables and figures, and the data sets that they need; with `-o OUT`, write an
    index of the reports in OUT/PAPER instead, with the state of each table and figure.
    """
    if key is None:
        if output is not None:
            _finish(*write_index(output))
            return
        for paper in PAPERS.values():
            echo(f"{paper.key}: {paper.citation}, {paper.title} ({paper.published})", bold=True)
            echo(f"  {', '.join(paper.parts)}")
            echo(f"  needs {', '.join(paper.data)}")
        return
    paper = find_paper(key)
    need("eval", "pyarrow", "scipy", "scikit-learn")
    names = [name.strip() for name in (only or "").split(",") if name.strip()]
    with progress_bars() as bars:
        setting = Setting(
            folder=output or Path("out") / key,
            sites=sites,
            page=page,
            pages=pages,
            jobs=jobs,
            progress=lambda what: bar(bars, what),
        )
        path, missing = reproduce(paper, setting, names)
    _finish(path, missing)


def _finish(path: Path, missing: list[NotRun]) -> None:
    """Print the path of a report and, in red, what was not run; the command then fails."""
    echo(path)
    for part in missing:
        echo(f"not run: {part.name}: {part.reason}", err=True, fg="red")
    if missing:
        raise SystemExit(1)
