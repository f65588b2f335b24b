"""Whatever a request does to its worker is the answer to that request alone."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import chores
import pytest
from gates import HANG_SECONDS, Gate

from webstrata.errors import InputError
from webstrata.workers.limits import Limits
from webstrata.workers.pool import Failure, Pool

pytestmark = pytest.mark.slow

SHORT = Limits(seconds=0.3, memory=2**29)


def answers(chunks: Iterable[Sequence[str]], *, jobs: int = 1, ordered: bool = True) -> list[str | Failure]:
    pool = Pool[str, str](start=chores.start, limits=SHORT, jobs=jobs, ordered=ordered)
    return [answer for _, found in pool(chunks) for answer in found]


@pytest.mark.parametrize("jobs", [1, 3])
def test_answers_keep_the_order_of_requests(jobs: int) -> None:
    chunks = [[f"r{i}" for i in range(start, start + 7)] for start in range(0, 70, 7)]
    assert answers(chunks, jobs=jobs) == [f"R{i}" for i in range(70)]


def test_without_order_no_answer_is_lost() -> None:
    assert sorted(map(str, answers([[f"r{i}"] for i in range(30)], jobs=3, ordered=False))) == sorted(
        f"R{i}" for i in range(30)
    )


@pytest.mark.parametrize(
    ("request_", "failure"),
    [
        ("spin", Failure("timed out", "0.3 s")),
        ("deaf", Failure("timed out", "0.3 s")),
        ("eat", Failure("out of memory")),
        ("exit", Failure("crashed", "exit code 7")),
        (str(int(signal.SIGSEGV)), Failure("crashed", "SIGSEGV")),
        (str(int(signal.SIGKILL)), Failure("crashed", "SIGKILL")),
        (str(int(signal.SIGSTOP)), Failure("crashed", "SIGKILL")),
        ("raise", Failure("failed", "ArithmeticError: " + "?" * 283)),
    ],
)
def test_a_failure_is_the_answer_to_one_request(request_: str, failure: Failure) -> None:
    assert answers([["a", request_, "b"], ["c"]]) == ["A", failure, "B", "C"]


@pytest.mark.parametrize("request_", ["spin", "deaf"])
@pytest.mark.parametrize("early", [False, True])
def test_the_worker_of_a_cancelled_request_is_replaced(request_: str, early: bool) -> None:
    patient = Limits(seconds=HANG_SECONDS)
    checks = count()
    pool = Pool[str, str](
        start=chores.start,
        limits=patient,
        cancelled=lambda request: request == request_ and next(checks) >= (0 if early else 2),
    )
    started = time.monotonic()
    assert [found for _, found in pool([["a", request_, "b"], ["c"]])] == [["A", Failure("cancelled"), "B"], ["C"]]
    assert time.monotonic() - started < HANG_SECONDS / 2


def test_an_answer_that_cannot_travel_is_a_failure() -> None:
    [failure, answer] = answers([["secret", "a"]])
    assert isinstance(failure, Failure)
    assert failure.reason == "failed"
    assert answer == "A"


def test_a_request_whose_worker_was_killed_from_outside_is_tried_again(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "gate")
    patient = Limits(seconds=HANG_SECONDS / 10)
    pool = Pool[str, str](start=partial(chores.start_gated, str(gate.folder)), limits=patient)
    gate.open(1)

    def kill() -> None:
        # The first request is through, and its answer may be on its way or not.
        gate.wait(1)
        os.kill(int((gate.folder / "pid").read_text()), signal.SIGKILL)
        gate.open(3)

    thread = threading.Thread(target=kill)
    thread.start()
    assert [found for _, found in pool([["a", "b", "c"]])] == [["A", "B", "C"]]
    thread.join()
    gate.close()


@pytest.mark.parametrize(
    ("how", "kind", "message"),
    [
        ("input", InputError, "name another one"),
        ("other", RuntimeError, "a worker cannot start: ArithmeticError: no"),
        ("exit", RuntimeError, "a worker ended with code 5 before its first request"),
    ],
)
def test_a_function_that_cannot_start_is_an_error(how: str, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        list(Pool[str, str](start=chores.CannotStart(how), jobs=2)([["a"], ["b"]]))


@pytest.mark.parametrize("early", [False, True])
def test_workers_close_what_they_opened(tmp_path: Path, early: bool) -> None:
    mark = tmp_path / "closed"
    results = Pool[str, str](start=partial(chores.Closing, str(mark)))([["a"], ["b"]])
    next(results)
    results.close() if early else list(results)
    assert mark.exists()


def test_no_worker_starts_without_a_request() -> None:
    assert list(Pool[str, str](start=chores.CannotStart("input"))([])) == []


def test_an_error_of_the_source_is_raised_and_nothing_stays_behind() -> None:
    def source() -> Iterator[list[str]]:
        yield ["a"]
        raise OSError("the disk is gone")

    before = threading.active_count()
    with pytest.raises(OSError, match="the disk is gone"):
        answers(source(), jobs=2)
    assert threading.active_count() == before
