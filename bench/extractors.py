"""Every extractor on WCXB: word-level F1 per page type, and milliseconds a page, beside other packages in one run.

    python bench/extractors.py --out out/extractors

Three stages with files between them: ``outputs.jsonl`` (what each gave for each page, and how long it took),
``scores.csv``, and the report. --score-only measures again without running anything. A crash or a time-out is a row
that scores zero. Running is in one process, page by page through all extractors, so that times compare; about ten
minutes, most of which the other packages take.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean, median
from typing import Any

from common import Report, in_processes
from pages import progress
from peers import PEERS
from webstrata.evaluation.datasets.wcxb import PAGE_TYPES, wcxb_pages
from webstrata.evaluation.metrics import word_score
from webstrata.extraction.base import EXTRACTORS
from webstrata.page import parse

RECIPES = ("numwords+largest-content", "numwords+main-content", "densitometric+main-content")
TIME_OUT = 30.0
PAGES = 1358


def ours(name: str) -> Callable[[bytes], str]:
    """One of our extractors from bytes to text."""
    extractor = EXTRACTORS.make(name)
    return lambda html: extractor(parse(html)).text


@contextmanager
def time_out(seconds: float) -> Iterator[None]:
    """Raise TimeoutError when the body takes longer; native code is interrupted once it returns."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def run_one(run: Callable[[bytes], str], html: bytes) -> dict[str, Any]:
    """The text, the seconds, and what went wrong, if anything."""
    started = time.perf_counter()
    try:
        with time_out(TIME_OUT):
            text, error = run(html), ""
    # Whatever another package raises is its result for this page, and is reported as such.
    except Exception as problem:
        text, error = "", f"{type(problem).__name__}: {problem}"[:200]
    return {"text": text, "seconds": time.perf_counter() - started, "error": error}


def run(outputs: Path, limit: int | None) -> None:
    """Run everything on every page and write what it gave."""
    sys.setrecursionlimit(10_000)  # some peers recurse with the depth of the page
    logging.disable(logging.ERROR)
    # The learned extractor was trained on these very pages: `flagship.py` scores it, by models that have not seen them.
    systems = {name: ours(name) for name in (*EXTRACTORS, *RECIPES) if name != "learned"} | PEERS
    with outputs.open("w") as file:
        for page in progress(wcxb_pages(), f"running {len(systems)} extractors", limit or PAGES):
            for name, extractor in systems.items():
                row = {"page": page.name, "system": name, **run_one(extractor, page.html)}
                file.write(json.dumps(row) + "\n")


def _score(task: tuple[str, str, str, list[str]]) -> list[list[Any]]:
    page, page_type, gold, outputs = task
    rows = []
    for row in map(json.loads, outputs):
        # A failure gives nothing at all, not even where nothing is what was wanted.
        f = 0.0 if row["error"] else word_score(gold, row["text"]).f
        rows.append([page, page_type, row["system"], f, row["seconds"], row["error"]])
    return rows


def score(outputs: Path, scores: Path, jobs: int) -> list[list[Any]]:
    """Measure every output against the gold text and write the scores."""
    lines = defaultdict(list)
    with outputs.open() as file:
        for line in file:
            lines[json.loads(line)["page"]].append(line)
    tasks = [(p.name, p.page_type, p.gold, lines[p.name]) for p in wcxb_pages() if p.name in lines]
    rows = [row for each in in_processes(_score, tasks, "scoring", jobs) for row in each]
    with scores.open("w", newline="") as file:
        csv.writer(file).writerows([["page", "type", "system", "f1", "seconds", "error"], *rows])
    return rows


def report(folder: Path, rows: list[list[Any]]) -> None:
    """Tables from scores."""
    by_system: dict[str, list[list[Any]]] = defaultdict(list)
    for row in rows:
        by_system[row[2]].append(row)
    out = Report(folder, "Extractors on WCXB (development pages that are not in its test set)")
    pages = len({row[0] for row in rows})
    out.say(f"{pages} pages. Mean word-level F1 over pages; median and mean milliseconds a page, from bytes to text.")
    table = []
    for name, found in sorted(by_system.items(), key=lambda item: -fmean(row[3] for row in item[1])):
        types = [[row[3] for row in found if row[1] == kind] for kind in PAGE_TYPES]
        times = [1000 * row[4] for row in found]
        failures = sum(bool(row[5]) for row in found)
        means = [f"{fmean(values):.3f}" if values else "" for values in types]
        speed = [f"{median(times):.2f}", f"{fmean(times):.2f}"]
        table.append([name, f"{fmean(row[3] for row in found):.3f}", *means, *speed, failures])
    out.table("f1", "F1", ["extractor", "all", *PAGE_TYPES, "ms (median)", "ms (mean)", "failures"], table)
    seconds = {name: fmean(row[4] for row in found) for name, found in by_system.items()}
    share = seconds["numwords"] / seconds["resiliparse"]
    out.say(
        f"From bytes to text, *numwords* takes {share:.0%} of the time of resiliparse's "
        f"`extract_plain_text(main_content=True)` in this run; the bound is 50%."
    )
    errors: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        if row[5]:
            errors[row[2], row[5].split(":")[0]] += 1
    failed = [[system, error, count] for (system, error), count in sorted(errors.items())]
    if failed:
        out.table("failures", "Failures", ["extractor", "error", "pages"], failed)
    out.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("out/extractors"), help="report folder")
    parser.add_argument("--pages", type=int, help="only so many pages, for a quick look")
    parser.add_argument("--jobs", type=int, default=2, help="processes for scoring (default: 2)")
    parser.add_argument("--score-only", action="store_true", help="measure the outputs that are there")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    outputs = options.out / "outputs.jsonl"
    if not options.score_only:
        run(outputs, options.pages)
    report(options.out, score(outputs, options.out / "scores.csv", options.jobs))


if __name__ == "__main__":
    main()
