"""Printing what may come from strangers: no control character reaches a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import webstrata.apps.cli
from webstrata.apps.cli.terminal import echo

_HOSTILE = "\x1b]0;title\x07\x9b31m"
_COMMANDS = [
    ["segment", "{}.html"],
    ["explain", "{}.html", "-o", "{}/report.html"],
    ["extract", "{}.html", "{}.html"],
    ["extract", "{}-missing.html"],
    ["run", "extract", "{}.html", "-o", "{}"],
    ["run", "extract", "{}", "-o", "{}"],
    ["search", "query", "{}", "clay"],
    ["links", "stats", "{}"],
    ["links", "facets", "{}", "{}", "{}"],
    ["{}"],
    ["--{}"],
]


def test_a_terminal_gets_no_control_characters_and_a_file_gets_all(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    echo("a\x07b")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    echo(f"{_HOSTILE}a\x1b[2Jb")
    assert capsys.readouterr().out == "a\x07b\n]0;title31ma[2Jb\n"


def test_all_commands_print_through_echo() -> None:
    folder = Path(webstrata.apps.cli.__file__).parent
    for path in folder.glob("*.py"):
        if path.name != "terminal.py":
            assert not re.search(r"click\.s?echo\(|(?<!\.)\bprint\(", path.read_text(encoding="utf-8")), path


@pytest.mark.slow
@pytest.mark.parametrize("arguments", _COMMANDS, ids=" ".join)
def test_names_and_errors_are_clean_on_a_terminal(tmp_path: Path, arguments: list[str]) -> None:
    name = f"a{_HOSTILE}"
    (tmp_path / f"{name}.html").write_text("<p>one two three four five six seven")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "webstrata", *(argument.format(*[name] * 2) for argument in arguments)]
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 65536):
            shown += piece
    except OSError:  # the other side is closed
        pass
    process.wait()
    os.close(ours)
    assert b"]0;title" in shown
    for sequence in (b"\x1b]0;", b"\x07", "\x9b".encode()):
        assert sequence not in shown
