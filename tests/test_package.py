"""The package as a whole: its front door, and what it needs. How its modules import each other is a contract."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import webstrata
from webstrata.errors import MissingExtra

SOURCE = Path(webstrata.__file__).parent
#: Every module of the package but the one that runs the command line when it is imported.
MODULES = sorted(
    ".".join(("webstrata", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCE.rglob("*")
    if path.suffix in (".py", ".pyx") and path.name != "__main__.py"
)


def test_front_door() -> None:
    for name in webstrata.__all__:
        assert getattr(webstrata, name).__doc__, name
    assert webstrata.__version__ == version("webstrata")


def test_the_library_imports_numpy_alone() -> None:
    code = (
        "import sys, webstrata; webstrata.parse(b'<p>x');"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in result.stdout.split() if not name.startswith(("_", "sphinxcontrib"))}
    assert loaded - {"cython_runtime", "site", "sitecustomize", "usercustomize"} == {"numpy", "webstrata"}


def test_the_front_door_imports_late() -> None:
    code = "import sys, webstrata; print('numpy' in sys.modules, sorted(set(webstrata.__all__) - set(dir(webstrata))))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False []\n"
    assert set(dir(webstrata)) == {*webstrata.__all__, "__doc__", "__version__"}
    with pytest.raises(AttributeError, match="no attribute 'strata'"):
        _ = webstrata.strata  # type: ignore[attr-defined]


def test_a_run_loads_only_the_rooms_that_it_uses() -> None:
    code = "import sys, webstrata.crawls; print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = result.stdout.split()
    assert "webstrata.crawls.jobs.extract" in loaded
    assert not {"webstrata.sites", "webstrata.duplicates", "webstrata.drawing"}.intersection(loaded)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_found_by_import_and_by_attribute(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except MissingExtra as missing:
        assert ".integrations." in name
        pytest.skip(str(missing))
    found: object = webstrata
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    assert found is module


PACKAGES = [name for name in MODULES if (SOURCE.parent / name.replace(".", "/")).is_dir() and ".apps" not in name]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_exports_what_it_says(name: str) -> None:
    """``__all__`` is what the package's own statements bind: nothing is listed that is not there, or left out."""
    module = importlib.import_module(name)
    assert module.__file__ is not None
    bound = set()
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    # What the front door imports late stands there for type checkers.
    late = [statement for block in body if isinstance(block, ast.If) for statement in block.body]
    for statement in [*body, *late]:
        if isinstance(statement, ast.ImportFrom) and (statement.module or "").startswith("webstrata"):
            bound |= {alias.asname or alias.name for alias in statement.names}
        elif isinstance(statement, ast.FunctionDef | ast.ClassDef) and not statement.name.startswith("_"):
            bound.add(statement.name)
    assert set(getattr(module, "__all__", ())) == bound
