"""Modules import one another without cycles, and the rooms of the package in one order.

For cycles, what counts is what happens when a module is imported: not imports inside functions, nor those for type
checkers alone. To take a module out of a package is to import the package as well, so a package that re-exports its
modules must not be asked for them by these modules. For the order, every import counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
#: The rooms of the package, built and planned: each may import those before it.
ROOMS = (
    "errors _lengths _once _escaping _scan _legacy _utf8 _prescan encoding text _urls urls elements blocks page _boxes"
    " tree _paragraphs paragraphs"
    " features _spelling _parameters registry drawing models segmentation extraction workers rendering sites duplicates"
    " links search statistics crawls evaluation training front-door integrations apps __main__"
).split()
_NATIVE = re.compile(r"^(?:from|import|cimport)\s+(webstrata[\w.]*)", re.MULTILINE)

#: Of each module, the pairs (module or package that the statement names, module that it gets).
Graph = dict[str, set[tuple[str, str]]]


def module_name(path: Path, source: Path) -> str:
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The imports that run with the module."""
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
        elif isinstance(statement, ast.If):
            if ast.unparse(statement.test) != "TYPE_CHECKING":
                yield from statements(statement.body)
            yield from statements(statement.orelse)
        elif isinstance(statement, ast.Try):
            handled = [inner for handler in statement.handlers for inner in handler.body]
            yield from statements([*statement.body, *handled, *statement.orelse, *statement.finalbody])
        elif isinstance(statement, ast.With | ast.ClassDef):
            yield from statements(statement.body)


def imported(path: Path, modules: set[str], everywhere: bool) -> Iterator[tuple[str, str]]:
    """What a file imports of these modules: everywhere, or when it is itself imported."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        yield from ((name, name) for name in _NATIVE.findall(text))
        return
    tree = ast.parse(text)
    for statement in ast.walk(tree) if everywhere else statements(tree.body):
        if isinstance(statement, ast.Import):
            yield from ((alias.name, alias.name) for alias in statement.names)
        if not isinstance(statement, ast.ImportFrom):
            continue
        assert statement.level == 0, f"{path}: a relative import"
        package = statement.module or ""
        for alias in statement.names:
            inner = f"{package}.{alias.name}"
            yield package, inner if inner in modules else package


def import_graph(source: Path, *, everywhere: bool = False) -> Graph:
    """The imports of all modules below a folder, native ones included."""
    files = [path for path in source.rglob("*") if path.suffix in (".py", ".pyx", ".pxd")]
    modules = {module_name(path, source) for path in files}
    graph: Graph = {name: set() for name in modules}
    for path in files:
        name = module_name(path, source)
        graph[name] |= {pair for pair in imported(path, modules, everywhere) if pair[1] in modules and pair[1] != name}
    return graph


def find_cycle(graph: Graph) -> list[str]:
    """The modules of one cycle, from a module back to itself; none where there is no cycle."""
    edges = {name: {end for pair in pairs for end in pair} - {name} for name, pairs in graph.items()}
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def room(module: str) -> int:
    """The place of a module's room in the order. The package itself is the front door."""
    _, _, inner = module.partition(".")
    return ROOMS.index(inner.split(".")[0] or "front-door")


def against_the_order(graph: Graph) -> list[str]:
    """The imports of a room that comes later."""
    return sorted(
        f"{name} imports {got}" for name, pairs in graph.items() for _, got in pairs if room(got) > room(name)
    )


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
