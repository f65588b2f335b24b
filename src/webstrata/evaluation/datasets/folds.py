"""Folds: which part of a collection a page is in when models are trained on the other parts."""

from __future__ import annotations

import hashlib

from webstrata import urls

__all__ = ["FOLDS", "fold_of"]

#: How many folds there are.
FOLDS = 5


def fold_of(url: str, name: str, folds: int = FOLDS) -> int:
    """The fold of a page: by its host, so that no template is on both sides; by its name where it has no host.

    >>> fold_of("https://www.example.org/a", "1") == fold_of("http://example.org/b", "2")
    True
    """
    host = (urls.host(url) or name).removeprefix("www.")
    return int(hashlib.sha1(host.encode()).hexdigest(), 16) % folds
