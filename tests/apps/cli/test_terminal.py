"""Printing text of pages."""

from __future__ import annotations

import pytest


def test_a_terminal_shows_and_does_not_obey(monkeypatch: pytest.MonkeyPatch) -> None:
    from webstrata.apps.cli.terminal import shown

    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert shown("\x1b]0;title\x07a\x9b31mb\n") == "]0;titlea31mb\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: False, raising=False)
    assert shown("\x1b[31m") == "\x1b[31m"
