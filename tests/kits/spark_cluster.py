"""A Spark standalone cluster on loopback: a master and workers as processes, from the jars of pyspark."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from webstrata.workers.process_tree import descendants

__all__ = ["SparkCluster"]

_HOST = "127.0.0.1"
_START_SECONDS = 300


class SparkCluster:
    """A cluster that runs while its ``with`` block does.

    Parameters
    ----------
    folder : for logs and the work of executors
    workers : how many; each has one core
    memory : of each worker

    Attributes
    ----------
    address : of the master, for ``spark.master``
    """

    def __init__(self, folder: Path, *, workers: int = 2, memory: str = "1g") -> None:
        self.folder, self._memory, self._count = folder, memory, workers
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._started = 0

    def __enter__(self) -> SparkCluster:
        port = _free_port()
        self.address = f"spark://{_HOST}:{port}"
        try:
            web = str(_free_port())
            self._start("master", "master.Master", "--host", _HOST, "--port", str(port), "--webui-port", web)
            self._wait("master", "I have been elected leader")
            for _ in range(self._count):
                self.add_worker()
        except BaseException:
            # A `with` block that never begins does not end either.
            self._end_all()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_all()

    def _end_all(self) -> None:
        for name in list(self._processes):
            self._end(name)

    @property
    def workers(self) -> list[str]:
        """The names of the workers that run, the oldest first."""
        return [name for name in self._processes if name != "master"]

    def add_worker(self) -> str:
        """Start a worker, and wait until the master knows it."""
        self._started += 1
        name = f"worker-{self._started}"
        work = self.folder / name
        work.mkdir()
        self._start(name, "worker.Worker", self.address, "--host", _HOST, "--cores", "1", "--memory", self._memory,
                    "--webui-port", str(_free_port()), "--work-dir", str(work))  # fmt: skip
        self._wait(name, "Successfully registered with master")
        return name

    def kill_worker(self) -> str:
        """Kill the oldest worker, its executors and their processes, as when a machine is lost; returns its name."""
        name = self.workers[0]
        self._end(name)
        return name

    def _start(self, name: str, role: str, *arguments: str) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        command = [str(home / "bin/spark-class"), f"org.apache.spark.deploy.{role}", *arguments]
        env = {**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": _HOST, "PYSPARK_PYTHON": sys.executable}
        with (self.folder / f"{name}.log").open("wb") as log:
            self._processes[name] = subprocess.Popen(command, stdout=log, stderr=log, env=env, start_new_session=True)

    def _wait(self, name: str, message: str) -> None:
        deadline = time.monotonic() + _START_SECONDS
        log = self.folder / f"{name}.log"
        while message not in log.read_text(encoding="utf-8", errors="replace"):
            if self._processes[name].poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{name} did not start: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
            time.sleep(0.1)

    def _end(self, name: str) -> None:
        process = self._processes.pop(name)
        for pid in [*descendants(process.pid), process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.wait()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((_HOST, 0))
        return int(found.getsockname()[1])
