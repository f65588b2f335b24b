"""The server process."""

from __future__ import annotations

import signal
from pathlib import Path


def test_a_server_ends_when_it_is_told_to(tmp_path: Path) -> None:
    from web_kills import start

    process, server = start(tmp_path / "pages")
    assert server.ask("/annotate").status == 200
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) in (0, -signal.SIGTERM)
