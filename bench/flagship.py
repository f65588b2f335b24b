"""The learned extractor beside its peers: words, snippets and time, over all pages of WCXB in one run.

    python bench/flagship.py [DATASET] [--folds out/folds] [--out out/flagship] [--sample N]

Ours are out-of-fold scores: each page is read by the model that has not seen its host (`webstrata train ...
--folds-to out/folds` makes those; they are trained here when absent). Peers' texts are kept under --out, so that
scoring again does not run them again; --fresh runs them. Times are the best of a page's three runs on one thread, ours
and resiliparse's interleaved page by page, so that whatever else the machine does slows both alike.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from peers import PEERS
from webstrata.evaluation.metrics.words import snippets, word_score
from webstrata.extraction.learned.extractor import Learned
from webstrata.extraction.learned.model import PAGE_TYPES
from webstrata.page import parse
from webstrata.training.samples import fold_of, prepare, read_dataset
from webstrata.training.training import train

ROOT = Path(__file__).parent.parent
DATA = Path(os.environ.get("WEBSTRATA_DATA") or ROOT.parent / "shared" / "data")
OURS = "webstrata"
Extract = Callable[[bytes], str]


def attempt(extract: Extract, html: bytes) -> tuple[str, str]:
    """The text and the error of an extractor; an error is a row that scores zero and says so."""
    try:
        return extract(html), ""
    except Exception as error:
        return "", f"{type(error).__name__}: {error}"[:200]


def run_peer(name: str, extract: Extract, pages: list[Any], out: Path, fresh: bool) -> list[dict[str, Any]]:
    """A peer's texts and times, from the file of an earlier run where there is one."""
    file = out / f"{name}.jsonl"
    if file.exists() and not fresh:
        rows = {row["name"]: row for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())}
        if all(page.name in rows for page in pages):
            return [rows[page.name] for page in pages]
    found = []
    for page in track(pages, name, console=Console(stderr=True)):
        start = time.perf_counter()
        text, error = attempt(extract, page.html)
        found.append({"name": page.name, "text": text, "error": error, "seconds": time.perf_counter() - start})
    file.write_text("\n".join(json.dumps(row) for row in found) + "\n", encoding="utf-8")
    return found


def fold_models(folds: Path, dataset: Path) -> dict[int, Learned]:
    """The extractors whose models have not seen a fold; trained when they are not there."""
    if not list(folds.glob("without-*.npz")):
        folds.mkdir(parents=True, exist_ok=True)
        samples = [prepare(page) for page in track(read_dataset(dataset), "labelling", console=Console(stderr=True))]
        trained = train(samples, workers=2, progress=Console(stderr=True).print)
        for fold, model in trained.without.items():
            model.save(folds / f"without-{fold}.npz")
    return {int(file.stem.rpartition("-")[2]): Learned(model=str(file)) for file in folds.glob("without-*.npz")}


def ours(extractors: dict[int, Learned], page: Any) -> str:
    """Our text of a page, as users get it, by the model that has not seen its host."""
    return extractors[fold_of(page)](parse(page.html)).text


def speed(pages: list[Any]) -> dict[str, Any]:
    """Milliseconds a page, bytes to text, beside resiliparse and trafilatura; two threads beside one."""
    extract = Learned()
    subjects: dict[str, Extract] = {
        OURS: lambda html: extract(parse(html)).text,
        "parse alone": lambda html: parse(html).text,
        "resiliparse": PEERS["resiliparse"],
    }
    times: dict[str, list[float]] = {name: [] for name in subjects}
    for page in track(pages, "speed", console=Console(stderr=True)):
        for name, subject in subjects.items():
            runs = []
            for _ in range(3):
                start = time.perf_counter()
                attempt(subject, page.html)
                runs.append(time.perf_counter() - start)
            times[name].append(min(runs))
    result: dict[str, Any] = {name: 1000 * statistics.fmean(values) for name, values in times.items()}
    times_of, texts = zip(*(_with_threads(extract, pages, threads) for threads in (1, 2)), strict=True)
    result["two threads"] = times_of[0] / times_of[1]
    result["two processes"] = times_of[0] / _with_processes(extract, pages)
    return {**result, "deterministic": texts[0] == texts[1]}


def _with_threads(extract: Learned, pages: list[Any], threads: int) -> tuple[float, list[str]]:
    """The best time of three, and the texts."""
    best, texts = float("inf"), []
    for _ in range(3):
        start = time.perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            texts = list(pool.map(lambda page: extract(parse(page.html)).text, pages))
        best = min(best, time.perf_counter() - start)
    return best, texts


