"""Algorithms of ours that need more than a page: cross-validated models, and metadata."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.recordings import recorded
from webstrata.evaluation.metrics.blockhtml import Characters
from webstrata.evaluation.metrics.fields import FIELDS
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.rendering.back import on_source
from webstrata.segmentation import SEGMENTERS, Segmentation
from webstrata.segmentation.base import segmented
from webstrata.segmentation.pagesegmenter import PageSegmenter

T = TypeVar("T")

__all__ = ["OutOfFold", "OutOfFoldSegmenter", "PageMetadata", "PageSegmenterMarked", "fold_models"]

_FILE = re.compile(r"without-(\d+)\.npz")


def fold_models(folds: str | Path, command: str = "webstrata train PAGES -o MODEL") -> dict[int, Path]:
    """The models in a folder by the fold that is not in their training data."""
    files = {int(found[1]): file for file in Path(folds).glob("*.npz") if (found := _FILE.fullmatch(file.name))}
    if not files:
        raise InputError(f"no models without a fold in {folds}: make them with {command} --folds-to {folds}")
    return files


def _files(folds: str, command: str) -> tuple[dict[int, Path], str]:
    """The models in a folder by the fold that is not in their training data, and a hash of all."""
    files = fold_models(folds, command)
    contents = b"".join(file.read_bytes() for _, file in sorted(files.items()))
    return files, hashlib.sha256(contents).hexdigest()[:12]


def _of_fold(made: dict[int, T], document: PageInput) -> T:
    if document.fold not in made:
        known = ", ".join(map(str, sorted(made)))
        raise InputError(f"this page is in fold {document.fold}, and there are only models without the folds {known}")
    return made[document.fold]


def _repr(name: str, **parameters: Any) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in parameters.items())})"


class OutOfFold:
    """The learned extractor, each page by the model that was trained without the fold of its host.

    Parameters
    ----------
    folds : the folder with ``without-0.npz`` and so on, as ``webstrata train --folds-to`` writes them
    parameters : of the learned extractor
    """

    def __init__(self, *, folds: str, **parameters: Any) -> None:
        files, digest = _files(folds, "webstrata train PAGES -o MODEL")
        self._extractors = {
            fold: EXTRACTORS.make("learned", model=str(file), **parameters) for fold, file in files.items()
        }
        # The hash is part of the repr, so that answers of other models are not reused.
        self._repr = _repr("OutOfFold", folds=folds, **parameters, models=digest)

    def __call__(self, document: PageInput) -> Extraction:
        return _of_fold(self._extractors, document)(document.page())

    def __repr__(self) -> str:
        return self._repr


class OutOfFoldSegmenter:
    """The learned segmenter, each page by the model that was trained without the fold of its host.

    Parameters
    ----------
    folds : the folder with ``without-0.npz`` and so on, as ``webstrata train --segmenter --folds-to`` writes them
    boxes : segment the recorded page, and map its segments to the HTML that was recorded
    parameters : of the learned segmenter
    """

    def __init__(self, *, folds: str, boxes: bool = False, **parameters: Any) -> None:
        files, digest = _files(folds, "webstrata train --segmenter DATASET -o MODEL")
        self._segmenters = {
            fold: SEGMENTERS.make("learned", model=str(file), **parameters) for fold, file in files.items()
        }
        self._boxes = boxes
        self._repr = _repr("OutOfFoldSegmenter", folds=folds, boxes=boxes, **parameters, models=digest)

    def __call__(self, document: PageInput) -> Segmentation:
        segmenter = _of_fold(self._segmenters, document)
        if not self._boxes:
            return segmenter(document.page())
        page = recorded(document)
        return on_source(segmented(page, segmenter), page, document.page())

    def __repr__(self) -> str:
        return self._repr


class PageSegmenterMarked:
    """PageSegmenter as Kreuzer 2013 marks its segments (§6.2.2): each range of nodes with all its character data.

    The segments of `PageSegmenter` are ranges of blocks. Here a link in the middle of a block is a segment if it is a
    range, and so is a range without text, such as a picture.
    """

    def __call__(self, document: PageInput) -> list[dict[str, Any]]:
        page = document.page()
        characters = Characters.of(page.source)
        begins, hidden = page.blocks.source_start, page.blocks.hidden
        rows = []
        for start, stop in PageSegmenter().spans(page):
            shown = [row for row in range(*np.searchsorted(begins, (start, stop)).tolist()) if not hidden[row]]
            text = "\n".join(page.blocks[row].text for row in shown)
            rows.append({"text": text, "marked": characters.between(start, stop)})
        return rows

    def __repr__(self) -> str:
        return "PageSegmenterMarked()"


class PageMetadata:
    """Title, author and date of a page."""

    def __call__(self, document: PageInput) -> dict[str, Any]:
        from webstrata.extraction.metadata import metadata

        found = metadata(document.page()).as_dict()
        return {"fields": {name: found[name] for name in FIELDS}}

    def __repr__(self) -> str:
        return "PageMetadata()"
