"""Recorded renderings of the pages of data sets, so that visual algorithms run without a browser.

The folder WEBSTRATA_RECORDINGS, or ``out/recordings``, has one recording for each HTML, named by its hash
(`PageInput.digest`). ``webstrata record`` makes them.
"""

from __future__ import annotations

import os
from pathlib import Path

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX

__all__ = ["RECORDINGS", "recorded", "recording_path", "recordings_folder"]

#: The environment variable with the path of the folder.
RECORDINGS = "WEBSTRATA_RECORDINGS"


def recordings_folder() -> Path:
    """The folder of the recordings."""
    return Path(os.environ.get(RECORDINGS) or "out/recordings")


def recording_path(document: PageInput) -> Path:
    """The path of the recording of a document."""
    return recordings_folder() / f"{document.digest}{SUFFIX}"


def recorded(document: PageInput) -> RenderedPage:
    """The recorded rendering of a document."""
    path = recording_path(document)
    if not path.is_file():
        raise InputError(
            f"{document.url or 'this page'} is not recorded in {path.parent}: record its data set with `webstrata "
            f"record`, or set {RECORDINGS} to the folder of the recordings"
        )
    return RenderedPage.load(path)
