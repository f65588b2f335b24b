"""The analysis of variance of Kreuzer 2013 chapter 8: the effects of algorithm, input, data set and metric on F."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from webstrata.errors import InputError, from_extra
from webstrata.evaluation.scores import Row

__all__ = ["FACTORS", "AnovaRow", "analyse_variance", "stars"]

#: The four variables by the thesis's names, and the columns of the scores that hold them.
FACTORS = {"algorithm": "algorithm", "html": "input", "dataset": "dataset", "metric": "metric"}


@dataclass(frozen=True)
class AnovaRow:
    """A line of table 8.1; F and p are NaN for the residuals."""

    term: str
    df: int
    sum_sq: float
    mean_sq: float
    f: float = nan
    p: float = nan


def analyse_variance(rows: Sequence[Row]) -> list[AnovaRow]:
    """A four-way analysis of variance of ``value`` with all interactions of two variables, by ordinary least squares.

    Sums of squares are sequential (type I) in the order of `FACTORS`, which is what R's ``aov`` prints. A variable
    that has one value only is left out.

    Notes
    -----
    Each page is in many rows, which the analysis takes for independent, as the thesis does. The chances are therefore
    too small; the paired tests of `webstrata.evaluation.reports.statistics` do not have this fault.

    Reference: R. Kreuzer, A quantitative comparison of semantic web page segmentation algorithms, MSc thesis, Utrecht
    2013, table 8.1.
    """
    with from_extra("eval", "statsmodels"):
        import pandas
        from statsmodels.api import stats
        from statsmodels.formula.api import ols
    frame = pandas.DataFrame({name: [getattr(row, column) for row in rows] for name, column in FACTORS.items()})
    frame["value"] = [row.value for row in rows]
    varying = [name for name in FACTORS if frame[name].nunique() > 1]
    if not varying:
        raise InputError("an analysis of variance needs at least two algorithms, inputs, data sets or metrics")
    # C() because names such as "1" would be taken for numbers.
    terms = " + ".join(f"C({name})" for name in varying)
    model = ols(f"value ~ ({terms})**2", data=frame).fit()
    table = stats.anova_lm(model, typ=1)
    return [
        AnovaRow(
            _plain(str(term)),
            int(row["df"]),
            float(row["sum_sq"]),
            float(row["mean_sq"]),
            float(row["F"]),
            float(row["PR(>F)"]),
        )
        for term, row in table.iterrows()
    ]


def _plain(term: str) -> str:
    return "Residuals" if term == "Residual" else term.replace("C(", "").replace(")", "")


def stars(p: float) -> str:
    """The sign that R prints for a chance.

    >>> stars(0.0001), stars(0.004), stars(0.03), stars(0.07), stars(0.5)
    ('***', '**', '*', '.', '')
    """
    return next((sign for bound, sign in ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, ".")) if p <= bound), "")
