"""What all tests share: where the data sets are, one Spark, and no deadline for single examples."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

# How long an example takes says more about the machine than about the code. Growth has tests of its own. The examples
# are the same in every run, so that a change is judged by what it changes; `make fuzz` makes up others.
settings.register_profile("same-examples", deadline=None, derandomize=True)
settings.register_profile("other-examples", deadline=None)
settings.load_profile("same-examples")

# A shell that starts the tests in the background has them ignore Control-C, and what they start would ignore it too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Modules whose fixtures crawl and learn whole sites.
TOGETHER = ("tests/crawls/jobs/test_sites.py", "tests/chains/test_tasks.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", type=int, default=2, help="how often what can be resumed is killed (2)")
    parser.addoption("--cluster", action="store_true", help="run tests/cluster, on a Spark cluster of processes")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A session of Spark is of this machine or of a cluster: the tests of a cluster run alone."""
    return True if collection_path.name == "cluster" and not config.getoption("--cluster") else None


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """One process runs all tests that name Spark, so that Java starts once, and one those that share what takes seconds
    to make; the others go where there is room."""
    from xdist.scheduler import LoadScopeScheduling

    class OneSpark(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            if "spark" in nodeid:
                return "spark"
            return next((module for module in TOGETHER if nodeid.startswith(module)), nodeid)

    return OneSpark(config, log)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Spark is slow, leaves sockets to the garbage collector, and warns of pandas, which it does not need here."""
    if "spark" in getattr(item, "fixturenames", ()):
        for mark in (pytest.mark.slow, pytest.mark.filterwarnings("default")):
            item.add_marker(mark)


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """How often a test kills what can be resumed."""
    number: int = request.config.getoption("--kills")
    return number


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark on this machine, started once, since Java takes seconds."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and there is no java")
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'webstrata[spark]'")
    import folding
    import gates
    import hostile

    from webstrata.crawls.running.spark import session

    running = session(jobs=2)
    running.sparkContext.setLogLevel("ERROR")
    # What is on this process's path is not on that of Spark's workers.
    for module in (folding, gates, hostile):
        running.sparkContext.addPyFile(module.__file__)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory of data sets, which are not part of the project."""
    path = Path(os.environ.get("WEBSTRATA_DATA") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip("no data sets: set WEBSTRATA_DATA to their directory")
    return path


@pytest.fixture(scope="session")
def dataset_dir(data_dir: Path) -> Callable[[str], Path]:
    """Gives the directory of a data set by its name."""

    def find(name: str) -> Path:
        path = data_dir / name
        if not path.is_dir():
            pytest.skip(f"WEBSTRATA_DATA holds no {name}")
        return path

    return find


@pytest.fixture(scope="session")
def html5lib_dir(dataset_dir: Callable[[str], Path]) -> Path:
    """The cases of html5lib-tests."""
    return dataset_dir("html5lib-tests")
