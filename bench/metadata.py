"""Title, author and date against the gold fields of WCXB, beside trafilatura's, in one run.

    python bench/metadata.py [-o out/metadata] [--pages N] [--errors title|author|date] [--alone]

Only pages with the gold field are scored; a missing and a wrong value count the same. Pages are split by host into a
half whose errors were inspected during development (tuned) and one whose errors were not (unseen).
"""

from __future__ import annotations

import hashlib
import statistics
from pathlib import Path
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.table import Table

from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.metrics.fields import FIELDS
from webstrata.evaluation.scoring import score

HALVES = ("tuned", "unseen")


def half(url: str | None) -> str:
    host = urlsplit(url or "").hostname or ""
    return HALVES[int(hashlib.md5(host.encode()).hexdigest(), 16) % 2]


@click.command(help=__doc__)
@click.option("-o", "--output", type=click.Path(path_type=Path), default=Path("out/metadata"))
@click.option("--pages", type=click.IntRange(1), help="Only the first pages.")
@click.option("--errors", type=click.Choice(FIELDS), help="Show our errors in one field, on the tuned half alone.")
@click.option("--alone", is_flag=True, help="Leave trafilatura out.")
@click.option("--jobs", default=1, show_default=True, help="Processes; times compare with one.")
def main(output: Path, pages: int | None, errors: str | None, alone: bool, jobs: int) -> None:
    names = ("metadata",) if alone else ("metadata", "trafilatura-metadata")
    dataset = find_dataset("wcxb")
    experiment = Experiment(dataset, tuple(map(parse_spec, names)), output, dataset.inputs, pages)
    with progress_bars() as bars:
        ours = Experiment(dataset, experiment.specs[:1], output, dataset.inputs, pages)
        run(ours, jobs=jobs, fresh=True, progress=bar(bars, "ours"))
        run(experiment, jobs=jobs, progress=bar(bars, "running"))
        rows = score(experiment, metrics=FIELDS, progress=bar(bars, "scoring"))
    items = {item.name: item for item in dataset.items(pages)}
    halves = {name: half(item.inputs["html"].url) for name, item in items.items()}
    if errors is not None:
        for row in rows:
            if (row.algorithm, row.metric, halves[row.page]) == ("metadata", errors, "tuned") and not row.value:
                found = experiment.answers[experiment.specs[0]][row.page, row.input].fields or {}
                print(row.page, repr(items[row.page].gold.fields[errors]), repr(found.get(errors)))
    table = Table("reader", *(f"{field}, {part}" for field in FIELDS for part in HALVES), "ms a page")
    groups = [(field, part) for field in FIELDS for part in HALVES]

    def values(name: str, field: str, part: str) -> list[float]:
        return [row.value for row in rows if (row.algorithm, row.metric, halves[row.page]) == (name, field, part)]

    for name in names:
        times = {row.page: row.seconds for row in rows if row.algorithm == name}
        shares = (f"{statistics.fmean(values(name, *group) or [0.0]):.3f}" for group in groups)
        table.add_row(name, *shares, f"{1000 * statistics.fmean(times.values()):.2f}")
    table.add_row("pages", *(str(len(values("metadata", *group))) for group in groups), "")
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
