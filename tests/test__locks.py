"""One lock for a folder."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from webstrata._locks import locked
from webstrata.errors import InputError

_HOLD = (
    "import sys, time; from pathlib import Path; from webstrata._locks import locked\n"
    "with locked(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)"
)


def test_a_lock_ends_with_the_process_that_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lock"
    holder = subprocess.Popen([sys.executable, "-c", _HOLD, str(path)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(InputError, match="another process is writing to out"), locked(path, Path("out"), seconds=0):
            pass
    finally:
        holder.kill()
        holder.communicate()
    begin = time.monotonic()
    with locked(path):
        assert time.monotonic() - begin < 5


def test_a_lock_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot write to"), locked(tmp_path / "file" / "lock"):
        pass
