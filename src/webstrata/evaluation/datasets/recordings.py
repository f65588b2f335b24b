"""Recorded renderings of the pages of data sets, so that visual algorithms run without a browser.

The folder WEBSTRATA_RECORDINGS, or ``out/recordings``, has recordings of `webstrata render`, by any names: each has the
digest of the HTML that it was rendered from. Those that are named by the digest of their document, as by
``webstrata record``, are found without reading the others.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX, read_about, source_digest

__all__ = ["RECORDINGS", "find_recording", "recorded", "recording_path", "recordings_folder", "screenshot_of"]

#: The environment variable with the path of the folder.
RECORDINGS = "WEBSTRATA_RECORDINGS"


def recordings_folder() -> Path:
    """The folder of the recordings."""
    return Path(os.environ.get(RECORDINGS) or "out/recordings")


def recording_path(document: PageInput) -> Path:
    """The path of the recording of a document, if it is named by the digest."""
    return recordings_folder() / f"{document.digest}{SUFFIX}"


def find_recording(document: PageInput) -> Path:
    """The path of the recording of a document; `InputError` if there is none."""
    path = recording_path(document)
    found = path if path.is_file() else _by_source(path.parent).get(source_digest(document.page().source))
    if found is None:
        raise InputError(
            f"{document.url or 'this page'} is not recorded in {path.parent}: record its data set with `webstrata "
            f"record`, or set {RECORDINGS} to the folder of the recordings"
        )
    return found


def screenshot_of(document: PageInput) -> bytes:
    """The recorded picture of a document, as PNG; `InputError` if there is none."""
    path = document.picture or find_recording(document).with_suffix(".png")
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            f"there is no screenshot {path}: record the data set with `webstrata record --screenshots`"
        ) from error


def recorded(document: PageInput) -> RenderedPage:
    """The recorded rendering of a document."""
    return RenderedPage.load(find_recording(document))


@lru_cache(maxsize=1)
def _by_source(folder: Path) -> dict[str, Path]:
    """The recordings of a folder by the digest of the HTML, as UTF-8, that they were rendered from."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    return {about.source: path for path in paths if (about := read_about(path)).source}
