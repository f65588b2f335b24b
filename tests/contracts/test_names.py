"""Names: no two classes share one, headers only declare, nothing is written twice, and tests stand where modules do."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "webstrata"
#: Tests of the repository as a whole, which no module of the package is behind.
OF_THE_REPOSITORY = {
    "test_contributing.py", "test_docs.py", "test_first_hour.py", "test_growth.py", "test_injection.py",
    "test_package.py", "test_pages.py", "test_pictures.py", "test_robustness.py", "test_threads.py",
}  # fmt: skip
#: Tests of a room as a whole, by what they look at.
OF_A_ROOM = {"test_kills.py", "test_attacks.py", "test_browser.py", "test_hostile.py", "test_stress.py"}
#: The longest body of a function in a header, and the shortest run of lines that counts as written twice.
HEADER_LINES, COPIED_LINES = 5, 10
_NATIVE_CLASS = re.compile(r"^(?:cdef|ctypedef)(?: packed)? (?:class|struct) (\w+)", re.MULTILINE)


def classes(source: Path) -> dict[str, list[str]]:
    """For each name of a class or a C structure the modules that define it."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(path for path in source.rglob("*") if path.suffix in (".py", ".pyx", ".pxd", ".pxi")):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            names = [node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)]
        else:
            names = _NATIVE_CLASS.findall(text)
        for name in names:
            module = str(path.relative_to(source).with_suffix(""))
            if module not in found[name]:  # a header declares the class of its module
                found[name].append(module)
    return found


def long_bodies(header: str) -> Iterator[str]:
    """The functions of a header with more lines of code than a header may hold."""
    lines = header.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"(cdef|cpdef) (?!class )(inline )?[\w* ]+\(.*", line) and not line.startswith("cdef extern"):
            body = []
            for inner in lines[number + 1 :]:
                if inner and not inner.startswith((" ", ")")):
                    break
                body.append(inner)
            if sum(bool(inner.strip()) for inner in body) > HEADER_LINES:
                yield line


def copied(sources: dict[str, str]) -> Iterator[str]:
    """The places of runs of lines that stand in two places; imports, blank lines and comments do not count."""
    seen: dict[tuple[str, ...], tuple[str, int]] = {}
    last: dict[str, int] = {}
    for name, text in sources.items():
        lines = [
            (number, line.strip())
            for number, line in enumerate(text.splitlines(), 1)
            if len(line.strip()) > 1 and not line.strip().startswith(("#", "import ", "from ", "cimport "))
        ]
        for i in range(len(lines) - COPIED_LINES + 1):
            run = tuple(line for _, line in lines[i : i + COPIED_LINES])
            first, at = seen.setdefault(run, (name, lines[i][0]))
            if (first, at) != (name, lines[i][0]) and last.get(name, -COPIED_LINES) + COPIED_LINES <= i:
                last[name] = i
                yield f"{name}:{lines[i][0]} repeats {first}:{at}"


def test_no_two_classes_share_a_name() -> None:
    assert {name: modules for name, modules in classes(SOURCE).items() if len(modules) > 1} == {}


def test_headers_only_declare() -> None:
    found = {
        str(path.relative_to(SOURCE)): bodies
        for path in SOURCE.rglob("*.pxd")
        if (bodies := list(long_bodies(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


def test_nothing_is_written_twice() -> None:
    sources = {
        str(path.relative_to(SOURCE)): path.read_text(encoding="utf-8")
        for path in sorted(SOURCE.rglob("*"))
        if path.suffix in (".py", ".pyx", ".pxd", ".pxi")
    }
    assert list(copied(sources)) == []


def _module_of(test: Path) -> Path:
    """Where the module of a test is, without its ending."""
    folder, name = test.relative_to(ROOT / "tests").parent, test.stem.removeprefix("test_")
    return SOURCE / folder / name


@pytest.mark.parametrize(
    "test",
    [
        path
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if path.relative_to(ROOT / "tests").parts[0] not in ("chains", "cluster", "contracts", "integrations")
        and not (path.parent == ROOT / "tests" and path.name in OF_THE_REPOSITORY)
        and path.name not in OF_A_ROOM
    ],
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_a_test_stands_where_its_module_does(test: Path) -> None:
    """``tests/links/test_graph.py`` tests ``links/graph``; ``tests/test_links.py`` tests ``links`` as a whole."""
    module = _module_of(test)
    there = [module.with_suffix(ending) for ending in (".py", ".pyx")]
    private = [module.with_name(f"_{module.name}").with_suffix(ending) for ending in (".py", ".pyx")]
    assert module.is_dir() or any(path.exists() for path in (*there, *private)), f"no module {module.name}"


# The checks themselves


def test_a_shared_name_is_seen(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("class Word:\n    pass\n")
    (tmp_path / "two.pyx").write_text("cdef struct Word:\n    int start\n")
    (tmp_path / "two.pxd").write_text("cdef struct Word:\n    int start\n")
    assert classes(tmp_path) == {"Word": ["one", "two"]}


def test_a_long_body_is_seen() -> None:
    body = "".join(f"    a{i} = {i}\n" for i in range(6))
    assert list(long_bodies(f"cdef inline int f(int x) noexcept nogil:\n{body}\ncdef int g(int x)\n")) == [
        "cdef inline int f(int x) noexcept nogil:"
    ]
    assert list(long_bodies("cdef inline int f(int x) noexcept nogil:\n    return x\n")) == []


def test_a_copy_is_seen() -> None:
    run = "\n".join(f"line({i})" for i in range(10))
    assert list(copied({"a": f"start\n{run}", "b": f"# why\n{run}\nend"})) == ["b:2 repeats a:2"]
    assert list(copied({"a": run, "b": run.replace("line(4)", "line(40)")})) == []
