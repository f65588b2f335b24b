"""The search page under load.

    python bench/web_load.py [--folder DIR] [--users 50] [--seconds 60] [--think 0] [--pages N]

Builds an index of the 2007 Wikipedia Selection for Schools in DIR (once, some minutes), serves it with
``webstrata serve --index``, and lets users type queries over the loopback: each asks for the results of a query after
every few letters, then for the reasons of a result, then begins anew. Prints requests a second, errors, and the
50th, 95th and 99th percentiles of the latency, and the processor time of the server for each request, which depends
least on other load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from urllib.parse import quote

import numpy as np

from webstrata import parse
from webstrata.apps.web.search.ranked import document_graph, topic_ranks
from webstrata.evaluation.datasets.wpcd import archive, pages, subjects
from webstrata.search import Documenter, Index

_PORT = 8439


def build(folder: Path, most: int | None) -> Index:
    """The index, with ranks by subject."""
    document = Documenter()
    documents = []
    for number, (url, html) in enumerate(islice(pages(archive()), most), 1):
        documents.append(document(parse(html, url=url)))
        if number % 500 == 0:
            print(f"{number} pages read", file=sys.stderr, flush=True)
    graph = document_graph(documents)
    ranks = topic_ranks(graph, subjects)
    return Index.build(documents, folder, rankings=("strata", "bm25"), graph=graph, ranks=ranks)


async def user(
    number: int, queries: list[str], until: float, think: float, times: list[float], wrong: list[str]
) -> None:
    """A user who types queries over one connection."""
    chance = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", _PORT)
    while time.monotonic() < until:
        query = chance.choice(queries)
        for length in range(3, len(query) + 3, 4):
            path = f"/search/results?q={quote(query[:length])}&ranking={chance.choice(('strata', 'bm25'))}"
            started = time.monotonic()
            writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{_PORT}\r\nHX-Request: true\r\n\r\n".encode())
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            body = await reader.readexactly(size)
            times.append(time.monotonic() - started)
            if not head.startswith(b"HTTP/1.1 200") or b"</" not in body:
                wrong.append(head[:40].decode())
            if time.monotonic() >= until:
                break
            await asyncio.sleep(think * chance.random() * 2)
    writer.close()


async def load(users: int, seconds: float, think: float, queries: list[str]) -> tuple[list[float], list[str], float]:
    times: list[float] = []
    wrong: list[str] = []
    started = time.monotonic()
    crowd = (user(number, queries, started + seconds, think, times, wrong) for number in range(users))
    results = await asyncio.gather(*crowd, return_exceptions=True)
    wrong += [repr(result) for result in results if isinstance(result, BaseException)]
    return times, wrong, time.monotonic() - started


def processor_seconds(pid: int) -> float:
    """Processor time of a process so far, from /proc."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def wait_for_server() -> None:
    for _ in range(300):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", _PORT)
            writer.close()
            return
        except OSError:
            await asyncio.sleep(0.2)
    raise SystemExit("the server does not start")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("out/wpcd-index"))
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=0, help="mean seconds between two requests of a user")
    parser.add_argument("--pages", type=int, help="the number of pages to index")
    parser.add_argument("--build", action="store_true", help="build the index and end")
    options = parser.parse_args()
    index = Index.open(options.folder) if options.folder.exists() else build(options.folder, options.pages)
    print(index, file=sys.stderr)
    if options.build:
        return
    titles = [answer.title for answer in index.query("the", k=2000, snippets=False).answers[::20]]
    command = [sys.executable, "-m", "webstrata", "serve", "--port", str(_PORT), "--index", str(options.folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        asyncio.run(wait_for_server())
        asyncio.run(load(2, 2, 0, titles))  # the first queries read files
        before = processor_seconds(server.pid)
        times, wrong, took = asyncio.run(load(options.users, options.seconds, options.think, titles))
        used = processor_seconds(server.pid) - before
    finally:
        server.terminate()
        server.wait()
    half, p95, p99 = np.percentile(times, [50, 95, 99]) * 1000
    print(
        json.dumps(
            {
                "users": options.users,
                "think": options.think,
                "requests": len(times),
                "requests_a_second": round(len(times) / took, 1),
                "processor_ms_a_request": round(used / max(len(times), 1) * 1000, 2),
                "errors": len(wrong),
                "first_errors": wrong[:3],
                "p50_ms": round(half, 1),
                "p95_ms": round(p95, 1),
                "p99_ms": round(p99, 1),
            }
        )
    )


if __name__ == "__main__":
    main()
