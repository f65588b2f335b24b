from __future__ import annotations

import subprocess
import sys

import pytest

from webstrata.errors import WorkerError
from webstrata.workers.processes import start_child

# What Windows lacks of what the package uses, taken away before the package is imported.
WITHOUT_POSIX = """
import multiprocessing.connection, os, signal, subprocess, sys
for name in ("fork", "memfd_create", "sched_getaffinity", "getppid"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGALRM", "SIGPROF", "setitimer", "ITIMER_PROF", "ITIMER_REAL", "pthread_sigmask"):
    delattr(signal, name)
sys.modules |= dict.fromkeys(("fcntl", "resource"))
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", WITHOUT_POSIX + code], capture_output=True, text=True, check=True)
    return done.stdout


def test_everything_can_be_imported_without_fork() -> None:
    code = """
import pkgutil, webstrata.crawls, webstrata.workers
from webstrata import *
for room in (webstrata.crawls, webstrata.workers):
    for module in pkgutil.walk_packages(room.__path__, room.__name__ + "."):
        __import__(module.name)
print(extract("<p>one", "keep-all").text)
"""
    assert run(code) == "one\n"


@pytest.mark.parametrize(
    "use",
    [
        "next(webstrata.extract_many(['<p>one']))",
        "webstrata.crawls.Job(inputs=(), step=webstrata.crawls.Extract(), output=Path('never')).run()",
    ],
)
def test_starting_a_process_without_fork_says_what_to_do(use: str) -> None:
    code = f"""
from pathlib import Path
import webstrata.crawls
try:
    {use}
except webstrata.WebstrataError as error:
    print(error)
"""
    assert "need a POSIX system such as Linux or macOS: on Windows, use WSL" in run(code)


def test_a_child_that_cannot_begin_is_an_error_of_the_package() -> None:
    with pytest.raises(WorkerError, match="ended with code 1 before it began"):
        start_child(_Unpicklable())


class _Unpicklable:
    def __call__(self, connection: object) -> None: ...

    def __reduce__(self) -> tuple[object, ...]:
        return __import__, ("no_such_module_anywhere",)
