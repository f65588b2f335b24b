"""Whether a mark that was confirmed is ever lost when the server is killed while it saves.

    python tests/kits/web_kills.py [--kills 20] [--seed 0]

A server is started, marks are saved as fast as it confirms them, and after some milliseconds it is killed with SIGKILL.
The next server must have everything that was confirmed, or that and the change that was on its way, and the files that
``webstrata evaluate`` reads must say the same.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from web_server import Running, free_port

from webstrata.segmentation.html import from_html

__all__ = ["kill_while_saving"]

_PAGE = "".join(f"<p>Paragraph {number} of the page.</p>\n" for number in range(60))
_SHEET = "/api/annotation/pages/page/sheets/Ada"


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


def kill_while_saving(data: Path, kills: int, *, seed: int = 0) -> int:
    """Kill servers while they save; gives how many changes were confirmed in all. Raises where one was lost."""
    chance = random.Random(seed)
    data.mkdir(parents=True, exist_ok=True)
    (data / "page.html").write_text(_PAGE)
    version = 0
    for _ in range(kills):
        process, server = start(data)
        kept = server.ask(_SHEET).json
        assert kept["version"] in (version, version + 1), f"{version} was confirmed, {kept['version']} is there"
        if kept["version"]:
            assert [item["kind"] for item in kept["marks"]] == [f"Kind {n}" for n in range(kept["version"] % 50 + 1)]
            check_files(data, kept["version"])
        version = kept["version"]
        killer = threading.Timer(chance.uniform(0.02, 0.3), os.kill, [process.pid, signal.SIGKILL])
        try:
            while True:
                marks = [mark(number) for number in range((version + 1) % 50 + 1)]
                answer = server.put(_SHEET, {"version": version, "marks": marks})
                assert answer.status == 200, answer.text
                version += 1
                if not killer.ident:
                    killer.start()  # the first change has to wait for a worker to begin
        except (OSError, EOFError):
            process.wait()
        except Exception as error:
            # A connection that ends in the middle of an answer is told in many ways; anything else is an error.
            if type(error).__module__ != "http.client":
                raise
            process.wait()
        finally:
            killer.cancel()
            process.kill()
            process.wait()
    return version


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
    with tempfile.TemporaryDirectory() as folder:
        confirmed = kill_while_saving(Path(folder) / "pages", options.kills, seed=options.seed)
    print(f"{options.kills} kills, {confirmed} changes confirmed, none lost")


if __name__ == "__main__":
    main()
