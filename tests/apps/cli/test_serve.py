"""``webstrata serve``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

from commands import webstrata


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    assert "--demo-site" in webstrata("serve", "--help").output
    done = webstrata("serve", "--import", str(tmp_path))
    assert done.exit_code == 2
    assert "--data" in done.output
    done = webstrata("serve", "--index", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert "none" in done.output
