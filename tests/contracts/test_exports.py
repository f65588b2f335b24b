"""``__all__`` of a module has the classes and functions that it defines without an underscore, and only bound names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from import_graph import SOURCE

PACKAGE = SOURCE / "webstrata"
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if path.stem[:2] != "__")
# Modules that define more than they list. The list may only become shorter.
OLD = frozenset(
    """
    apps/web/annotation/api.py
    apps/web/annotation/folder.py
    apps/web/annotation/views.py
    apps/web/page_api.py
    apps/web/search/views.py
    apps/web/viewer.py
    crawls/jobs/sites/learning.py
    crawls/running/input_process.py
    crawls/running/writers.py
    evaluation/papers/kohlschuetter_2011.py
    evaluation/papers/kohlschuetter_nejdl_2008.py
    evaluation/papers/kreuzer_2013.py
    evaluation/papers/weninger_hsu_2008.py
    evaluation/reports/formats.py
    evaluation/retrieval.py
    rendering/tab.py
    search/answers.py
    search/rankings.py
    segmentation/vips.py
    statistics/analyses.py
    """.split()
)
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


def faults(source: str) -> list[str]:
    """What is wrong with the ``__all__`` of a module: names that it does not bind, and classes that it leaves out."""
    tree = ast.parse(source)
    names = listed(tree)
    if names is None:
        return []
    missing = [f"{name} is listed and not there" for name in sorted(names - bound(tree))]
    defined = {item.name for item in tree.body if isinstance(item, DEFINITIONS) and not item.name.startswith("_")}
    return missing + [f"{name} is not listed" for name in sorted(defined - names)]


@pytest.mark.parametrize("name", FILES)
def test_a_module_exports_what_it_defines(name: str) -> None:
    found = faults(Path(PACKAGE / name).read_text(encoding="utf-8"))
    assert [fault for fault in found if name not in OLD or not fault.endswith("is not listed")] == []


def test_faults_are_seen() -> None:
    assert faults("__all__ = ['a', 'b']\ndef a(): ...\ndef c(): ...\n") == [
        "b is listed and not there",
        "c is not listed",
    ]
