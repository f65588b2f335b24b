"""The command that lists data sets and fetches their files."""

from __future__ import annotations

import hashlib
import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card
from webstrata.evaluation.datasets.fetching import fetch

_DATA = b"varves" * 300_000


def card(data: bytes) -> Card:
    return Card("mud", "Mud", "nowhere", "Apache-2.0", 1, files={"mud/mud.bin": hashlib.sha256(data).hexdigest()})


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  the name of the base class
        pass


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """A server on this machine with the file of the card."""
    folder = tmp_path / "served" / "mud"
    folder.mkdir(parents=True)
    (folder / "mud.bin").write_bytes(_DATA)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_files_are_fetched_once_from_a_server(address: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    sizes: list[int] = []
    for _ in range(2):
        (path,) = fetch(card(_DATA), address, tmp_path / "data", progress=sizes.append)
        assert path.read_bytes() == _DATA
    assert sum(sizes) == len(_DATA)


def test_a_file_with_another_checksum_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "given" / "mud").mkdir(parents=True)
    (tmp_path / "given" / "mud" / "mud.bin").write_bytes(b"sand")
    with pytest.raises(InputError, match="is another file than the data set has"):
        fetch(card(_DATA), str(tmp_path / "given"), tmp_path / "data")
    assert not (tmp_path / "data" / "mud" / "mud.bin").exists()


def test_the_command_says_where_files_come_from(tmp_path: Path) -> None:
    assert "part of the package" in webstrata("datasets", "get", "tiny").output
    found = webstrata("datasets", "get", "wcxb", "-o", str(tmp_path))
    assert found.exit_code == 2
    assert "by --from" in found.stderr
    assert "Files belong below" in webstrata("datasets").output
