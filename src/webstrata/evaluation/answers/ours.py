"""Algorithms of ours that need more than a page: the learned extractor by models without its fold, and metadata."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Document
from webstrata.evaluation.metrics.fields import FIELDS
from webstrata.extraction import EXTRACTORS, Extraction

__all__ = ["OutOfFold", "PageMetadata"]

_FILE = re.compile(r"without-(\d+)\.npz")


class OutOfFold:
    """The learned extractor, each page by the model that was trained without the fold of its host.

    Parameters
    ----------
    folds : the folder with ``without-0.npz`` and so on, as ``webstrata train --folds-to`` writes them
    parameters : of the learned extractor
    """

    def __init__(self, *, folds: str, **parameters: Any) -> None:
        files = {int(found[1]): file for file in Path(folds).glob("*.npz") if (found := _FILE.fullmatch(file.name))}
        if not files:
            raise InputError(
                f"no models without a fold in {folds}: make them with webstrata train PAGES -o MODEL --folds-to {folds}"
            )
        self._extractors = {
            fold: EXTRACTORS.make("learned", model=str(file), **parameters) for fold, file in files.items()
        }
        contents = b"".join(file.read_bytes() for _, file in sorted(files.items()))
        # Other models are another algorithm, whose answers are not those of these.
        told = {"folds": folds, **parameters, "models": hashlib.sha256(contents).hexdigest()[:12]}
        self._repr = f"OutOfFold({', '.join(f'{name}={value!r}' for name, value in told.items())})"

    def __call__(self, document: Document) -> Extraction:
        if document.fold not in self._extractors:
            known = ", ".join(map(str, sorted(self._extractors)))
            raise InputError(f"there are models without the folds {known}, and this page is in fold {document.fold}")
        return self._extractors[document.fold](document.page())

    def __repr__(self) -> str:
        return self._repr


class PageMetadata:
    """Title, author and date of a page."""

    def __call__(self, document: Document) -> dict[str, Any]:
        from webstrata.extraction.metadata import metadata

        found = metadata(document.page()).as_dict()
        return {"fields": {name: found[name] for name in FIELDS}}

    def __repr__(self) -> str:
        return "PageMetadata()"
