"""Disks that are soon full."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

__all__ = ["grow", "small_disk"]


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """A folder that is a disk of this many bytes, in memory. Skips the test where mounting is not allowed."""
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(["mount", *options], check=False, capture_output=True).returncode:
        pytest.skip("a small disk can be mounted by root only")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def grow(folder: Path, size: int) -> None:
    """Make room on a small disk."""
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)
