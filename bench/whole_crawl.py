"""A generated crawl of many hosts through every step: time, memory and bytes of each, for growing numbers of pages.

    python bench/whole_crawl.py 1000 10000 100000 [--hosts 2000] [--jobs 2] [--spark] [--work DIR] [--store]

Sizes of hosts follow a power law. The pages of a host share a menu, a side bar and a footer; each has an article with
links within its host and to others, and one page in twenty is a copy of another host's article. The steps are commands
of `webstrata`, each in a process of its own. Printed are processor time and time by the clock for each page, the memory
of the largest process, and the bytes that were written for each page. With --spark, steps that can run on Spark do
(``PYSPARK_SUBMIT_ARGS`` may name a cluster), and bytes that were shuffled are printed as well.

With two sizes or more, what a further page costs between the two largest, times the pages of one snapshot of Common
Crawl, is printed as a plan: starting up does not count there, and whatever grows faster than the pages would show.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from results import store

_FILE = 2_000
# Pages of a snapshot of Common Crawl.
_SNAPSHOT = 2_600_000_000
_VOCABULARY = 20_000
_COPIES = 0.05
_STEPS = {
    "extract": "run extract crawl -o text",
    "links": "run links crawl -o links",
    "graph": "links build links -o graph",
    "ranks": "links rank graph -o ranks",
    "sites": "site learn crawl -o site",
    "duplicates": "duplicates crawl -o duplicates",
    "search rows": "run search crawl -o rows --site site",
    "index": "search index rows -o index --graph graph --ranks ranks",
}
# Ranks of one graph are swept faster on one machine.
_LOCAL = ("ranks",)


def write_pages(folder: Path, count: int, hosts: int) -> None:
    """Write the crawl as JSON lines, pages of all hosts mixed."""
    folder.mkdir()
    chance = random.Random(count)
    share = 1 / np.arange(1, hosts + 1)
    sizes = np.maximum(np.round(share / share.sum() * count).astype(int), 1).tolist()
    places = [(host, number) for host, size in enumerate(sizes) for number in range(size)][:count]
    chance.shuffle(places)
    for first in range(0, len(places), _FILE):
        with (folder / f"{first:09}.jsonl").open("w", encoding="utf-8") as stream:
            for host, number in places[first : first + _FILE]:
                stream.write(json.dumps(_page(host, number, sizes, chance)) + "\n")


def _page(host: int, number: int, sizes: list[int], chance: random.Random) -> dict[str, str]:
    copied = chance.random() < _COPIES
    words = random.Random(chance.randrange(100) if copied else f"{host} {number}")
    paragraphs = [" ".join(_words(words, words.randrange(20, 90))) for _ in range(words.randrange(3, 9))]
    near = "".join(f"<li><a href={_url(host, chance.randrange(sizes[host]))}>{' '.join(_words(words, 3))}</a>"
                   for _ in range(6))  # fmt: skip
    other = min(int(len(sizes) * chance.random() ** 3), len(sizes) - 1)
    menu = "".join(f"<li><a href={_url(host, page)}>Section {page}</a>" for page in range(min(8, sizes[host])))
    body = "".join(f"<p>{text.capitalize()}.</p>" for text in paragraphs)
    html = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{paragraphs[0][:40]}</title>"
        f"<div class=h{host % 7}><ul class=menu>{menu}</ul></div><main><h1>{paragraphs[0][:40]}</h1>{body}"
        f"<p>See <a href={_url(other, 0)}>host {other}</a>.</main><aside><h3>Read also</h3><ul>{near}</ul></aside>"
        f"<footer><p>All rights of host {host} reserved, terms of use apply.</p></footer></html>"
    )
    return {"url": _url(host, number), "html": html}


def _words(chance: random.Random, count: int) -> list[str]:
    return [f"w{int(_VOCABULARY * chance.random() ** 3)}" for _ in range(count)]


def _url(host: int, number: int) -> str:
    return f"http://host{host}.example.org/" + (f"page{number}.html" if number else "")


def run(words: list[str], folder: Path) -> tuple[float, float, float]:
    """Run a command; returns its processor time, time by the clock, and the bytes of its largest process."""
    started = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "webstrata", *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise SystemExit(f"{' '.join(words)} failed:\n{errors.read().decode()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, time.perf_counter() - started, usage.ru_maxrss * 1024.0


def shuffled(log: Path) -> int:
    """The bytes that tasks of Spark wrote for shuffles, from its event logs, which are deleted."""
    total = 0
    for path in [path for path in log.rglob("*") if path.is_file()]:
        for line in path.read_text(encoding="utf-8").splitlines():
            if '"SparkListenerTaskEnd"' in line:
                metrics = json.loads(line).get("Task Metrics") or {}
                total += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
        path.unlink()
    return total


class Cost(NamedTuple):
    """What a step took for all pages: seconds of the processor and by the clock, bytes of its largest process, bytes
    written and, on Spark, shuffled."""

    processor: float
    clock: float
    memory: float
    written: float
    moved: float


def steps(options: argparse.Namespace) -> Iterator[tuple[str, list[str]]]:
    for name, line in _STEPS.items():
        more = ["--jobs", str(options.jobs)] if name != "ranks" else []
        yield name, [*line.split(), *more, *(["--engine", "spark"] if options.spark and name not in _LOCAL else [])]


def measure(folder: Path, count: int, options: argparse.Namespace) -> dict[str, Cost]:
    """Run all steps over a new crawl of so many pages."""
    hosts = min(options.hosts, max(count // 20, 1))
    write_pages(folder / "crawl", count, hosts)
    read = size_of(folder / "crawl")
    print(f"{count:,} pages of {hosts:,} hosts, {read / count:,.0f} bytes each", flush=True)
    log = folder / "events"
    log.mkdir()
    os.environ["SPARK_CONF_DIR"] = str(folder / "conf")
    (folder / "conf").mkdir()
    settings = f"spark.eventLog.enabled true\nspark.eventLog.dir file://{log}\nspark.eventLog.compress false\n"
    (folder / "conf/spark-defaults.conf").write_text(settings)
    found = {}
    for name, words in steps(options):
        used = run(words, folder)
        written = size_of(folder / words[words.index("-o") + 1])
        found[name] = cost = Cost(*used, written, shuffled(log) if options.spark else 0)
        moved = f"{cost.moved / count:>12,.0f}" if options.spark else ""
        print(f"{name:>12} {1000 * cost.processor / count:>10.2f} {1000 * cost.clock / count:>10.2f}"
              f" {cost.memory / 2**20:>10,.0f} {written / count:>10,.0f}{moved}", flush=True)  # fmt: skip
    return found


def growth_rows(found: dict[int, dict[str, Cost]], *, spark: bool) -> Iterator[list[str]]:
    """For each step, its costs a page at each size, divided by strokes."""

    def cells(step: str, value: str, unit: float, each: bool, form: str) -> str:
        amounts = {size: getattr(costs[step], value) * unit / (size if each else 1) for size, costs in found.items()}
        return " / ".join(format(amount, form) for amount in amounts.values())

    for step in next(iter(found.values())):
        row = [step, cells(step, "processor", 1e3, True, ".1f"), cells(step, "memory", 2.0**-20, False, ",.0f"),
               cells(step, "written", 1, True, ",.0f")]  # fmt: skip
        yield row + ([cells(step, "moved", 1, True, ",.0f")] if spark else [])


def plan_rows(found: dict[int, dict[str, Cost]], *, spark: bool) -> Iterator[list[str]]:
    """For each step, and for all, what a snapshot of Common Crawl would take by the cost of a further page."""
    (few, less), (many, more) = sorted(found.items())[-2:]
    totals = np.zeros(3)
    for step in more:
        ends = (np.array([costs[step].processor / 3600, costs[step].written / 1e12, costs[step].moved / 1e12])
                for costs in (less, more))  # fmt: skip
        first, last = ends
        amounts = np.maximum(last - first, 0) / (many - few) * _SNAPSHOT
        totals += amounts
        yield _plan_row(step, amounts, spark)
    yield _plan_row("all", totals, spark)


def _plan_row(name: str, amounts: np.ndarray, spark: bool) -> list[str]:
    row = [name, f"{amounts[0]:,.0f}", f"{amounts[1]:.2f}"]
    return row + ([f"{amounts[2]:.2f}"] if spark else [])


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=int)
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--work", type=Path, help="where to put the files, by default the folder for temporary files")
    parser.add_argument("--store", action="store_true", help="write the results to docs/benchmarks.json")
    options = parser.parse_args()
    head = f"{'':>12} {'CPU ms':>10} {'clock ms':>10} {'MB':>10} {'bytes':>10}"
    print(head + (f"{'shuffled':>12}" if options.spark else ""))
    found = {}
    for count in sorted(options.pages):
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            found[count] = measure(Path(folder).resolve(), count, options)
    report(found, options)


def report(found: dict[int, dict[str, Cost]], options: argparse.Namespace) -> None:
    """Print the plan, and store both tables."""
    sizes = " / ".join(f"{count:,}" for count in found)
    name, where = ("whole-crawl-spark", "on Spark") if options.spark else ("whole-crawl", "on one machine")
    more = ["bytes shuffled a page"] if options.spark else []
    rows = list(growth_rows(found, spark=options.spark))
    headings = ["step", "CPU ms a page", "MB of the largest process", "bytes written a page", *more]
    if options.store:
        store(name, f"Crawls of {sizes} generated pages {where}", headings, rows)
    if len(found) > 1:
        plan = list(plan_rows(found, spark=options.spark))
        columns = ["step", "core-hours", "TB written", *(["TB shuffled"] if options.spark else [])]
        for row in [columns, *plan]:
            print("".join(f"{cell:>16}" for cell in row))
        if options.store:
            about = f"{_SNAPSHOT / 1e9:.1f} billion pages like these {where}, by the cost of a further page"
            store(f"{name}-plan", about, columns, plan)


if __name__ == "__main__":
    main()
