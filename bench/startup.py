"""Start-up: processor seconds of imports and of ``webstrata --help``, beside those of Python, NumPy and click alone.

Each is the least of several runs in a fresh interpreter. Usage: ``python bench/startup.py``.
"""

from __future__ import annotations

import resource
import subprocess
import sys

RUNS = 7
CASES = {
    "python": "pass",
    "import numpy": "import numpy",
    "import click": "import click",
    "import webstrata": "import webstrata",
    "webstrata.extract, imported": "import webstrata; webstrata.extract",
    "webstrata --help": "import sys; sys.argv = ['webstrata', '--help']; from webstrata.apps.cli import main; main()",
    "webstrata extract --help": (
        "import sys; sys.argv = ['webstrata', 'extract', '--help']; from webstrata.apps.cli import main; main()"
    ),
}


def seconds(code: str) -> float:
    """Processor seconds of an interpreter that runs some code."""
    found = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def main() -> None:
    measured = {name: seconds(code) for name, code in CASES.items()}
    for name, value in measured.items():
        print(f"{name:<30} {value:.3f} s")
    numpy, click = measured["import numpy"], measured["import click"]
    print(f"import webstrata and extract, beyond NumPy: {measured['webstrata.extract, imported'] - numpy:.3f} s")
    print(f"webstrata --help, beyond Python and click:  {measured['webstrata --help'] - click:.3f} s")


if __name__ == "__main__":
    main()
