"""``webstrata serve``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import webstrata


def test_the_command_says_what_is_wrong(tmp_path: Path) -> None:
    assert "--demo-site" in webstrata("serve", "--help").output
    done = webstrata("serve", "--import", str(tmp_path))
    assert done.exit_code == 2
    assert "--data" in done.output
    done = webstrata("serve", "--index", str(tmp_path / "none"))
    assert done.exit_code == 2
    assert "none" in done.output


def test_names_of_folders_do_not_control_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata.apps.web.server.serve", lambda *arguments, **options: None)
    (tmp_path / "page.html").write_text("<p>x")
    done = webstrata("serve", "--data", str(tmp_path / "set\x1b[31m"), "--import", str(tmp_path))
    assert (done.exit_code, "1 pages added" in done.output, "\x1b" in done.output) == (0, True, False)
