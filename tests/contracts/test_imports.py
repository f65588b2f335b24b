"""Modules import one another without cycles, and the rooms of the package in one order (`tools/import_graph.py`)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from import_graph import SOURCE, against_the_order, find_cycle, import_graph, module_name


def test_no_module_imports_itself_through_others() -> None:
    assert find_cycle(import_graph(SOURCE)) == []


def test_rooms_import_rooms_before_them_only() -> None:
    assert against_the_order(import_graph(SOURCE, everywhere=True)) == []


def foreign_imports(source: Path, packages: set[str]) -> list[str]:
    """The modules outside ``apps`` that import one of these packages, anywhere in their text."""
    found = []
    for path in source.rglob("*.py"):
        if "apps" in path.relative_to(source).parts:
            continue
        for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(statement, ast.Import):
                names = [alias.name for alias in statement.names]
            elif isinstance(statement, ast.ImportFrom):
                names = [statement.module or ""]
            else:
                continue
            found += [f"{module_name(path, source)} imports {name}" for name in names if name.split(".")[0] in packages]
    return sorted(found)


def test_terminals_are_the_business_of_the_apps() -> None:
    assert foreign_imports(SOURCE, {"rich", "click"}) == []


def test_an_import_for_terminals_is_seen(tmp_path: Path) -> None:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "cli.py").write_text("import click")
    (tmp_path / "page.py").write_text("def show():\n    from rich.console import Console\n")
    assert foreign_imports(tmp_path, {"rich", "click"}) == ["page imports rich.console"]


@pytest.mark.parametrize(
    ("statement", "cycle"),
    [
        ("from webstrata.crawls import processes", True),
        ("import webstrata.crawls", True),
        ("try:\n    import webstrata.crawls\nexcept ImportError:\n    pass", True),
        ("from webstrata.crawls.processes import start", False),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from webstrata.crawls import processes", False),
        ("def late():\n    from webstrata.crawls import processes", False),
    ],
)
def test_a_cycle_is_seen(tmp_path: Path, statement: str, cycle: bool) -> None:
    package = tmp_path / "webstrata" / "crawls"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from webstrata.crawls.guard import Guard")
    (package / "guard.py").write_text(statement)
    (package / "processes.py").write_text("")
    found = find_cycle(import_graph(tmp_path))
    assert set(found) == ({"webstrata.crawls", "webstrata.crawls.guard"} if cycle else set())


def test_a_room_that_imports_a_later_one_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "webstrata"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "text.py").write_text("def late():\n    from webstrata import errors, page")
    (package / "page.pyx").write_text("from webstrata.errors cimport (\n    fail)")
    (package / "errors.py").write_text("import webstrata")
    assert against_the_order(import_graph(tmp_path, everywhere=True)) == [
        "webstrata.errors imports webstrata",
        "webstrata.text imports webstrata.page",
    ]
