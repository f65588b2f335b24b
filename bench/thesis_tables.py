"""The tables of Kreuzer 2013, chapters 7 and 8, for every segmenter that exists: ours beside the thesis's.

    python bench/thesis_tables.py                  into out/thesis; the second run only scores

Reads the data from WEBSTRATA_DATA, or ../shared/data beside the project. What is written is what ``webstrata evaluate``
writes: outputs, scores, tables and report.html.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import parse_spec, split_names
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.locate import data_path
from webstrata.evaluation.metrics.scores import Row
from webstrata.evaluation.metrics.scoring import score
from webstrata.evaluation.papers.kreuzer import thesis_anova, thesis_tables
from webstrata.evaluation.reports.formats import text_lines
from webstrata.evaluation.reports.overlays import write_overlays
from webstrata.evaluation.reports.report import write_report
from webstrata.evaluation.reports.tables import Table
from webstrata.segmentation import SEGMENTERS

DATASETS = ("kreuzer-random", "kreuzer-popular")
METRICS = ("exact-thesis", "fuzzy-thesis", "exact-mapped", "fuzzy-mapped", "exact", "fuzzy", "adjusted-rand", "nmi")


def show(console: Console, table: Table) -> None:
    drawn = RichTable(title=table.title, title_justify="left")
    for number, name in enumerate(table.header):
        drawn.add_column(name, justify="right" if number else "left")
    for line in text_lines(table):
        drawn.add_row(*line)
    console.print(drawn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "-o", "--out", type=Path, default=Path("out/thesis"), help="report folder (default: out/thesis)"
    )
    parser.add_argument("--algorithm", default=",".join(SEGMENTERS), help="segmenters (default: all)")
    parser.add_argument("--pages", type=int, help="only so many pages of each data set, for a quick look")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: all cores)")
    options = parser.parse_args()
    try:
        data_path("kreuzer")
    except InputError as error:
        parser.exit(0, f"{error}\n")
    specs = tuple(parse_spec(name) for name in split_names(options.algorithm))
    rows: list[Row] = []
    started, used = time.perf_counter(), os.times()
    with progress_bars() as bars:
        for name in DATASETS:
            dataset = find_dataset(name)
            experiment = Experiment(dataset, specs, options.out, dataset.inputs, options.pages)
            run(experiment, jobs=options.jobs, progress=bar(bars, f"{name}: asking"))
            found = score(experiment, metrics=METRICS, jobs=options.jobs, progress=bar(bars, f"{name}: scoring"))
            write_overlays(experiment, found)
            rows += found
    console = Console(width=150)
    for table in (*thesis_tables(rows), *thesis_anova(rows)):
        show(console, table)
    print(write_report(options.out))
    now = os.times()
    cpu = now.user + now.system + now.children_user + now.children_system
    cpu -= used.user + used.system + used.children_user + used.children_system
    print(f"{time.perf_counter() - started:.1f} s, {cpu:.1f} s of processor time, {options.jobs} processes")


if __name__ == "__main__":
    main()
