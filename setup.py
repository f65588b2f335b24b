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

# Folders with loops over characters, elements and numbers: -O3 makes extraction a tenth faster than -O2.
LOOPS = ("_scan", "duplicates", "extraction", "links", "models", "search", "segmentation")


def flags(module: str) -> list[str]:
    """Compiler flags of a module, by its folder."""
    if SANITIZE:
        return [*SANITIZERS, "-g", "-O1", "-fno-omit-frame-pointer"]
    if sys.platform == "win32":
        return ["/O2"]
    folder = module.split(".")[1]
    # Debug symbols would be most of the size of a module.
    return ["-O3" if folder in LOOPS else "-O2", "-g0"]


def extension(module: str, source: str) -> Extension:
    return Extension(module, [source], extra_compile_args=flags(module), extra_link_args=SANITIZERS if SANITIZE else [])


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
