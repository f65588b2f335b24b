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
    COMPILE = ["-Os", "-g0", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-fno-plt"]
    LINK = ["-Wl,-x"] if sys.platform == "darwin" else ["-s"]

# Where loops over characters, elements and numbers are, speed counts; elsewhere size does.
QUICK = (
    "webstrata._scan.", "webstrata._utf8", "webstrata.duplicates.", "webstrata.extraction.metadata.",
    "webstrata.extraction.structure.html_writer", "webstrata.extraction.structure.inline",
    "webstrata.extraction.structure.outline", "webstrata.extraction.structure.paragraph", "webstrata.models.",
    "webstrata.search._impacts", "webstrata.segmentation.learned.",
)  # fmt: skip
# What a compiler may unroll and double there is a tenth of the time of an extraction.
QUICKEST = (
    "webstrata.extraction.learned.", "webstrata.links.", "webstrata.segmentation.learned.candidates",
    "webstrata.segmentation.learned.features",
)  # fmt: skip
# Among them, what does little more than call others.
SMALL = (
    "webstrata._scan.columns", "webstrata._scan.references", "webstrata._scan.tags",
    "webstrata.extraction.learned.judgement", "webstrata.extraction.learned.named",
    "webstrata.extraction.learned.outline", "webstrata.extraction.learned.scorer", "webstrata.extraction.metadata.tags",
    "webstrata.segmentation.learned.decoding", "webstrata.segmentation.learned.visual",
)  # fmt: skip


def extension(module: str, source: str) -> Extension:
    quick = ["-O3"] if module.startswith(QUICKEST) else ["-O2"] if module.startswith(QUICK) else []
    # The last of several levels counts.
    own = [] if SANITIZE or sys.platform == "win32" or module in SMALL else quick
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
            # No module changes what it shares after its import: tests/test_threads.py.
            "freethreading_compatible": True,
            # Half of a small module would be for functions that can be looked into and for classes that can be pickled.
            "auto_pickle": False,
            "binding": False,
        },
    ),
)
