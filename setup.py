"""The native part of the build; everything else is in pyproject.toml."""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).parent
SANITIZE = os.environ.get("WEBSTRATA_SANITIZE") == "1"
SANITIZERS = ["-fsanitize=address,undefined"]


def extension(source: Path) -> Extension:
    module = ".".join(source.relative_to("src").with_suffix("").parts)
    return Extension(
        module,
        [str(source)],
        extra_compile_args=[*SANITIZERS, "-g", "-O1", "-fno-omit-frame-pointer"] if SANITIZE else ["-O3"],
        extra_link_args=SANITIZERS if SANITIZE else [],
    )


os.chdir(ROOT)
setup(
    ext_modules=cythonize(
        [extension(source) for source in sorted(Path("src").glob("webstrata/**/*.pyx"))],
        language_level=3,
        compiler_directives={
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    ),
)
