"""The package as a whole: its front door, and what it needs. How its modules import each other is a contract."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import webstrata


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
