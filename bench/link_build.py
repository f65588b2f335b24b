"""From rows of links on disk to ranks: time, disk and the peak memory of each step, which are processes of their own.

    python bench/link_build.py [--links 10000000] [--work DIR] [--memory 4G]

The rows are those of `webstrata run links` with ten links on each page, most of them to pages nearby on the same site.
With --memory, the address space is not limited, but the bench fails if a step has more than that resident at its peak;
files that are mapped into memory count while they are there.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webstrata.crawls.jobs.links import ListLinks, build_rows
from webstrata.links import GaussSeidel, LinkGraph
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics

DEGREE = 10
SITE = 200
CHUNK = 100_000
TEXT = "the text of a link"


def urls(number: np.ndarray) -> Any:
    """The URLs of pages: sites of 200 pages, in an order that is not that of their numbers."""
    site = pa.array((number // SITE).astype(np.int64) * 7919 % 1_000_003).cast(pa.string())
    page = pa.array(number % SITE).cast(pa.string())
    return pc.binary_join_element_wise("http://site", site, ".example.org/page/", page, "")


def write_rows(folder: Path, links: int) -> None:
    """Write rows of links as a run does, each file with a share of the pages."""
    folder.mkdir()
    schema = ListLinks().schema
    names = [field for field in schema if field.name not in ("reason", "detail")]
    pages = links // DEGREE
    chance = np.random.default_rng(1)
    for part, first in enumerate(range(0, pages, 10 * CHUNK)):
        with pq.ParquetWriter(folder / f"part-{part:05}-00000.parquet", pa.schema(names), compression="zstd") as writer:
            for start in range(first, min(first + 10 * CHUNK, pages), CHUNK):
                number = np.arange(start, min(start + CHUNK, pages))
                writer.write_table(rows(number, pages, chance, pa.schema(names)))


def rows(number: np.ndarray, pages: int, chance: Any, schema: Any) -> Any:
    source = np.repeat(number, DEGREE)
    near = source // SITE * SITE + chance.integers(0, SITE, len(source))
    far = (pages * chance.random(len(source)) ** 3).astype(np.int64)
    target = np.minimum(np.where(chance.random(len(source)) < 0.8, near, far), pages - 1)
    content = pa.array(chance.random(len(source)) < 0.3)
    link_type = schema.field("links").type.value_type
    fields = {"target": urls(target), "text": pa.array([TEXT] * len(source)), "rel": pa.nulls(len(source), pa.string()),
              "block": pa.array(np.zeros(len(source), np.int32)), "content": content}  # fmt: skip
    struct = pa.StructArray.from_arrays(
        [fields[item.name].cast(item.type) for item in link_type], fields=list(link_type)
    )
    columns = {"page": urls(number), "links": pa.ListArray.from_arrays(np.arange(0, len(source) + 1, DEGREE), struct)}
    zeros = pa.array(np.zeros(len(number), np.int32))
    given = {"url": columns["page"], "record": zeros, "broken": zeros, "dropped": zeros, **columns}
    arrays = [given.get(field.name, pa.nulls(len(number), field.type)).cast(field.type) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def build(folder: Path) -> None:
    build_rows(folder / "rows", folder / "graph")


def rank(folder: Path) -> None:
    ranking = GaussSeidel()(LinkGraph.open(folder / "graph"))
    Ranks(ranking.ranks, Topics((), ()), np.zeros((len(ranking.ranks), 0)), ranking.method).save(folder / "ranks")
    print(f"    {ranking.reason}; the ranks add up to {ranking.ranks.sum():.12f}", flush=True)


def measured(name: str, step: Callable[..., None], *arguments: Any) -> float:
    """Run a step in a process of its own; returns its peak memory in bytes."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_measure, args=(queue, step, arguments))
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{name} ended with code {process.exitcode}")
    cpu, clock, peak = queue.get()
    print(f"{name:>12}: {cpu:8.1f} CPU s, {clock:8.1f} s by the clock, {peak / 2**30:6.2f} GiB at its peak", flush=True)
    return float(peak)


def _measure(queue: Any, step: Callable[..., None], arguments: Any) -> None:
    start, begin = time.perf_counter(), time.process_time()
    step(*arguments)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    queue.put((time.process_time() - begin, time.perf_counter() - start, peak))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--links", type=int, default=10_000_000)
    parser.add_argument("--work", type=Path, help="where to put the files, by default the folder for temporary files")
    parser.add_argument("--memory", default="4G")
    options = parser.parse_args()
    most = float(options.memory.rstrip("G")) * 2**30
    with tempfile.TemporaryDirectory(dir=options.work) as name:
        folder = Path(name)
        measured("rows", write_rows, folder / "rows", options.links)
        peaks = [measured("graph", build, folder), measured("ranks", rank, folder)]
        graph = LinkGraph.open(folder / "graph")
        print(f"{graph!r}, left out: {dict(graph.counts)}")
        size = {part: sum(path.stat().st_size for path in (folder / part).iterdir()) for part in ("rows", "graph")}
        print(", ".join(f"{part} {size[part] / links_of(options):.1f} bytes a link" for part in size))
        if max(peaks) > most:
            raise SystemExit(f"a step had more than {options.memory} of memory")


def links_of(options: argparse.Namespace) -> int:
    return int(options.links)


if __name__ == "__main__":
    main()
