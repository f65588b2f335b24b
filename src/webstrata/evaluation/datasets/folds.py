"""Folds for cross-validation: a model is trained on the pages of all folds but one."""

from __future__ import annotations

import hashlib

from webstrata import urls

__all__ = ["FOLDS", "fold_of"]

#: The number of folds.
FOLDS = 5


def fold_of(url: str, name: str, folds: int = FOLDS) -> int:
    """The fold of a page by its host, so that no template is in two folds; by its name if it has no host.

    >>> fold_of("https://www.example.org/a", "1") == fold_of("http://example.org/b", "2")
    True
    """
    host = (urls.host(url) or name).removeprefix("www.")
    return int(hashlib.sha1(host.encode()).hexdigest(), 16) % folds
