"""Start-up: processor seconds of imports and of commands, beside those of Python, NumPy and click alone.

Each is the least of several runs in a fresh interpreter. NumPy's OpenBLAS starts threads that spin for a while, which
commands of webstrata prevent; so NumPy and click are measured with these threads and without them.
Usage: ``python bench/startup.py [--store]``.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

from results import store

RUNS = 11
PAGE = Path(__file__).parents[1] / "src/webstrata/demo/article.html"
BOTH = "import numpy, click"


def command(*arguments: object) -> str:
    words = ["webstrata", *map(str, arguments)]
    return f"import sys; sys.argv = {words!r}; from webstrata.apps.cli import main; main()"


CASES = {
    "python": "pass",
    "import numpy": "import numpy",
    "import click": "import click",
    BOTH: BOTH,
    "import webstrata": "import webstrata",
    "webstrata.extract, imported": "import webstrata; webstrata.extract",
    "webstrata --help": command("--help"),
    "webstrata extract --help": command("extract", "--help"),
    "webstrata extract page.html": command("extract", PAGE),
}


def seconds(code: str, **variables: str) -> float:
    """Processor seconds of an interpreter that runs some code."""
    found = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        environment = {**os.environ, **variables}
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def main() -> None:
    took = {name: seconds(code) for name, code in CASES.items()}
    for name, value in took.items():
        print(f"{name:<30} {value:.3f} s")
    one_thread = {name: seconds(code, OPENBLAS_NUM_THREADS="1") for name, code in CASES.items()}
    imported, page = "webstrata.extract, imported", "webstrata extract page.html"
    beyond = {
        "import webstrata and extract, beyond NumPy": (imported, "import numpy"),
        "webstrata --help, beyond NumPy and click": ("webstrata --help", BOTH),
        "webstrata extract page.html, beyond NumPy and click": (page, BOTH),
    }
    rows = [(name, f"{took[name]:.3f}", f"{one_thread[name]:.3f}") for name in CASES]
    for name, (ours, theirs) in beyond.items():
        rows.append((name, f"{took[ours] - took[theirs]:.3f}", f"{one_thread[ours] - one_thread[theirs]:.3f}"))
        print(f"{name}: {rows[-1][1]} s, {rows[-1][2]} s on one thread")
    if "--store" in sys.argv[1:]:
        store("startup", "Processor seconds, the least of several runs", ("", "s", "s on one thread"), rows)


if __name__ == "__main__":
    main()
