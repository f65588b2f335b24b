"""The learned extractor beside its peers on every data set of main content, and its speed.

    python bench/flagship.py [-o out/flagship] [--pages N] [--only wcxb,reader] [--presets] [--store]

On WCXB and the suites of many-dev ours is out of fold: each page is read by the model that has not seen its host
(trained here when absent); on the other data sets it is the shipped model. A suite whose gold leaves out titles,
captions or comments is scored with the switches of ours that mean the same (`CASES`). Everything is scored by
`webstrata.evaluation`; outputs and scores are files below -o. The answers of peers are reused (--fresh runs them
again); ours are computed in every run, since the code may have changed. The full table of types, snippets and times is
in report.html.

--presets prints another table: precision, recall and F of ours with each value of ``favour``, on the same data sets.

The models without a fold are trained on WCXB, many-dev and the manuals for training, if --manuals exists
(`bench/manuals.py --training` writes it).

Speed is the best of three runs of a page on one thread, ours and resiliparse's interleaved page by page, so that other
load slows both alike.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from pages import wcxb_pages
from results import store
from webstrata.apps.cli.bars import bar, progress_bars
from webstrata.apps.cli.train import command as train
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.peers import Resiliparse
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.base import Dataset, PageInput
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.locate import data_path
from webstrata.evaluation.reports.report import write_report
from webstrata.evaluation.reports.tables import pooled_score
from webstrata.evaluation.scores import Row
from webstrata.evaluation.scoring import score
from webstrata.extraction import extract
from webstrata.page import parse

ROOT = Path(__file__).parent.parent
OURS = "webstrata"
PEERS = ("trafilatura", "resiliparse", "readability-lxml", "justext", "boilerpy3", "numwords")
PRESETS = ("precision", "balanced", "recall")
METRICS = ("words", "characters", "snippets-found", "snippets-avoided", "snippets")


@dataclass(frozen=True)
class Case:
    """A data set or a suite of many-dev, the name of ours and the options of peers on it, and its metric."""

    dataset: str
    ours: str = "learned"
    switches: dict[str, str] = field(default_factory=dict)
    metric: str = "words"
    is_suite: bool = False

    def open(self) -> Dataset:
        """The data set; a suite has the pages of its group."""
        if not self.is_suite:
            return find_dataset(self.dataset)
        whole = find_dataset("many-dev")
        items = [item for item in whole.items() if item.group == self.dataset]
        return Dataset(replace(whole.card, name=self.dataset, pages=len(items)), partial(iter, items))

    def names(self, folds: Path, *, favour: str = "") -> dict[str, str]:
        """The algorithms by the name of their row."""
        ours = self.ours.format(folds=folds)
        if favour:
            name, _, parameters = ours.rstrip(")").partition("(")
            ours = f"{name}({', '.join(filter(None, (parameters, f'favour={favour!r}')))})"
        return {OURS: ours, **{name: name + self.switches.get(name, "") for name in PEERS}}


class Score(NamedTuple):
    precision: float
    recall: float
    f: float


_NO_COMMENTS = {"trafilatura": "(comments=False)", "resiliparse": "(comments=False)"}
_COMMENTS = {"trafilatura": "(comments=True)", "resiliparse": "(comments=True)"}


def _suite(name: str, switches: str, peers: dict[str, str] = _NO_COMMENTS) -> Case:
    parameters = ", ".join(filter(None, ("folds='{folds}'", switches)))
    return Case(name, f"learned-out-of-fold({parameters})", peers, "characters", is_suite=True)


CASES = (
    Case("wcxb", "learned-out-of-fold(folds='{folds}')"),
    Case("cleaneval"),
    Case("l3s-gn1"),
    Case("cleanportaleval"),
    Case("dragnet-dev", "learned(comments=False)", _NO_COMMENTS),
    Case("dragnet-dev-comments", "learned(comments=True)", _COMMENTS),
    Case("snippets-dev", metric="snippets"),
    _suite("fundus", "title=False, captions=False"),
    _suite("articles", "title=False, captions=False"),
    _suite("reader", "title=False"),
    _suite("magic-article", ""),
    _suite("magic-forum", "comments=True", _COMMENTS),
)


def scores(case: Case, folds: Path, out: Path, pages: int | None, jobs: int, fresh: bool) -> dict[str, Score]:
    """The scores of each system: means over pages, or for snippets those of all pages together."""
    dataset, names = case.open(), case.names(folds)

    def experiment(*specs: str) -> Experiment:
        return Experiment(dataset, tuple(map(parse_spec, specs)), out, dataset.inputs, pages)

    with progress_bars() as bars:
        progress = bar(bars, f"{dataset.name}: ours")
        run(experiment(names[OURS], names["numwords"]), jobs=jobs, fresh=True, progress=progress)
        every = experiment(*names.values())
        run(every, jobs=jobs, fresh=fresh, progress=bar(bars, f"{dataset.name}: peers"))
        rows = score(every, metrics=METRICS, jobs=jobs, progress=bar(bars, f"{dataset.name}: scoring"))
    found: dict[str, list[Row]] = {name: [] for name in names}
    for row in rows:
        if row.metric == case.metric:
            found[next(name for name, spec in names.items() if spec == row.algorithm)].append(row)
    return {name: _mean(own, case.metric) for name, own in found.items()}


def _mean(rows: list[Row], metric: str) -> Score:
    if metric == "snippets":
        pooled = pooled_score(rows)
        return Score(pooled.precision, pooled.recall, pooled.f)
    return Score(*(statistics.fmean(getattr(row, part) for row in rows) for part in ("precision", "recall", "value")))


def preset_scores(case: Case, folds: Path, out: Path, pages: int | None, jobs: int) -> dict[str, Score]:
    """Precision, recall and F of ours with each preset: means over pages, or of the snippets of all pages together."""
    dataset = case.open()
    specs = {name: case.names(folds, favour=name)[OURS] for name in PRESETS}
    experiment = Experiment(dataset, tuple(map(parse_spec, specs.values())), out, dataset.inputs, pages)
    with progress_bars() as bars:
        run(experiment, jobs=jobs, fresh=True, progress=bar(bars, f"{dataset.name}: presets"))
        rows = score(experiment, metrics=METRICS, jobs=jobs, progress=bar(bars, f"{dataset.name}: scoring"))
    return {
        name: _mean([row for row in rows if row.metric == case.metric and row.algorithm == spec], case.metric)
        for name, spec in specs.items()
    }


def print_presets(found: dict[str, dict[str, Score]], console: Console) -> None:
    table = Table(
        "data set", "favour", "precision", "recall", "F", title="What the presets trade", title_justify="left"
    )
    for dataset, scores_ in found.items():
        for name, values in scores_.items():
            table.add_row(dataset if name == PRESETS[0] else "", name, *(f"{value:.3f}" for value in values))
    console.print(table)


def print_scores(found: dict[str, dict[str, Score]], console: Console) -> None:
    """A table of F, one of precision and one of recall."""
    for part, title in (
        ("f", "F1 of words (snippets-dev: of snippets)"),
        ("precision", "Precision"),
        ("recall", "Recall"),
    ):
        table = Table(title=title, title_justify="left")
        table.add_column("data set", no_wrap=True)
        for name in (OURS, *PEERS):
            table.add_column(name, justify="right")
        for dataset, values in found.items():
            table.add_row(dataset, *(f"{getattr(values[name], part):.3f}" for name in (OURS, *PEERS)))
        console.print(table)


def store_scores(found: dict[str, dict[str, Score]]) -> None:
    """Store precision, recall and F of all systems on each data set."""
    rows = [
        (dataset, *("{:.3f} ({:.3f}, {:.3f})".format(values[name].f, *values[name][:2]) for name in (OURS, *PEERS)))
        for dataset, values in found.items()
    ]
    about = "F1 of words (snippets-dev: of snippets; suites of many-dev: of characters), with precision and recall"
    store("content", about, ("data set", OURS, *PEERS), rows)


def need_folds(folds: Path, manuals: Path | None = None) -> None:
    """Train the models without a fold if there are none; this takes some minutes."""
    if not list(folds.glob("without-*.npz")):
        files = [data_path(f"{name}/{name}.parquet") for name in ("wcxb-dev", "many-dev")]
        files += [manuals] if manuals is not None and manuals.is_file() else []
        arguments = [*map(str, files), "-o", str(folds / "all.npz"), "--folds-to", str(folds)]
        train.main(arguments, standalone_mode=False)


def speed(pages: list[bytes]) -> dict[str, float]:
    """Milliseconds a page from bytes to text, and how much faster two threads and two processes are than one thread."""
    peer = Resiliparse()
    subjects: dict[str, Callable[[bytes], Any]] = {
        OURS: ours,
        "parse alone": lambda html: parse(html).text,
        "numwords": lambda html: extract(parse(html), "numwords").text,
        "resiliparse": lambda html: peer(PageInput(html)),
    }
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for html in track(pages, "speed", console=Console(stderr=True)):
        for name, subject in subjects.items():
            times[name].append(min(_seconds(subject, html) for _ in range(3)))
    result = {name: 1000 * statistics.fmean(values) for name, values in times.items()}
    one, two = _with_threads(pages, 1), _with_threads(pages, 2)
    return {**result, "two threads": one / two, "two processes": one / _with_processes(pages)}


def ours(html: bytes) -> str:
    return extract(parse(html)).text


def _seconds(subject: Callable[[bytes], Any], html: bytes) -> float:
    start = time.perf_counter()
    subject(html)
    return time.perf_counter() - start


def _with_threads(pages: list[bytes], threads: int) -> float:
    """The best time of three."""
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(ours, pages))
        best = min(best, time.perf_counter() - start)
    return best


def _with_processes(pages: list[bytes], processes: int = 2) -> float:
    """The best time of three, without the start of processes: the upper bound for code that shares nothing."""
    best = float("inf")
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        ready = context.Barrier(processes + 1)

        def work(number: int, ready: Any = ready) -> None:
            ready.wait()
            for html in pages[number::processes]:
                ours(html)
            ready.wait()

        workers = [context.Process(target=work, args=(number,)) for number in range(processes)]
        for worker in workers:
            worker.start()
        ready.wait()
        start = time.perf_counter()
        ready.wait()
        best = min(best, time.perf_counter() - start)
        for worker in workers:
            worker.join()
    return best


@click.command(help=__doc__)
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds", help="Models without a fold.")
@click.option("-o", "--output", type=click.Path(path_type=Path), default=ROOT / "out" / "flagship")
@click.option(
    "--manuals", type=click.Path(path_type=Path), default=ROOT / "out" / "manuals.parquet", help="Manuals for training."
)
@click.option("--pages", type=click.IntRange(1), help="Only the first pages of each data set.")
@click.option("--only", help="Some of the data sets.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Processes where nothing is timed.")
@click.option("--fresh", is_flag=True, help="Run the peers again.")
@click.option("--no-speed", is_flag=True, help="Only the scores.")
@click.option("--presets", is_flag=True, help="Only precision and recall of ours by preset.")
@click.option("--store", "stored", is_flag=True, help="Store the results for docs/benchmarks.md.")
def main(
    folds: Path,
    output: Path,
    manuals: Path,
    pages: int | None,
    only: str | None,
    jobs: int,
    fresh: bool,
    no_speed: bool,
    presets: bool,
    stored: bool,
) -> None:
    chosen = [each for each in CASES if only is None or each.dataset in only.split(",")]
    if any("{folds}" in each.ours for each in chosen):
        need_folds(folds, manuals)
    if presets:
        print_presets(
            {each.dataset: preset_scores(each, folds, output, pages, jobs) for each in chosen}, Console(width=100)
        )
        return
    found = {each.dataset: scores(each, folds, output, pages, jobs, fresh) for each in chosen}
    console = Console(width=140)
    print_scores(found, console)
    if stored:
        store_scores(found)
    console.print(str(write_report(output)))
    if not no_speed:
        times = speed(wcxb_pages(pages))
        listed = ", ".join(f"{name} {times[name]:.3f}" for name in (OURS, "parse alone", "numwords", "resiliparse"))
        console.print(f"milliseconds a page, interleaved: {listed}; ratio {times[OURS] / times['resiliparse']:.3f}")
        console.print(f"times faster than one thread: {times['two threads']:.2f} (two threads), "
                      f"{times['two processes']:.2f} (two processes)")  # fmt: skip


if __name__ == "__main__":
    main()
