"""Errors that webstrata raises on purpose come from its own tree (`webstrata.errors`)."""

from __future__ import annotations

import re

import pytest

from import_graph import SOURCE

PACKAGE = SOURCE / "webstrata"
PLAIN = re.compile(r"\braise (?:ValueError|RuntimeError|Exception)\b")
FILES = sorted(
    path.relative_to(PACKAGE).as_posix() for ending in ("py", "pyx", "pxi") for path in PACKAGE.rglob(f"*.{ending}")
)


@pytest.mark.parametrize("name", FILES)
def test_no_module_raises_a_plain_built_in_error(name: str) -> None:
    assert PLAIN.findall((PACKAGE / name).read_text(encoding="utf-8")) == []
