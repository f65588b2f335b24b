"""Check that an installed webstrata does what the README shows, in an environment with nothing else.

It runs the README's Python and the command line from an empty folder, so that the source tree is not imported. Usage:
``python tools/check_install.py``.
"""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import webstrata

        print(f"webstrata {webstrata.__version__} from {Path(webstrata.__file__).parent}")
        results = doctest.testfile(str(README), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        print(f"README: {results.attempted} examples, {results.failed} failed")
        if results.failed or not results.attempted:
            sys.exit(1)
        command = [sys.executable, "-m", "webstrata", "extract", "-", "--format", "markdown", "--algorithm", "keep-all"]
        result = subprocess.run(command, input=b"<h1>Strata</h1>", capture_output=True, check=True)
        if result.stdout.split() != [b"#", b"Strata"]:
            sys.exit(f"webstrata extract wrote {result.stdout!r}")
        os.chdir(README.parent)  # Windows cannot remove the current folder


if __name__ == "__main__":
    main()
