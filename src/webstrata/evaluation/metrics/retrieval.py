"""Metrics of ranked answers: precision, average precision, NDCG, reciprocal rank, success.

Each function takes the *gains* of the answers, best first (0 for an irrelevant answer, 1 or a grade for a relevant
one), and those of the relevant pages. Means over queries are MAP, MRR and so on; their intervals and tests are in
`webstrata.evaluation.reports.statistics`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

from webstrata.errors import InputError

__all__ = [
    "RETRIEVAL",
    "Discount",
    "average_precision",
    "ndcg",
    "precision",
    "reciprocal_rank",
    "score_answers",
    "score_gains",
    "success",
]


def precision(gains: Sequence[float], k: int = 10) -> float:
    """P@k: the share of the first k answers that are relevant; answers that are missing are not.

    >>> precision([1, 0, 2, 0], k=4), precision([1], k=10)
    (0.5, 0.1)
    """
    _check(k)
    return sum(gain > 0 for gain in gains[:k]) / k


def average_precision(gains: Sequence[float], relevant: int) -> float:
    """The mean of the precisions at each relevant answer; relevant pages that were not found count 0.

    >>> average_precision([1, 0, 1, 0], relevant=2)
    0.8333333333333333
    """
    found, total = 0, 0.0
    for rank, gain in enumerate(gains, 1):
        if gain > 0:
            found += 1
            total += found / rank
    return total / relevant if relevant else 0.0


#: The discount of the gain at rank i: that of Burges et al. 2005, or that of Järvelin & Kekäläinen 2002.
Discount = Literal["log2(i + 1)", "log2(i)"]


def ndcg(gains: Sequence[float], ideal: Sequence[float], k: int = 10, *, discount: Discount = "log2(i + 1)") -> float:
    """NDCG at k: gains discounted by the logarithm of the rank, as a share of those of the best order.

    Two definitions are in use. With "log2(i)" the first gain is not discounted, nor is the second: DCG is ``rel_1 +
    sum(rel_i / log2(i))`` (Järvelin & Kekäläinen 2002), as Kohlschütter 2011 prints it. With "log2(i + 1)", the
    default, only the first is not (Burges et al. 2005); it is what other packages compute.

    Parameters
    ----------
    gains : of the answers
    ideal : of all relevant pages, in any order

    discount : which of the two

    >>> gains = [3, 2, 3, 0, 1, 2]
    >>> round(ndcg(gains, gains, k=6), 4), round(ndcg(gains, gains, k=6, discount="log2(i)"), 4)
    (0.9608, 0.9315)
    """
    _check(k)
    first = {"log2(i + 1)": 2, "log2(i)": 1}[discount]

    def discounted(values: Sequence[float]) -> float:
        return sum(gain / max(1.0, math.log2(at)) for at, gain in enumerate(values, first))

    best = discounted(sorted(ideal, reverse=True)[:k])
    return discounted(gains[:k]) / best if best else 0.0


def reciprocal_rank(gains: Sequence[float]) -> float:
    """One divided by the rank of the first relevant answer, 0 without any.

    >>> reciprocal_rank([0, 0, 1]), reciprocal_rank([])
    (0.3333333333333333, 0.0)
    """
    return next((1 / rank for rank, gain in enumerate(gains, 1) if gain > 0), 0.0)


def success(gains: Sequence[float], k: int = 10) -> float:
    """1 if any of the first k answers is relevant, else 0.

    >>> success([0, 1], k=1), success([0, 1], k=2)
    (0.0, 1.0)
    """
    _check(k)
    return float(any(gain > 0 for gain in gains[:k]))


def _check(k: int) -> None:
    if k < 1:
        raise InputError("k must be at least 1")


#: The measures of one query, as reports call their means.
RETRIEVAL = ("P@10", "MAP", "NDCG@10", "NDCG@10 log2(i)", "MRR", "success@10")


def score_answers(answers: Sequence[str], judgements: Mapping[str, float]) -> dict[str, float]:
    """All measures of the answers to one query.

    Parameters
    ----------
    answers : the URLs that were found, best first; one that comes again counts once
    judgements : the gain of each relevant URL

    >>> score_answers(["a", "b"], {"b": 1})["MRR"]
    0.5
    """
    gains = [judgements.get(url, 0) for url in dict.fromkeys(answers)]
    return score_gains(gains, list(judgements.values()))


def score_gains(gains: Sequence[float], judgements: Sequence[float]) -> dict[str, float]:
    """All measures of one query, from the gains of its answers and those of all relevant pages.

    >>> score_gains([0, 1], [1])["MRR"]
    0.5
    """
    grades = [grade for grade in judgements if grade > 0]
    values = (
        precision(gains), average_precision(gains, len(grades)), ndcg(gains, grades),
        ndcg(gains, grades, discount="log2(i)"), reciprocal_rank(gains), success(gains),
    )  # fmt: skip
    return dict(zip(RETRIEVAL, values, strict=True))
