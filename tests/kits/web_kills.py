"""Whether a mark that was confirmed is ever lost when the server is killed while it saves.

    python tests/kits/web_kills.py [--kills 20] [--seed 0]

A server is started, marks are saved as fast as it confirms them, and after some milliseconds it is killed with SIGKILL;
in every third round one of its workers is stopped before, and in another one the disk gets full. The next server must
have everything that was confirmed, or that and the change that was on its way, and the files that ``webstrata
evaluate`` reads must say the same. Every request is answered in time, and no process is left.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from small_disk import grow, small_disk
from web_server import Running, free_port

from webstrata.segmentation.html import from_html
from webstrata.workers.process_tree import descendants

__all__ = ["DISK", "Way", "kill_while_saving"]

#: Bytes of the disk that gets full.
DISK = 64 * 2**20
# After so many seconds a server has noticed that a worker is stopped, and has killed it.
_NOTICED = 5
# How long the processes of a killed server may live.
_LIMIT_SECONDS = 20

_PAGE = "".join(f"<p>Paragraph {number} of the page.</p>\n" for number in range(60))
_SHEET = "/api/annotation/pages/page/sheets/Ada"


class Way(StrEnum):
    """What happens to a server."""

    KILL = "killed"
    STOP = "a worker is stopped"
    FILL = "the disk is full"


def start(data: Path) -> tuple[subprocess.Popen[bytes], Running]:
    """A server in a process of its own, once it answers."""
    port = free_port()
    command = [sys.executable, "-m", "webstrata", "serve", "--port", str(port), "--data", str(data)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    server = Running(port, data)
    limit = time.monotonic() + 180
    while True:
        try:
            server.ask("/")
            return process, server
        except OSError:
            if time.monotonic() > limit or process.poll() is not None:
                process.kill()
                raise AssertionError("the server does not begin") from None
            time.sleep(0.05)


def mark(number: int) -> dict[str, object]:
    return {"rows": [3 + number % 60], "level": 1 + number % 2, "kind": f"Kind {number}"}


def kill_while_saving(data: Path, kills: int, *, seed: int = 0, ways: Sequence[Way] = (Way.KILL,)) -> int:
    """Kill servers while they save; gives how many changes were confirmed in all. Raises where one was lost.

    Parameters
    ----------
    data : the data folder; a small disk if `ways` has the full disk
    ways : what happens in each round, in turn
    """
    chance = random.Random(seed)
    data.mkdir(parents=True, exist_ok=True)
    (data / "page.html").write_text(_PAGE)
    version = 0
    for round_number in range(kills):
        process, server = start(data)
        version = _checked(server, data, version)
        harm = _Harm(ways[round_number % len(ways)], process, data, chance)
        try:
            while True:
                marks = [mark(number) for number in range((version + 1) % 50 + 1)]
                answer = server.put(_SHEET, {"version": version, "marks": marks})
                assert answer.status == 200 or harm.fills_the_disk, answer.text
                version += answer.status == 200
                harm.start()  # the first change has to wait for a worker to begin
        except TimeoutError:
            raise AssertionError("a change is not answered") from None
        except (OSError, EOFError):
            pass  # the server was killed, as meant; the next round checks what it had confirmed
        except Exception as error:
            # A connection that ends in the middle of an answer has many errors; any other error is a fault.
            if type(error).__module__ != "http.client":
                raise
        finally:
            harm.end()
    process, server = start(data)
    try:
        return _checked(server, data, version)
    finally:
        process.kill()
        process.wait()


class _Harm:
    """Kills a server some milliseconds after its first change, or a moment after something else went wrong."""

    def __init__(self, way: Way, process: subprocess.Popen[bytes], data: Path, chance: random.Random) -> None:
        self._way, self._process, self._data, self._chance = way, process, data, chance
        self._timer = threading.Timer(chance.uniform(0.02, 0.3), self._do)
        self._children: list[int] = []

    @property
    def fills_the_disk(self) -> bool:
        return self._way is Way.FILL

    def start(self) -> None:
        if not self._timer.ident:
            self._timer.start()

    def _do(self) -> None:
        self._children = descendants(self._process.pid)
        if self._way is Way.STOP and self._children:
            os.kill(self._chance.choice(self._children), signal.SIGSTOP)
            time.sleep(_NOTICED + self._chance.uniform(0, 3))
        elif self._way is Way.FILL:
            grow(self._data, shutil.disk_usage(self._data).used + 4096 * self._chance.randrange(4))
            time.sleep(self._chance.uniform(0.2, 1))
        self._children = [*self._children, *descendants(self._process.pid)]
        os.kill(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Wait until the server and all its processes have ended, and make room again."""
        self._timer.cancel()
        if self._timer.ident:
            self._timer.join()
        self._process.kill()
        self._process.wait()
        if self.fills_the_disk:
            grow(self._data, DISK)
        limit = time.monotonic() + _LIMIT_SECONDS
        while left := [child for child in self._children if Path(f"/proc/{child}").exists()]:
            assert time.monotonic() < limit, f"the processes {left} are left"
            time.sleep(0.05)


def _checked(server: Running, data: Path, version: int) -> int:
    """The version of the sheet, which must be the one that was confirmed, or the one after it."""
    kept = server.ask(_SHEET).json
    assert kept["version"] in (version, version + 1), f"{version} was confirmed, {kept['version']} is there"
    if kept["version"]:
        assert [item["kind"] for item in kept["marks"]] == [f"Kind {n}" for n in range(kept["version"] % 50 + 1)]
        check_files(data, kept["version"])
    found: int = kept["version"]
    return found


def check_files(data: Path, version: int) -> None:
    """The files for evaluation hold the marks of that version."""
    made = json.loads((data / "page.segments.json").read_text())
    assert made["version"] == version
    found = from_html((data / "page.blocks.html").read_bytes())
    assert [segment.kind for segment in found.segments] == [row["kind"] for row in made["segments"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the moments at which servers are killed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder) / "pages", DISK) as data:
        confirmed = kill_while_saving(data, options.kills, seed=options.seed, ways=list(Way))
    print(f"{options.kills} kills, {confirmed} changes confirmed, none lost")


if __name__ == "__main__":
    main()
