"""The speed-up by more cores, and the cost of long pages, through the public functions.

    python bench/scaling.py [--pages 300] [--megabytes 1 4 16 64]

threads  the time of one thread over that of two threads and of two processes: text alone, and with metadata
growth   one page made of the bodies of many: milliseconds a megabyte, and the memory beside the source, for the text,
         Markdown, clean HTML and metadata, each in a process of its own
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

import webstrata
from pages import wcxb_pages
from webstrata.errors import InputError

_ROUNDS = 12


def text(html: bytes) -> int:
    return len(webstrata.extract(html).text)


def text_and_metadata(html: bytes) -> int:
    found = webstrata.extract(html)
    return len(found.text) + len(found.metadata.as_dict())


FORMS: dict[str, Callable[[bytes], Any]] = {
    "text": text,
    "Markdown": lambda html: webstrata.extract(html).markdown,
    "clean HTML": lambda html: webstrata.extract(html).html,
    "metadata": lambda html: webstrata.extract(html).metadata.as_dict(),
}


# Shared by threads, and inherited by forked processes.
_PAGES: list[bytes] = []


def share(work: tuple[Callable[[bytes], int], int, int]) -> int:
    """The pages of one thread or process."""
    function, number, jobs = work
    return sum(map(function, _PAGES[number::jobs]))


def seconds(cases: Sequence[tuple[Executor, int]], function: Callable[[bytes], int]) -> list[float]:
    """The best time of several by the clock, so that starting and warming up do not count.

    The cases take turns, so that other load slows all of them alike.
    """
    best = [float("inf")] * len(cases)
    for _ in range(_ROUNDS):
        for case, (pool, jobs) in enumerate(cases):
            start = time.perf_counter()
            list(pool.map(share, [(function, number, jobs) for number in range(jobs)]))
            best[case] = min(best[case], time.perf_counter() - start)
    return best


def threads(pages: list[bytes]) -> None:
    _PAGES[:] = pages
    # The processes are forked before threads start.
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as processes:
        list(processes.map(share, [(len, number, 2) for number in range(2)]))
        with ThreadPoolExecutor(2) as pool:
            for name, function in (("text", text), ("text and metadata", text_and_metadata)):
                alone, together, apart = seconds([(pool, 1), (pool, 2), (processes, 2)], function)
                print(
                    f"{name:18} two threads {alone / together:.2f} times one, two processes {alone / apart:.2f};"
                    f" threads / processes {apart / together:.2f}",
                    flush=True,
                )


def real_page(pages: list[bytes], size: int) -> bytes:
    """One page of the bodies of many, one after the other."""
    parts, held = [b"<!doctype html><html><head><title>Many pages</title></head><body>"], 0
    for html in cycle(pages):
        found = re.search(rb"<body[^>]*>(.*)</body>", html, re.DOTALL | re.IGNORECASE)
        body = found[1] if found else html
        parts.append(b"<div>" + body + b"</div>")
        held += len(body)
        if held >= size:
            return b"".join(parts)[:size]
    raise InputError("there are no pages")


def growth(pages: list[bytes], megabytes: Sequence[int]) -> None:
    for name in FORMS:
        line = [f"{name:11}"]
        for size in megabytes:
            with tempfile.NamedTemporaryFile() as page:
                page.write(real_page(pages, size * 10**6))
                page.flush()
                with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
                    spent, memory = fresh.submit(measure, name, page.name).result()
            line.append(f"{size} MB: {1000 * spent / size:6.1f} ms/MB, {memory / size / 1e6:4.1f} times the source")
        print("   ".join(line), flush=True)


def measure(name: str, path: str) -> tuple[float, int]:
    """Seconds of processor time, and bytes beyond those of the process with the page in memory.

    The time is that of this thread: those of OpenBLAS spin for a while after NumPy was imported.
    """
    FORMS[name](b"<title>One</title><p>one <img src=a.png>")  # modules and models are loaded once
    html = Path(path).read_bytes()
    # Reset the peak, which is inherited from the parent.
    Path("/proc/self/clear_refs").write_text("5")
    before = peak()
    start = time.thread_time()
    FORMS[name](html)
    spent = time.thread_time() - start
    return spent, peak() - before


def peak() -> int:
    """The most memory that this process had, in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return 1024 * int(found[1]) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 4, 16, 64])
    options = parser.parse_args()
    pages = wcxb_pages(options.pages)
    threads(pages)
    growth(pages, options.megabytes)


if __name__ == "__main__":
    main()
