"""The native part of the build; everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
SANITIZE = os.environ.get("WEBSTRATA_SANITIZE") == "1"
SANITIZERS = ["-fsanitize=address,undefined"]
# What Cython needs for its own types, once for all modules; each would carry 150 kB of it otherwise.
SHARED = "webstrata._shared"

if SANITIZE:
    COMPILE, LINK = [*SANITIZERS, "-g", "-O1", "-fno-omit-frame-pointer"], SANITIZERS
elif sys.platform == "win32":
    COMPILE, LINK = ["/O2"], []
else:
    # Without symbols for debuggers, which are most of a module's size, and without what unwinds C++.
    COMPILE = ["-O2", "-g0", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
    LINK = ["-Wl,-x"] if sys.platform == "darwin" else ["-s"]

# Loops that a compiler may unroll and double are a tenth of the time of an extraction, and nothing elsewhere.
FAST = ("webstrata.extraction.learned.", "webstrata.models.", "webstrata.links.")
# What runs once in a while is small.
SMALL = (SHARED, "webstrata.segmentation.learned.visual", "webstrata.sites.", "webstrata.training.")


def extension(module: str, source: str) -> Extension:
    level = ["-O3"] if module.startswith(FAST) else ["-Os"] if module.startswith(SMALL) else []
    # The last of several levels counts.
    own = [] if SANITIZE or sys.platform == "win32" else level
    return Extension(module, [source], extra_compile_args=[*COMPILE, *own], extra_link_args=LINK)


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
        },
    ),
)
