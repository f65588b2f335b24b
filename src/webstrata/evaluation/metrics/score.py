"""Precision, recall and F, with their counts."""

from __future__ import annotations

from dataclasses import dataclass

from webstrata.errors import InputError

__all__ = ["Score", "harmonic_mean"]


@dataclass(frozen=True)
class Score:
    """Precision, recall and F of one comparison.

    ``hits``, ``retrieved`` and ``relevant`` are the counts (or weights) of the ratios, to be summed over pages; they
    are None if the ratios are averages without counts (BCubed, class averages).

    The rule for 0/0: if nothing is relevant and nothing was retrieved, all three ratios are 1; if only one side is
    empty, all three are 0.

    Examples
    --------
    >>> Score.from_counts(2, retrieved=4, relevant=2)
    Score(precision=0.5, recall=1.0, f=0.6666666666666666, hits=2, retrieved=4, relevant=2)
    >>> Score.from_counts(0, retrieved=0, relevant=3).precision
    0.0
    >>> Score.from_counts(0, retrieved=0, relevant=0).f
    1.0
    """

    precision: float
    recall: float
    f: float
    hits: float | None = None
    retrieved: float | None = None
    relevant: float | None = None

    @classmethod
    def from_counts(cls, hits: float, *, retrieved: float, relevant: float) -> Score:
        """Score of counts: P = hits / retrieved, R = hits / relevant, F = 2 hits / (retrieved + relevant)."""
        if not 0 <= hits <= min(retrieved, relevant):
            raise InputError(f"hits must lie between 0 and both totals: {hits=}, {retrieved=}, {relevant=}")
        if retrieved == relevant == 0:
            return cls(1.0, 1.0, 1.0, hits, retrieved, relevant)
        precision = hits / retrieved if retrieved else 0.0
        recall = hits / relevant if relevant else 0.0
        # The harmonic mean of both, rounded once.
        return cls(precision, recall, 2 * hits / (retrieved + relevant), hits, retrieved, relevant)

    @classmethod
    def from_ratios(cls, precision: float, recall: float) -> Score:
        """Score of a precision and a recall that are averages already; F is their harmonic mean."""
        return cls(precision, recall, harmonic_mean(precision, recall))


def harmonic_mean(precision: float, recall: float) -> float:
    """F = 2PR / (P + R), and 0 where both are 0.

    Examples
    --------
    >>> harmonic_mean(0.5, 1.0)
    0.6666666666666666
    >>> harmonic_mean(0.0, 0.0)
    0.0
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
