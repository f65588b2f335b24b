"""One standalone cluster for all tests, and a session of Spark on it, with the package sent to the executors."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import webstrata

# Settings under which tasks are repeated: slow ones twice, and many partitions for few rows.
_SETTINGS = {
    "spark.executor.cores": "1",
    "spark.executor.memory": "512m",
    "spark.speculation": "true",
    "spark.speculation.multiplier": "1.2",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.minTaskRuntime": "100ms",
    "spark.task.maxFailures": "8",
    "spark.sql.shuffle.partitions": "7",
    "spark.ui.enabled": "false",
    "spark.executorEnv.PYTHONPATH": "./sent",
}


def package_archive(folder: Path) -> Path:
    """The package with its native modules, and the helpers that tasks import, as an archive for executors."""
    path = folder / "webstrata.tar.gz"
    source = Path(webstrata.__file__).parent
    kits = Path(__file__).parents[1] / "kits"
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        for file in sorted(source.rglob("*")):
            if file.is_file() and file.suffix not in (".c", ".pyx", ".pyc", ".html"):
                archive.add(file, f"webstrata/{file.relative_to(source)}")
        for name in ("folding.py", "gates.py", "hostile.py"):
            archive.add(kits / name, name)
    return path


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A master and two workers."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java 17, and there is no java")
    pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'webstrata[spark]'")
    from spark_cluster import SparkCluster

    with SparkCluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="session")
def spark(cluster: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on the cluster; commands find it by the same environment variable as a user's do."""
    archive = package_archive(tmp_path_factory.mktemp("package"))
    settings = {**_SETTINGS, "spark.archives": f"{archive}#sent"}
    arguments = " ".join(f"--conf {name}={value}" for name, value in settings.items())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"--master {cluster.address} {arguments} pyspark-shell")
        from webstrata.crawls.running.spark import session

        running = session()
        running.sparkContext.setLogLevel("ERROR")
        yield running
        running.stop()
