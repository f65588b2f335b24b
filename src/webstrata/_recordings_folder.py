"""The folder of recorded pages: a module of its own, because commands look for it before they import a reader."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["RECORDINGS", "recordings_folder"]

#: The environment variable with the path of the folder.
RECORDINGS = "WEBSTRATA_RECORDINGS"


def recordings_folder() -> Path:
    """The folder of the recordings, whether it exists or not."""
    return Path(os.environ.get(RECORDINGS) or "out/recordings")
