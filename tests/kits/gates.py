"""Gates: how a test holds up other processes, and learns how far they are, without looking at the clock.

A gate is a folder with two named pipes. Whoever wants through takes a token from the one, waiting until there is one,
and leaves a token in the other. So a test decides how many pages are worked on, knows when that was done, and can kill
a process that cannot have ended in the meantime, however slow or fast the machine is.
"""

from __future__ import annotations

import os
import select
from pathlib import Path

__all__ = ["HANG_SECONDS", "Gate", "pass_gate"]

#: A test that waits for this long waits for something that will not come.
HANG_SECONDS = 300


class Gate:
    """The test's side of a gate."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in ("tokens", "passed"):
            os.mkfifo(folder / name)
        # Open for both, so that the pipes and what is in them outlive the processes at the other end.
        self._tokens, self._passed = (os.open(folder / name, os.O_RDWR) for name in ("tokens", "passed"))

    def open(self, count: int) -> None:
        """Let so many through."""
        os.write(self._tokens, b"." * count)

    def wait(self, count: int) -> None:
        """Wait until so many are through."""
        while count:
            ready, _, _ = select.select([self._passed], [], [], HANG_SECONDS)
            assert ready, "nobody came through the gate"
            count -= len(os.read(self._passed, count))

    def close(self) -> None:
        os.close(self._tokens)
        os.close(self._passed)


def pass_gate(folder: str) -> None:
    """Wait for a token, and say that one is through."""
    with open(Path(folder) / "tokens", "rb", buffering=0) as tokens:
        tokens.read(1)
    with open(Path(folder) / "passed", "wb", buffering=0) as passed:
        passed.write(b".")