def _with_processes(extract: Learned, pages: list[Any], processes: int = 2) -> float:
    """The best time of three, without that of starting: what the machine can give to code that shares nothing."""
    best = float("inf")
    context = multiprocessing.get_context("fork")
    for _ in range(3):
        ready = context.Barrier(processes + 1)

        def work(number: int, ready: Any = ready) -> None:
            ready.wait()
            for page in pages[number::processes]:
                extract(parse(page.html)).text  # noqa: B018 (reading it makes it)
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


def score(pages: list[Any], rows: list[dict[str, Any]], wanted: dict[str, Any]) -> dict[str, Any]:
    """Mean precision, recall and F1 by page type, and shares of snippets."""
    scores = [word_score(page.content, row["text"]) for page, row in zip(pages, rows, strict=True)]
    result: dict[str, Any] = {}
    for kind in ("all", *PAGE_TYPES):
        chosen = [s for page, s in zip(pages, scores, strict=True) if kind in ("all", page.page_type)]
        if chosen:
            result[kind] = [float(np.mean([getattr(s, part) for s in chosen])) for part in ("f", "precision", "recall")]
    found = [snippets(row["text"], *wanted[page.name]) for page, row in zip(pages, rows, strict=True)]
    result["with"] = sum(s.found for s in found) / max(sum(s.wanted for s in found), 1)
    result["without"] = sum(s.avoided for s in found) / max(sum(s.unwanted for s in found), 1)
    result["errors"] = sum(bool(row["error"]) for row in rows)
    result["ms"] = 1000 * statistics.fmean(row["seconds"] for row in rows)
    return result


def read_snippets(dataset: Path) -> dict[str, Any]:
    import pyarrow.parquet as parquet

    files = sorted(dataset.glob("*.parquet")) if dataset.is_dir() else [dataset]
    rows = [
        row for file in files for row in parquet.read_table(file, columns=["file_id", "with", "without"]).to_pylist()
    ]
    return {row["file_id"]: (row["with"] or [], row["without"] or []) for row in rows}


def show(results: dict[str, dict[str, Any]], times: dict[str, Any]) -> None:
    console = Console(width=160)
    table = Table(title="F1 of words, mean over pages")
    for heading in ("", "all", "precision", "recall", *PAGE_TYPES, "with", "without", "errors", "ms"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, result in results.items():
        kinds = [f"{result[kind][0]:.3f}" if kind in result else "-" for kind in PAGE_TYPES]
        shares = [f"{result['with']:.3f}", f"{result['without']:.3f}", str(result["errors"]), f"{result['ms']:.2f}"]
        table.add_row(name, *(f"{value:.3f}" for value in result["all"]), *kinds, *shares)
    console.print(table)
    ratio = times[OURS] / times["resiliparse"]
    console.print(
        f"interleaved, ms a page: {OURS} {times[OURS]:.3f} (parse alone {times['parse alone']:.3f}), resiliparse "
        f"{times['resiliparse']:.3f}: ratio {ratio:.3f}; two threads {times['two threads']:.2f} times one "
        f"(two processes {times['two processes']:.2f}); "
        f"same text on both: {times['deterministic']}"
    )


@click.command(help=__doc__)
@click.argument("dataset", type=click.Path(path_type=Path), default=DATA / "wcxb-dev")
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out" / "folds")
@click.option("--out", type=click.Path(path_type=Path), default=ROOT / "out" / "flagship")
@click.option("--sample", type=int, help="Only so many pages, evenly spread.")
@click.option("--fresh", is_flag=True, help="Run the peers again.")
def main(dataset: Path, folds: Path, out: Path, sample: int | None, fresh: bool) -> None:
    out.mkdir(parents=True, exist_ok=True)
    extractors = fold_models(folds, dataset)
    pages = read_dataset(dataset)
    if sample is not None:
        pages = pages[:: max(len(pages) // sample, 1)]
    wanted = read_snippets(dataset)
    rows = []
    for page in track(pages, OURS, console=Console(stderr=True)):
        start = time.perf_counter()
        text = ours(extractors, page)
        rows.append({"name": page.name, "text": text, "error": "", "seconds": time.perf_counter() - start})
    results = {OURS: score(pages, rows, wanted)}
    for name, extract in PEERS.items():
        results[name] = score(pages, run_peer(name, extract, pages, out, fresh), wanted)
    times = speed(pages)
    (out / "results.json").write_text(json.dumps({"scores": results, "speed": times}, indent=1), encoding="utf-8")
    show(results, times)


if __name__ == "__main__":
    main()
