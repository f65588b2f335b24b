"""Pages that mean harm: each ends in time, none disturbs the next, nothing is left behind, nothing gets out."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from hostile_server import PAGES, Foreign, Hostile

from webstrata.errors import RenderError, WebstrataError
from webstrata.rendering import Renderer
from webstrata.workers.process_tree import descendants

pytestmark = pytest.mark.slow

TIMEOUT = 8.0
#: What is promised of each page: a result or an error within its time limit and this.
GRACE = 5.0
#: Pages that have a result, whatever they try.
FINE = {"downloads", "dialogs", "meta refresh", "navigation", "image that never answers", "other hosts"}


@pytest.fixture(scope="module")
def foreign() -> Iterator[Foreign]:
    with Foreign() as server:
        yield server


@pytest.fixture(scope="module")
def hostile(foreign: Foreign) -> Iterator[Hostile]:
    with Hostile(foreign.address) as server:
        yield server


@pytest.fixture(scope="module")
def small() -> Iterator[Renderer]:
    """One long-lived renderer for all of these pages, with little memory."""
    try:
        found = Renderer(memory=700 << 20)
    except WebstrataError as error:
        pytest.skip(str(error))
    with found:
        yield found


def plain(renderer: Renderer, hostile: Hostile) -> None:
    """An ordinary page is rendered as if nothing had happened."""
    found = renderer.render(hostile.url("plain"), timeout=60)
    assert found.page.text == "plain"
    assert 0x123456FF in found.boxes.colour


@pytest.mark.parametrize("name", [*PAGES, "endless", "loop", "away", "download", "nothing here"])
def test_each_ends_in_time_and_does_not_disturb_the_next(small: Renderer, hostile: Hostile, name: str) -> None:
    plain(small, hostile)
    started = time.monotonic()
    future = small.submit(hostile.url(name), scripts=True, timeout=TIMEOUT)
    problem = future.exception()
    assert time.monotonic() - started < TIMEOUT + GRACE
    if problem is None:
        assert future.result().page.text.startswith(("one", "none", "more"))
    else:
        assert isinstance(problem, RenderError)
        assert name not in FINE, problem
    plain(small, hostile)


def test_nothing_reaches_another_host(small: Renderer, hostile: Hostile, foreign: Foreign) -> None:
    before = foreign.visits
    small.render(hostile.url("other hosts"), scripts=True, timeout=20)
    small.render(hostile.url("other hosts"), timeout=20)
    time.sleep(0.5)
    assert foreign.visits == before == 0
    # The counter counts.
    with pytest.raises(OSError, match=r"."):
        urlopen(f"http://{foreign.address}/", timeout=5)
    assert foreign.visits == 1


def test_another_host_is_reached_when_it_is_named(small: Renderer, hostile: Hostile, foreign: Foreign) -> None:
    before = foreign.visits
    small.render(hostile.url("other hosts"), timeout=20, hosts=["127.0.0.2"])
    assert foreign.visits > before


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are told by /proc")
def test_a_browser_that_is_killed_costs_one_page(hostile: Hostile) -> None:
    try:
        renderer = Renderer()
    except WebstrataError as error:
        pytest.skip(str(error))
    with renderer:
        plain(renderer, hostile)
        browsers = [pid for pid in descendants(renderer.pid) if "chrom" in name_of(pid)]
        assert browsers
        threading.Timer(1.0, lambda: kill(browsers)).start()
        started = time.monotonic()
        with pytest.raises(RenderError, match=r"ended|closed|browser"):
            renderer.render(hostile.url("endless script"), scripts=True, timeout=TIMEOUT)
        assert time.monotonic() - started < TIMEOUT + GRACE
        plain(renderer, hostile)
        left = [renderer.pid, *descendants(renderer.pid)]
        assert len(left) > 3
    deadline = time.monotonic() + 5
    while alive := [pid for pid in left if Path(f"/proc/{pid}").exists()]:
        assert time.monotonic() < deadline, [name_of(pid) for pid in alive]
        time.sleep(0.05)


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def kill(pids: list[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def test_tabs_share_a_browser_and_not_their_fate(hostile: Hostile) -> None:
    try:
        renderer = Renderer(tabs=2)
    except WebstrataError as error:
        pytest.skip(str(error))
    with renderer:
        bad = renderer.submit(hostile.url("endless script"), scripts=True, timeout=TIMEOUT)
        good = [renderer.submit(hostile.url("plain"), timeout=60) for _ in range(4)]
        assert [future.result().page.text for future in good] == ["plain"] * 4
        with pytest.raises(RenderError, match="within 8 s"):
            bad.result()


def test_two_pages_that_take_the_browser_down_together_end() -> None:
    try:
        renderer = Renderer(tabs=2)
    except WebstrataError as error:
        pytest.skip(str(error))
    with renderer:
        renderer.render("<p>one", timeout=60)
        stop = threading.Event()

        def hunt() -> None:
            """Kill every browser that appears."""
            while not stop.wait(0.3):
                kill([pid for pid in descendants(renderer.pid) if "chrom" in name_of(pid)])

        hunter = threading.Thread(target=hunt)
        futures = [renderer.submit("<p>one", timeout=TIMEOUT) for _ in range(3)]
        hunter.start()
        try:
            problems = [future.exception(timeout=120) for future in futures]
        finally:
            stop.set()
            hunter.join()
        assert all(problem is None or isinstance(problem, RenderError) for problem in problems)
        assert renderer.render("<p>two", timeout=60).page.text == "two"


def test_many_nodes_are_refused(small: Renderer) -> None:
    with pytest.raises(RenderError, match=r"3,003 nodes: nodes= allows 1,000"):
        small.render("<b></b>" * 3000, nodes=1000)
