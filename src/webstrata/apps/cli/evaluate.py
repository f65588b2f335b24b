"""``webstrata evaluate``: any algorithms on any data sets, measured."""

from __future__ import annotations

import os
from pathlib import Path

import click

from webstrata._recordings_folder import RECORDINGS
from webstrata._spelling import split
from webstrata.apps.cli import options
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.terminal import echo
from webstrata.errors import need
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.drivers import Driver, read_drivers
from webstrata.evaluation.answers.runner import TIME_LIMIT, Experiment, run
from webstrata.evaluation.datasets.catalogue import DATASETS, find_dataset
from webstrata.evaluation.measures import METRICS, known_metrics
from webstrata.evaluation.papers.kreuzer_2013 import tables
from webstrata.evaluation.reports.overlays import write_overlays
from webstrata.evaluation.reports.report import write_report
from webstrata.evaluation.scoring import score

__all__ = ["command"]

_EPILOG = "Example:  webstrata evaluate --dataset tiny --algorithm bf-plain,pagesegmenter -o out/evaluation"


@click.command("evaluate", epilog=_EPILOG)
@click.option("--dataset", "datasets", required=True, metavar="NAME[,..]",
              help=f"Data sets: {', '.join(DATASETS)}, or folders.")  # fmt: skip
@click.option(
    "--algorithm",
    "algorithms",
    required=True,
    metavar="NAME[,..]",
    help="Names of `webstrata algorithms`, as in bf-plain(theta=0.5) or numwords+largest-content; other extractors, "
    "such as trafilatura; module:function; or names in a --driver file.",
)
@click.option("--driver", "drivers", type=options.FOLDER, multiple=True, help="TOML file with external programs.")
@click.option("--input", "inputs", metavar="NAME[,..]", help="html, dom.  [default: all of a data set]")
@click.option(
    "--metric", "metrics", metavar="NAME[,..]", help=f"Some of {', '.join(METRICS)}.  [default: all that apply]"
)
@options.limited_pages
@click.option(
    "--limit", default=TIME_LIMIT, show_default=True, type=click.FloatRange(0.1), help="Processor seconds for a page."
)
@options.processes()
@options.recordings
@click.option("--retry", is_flag=True, help="Run an algorithm again on pages where it failed before.")
@click.option("--fresh", is_flag=True, help="Run everything again, such as after a change of an algorithm.")
@options.output_folder("out/evaluation")
def command(
    datasets: str,
    algorithms: str,
    drivers: tuple[Path, ...],
    inputs: str | None,
    metrics: str | None,
    pages: int | None,
    limit: float,
    jobs: int,
    recordings: Path | None,
    retry: bool,
    fresh: bool,
    output: Path,
) -> None:
    """Run algorithms on data sets, and score their results.

    The report is written to the output folder.

    An interrupted run continues when it is repeated; existing answers are scored again, but not computed again.
    """
    need("eval", "pyarrow", "scipy")
    if recordings is not None:
        os.environ[RECORDINGS] = str(recordings)  # read by the worker processes
    programs: dict[str, Driver] = {}
    for path in drivers:
        programs |= read_drivers(path)
    wanted = known_metrics(split(metrics)) if metrics else None
    experiments = []
    for name in split(datasets):
        dataset = find_dataset(name)
        chosen = tuple(split(inputs)) if inputs else dataset.inputs
        segments = dataset.card.has_only_segments
        specs = tuple(dict.fromkeys(parse_spec(name, programs, segments=segments) for name in split(algorithms)))
        experiments.append(Experiment(dataset, specs, output, chosen, pages))
    output.mkdir(parents=True, exist_ok=True)
    with progress_bars() as bars:
        for experiment in experiments:
            name = experiment.dataset.name
            try:
                progress = bar(bars, f"{name}: running")
                new = run(experiment, jobs=jobs, limit=limit, retry=retry, fresh=fresh, progress=progress)
            except KeyboardInterrupt:
                raise click.ClickException(f"stopped: repeat the command to continue ({output})") from None
            rows = score(experiment, metrics=wanted, jobs=jobs, progress=bar(bars, f"{name}: scoring"))
            write_overlays(experiment, rows)
            bars.console.print(f"{name}: {new} new answers of {experiment.total}, {len(rows)} scores")
    echo(write_report(output, papers=(tables,)))
