"""Recorded renderings of the pages of data sets, so that visual algorithms run without a browser.

The folder WEBSTRATA_RECORDINGS, or ``out/recordings``, has recordings of `webstrata render`, by any names: each has the
digest of the HTML that it was rendered from. Those that are named by the digest of their document, as by
``webstrata record``, are found without reading the others.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from webstrata._recordings_folder import RECORDINGS, recordings_folder
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.rendering.back import on_source
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX, read_about, source_digest
from webstrata.segmentation import Segmentation, Segmenter
from webstrata.segmentation.base import RENDERED, segmented

__all__ = [
    "find_recording",
    "recorded",
    "recording_if_any",
    "recording_path",
    "screenshot_of",
    "segmented_as_recorded",
]


def recording_path(document: PageInput) -> Path:
    """The path of the recording of a document, if it is named by the digest."""
    return recordings_folder() / f"{document.digest}{SUFFIX}"


def find_recording(document: PageInput) -> Path:
    """The path of the recording of a document; `InputError` if there is none."""
    found = _path_if_any(document)
    if found is None:
        raise InputError(
            f"{document.url or 'this page'} is not recorded in {recordings_folder()}: record its data set with "
            f"`webstrata record`, or set {RECORDINGS} to the folder of the recordings"
        )
    return found


def _path_if_any(document: PageInput) -> Path | None:
    path = recording_path(document)
    if path.is_file():
        return path
    others = _by_source(path.parent)
    return others.get(source_digest(document.page().source)) if others else None


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


def recording_if_any(document: PageInput) -> RenderedPage | None:
    """The recorded rendering of a document; None if there is none."""
    path = _path_if_any(document)
    return None if path is None else RenderedPage.load(path)


def segmented_as_recorded(document: PageInput, segmenter: Segmenter) -> Segmentation:
    """The segments of the HTML of a document, found with boxes where there is a recording of it."""
    page, rendered = document.page(), recording_if_any(document)
    if rendered is None:
        return segmenter(page)
    return on_source(segmented(rendered, segmenter, needs=RENDERED), rendered, page)


@lru_cache(maxsize=1)
def _by_source(folder: Path) -> dict[str, Path]:
    """The recordings of a folder by the digest of the HTML, as UTF-8, that they were rendered from."""
    paths = sorted(folder.glob(f"*{SUFFIX}"))
    return {about.source: path for path in paths if (about := read_about(path)).source}
