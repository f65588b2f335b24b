"""Record the pages of a data set in a browser, so that visual algorithms can run on it without one.

A page that is recorded already is passed over: an interrupted run continues when it is repeated.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from webstrata.errors import RenderError
from webstrata.evaluation.answers.runner import Progress, silent
from webstrata.evaluation.datasets.base import Dataset, PageInput
from webstrata.evaluation.datasets.recordings import recording_path
from webstrata.files import write_file
from webstrata.rendering import RenderedPage, Renderer

__all__ = ["TIMEOUT", "PageVersion", "RecordRun", "page_versions", "record"]

#: Seconds for a page. Some Kreuzer pages need more than the default of `webstrata render`.
TIMEOUT = 120.0


@dataclass(frozen=True)
class PageVersion:
    """One input of a page of a data set.

    Attributes
    ----------
    page, name : of the item and of the input
    document : the HTML as algorithms get it; the recording is named by its sum
    path : the file that the browser opens, among the files that it loads; None if the page is its HTML alone
    folder : the files that it may load
    """

    page: str
    name: str
    document: PageInput
    path: Path | None = None
    folder: Path | None = None

    def submit(self, renderer: Renderer, timeout: float, screenshot: bool = False) -> Future[RenderedPage]:
        """Begin to render it."""
        if self.path is not None:
            return renderer.submit(self.path, folder=self.folder, timeout=timeout, screenshot=screenshot)
        return renderer.submit(self.document.page().source, timeout=timeout, screenshot=screenshot)

    def is_recorded(self, screenshot: bool) -> bool:
        """Whether its recording is there, and its picture if that is wanted."""
        path = recording_path(self.document)
        return path.is_file() and (not screenshot or path.with_suffix(".png").is_file())


@dataclass(frozen=True)
class RecordRun:
    """How many recordings were made and how many were there, and the pages that could not be recorded, with reasons."""

    made: int
    present: int
    failed: tuple[tuple[str, str], ...]


def page_versions(
    dataset: Dataset, folder: Path, *, inputs: tuple[str, ...] = (), limit: int | None = None
) -> Iterator[PageVersion]:
    """The inputs of the pages of a data set; what they load is unpacked into a folder."""
    files = dataset.unpack(folder) if dataset.unpack is not None else {}
    for item in dataset.items(limit):
        for name in inputs or dataset.inputs:
            path = files.get((item.name, name))
            if path is not None and name == "dom":
                # The leftovers of the marking tool are not part of the page.
                path = path.with_name(f"{path.name}.cleaned.html")
                path.write_bytes(item.inputs[name].html)
            yield PageVersion(item.name, name, item.inputs[name], path, folder if path is not None else None)


def record(
    dataset: Dataset,
    *,
    inputs: tuple[str, ...] = (),
    limit: int | None = None,
    tabs: int = 2,
    timeout: float = TIMEOUT,
    screenshots: bool = False,
    progress: Progress = silent,
) -> RecordRun:
    """Record the pages of a data set that have no recording in the folder of `recording_path`.

    Parameters
    ----------
    dataset : the data set
    inputs : some of its inputs; all by default
    limit : its first pages only
    tabs : pages that are rendered at once
    timeout : seconds for a page
    screenshots : write pictures of the pages beside their recordings, as PNG
    progress : called after each page
    """
    with tempfile.TemporaryDirectory() as folder:
        versions = list(page_versions(dataset, Path(folder), inputs=inputs, limit=limit))
        missing = {version.document.digest: version for version in versions if not version.is_recorded(screenshots)}
        failed = []
        for done, (version, error) in enumerate(_rendered(list(missing.values()), tabs, timeout, screenshots), start=1):
            if error is not None:
                failed.append((f"{version.page} ({version.name})", str(error)))
            progress(done, len(missing))
    return RecordRun(len(missing) - len(failed), len(versions) - len(missing), tuple(failed))


def _rendered(
    versions: list[PageVersion], tabs: int, timeout: float, screenshots: bool
) -> Iterator[tuple[PageVersion, RenderError | None]]:
    """Each version after its recording was saved, or with the reason why it was not."""
    if not versions:
        return
    waiting: deque[tuple[PageVersion, Future[RenderedPage]]] = deque()
    with Renderer(tabs=tabs) as renderer:
        for version in [*versions, *[None] * (2 * tabs)]:
            # A few pages are submitted ahead: results of a whole data set would fill the memory.
            if version is not None:
                waiting.append((version, version.submit(renderer, timeout, screenshots)))
            if waiting and (version is None or len(waiting) > 2 * tabs):
                first, future = waiting.popleft()
                yield first, _saved(first, future)


def _saved(version: PageVersion, future: Future[RenderedPage]) -> RenderError | None:
    try:
        path = recording_path(version.document)
        path.parent.mkdir(parents=True, exist_ok=True)
        page = future.result()
        if page.screenshot is not None:
            write_file(path.with_suffix(".png"), page.screenshot)
        page.save(path)
    except RenderError as error:
        return error
    return None
