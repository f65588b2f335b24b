"""A generated crawl of many hosts through every step: time, memory and bytes of each, for growing numbers of pages.

    python bench/whole_crawl.py 1000 10000 100000 [--hosts 2000] [--jobs 2] [--spark] [--work DIR]

Sizes of hosts follow a power law. The pages of a host share a menu, a side bar and a footer; each has an article with
links within its host and to others, and one page in twenty is a copy of another host's article. The steps are commands
of `webstrata`, each in a process of its own. Printed are processor time and time by the clock for each page, the memory
of the largest process, and the bytes that were written for each page. With --spark, steps that can run on Spark do
(``PYSPARK_SUBMIT_ARGS`` may name a cluster), and bytes that were shuffled are printed as well.
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

import numpy as np

_FILE = 2_000
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


def steps(options: argparse.Namespace) -> Iterator[tuple[str, list[str]]]:
    for name, line in _STEPS.items():
        more = ["--jobs", str(options.jobs)] if name != "ranks" else []
        yield name, [*line.split(), *more, *(["--engine", "spark"] if options.spark and name not in _LOCAL else [])]


def measure(folder: Path, count: int, options: argparse.Namespace) -> None:
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
    for name, words in steps(options):
        processor, clock, memory = run(words, folder)
        written = size_of(folder / words[words.index("-o") + 1])
        moved = f"{shuffled(log) / count:>12,.0f}" if options.spark else ""
        print(f"{name:>12} {1000 * processor / count:>10.2f} {1000 * clock / count:>10.2f} {memory / 2**20:>10,.0f}"
              f" {written / count:>10,.0f}{moved}", flush=True)  # fmt: skip


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="+", type=int)
    parser.add_argument("--hosts", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--work", type=Path, help="where to put the files, by default the folder for temporary files")
    options = parser.parse_args()
    head = f"{'':>12} {'CPU ms':>10} {'clock ms':>10} {'MB':>10} {'bytes':>10}"
    print(head + (f"{'shuffled':>12}" if options.spark else ""))
    for count in options.pages:
        with tempfile.TemporaryDirectory(dir=options.work) as folder:
            measure(Path(folder).resolve(), count, options)


if __name__ == "__main__":
    main()
