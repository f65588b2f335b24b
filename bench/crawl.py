"""Whole crawls, from WARC to Parquet: speed beside other extractors, memory, and what Spark adds.

All numbers come from one archive of WCXB pages, repeated as needed. Pages a second are measured by the clock from start
to end; processor time is that of all processes together, which depends least on other load. Cases take turns, and the
best of several rounds counts.

    python bench/crawl.py [--pages 2000] [--rounds 3] [--memory-pages 100000] [--only plain|speed|memory|spark]

plain    the same work as a plain loop without guard, resumption or counts: fastwarc, extract, metadata, pyarrow
speed    each extractor in the same harness, on 1 and on 2 processes
memory   one stream of --memory-pages pages; the memory of all processes, sampled over the run
spark    processor time a page beside local processes, from runs of two sizes, so that starting up does not count
"""

from __future__ import annotations

import argparse
import gzip
import multiprocessing
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import IO

import webstrata
from crawl_steps import Peer
from pages import wcxb_pages
from webstrata.crawls import CrawlStep, Extract, Job, Summary, find_inputs
from webstrata.extraction import EXTRACTORS

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
OUT = Path("out/bench/crawl")


def record(number: int, html: bytes) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html
    header = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/{number}\r\n"
        f"WARC-Payload-Digest: sha1:{number:032}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return header.encode() + http + b"\r\n\r\n"


def archive(pages: int) -> Path:
    """A WARC file with this number of pages, written once."""
    path = OUT / f"{pages}.warc.gz"
    if not path.exists():
        OUT.mkdir(parents=True, exist_ok=True)
        source = wcxb_pages()
        hidden = path.with_suffix(".tmp")
        with hidden.open("wb") as stream:
            for number in range(pages):
                stream.write(gzip.compress(record(number, source[number % len(source)]), 6))
        hidden.rename(path)
    return path


def processes(root: int) -> list[int]:
    """A process and all its descendants."""
    found = [root]
    for pid in found:
        try:
            children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        except OSError:
            continue
        found += [int(child) for child in children]
        for thread in Path(f"/proc/{pid}/task").iterdir():
            if thread.name != str(pid):
                found += [int(child) for child in (thread / "children").read_text().split()]
    return found


def cpu_seconds(root: int) -> float:
    """Processor time of a process and its descendants, those included that have ended."""
    ticks = 0
    for pid in processes(root):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS


def memory_bytes(root: int) -> int:
    """The memory of all processes together; shared memory counts for each."""
    total = 0
    for pid in processes(root):
        try:
            total += int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
        except OSError:
            continue
    return total


def timed(run: Callable[[], Summary]) -> tuple[Summary, float, float]:
    """A result, its seconds by the clock, and its seconds of processor time."""
    clock, cpu = time.perf_counter(), cpu_seconds(os.getpid())
    summary = run()
    return summary, time.perf_counter() - clock, cpu_seconds(os.getpid()) - cpu


def job(path: Path, step: CrawlStep) -> Job:
    output = OUT / "rows"
    shutil.rmtree(output, ignore_errors=True)
    return Job(inputs=tuple(find_inputs([str(path)])), step=step, output=output)


@dataclass(frozen=True)
class Cost:
    """Pages that a run over the whole archive wrote, its seconds by the clock, and the CPU ms of a further page."""

    written: int
    clock: float
    ms: float


