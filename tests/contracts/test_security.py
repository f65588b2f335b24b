"""The threat model (SECURITY.md) names tests that exist, and every module that uses the network."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from webstrata.apps.cli import _COMMANDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
# Modules that open connections, or run something that does.
NETWORK = {"asyncio.open_connection", "ftplib", "http.client", "playwright", "pyarrow.fs", "requests", "socket", "ssl"}
NETWORK |= {"urllib.request", "uvicorn"}


def named_tests(text: str) -> list[tuple[str, str]]:
    """The files and names of the tests that a text names; the name of a whole file is empty."""
    return re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", text)


def missing_tests(text: str) -> list[str]:
    """The tests that a text names and that do not exist."""
    found = []
    for file, test in named_tests(text):
        path = ROOT / file
        if not path.is_file() or (test and f"\ndef {test}(" not in path.read_text(encoding="utf-8")):
            found.append(f"{file}::{test}")
    return found


def imports(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere, and the texts in it, by which modules are imported lazily."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def uses_network(path: Path) -> bool:
    """Whether a file imports a module for the network."""
    return any(name == each or name.startswith(f"{each}.") for name in imports(path) for each in NETWORK)


def test_every_test_that_is_named_exists() -> None:
    assert missing_tests(TEXT) == []
    assert len(named_tests(TEXT)) > 40


def test_a_missing_test_is_seen() -> None:
    text = "`tests/test_files.py::test_nothing`, `tests/none.py`, `tests/test_files.py`"
    assert missing_tests(text) == ["tests/test_files.py::test_nothing", "tests/none.py::"]


def test_every_promise_has_a_test() -> None:
    table = TEXT.partition("| Given |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(table) > 10
    assert [row for row in table if not named_tests(row.split("|")[-2])] == []


def test_modules_that_use_the_network_are_named() -> None:
    named = re.findall(r"`webstrata\.([\w.]+)`", TEXT.partition("## Network")[2])
    source = ROOT / "src" / "webstrata"
    found = [path for path in source.rglob("*.py") if uses_network(path)]
    modules = [".".join(path.relative_to(source).with_suffix("").parts) for path in found]
    assert len(modules) > 5
    assert [module for module in modules if not any(f"{module}.".startswith(f"{name}.") for name in named)] == []


def test_commands_that_use_the_network_exist() -> None:
    table = TEXT.partition("| Command |")[2].partition("\n\n")[0].splitlines()[2:]
    commands = {name for row in table for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert commands
    assert commands <= set(_COMMANDS)
