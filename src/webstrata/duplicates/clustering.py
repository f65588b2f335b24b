"""Clusters of near-duplicates: texts connected by similar pairs, and the one of each cluster to keep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from webstrata._pages import page_of
from webstrata.duplicates._minhash import join
from webstrata.duplicates.pairs import similar_pairs
from webstrata.duplicates.parts import KeptContent, TextPart
from webstrata.duplicates.signatures import Rule
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.text import Column, count_words

__all__ = ["Cluster", "Member", "clusters", "connected", "keeper", "ranked"]

#: A plain text, or a page (its HTML as bytes, or the path of its file).
Comparable: TypeAlias = str | Page | bytes | Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A text or page of a cluster.

    Attributes
    ----------
    words : of the compared text
    crawled : date, as the archive writes it; empty if unknown
    url, file, record : where it is from; for `clusters`, ``record`` is its place among the given texts
    similarity : share of min-hashes that it has in common with the member to keep
    """

    words: int
    crawled: str = ""
    url: str = ""
    file: str = ""
    record: int = 0
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class Cluster:
    """Near-duplicates of each other.

    Attributes
    ----------
    keeper : the member to keep
    others : its near-duplicates, sorted by URL, file and record
    """

    keeper: Member
    others: tuple[Member, ...]

    @property
    def members(self) -> tuple[Member, ...]:
        """All members, the one to keep first."""
        return (self.keeper, *self.others)

    def __len__(self) -> int:
        return 1 + len(self.others)

    def __repr__(self) -> str:
        name = self.keeper.url or f"{self.keeper.file}#{self.keeper.record}"
        least = min((member.similarity for member in self.others), default=1.0)
        return f"<Cluster: {len(self)} members, keeps {name}, similarity from {least:.2f}>"


def clusters(texts: Iterable[Comparable], rule: Rule | None = None, part: TextPart | None = None) -> list[Cluster]:
    """The clusters of near-duplicates among texts or pages; texts without a near-duplicate are in none.

    The result is the same as for a crawl of these pages, and does not depend on their order.

    Parameters
    ----------
    texts : plain texts (str), or pages: `Page` objects, HTML as bytes, or a `Path`
    rule : when two texts are near-duplicates; `Rule` has the defaults
    part : which text of a page is compared; the content that the learned extractor keeps by default

    >>> tide = "The tide laid down a thin layer of silt each day, and clay in calm water"
    >>> [found] = clusters([tide, "Something else", f"{tide}."])
    >>> [member.record for member in found.members]
    [0, 2]
    """
    if isinstance(texts, str | bytes | Page | Path):
        raise InputError("clusters compares many texts: put them in a list")
    rule = rule or Rule()
    members, signatures = _signed(texts, rule, part)
    places, labels = connected(*similar_pairs(signatures, rule))
    result = []
    for best, *others in ranked([members[place] for place in places.tolist()], labels.tolist()):
        of_best = signatures[places[best]]
        shared = rule.share(signatures[places[others]], of_best).tolist()
        pairs = zip(others, shared, strict=True)
        copies = tuple(replace(members[places[other]], similarity=share) for other, share in pairs)
        result.append(Cluster(members[places[best]], copies))
    return result


def _signed(texts: Iterable[Comparable], rule: Rule, part: TextPart | None) -> tuple[list[Member], Column]:
    """The texts that have a word, and their signatures, row by row."""
    members, signatures = [], []
    for record, given in enumerate(texts):
        url = ""
        if not isinstance(given, str):
            page = page_of(given)
            part = part or KeptContent()
            given, url = part(page), page.url or ""
        signature = rule.signature(given)
        if signature is not None:
            members.append(Member(words=count_words(given), url=url, record=record))
            signatures.append(signature)
    return members, np.array(signatures, np.uint32).reshape(-1, rule.permutations)


def connected(a: Column, b: Column) -> tuple[Column, Column]:
    """The pages of pairs, sorted, and for each the smallest page that it is connected to.

    >>> [column.tolist() for column in connected(np.array([5, 9, 2]), np.array([7, 5, 3]))]
    [[2, 3, 5, 7, 9], [2, 2, 5, 5, 5]]
    """
    ends = np.concatenate([np.asarray(a, np.int64), np.asarray(b, np.int64)])
    pages, place = np.unique(ends, return_inverse=True)
    parent = np.arange(len(pages))
    join(parent, place[: len(ends) // 2].astype(np.int64), place[len(ends) // 2 :].astype(np.int64))
    return pages, pages[parent]


def keeper(members: Sequence[Member]) -> int:
    """The index of the page to keep: most words, then earliest date, then first URL, then first in its file.

    A page without a date comes after those with one.

    >>> keeper([Member(words=90, url="http://b/"), Member(words=90, url="http://a/"), Member(words=80)])
    1
    """

    def rank(index: int) -> tuple[int, bool, str, tuple[str, str, int]]:
        item = members[index]
        return -item.words, not item.crawled, item.crawled, _origin(item)

    return min(range(len(members)), key=rank)


def ranked(members: Sequence[Member], labels: Sequence[int]) -> list[list[int]]:
    """The indices of the members of each cluster: largest cluster first; in each, the one to keep first.

    Parameters
    ----------
    members : of all clusters
    labels : for each member, the label of its cluster

    >>> ranked([Member(words=1, url=url) for url in "abcde"], [8, 9, 9, 8, 9])
    [[1, 2, 4], [0, 3]]
    """
    groups: dict[int, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(label, []).append(index)
    found = []
    for group in groups.values():
        best = group.pop(keeper([members[index] for index in group]))
        found.append([best, *sorted(group, key=lambda index: _origin(members[index]))])
    return sorted(found, key=lambda group: (-len(group), _origin(members[group[0]])))


def _origin(member: Member) -> tuple[str, str, int]:
    return member.url, member.file, member.record
