"""The first hour of a newcomer: every line of docs/first-hour.md, with all extras and with none."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from commands import webstrata

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[1] / "docs" / "first-hour.md"
SOURCE = Path(__file__).parents[1] / "src"
#: The packages that the bare library brings.
BROUGHT = ("numpy", "numpy.libs", "click", "rich", "pygments", "markdown_it", "mdurl")


class Line(NamedTuple):
    """A command of the page: its arguments, the file that is piped into it, and the extras that it needs."""

    arguments: list[str]
    piped: str
    extras: list[str]


def lines() -> Iterator[Line]:
    for line in re.findall(r"^(?:cat|webstrata) .*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        command, _, comment = line.partition("#")
        piped, _, command = command.rpartition("|")
        extras = comment.partition("extra: ")[2].replace(",", " ").split()
        yield Line(shlex.split(command)[1:], piped.replace("cat", "").strip(), extras)


def test_every_line_works_with_all_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for line in lines():
        found = webstrata(*line.arguments, stdin=Path(line.piped).read_bytes() if line.piped else b"")
        assert found.exit_code == 0, (line.arguments, found.output, found.exception)


def test_a_line_without_its_extra_says_which_to_install(tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for name in BROUGHT:
        (bare / name).symlink_to(Path(np.__file__).parents[1] / name)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(bare), str(SOURCE)])}
    chosen = [line for line in lines() if line.extras or line.arguments[0] in ("demo", "explain", "segment")]
    assert any(line.extras for line in chosen)
    for line in chosen:
        command = [sys.executable, "-S", "-m", "webstrata", *line.arguments]
        found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
        if line.extras:
            assert re.search(rf"pip install 'webstrata\[({'|'.join(line.extras)})\]'", found.stderr), found.stderr
        assert found.returncode == (2 if line.extras else 0), (line.arguments, found.stderr)
        assert "Traceback" not in found.stderr
