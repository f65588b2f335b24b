"""A real S3 server on loopback: moto's, with one bucket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["BUCKET", "environment", "s3_server", "store"]

BUCKET = "crawl"


@contextmanager
def s3_server() -> Iterator[str]:
    """The address of a server that runs while the ``with`` block does."""
    moto = pytest.importorskip("moto.server", reason="moto is not installed: pip install 'moto[s3,server]'")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def environment(address: str) -> dict[str, str]:
    """The variables by which programs find the server."""
    return {
        "AWS_ENDPOINT_URL": address, "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "us-east-1", "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip


def store(address: str) -> Any:
    """The server as a file system of pyarrow, with the bucket."""
    from pyarrow import fs

    system = fs.S3FileSystem(endpoint_override=address, access_key="any", secret_key="any", region="us-east-1",
                             allow_bucket_creation=True)  # fmt: skip
    system.create_dir(BUCKET)
    return system
