"""The curve of a rule: the chance that a pair is found, by the share of its shingles that both texts have."""

from __future__ import annotations

import numpy as np

from webstrata.drawing.charts import Series, line_chart
from webstrata.duplicates.signatures import Rule

__all__ = ["probability_curve"]


def probability_curve(rule: Rule) -> str:
    """The chance that a pair is found, and the chance that it is compared at all, as SVG.

    >>> probability_curve(Rule()).count("<polyline")
    2
    """
    shared = np.linspace(0, 1, 101)
    compared = 1 - (1 - shared**rule.rows) ** rule.bands
    title = f"{rule.bands} bands of {rule.rows} rows, at least {rule.shared:.0%} shared"
    x = shared.tolist()
    series = [
        Series("found as near-duplicates", x, rule.probability(shared).tolist()),
        Series("compared, because they share a band", x, compared.tolist()),
    ]
    return line_chart(series, title=title, x="share of shingles that both have", y="chance", low=0, high=1)
