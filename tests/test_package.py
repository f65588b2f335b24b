"""The package as a whole: its front door, its layers, its imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import webstrata

SOURCE = Path(webstrata.__file__).parent

# Imports point up this list only.
LAYERS = (
    "errors", "_legacy", "_utf8", "encoding", "_scan", "text", "page", "features", "registry", "segment", "extract",
    "site", "dedup", "graph", "search", "lingstats", "render", "run", "evaluate", "", "apps", "__main__",
)  # fmt: skip


def test_front_door() -> None:
    for name in webstrata.__all__:
        assert getattr(webstrata, name).__doc__, name
    assert webstrata.__version__ == version("webstrata")


def test_imports_point_up() -> None:
    for path in SOURCE.rglob("*.py"):
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        room = "" if room == "__init__" else room
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for name in imported(node):
                target = name.split(".")[1] if "." in name else ""
                if target in LAYERS and target != room and not (room == "text" and target == "_scan"):
                    assert LAYERS.index(target) < LAYERS.index(room), f"{path.name} imports {name}"


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name.split(".")[0] == "webstrata"]
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "webstrata":
        return (
            [node.module or ""] if "." in (node.module or "") else [f"webstrata.{alias.name}" for alias in node.names]
        )
    return []


def test_the_library_imports_numpy_alone() -> None:
    code = (
        "import sys, webstrata; webstrata.parse(b'<p>x');"
        "print(*sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in result.stdout.split() if not name.startswith(("_", "sphinxcontrib"))}
    assert loaded - {"cython_runtime", "site", "sitecustomize", "usercustomize"} == {"numpy", "webstrata"}
