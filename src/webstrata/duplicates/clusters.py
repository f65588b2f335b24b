"""Clusters: pages joined by pairs of near-duplicates, and the page of each that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webstrata.duplicates._minhash import join
from webstrata.text import Column

__all__ = ["Member", "clusters_of", "keeper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A page of a cluster, as far as it matters which is kept.

    Attributes
    ----------
    words : of the part that is compared
    crawled : when, as the archive writes it; empty where nobody knows
    url, file, record : where it is from
    """

    words: int
    crawled: str = ""
    url: str = ""
    file: str = ""
    record: int = 0


def clusters_of(a: Column, b: Column) -> tuple[Column, Column]:
    """The pages of pairs, sorted, and of each the least page that it is connected to.

    >>> [column.tolist() for column in clusters_of(np.array([5, 9, 2]), np.array([7, 5, 3]))]
    [[2, 3, 5, 7, 9], [2, 2, 5, 5, 5]]
    """
    ends = np.concatenate([np.asarray(a, np.int64), np.asarray(b, np.int64)])
    pages, place = np.unique(ends, return_inverse=True)
    parent = np.arange(len(pages))
    join(parent, place[: len(ends) // 2].astype(np.int64), place[len(ends) // 2 :].astype(np.int64))
    return pages, pages[parent]


def keeper(members: Sequence[Member]) -> int:
    """The place of the page to keep: longest content, then earliest, then first URL, then first in its file.

    A page of which nobody knows when it was crawled comes after those of which it is known.

    >>> keeper([Member(words=90, url="http://b/"), Member(words=90, url="http://a/"), Member(words=80)])
    1
    """

    def rank(place: int) -> tuple[int, bool, str, str, str, int]:
        item = members[place]
        return (-item.words, not item.crawled, item.crawled, item.url, item.file, item.record)

    return min(range(len(members)), key=rank)
