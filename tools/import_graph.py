"""The import graph of the package: which module imports which, and the order of its rooms.

For cycles, the imports that run with the module count: not those inside functions, nor those for type checkers alone.
Importing a module of a package also imports the package, so a package that re-exports its modules must not be imported
by them. For the order of rooms, every import counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
#: The rooms of the package, built and planned: each may import those before it.
ROOMS = (
    "errors _lengths _once _escaping _notebook _scan _legacy _allowed _utf8 _prescan _first_bytes encoding text _arrow"
    " _urls urls _connections elements blocks page _harmless _pages _boxes tree tags _paragraphs paragraphs features"
    " _spelling _parameters registry _locks _recordings_folder _array_checks files drawing models segmentation"
    " extraction workers rendering sites duplicates links search statistics crawls evaluation training front-door"
    " integrations apps __main__"
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
