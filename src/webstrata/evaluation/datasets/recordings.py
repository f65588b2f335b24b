"""Recorded renderings of the pages of data sets, so that visual algorithms run without a browser.

The folder WEBSTRATA_RECORDINGS, or ``out/recordings``, has one recording for each HTML, named by its hash
(`PageInput.digest`). ``bench/rendering.py`` records the Kreuzer pages there.
"""

from __future__ import annotations

import os
from pathlib import Path

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX

__all__ = ["RECORDINGS", "recorded", "recording_path"]

#: The environment variable with the path of the folder.
RECORDINGS = "WEBSTRATA_RECORDINGS"


def recording_path(document: PageInput) -> Path:
    """The path of the recording of a document."""
    return Path(os.environ.get(RECORDINGS) or "out/recordings") / f"{document.digest}{SUFFIX}"


def recorded(document: PageInput) -> RenderedPage:
    """The recorded rendering of a document."""
    path = recording_path(document)
    if not path.is_file():
        raise InputError(
            f"{document.url or 'this page'} is not recorded in {path.parent}: record it with `webstrata render`, "
            f"and set {RECORDINGS} to the folder"
        )
    return RenderedPage.load(path)
