"""Threads that share pages see what one thread alone sees, with the interpreter's lock and without it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import webstrata
from webstrata import Page

PAGES = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("pages/*/source.html"))][:12]
THREADS = 6


def everything(page: Page) -> tuple[object, ...]:
    found = webstrata.extract(page)
    segments = webstrata.segment(page).segments
    links = [link.url for link in page.links]
    return found.text, found.markdown, found.html, found.json(), segments, links, page.blocks.words.tolist()


def test_threads_share_pages() -> None:
    expected = [everything(webstrata.parse(html)) for html in PAGES]
    shared = [webstrata.parse(html) for html in PAGES]
    at_once = threading.Barrier(THREADS)

    def work(number: int) -> list[tuple[object, ...]]:
        at_once.wait()
        # Each begins with another page, and meets the others on the next.
        order = [(number // 2 + i) % len(shared) for i in range(len(shared))]
        found = {i: everything(shared[i]) for i in order}
        return [found[i] for i in range(len(shared))]

    assert len(PAGES) == 12
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(found == expected for found in pool.map(work, range(THREADS)))
