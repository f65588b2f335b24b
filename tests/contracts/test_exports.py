"""``__all__`` of a module has the classes and functions that it defines without an underscore, and only bound names.

Request handlers are not listed: their decorator registers them, and no module imports them.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from import_graph import SOURCE

PACKAGE = SOURCE / "webstrata"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if path.stem[:2] != "__")
DEFINITIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def listed(tree: ast.Module) -> set[str] | None:
    """The names in ``__all__``; None without one."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and any(getattr(to, "id", "") == "__all__" for to in statement.targets):
            return set(ast.literal_eval(statement.value))
    return None


def bound(tree: ast.Module) -> set[str]:
    """The names that statements of the module bind, at its top level and in its conditions."""
    names: set[str] = set()
    for statement in ast.walk(tree):
        if isinstance(statement, DEFINITIONS):
            names.add(statement.name)
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.Name) and isinstance(statement.ctx, ast.Store):
            names.add(statement.id)
    return names


def is_handler(item: DEFINITIONS) -> bool:
    """Whether a decorator such as ``@router.get("/path")`` registers the function."""
    return any(
        isinstance(by, ast.Call) and isinstance(by.func, ast.Attribute) and by.func.attr in ("get", "post", "put")
        for by in item.decorator_list
    )


def faults(source: str) -> list[str]:
    """What is wrong with the ``__all__`` of a module: names that it does not bind, and classes that it leaves out."""
    tree = ast.parse(source)
    names = listed(tree)
    if names is None:
        return []
    missing = [f"{name} is listed and not there" for name in sorted(names - bound(tree))]
    defined = {
        item.name
        for item in tree.body
        if isinstance(item, DEFINITIONS) and not item.name.startswith("_") and not is_handler(item)
    }
    return missing + [f"{name} is not listed" for name in sorted(defined - names)]


@pytest.mark.parametrize("name", FILES)
def test_a_module_exports_what_it_defines(name: str) -> None:
    found = faults(Path(PACKAGE / name).read_text(encoding="utf-8"))
    assert found == []


def test_faults_are_seen() -> None:
    assert faults("__all__ = ['a', 'b']\ndef a(): ...\ndef c(): ...\n") == [
        "b is listed and not there",
        "c is not listed",
    ]
    assert faults("__all__ = []\n@router.get('/')\ndef a(): ...\n@cache()\ndef b(): ...\n") == ["b is not listed"]
