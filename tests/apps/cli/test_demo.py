"""``webstrata demo``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

from commands import webstrata


def test_demo_says_what_it_did(tmp_path: Path) -> None:
    result = webstrata("demo", "-o", str(tmp_path))
    assert result.exit_code == 0
    assert list(tmp_path.iterdir())
    assert str(tmp_path) in result.output
