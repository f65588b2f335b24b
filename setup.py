"""The native part of the build; everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
SANITIZE = os.environ.get("WEBSTRATA_SANITIZE") == "1"
SANITIZERS = ["-fsanitize=address,undefined"]
# The types that Cython needs for itself, in one module; a copy in each would take 150 kB and time at import.
SHARED = "webstrata._shared"
# -O3 makes text and Markdown 1 to 3 % faster than -O2; debug symbols would be most of the size of a module.
FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
if SANITIZE:
    FLAGS = [*SANITIZERS, "-g", "-O1", "-fno-omit-frame-pointer"]


def extension(module: str, source: str) -> Extension:
    return Extension(module, [source], extra_compile_args=FLAGS, extra_link_args=SANITIZERS if SANITIZE else [])


def module_name(source: Path) -> str:
    return ".".join(source.relative_to("src").with_suffix("").parts)


os.chdir(ROOT)
sources = sorted(Path("src").glob("webstrata/**/*.pyx"))
setup(
    ext_modules=cythonize(
        [
            extension(SHARED, "src/webstrata/_shared.c"),
            *(extension(module_name(source), str(source)) for source in sources),
        ],
        language_level=3,
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            # No module changes what it shares after its import: tests/test_threads.py.
            "freethreading_compatible": True,
        },
    ),
)
