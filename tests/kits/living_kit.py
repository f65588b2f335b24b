"""An index that is changed at random, beside what a fresh index of the same pages says; and killed while it is changed.

    python tests/kits/living_kit.py [--operations 10000] [--kills 50] [--seed 0]

A process adds, replaces and deletes pages, a few in each commit, and is killed with SIGKILL at some moment. The index
must then have exactly the pages that were confirmed, or those and the commit that was on its way, and every score must
be that of an index that is built at once of these pages.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

import numpy as np

from webstrata.search import Document, Index
from webstrata.search.documents import CONTENT, HEADING, TEMPLATE
from webstrata.search.living import IndexWriter

__all__ = [
    "Change",
    "assert_equal_to_fresh",
    "changes",
    "kill_while_changing",
    "page_of",
    "pages_after",
    "read_until",
]

RANKINGS = ("strata", "bm25")
_WORDS = [f"w{number}" for number in range(80)]
_QUERIES = ("w1", "w2 w3 w3", "w40 w41 menu", "w70 w5 w6 w7", '"w0 w1"', "title:w3")

# What a commit does: the number of the version of each page that it adds, and the pages that it deletes.
Change = tuple[dict[int, int], list[int]]


class Stop(Protocol):
    """An event, of threads or of processes."""

    def wait(self, timeout: float) -> bool: ...


class Results(Protocol):
    """A queue between processes."""

    def put(self, item: object) -> None: ...


def url_of(page: int) -> str:
    return f"http://a{page % 3}.org/{page}"


def page_of(page: int, version: int) -> Document:
    """A version of a page: a menu, headings and paragraphs in segments of a few classes."""
    draw = random.Random(page * 1_000_003 + version)
    rows = [(["menu", "home"], TEMPLATE, 0)]
    for _ in range(draw.randint(0, 4)):
        most = draw.choice((4, 20, 80))
        stratum = draw.choice((HEADING, CONTENT, CONTENT))
        rows.append((draw.choices(_WORDS[:most], k=draw.randint(1, 12)), stratum, draw.randint(1, 4)))
    texts = [" ".join(words) for words, *_ in rows]
    stop = np.cumsum([len(text) + 1 for text in texts]) - 1
    start = stop - [len(text) for text in texts]
    words, segment = np.array([len(words) for words, *_ in rows]), np.array([row[2] for row in rows])
    return Document(
        url=url_of(page), title=" ".join(draw.choices(_WORDS, k=2)), text="\n".join(texts), start=start, stop=stop,
        source_start=start, source_stop=stop, words=words, density=words, stratum=np.array([row[1] for row in rows]),
        bte=np.ones(len(rows)), segment=segment, label=segment + 100, paragraph=np.arange(len(rows)),
        site=f"a{page % 3}.org",
    )  # fmt: skip


def changes(seed: int, *, most_pages: int = 400) -> Iterator[Change]:
    """Changes without end: of each page that is touched, a third is deleted if it is there; others are (re)placed."""
    draw, version, there = random.Random(seed), 0, set[int]()
    while True:
        added: dict[int, int] = {}
        deleted: list[int] = []
        for page in {draw.randrange(most_pages) for _ in range(draw.choice((1, 1, 1, 2, 5, 20)))}:
            version += 1
            if page in there and draw.random() < 1 / 3:
                deleted.append(page)
            else:
                added[page] = version
        there |= added.keys()
        there -= set(deleted)
        yield added, deleted


def pages_after(first: Mapping[int, int], seed: int, commits: int) -> dict[int, int]:
    """The version of each page after some commits, in the order in which they were added last."""
    pages = dict(first)
    for (added, deleted), _ in zip(changes(seed), range(commits), strict=False):
        for page in (*added, *deleted):
            pages.pop(page, None)
        pages |= added
    return pages


def apply(writer: IndexWriter, change: Change) -> None:
    added, deleted = change
    writer.change([page_of(*item) for item in added.items()], delete=[url_of(page) for page in deleted])


def assert_equal_to_fresh(index: Index, pages: Mapping[int, int], folder: Path) -> None:
    """Compare an index with one that is built at once of some pages: the pages, their texts and all scores."""
    shutil.rmtree(folder, ignore_errors=True)
    fresh = Index.build([page_of(*item) for item in pages.items()], folder, rankings=RANKINGS)
    assert texts_of(index) == texts_of(fresh)
    assert index.pages == len(pages)
    for ranking in (*index.rankings, "segment-aware", "bm25nt(templates='fingerprint')"):
        for query in _QUERIES:
            one, other = scores(index, query, ranking), scores(fresh, query, ranking)
            assert one.keys() == other.keys(), (ranking, query)
            assert all(abs(one[url] - other[url]) <= 2e-5 * other[url] for url in one), (ranking, query)
    shutil.rmtree(folder)


def texts_of(index: Index) -> dict[str, str]:
    """The text of each page that counts."""
    found, first = {}, 0
    for shard in index.shards:
        for page in np.flatnonzero(index.model.alive[first : first + shard.pages]).tolist():
            found[shard.urls[page]] = shard.texts[page]
        first += shard.pages
    return found


def scores(index: Index, text: str, ranking: str) -> dict[str, float]:
    answers = index.query(text, k=10_000, ranking=ranking, snippets=False)
    return {answer.url: answer.score for answer in answers}


def read_until(folder: Path, stop: Stop, results: Results) -> None:
    """Open an index and query it again and again, in a thread or a process.

    The result is a list with the number of pages and that of pages with the word "marker", or the text of an error.
    """
    found: list[tuple[int, int]] = []
    try:
        while not stop.wait(0.01):
            index = Index.open(folder)
            found.append((index.pages, index.query("marker", ranking="bm25").matched))
        results.put(found)
    except BaseException:
        results.put(traceback.format_exc())


def kill_while_changing(folder: Path, *, operations: int, kills: int, seed: int = 0) -> tuple[int, int]:
    """Kill a process while it changes an index, at random moments; returns the commits and the operations in all.

    Raises AssertionError where a confirmed change was lost, or scores differ from those of a fresh index.
    """
    draw = random.Random(seed)
    first = dict.fromkeys(range(30), 0)
    Index.build([page_of(*item) for item in first.items()], folder / "index", rankings=RANKINGS)
    sizes = [len(added) + len(deleted) for (added, deleted), _ in zip(changes(seed), range(operations), strict=False)]
    total = int(np.searchsorted(np.cumsum(sizes), operations)) + 1
    done = 0
    for kill in range(kills + 1):
        # The commits are spread evenly over the kills; the last process ends by itself.
        stop = total if kill == kills else done + max((total - done) // (kills + 1 - kill), 1)
        confirmed = _run(folder, done, total, seed, stop if kill < kills else None, draw)
        index = Index.open(folder / "index")
        states = {number: pages_after(first, seed, number) for number in (confirmed, confirmed + 1)}
        there = texts_of(index)
        done = next((number for number, pages in states.items() if there == expected_texts(pages)), -1)
        assert done >= 0, f"{confirmed} commits were confirmed, and the index has neither these nor one more"
        assert_equal_to_fresh(index, states[done], folder / "fresh")
        if done >= total:
            break
    return done, int(sum(sizes[:done]))


def expected_texts(pages: Mapping[int, int]) -> dict[str, str]:
    """The text that an index stores of each page: its title and its blocks."""
    found = (page_of(*item) for item in pages.items())
    return {document.url: f"{document.title}\n{document.text}" for document in found}


def _run(folder: Path, done: int, total: int, seed: int, stop: int | None, draw: random.Random) -> int:
    """Let a process commit from some number on, and kill it in the middle of a commit; returns what it confirmed."""
    command = [sys.executable, __file__, "--work", str(folder / "index"), "--from", str(done), "--to", str(total)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    confirmed, last, took = done, time.monotonic(), 0.01
    with subprocess.Popen([*command, "--seed", str(seed)], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        for line in process.stdout:
            confirmed, took, last = int(line), time.monotonic() - last, time.monotonic()
            if stop is not None and confirmed >= stop:
                time.sleep(draw.uniform(0, 1.5 * min(took, 1)))
                process.kill()
                confirmed = max([confirmed, *map(int, process.stdout)])
                break
    assert stop is not None or process.returncode == 0
    return confirmed


def _work(folder: Path, first: int, stop: int, seed: int) -> None:
    with IndexWriter(folder) as writer:
        for number, change in enumerate(changes(seed)):
            if number >= stop:
                break
            if number >= first:
                apply(writer, change)
                print(number + 1, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=10_000)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="first", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--to", dest="stop", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work is not None:
        _work(options.work, options.first, options.stop, options.seed)
        return
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        commits, done = kill_while_changing(
            Path(folder), operations=options.operations, kills=options.kills, seed=options.seed
        )
    took = time.monotonic() - start
    print(
        f"{options.kills} kills, {done:,} operations in {commits:,} commits, none lost, all scores equal ({took:.0f} s)"
    )


if __name__ == "__main__":
    main()
