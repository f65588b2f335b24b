"""Errors that webstrata raises on purpose come from its own tree (`webstrata.errors`)."""

from __future__ import annotations

import re

import pytest

from import_graph import SOURCE

PACKAGE = SOURCE / "webstrata"
PLAIN = re.compile(r"\braise (?:ValueError|RuntimeError|Exception)\b")
# Modules that still raise built-in errors: checks of arguments that only our own code passes, and private errors that
# the caller turns into an InputError or into a row with a reason. The list may only become shorter.
OLD = frozenset(
    """
    crawls/reading/reader.py
    crawls/reading/warc.py
    crawls/running/guard.py
    crawls/running/job.py
    duplicates/_minhash.pyx
    extraction/json_writer.pyx
    rendering/recording.py
    rendering/resources.py
    """.split()
)
FILES = sorted(
    path.relative_to(PACKAGE).as_posix() for ending in ("py", "pyx", "pxi") for path in PACKAGE.rglob(f"*.{ending}")
)


@pytest.mark.parametrize("name", [name for name in FILES if name not in OLD])
def test_no_module_raises_a_plain_built_in_error(name: str) -> None:
    assert PLAIN.findall((PACKAGE / name).read_text(encoding="utf-8")) == []
