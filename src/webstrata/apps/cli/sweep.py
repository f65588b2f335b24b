"""``webstrata sweep``: the effect of the parameters of Block Fusion, on pages with ground truth."""

from __future__ import annotations

import json
from pathlib import Path

import click

from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.terminal import echo
from webstrata.evaluation.papers.sweeps import draw, read_truths

__all__ = ["command"]


@click.command("sweep", epilog="Example:  webstrata sweep pages -o out/sweep")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@options.output_folder("out/sweep")
def command(folder: Path, output: Path) -> None:
    """Sweep the parameters of Block Fusion.

    The segments are scored on pages with ground truth; Zipf's law is fitted. The parameters are thresholds, widths and
    numbers of iterations. FOLDER has HTML files with data-block attributes, or the files of the Kreuzer data set.
    """
    with progress_bars() as bars:
        reading = bar(bars, "reading pages")
        truths = read_truths(folder)
        reading(len(truths), len(truths))
        charts, figures = draw(truths, progress=bar(bars, "sweeping"))
    echo(f"{len(truths)} pages with ground truth")
    output.mkdir(parents=True, exist_ok=True)
    for name, svg in charts.items():
        (output / f"{name}.svg").write_text(svg, encoding="utf-8")
        echo(output / f"{name}.svg")
    (output / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    echo(output / "figures.json")
