"""The examples of CONTRIBUTING.md, applied to a copy of the package, work as they are shown."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (
    (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## Seven additions\n")[2].partition("\n## ")[0]
)
_CHANGE = re.compile(
    r"^`(?P<path>[\w./]+)`(?: \(new\)|, (?P<side>above|below) the line with `(?P<anchor>[^`]+)`):\n\n```\w+\n"
    r"(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Change(NamedTuple):
    """A new file, or lines above or below a line of an existing one."""

    path: str
    side: str | None
    anchor: str | None
    code: str

    def apply(self, root: Path) -> None:
        target = root / self.path
        if self.anchor is None:
            assert not target.exists(), f"{self.path} exists already"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(self.code, encoding="utf-8")
            return
        lines = target.read_text(encoding="utf-8").splitlines(keepends=True)
        found = [i for i, line in enumerate(lines) if self.anchor in line]
        assert len(found) == 1, f"{self.path} has {len(found)} lines with {self.anchor}"
        at = _end_of_statement(lines, found[0]) if self.side == "below" else _first_decorator(lines, found[0])
        gap = ["\n"] if self.side == "above" and self.code.startswith(("    @", "`")) else []
        target.write_text("".join([*lines[:at], self.code, *gap, *lines[at:]]), encoding="utf-8")


def _end_of_statement(lines: list[str], row: int) -> int:
    """The row after an entry of a table, which may take several lines."""
    depth = 0
    for i in range(row, len(lines)):
        depth += sum(lines[i].count(sign) for sign in "([{") - sum(lines[i].count(sign) for sign in ")]}")
        if depth <= 0:
            return i + 1
    return len(lines)


def _first_decorator(lines: list[str], row: int) -> int:
    while lines[row - 1].lstrip().startswith("@"):
        row -= 1
    return row


SECTIONS = re.findall(r"^### (.+?): (\d+) files\n(.*?)(?=^### |\Z)", TEXT, re.MULTILINE | re.DOTALL)
CHANGES = {kind: [Change(**found.groupdict()) for found in _CHANGE.finditer(body)] for kind, _, body in SECTIONS}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with all seven additions."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src/webstrata", root / "src/webstrata", ignore=shutil.ignore_patterns("*.c", "__pycache__"))
    shutil.copytree(ROOT / "docs", root / "docs")
    for changes in CHANGES.values():
        for change in changes:
            change.apply(root)
    return root


@pytest.mark.parametrize(("kind", "count"), [(kind, int(count)) for kind, count, _ in SECTIONS])
def test_the_files_of_an_example_are_counted(kind: str, count: int) -> None:
    assert len({change.path for change in CHANGES[kind]}) == count


def test_there_is_an_example_of_each_kind() -> None:
    table = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition("## Where to add what")[2]
    kinds = re.findall(r"^\| (an? [\w ]+) \|", table.partition("\n## ")[0], re.MULTILINE)
    assert sorted(kinds) == sorted(kind[0].lower() + kind[1:] for kind in CHANGES)


def test_the_examples_work(copy: Path) -> None:
    new = [copy / change.path for changes in CHANGES.values() for change in changes if change.anchor is None]
    tests = [str(path) for path in new if "tests" in path.relative_to(copy).parts]
    modules = [str(path) for path in new if "src" in path.relative_to(copy).parts]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "-c", os.devnull,
         "--rootdir", str(copy), "--import-mode=importlib", *tests, *modules],
        capture_output=True, text=True, cwd=copy, env={**os.environ, "PYTHONPATH": str(copy / "src")}, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