def costs(runs: Sequence[Callable[[Path], Summary]], pages: int, rounds: int) -> list[Cost]:
    """The cost of each run, from the best of several rounds in which they take turns.

    What a further page costs is the difference to a run over a quarter, so that starting processes does not count.
    """
    fewer = max(1, pages // 4)
    archives = [archive(fewer), archive(pages)]
    found = [[[timed(partial(run, path)) for path in archives] for run in runs] for _ in range(rounds)]
    result = []
    for number in range(len(runs)):
        small, large = zip(*(each[number] for each in found), strict=True)
        (_, _, least), (_, _, most) = (min(times, key=itemgetter(2)) for times in (small, large))
        clock = min(clock for _, clock, _ in large)
        result.append(Cost(large[0][0].written, clock, (most - least) / (pages - fewer) * 1e3))
    return result


def speed(pages: int, rounds: int) -> None:
    print(f"{pages} pages, {archive(pages).stat().st_size / 1e6:.0f} MB of WARC.gz")
    steps: dict[str, CrawlStep] = {f"webstrata {name}": Extract(algorithm=name) for name in extractors_here()}
    steps |= {name: Peer(name=name) for name in ("resiliparse", "trafilatura")}
    for jobs in (1, 2):
        found = costs([partial(run_local, step, jobs) for step in steps.values()], pages, rounds)
        ours = found[0]
        for name, cost in zip(steps, found, strict=True):
            print(
                f"{name:22} {jobs} jobs  {pages / cost.clock:6.0f} pages/s ({ours.clock / cost.clock:4.2f} of ours)  "
                f"{cost.ms:6.2f} CPU ms for a further page ({cost.ms / ours.ms:5.2f} of ours)  {cost.written} written",
                flush=True,
            )


def plain(pages: int, rounds: int) -> None:
    """The overhead of `run extract` (limits, reader, shards) over a plain loop that does the same work."""
    for jobs in (1, 2):
        loop, ours = costs([partial(plain_loop, jobs), partial(run_local, Extract(), jobs)], pages, rounds)
        print(
            f"{jobs} jobs: plain loop {loop.ms:.2f} CPU ms for a further page, run extract {ours.ms:.2f}"
            f" ({ours.ms / loop.ms:.2f});"
            f" all pages by the clock {loop.clock:.1f} s and {ours.clock:.1f} s ({ours.clock / loop.clock:.2f})",
            flush=True,
        )


def plain_loop(jobs: int, path: Path) -> Summary:
    """Each process takes every n-th record and writes a file of its own."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=plain_work, args=(path, number, jobs)) for number in range(jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return Summary(0, 0, {})


def plain_work(path: Path, number: int, jobs: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from fastwarc import ArchiveIterator, WarcRecordType

    rows = []
    for place, found in enumerate(ArchiveIterator(path.open("rb"), record_types=WarcRecordType.response)):
        if place % jobs == number:
            url = found.headers.get("WARC-Target-URI")
            extraction = webstrata.extract(found.reader.read(), url=url)
            rows.append({**extraction.metadata.as_dict(), "url": url, "text": extraction.text})
    pq.write_table(pa.Table.from_pylist(rows), OUT / f"plain-{number}.parquet", compression="zstd")


def run_local(step: CrawlStep, jobs: int, path: Path) -> Summary:
    return job(path, step).run(jobs=jobs)


def extractors_here() -> list[str]:
    """The default, the cheapest and the classic extractor, as far as this version has them."""
    return [name for name in dict.fromkeys((Extract().algorithm, "keep-all", "numwords")) if name in set(EXTRACTORS)]


def memory(pages: int, archive_pages: int) -> None:
    """One stream, fed by a pipe, so that no worker is ever started again."""
    path = archive(archive_pages)
    output = OUT / "rows"
    shutil.rmtree(output, ignore_errors=True)
    command = [sys.executable, "-m", "webstrata", "run", "extract", "-", "-o", str(output), "--jobs", "2"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    assert process.stdin is not None
    feeder = threading.Thread(target=feed, args=[process.stdin, path, -(-pages // archive_pages)])
    feeder.start()
    samples: list[int] = []
    start = time.perf_counter()
    while process.poll() is None:
        samples.append(memory_bytes(process.pid))
        time.sleep(0.5)
    feeder.join()
    seconds = time.perf_counter() - start
    tenth = max(1, len(samples) // 10)
    parts = [max(samples[i : i + tenth]) / 2**20 for i in range(0, len(samples) - tenth + 1, tenth)]
    print(f"{pages} pages in {seconds:.0f} s; peak MB of all processes in each tenth of the run:")
    print(" ".join(f"{part:.0f}" for part in parts))
    ends = max(parts[-2:]) / max(parts[1:3])
    print(f"the end holds {ends:.2f} of the beginning", flush=True)


def feed(stream: IO[bytes], path: Path, times: int) -> None:
    with stream, path.open("rb") as source:
        for _ in range(times):
            source.seek(0)
            shutil.copyfileobj(source, stream, 2**20)


def spark(pages: int, rounds: int) -> None:
    from webstrata.crawls.running.spark import run_job, session

    _, clock, cpu = timed(lambda: Summary(session(jobs=2).range(1).count(), 0, {}))
    print(f"Spark starts in {clock:.1f} s ({cpu:.1f} CPU s)")
    run_job(job(archive(max(1, pages // 4)), Extract()))  # pays for what Java loads and compiles once
    names = ("local", "spark")
    found = costs([partial(run_local, Extract(), 1), lambda path: run_job(job(path, Extract()))], pages, rounds)
    ms = {name: cost.ms for name, cost in zip(names, found, strict=True)}
    for name, value in ms.items():
        print(f"{name:6} {value:6.2f} CPU ms for a further page", flush=True)
    print(f"Spark adds {ms['spark'] - ms['local']:.2f} CPU ms a page")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3, help="how often each case is run; the best counts")
    parser.add_argument("--memory-pages", type=int, default=100_000)
    parser.add_argument("--only", choices=["plain", "speed", "memory", "spark"])
    options = parser.parse_args()
    if options.only in (None, "plain"):
        plain(options.pages, options.rounds)
    if options.only in (None, "speed"):
        speed(options.pages, options.rounds)
    if options.only in (None, "memory"):
        memory(options.memory_pages, options.pages)
    if options.only == "spark" or (options.only is None and shutil.which("java")):
        spark(options.pages, options.rounds)


if __name__ == "__main__":
    main()
