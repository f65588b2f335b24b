"""``webstrata gate``: compare scores with pinned floors."""

from __future__ import annotations

from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.reports.gate import TOLERANCE, check_floors, pin_floors
from webstrata.evaluation.scores import read_scores

__all__ = ["command"]


@click.command("gate", epilog="Example:  webstrata gate out/evaluation --floors tests/evaluation/reports/floors.json")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--floors", required=True, type=options.FOLDER, help="File with the floors.")
@click.option("--pin", is_flag=True, help="Raise the floors to the scores in DIR.")
@click.option("--lower", is_flag=True, help="With --pin: lower floors as well.")
@click.option("--replace", is_flag=True, help="With --pin: discard the floors of a data set whose pages changed.")
@click.option(
    "--tolerance", default=TOLERANCE, show_default=True, type=click.FloatRange(0), help="How far means may be below."
)
def command(folder: Path, floors: Path, pin: bool, lower: bool, replace: bool, tolerance: float) -> None:
    """Fail if a score of an evaluation is below its floor.

    DIR is the output of `webstrata evaluate`; scores are means over pages.
    """
    if (lower or replace) and not pin:
        raise InputError("--lower and --replace need --pin: add it")
    rows = read_scores(folder)
    cards = [find_dataset(name).card for name in sorted({row.dataset for row in rows})]
    if pin:
        falls = pin_floors(floors, cards, rows, lower=lower, replace=replace, tolerance=tolerance)
    else:
        falls = check_floors(floors, cards, rows, tolerance=tolerance)
    for fall in falls:
        echo(str(fall), err=True)
    if falls and not lower:
        raise click.ClickException(f"{len(falls)} means are below their floors")
    echo(f"{'pinned' if pin else 'all at or above their floors'}: {floors}")
