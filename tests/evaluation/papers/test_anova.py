"""The analysis of variance, against sums of squares by hand, and the thesis's own figures."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas
import pytest
from scipy.stats import f as f_distribution
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from webstrata.errors import InputError
from webstrata.evaluation.papers.anova import analyse_variance
from webstrata.evaluation.papers.kreuzer_2013 import anova_table, gains_table, thesis_anova, thesis_tables
from webstrata.evaluation.papers.kreuzer_2013_printed import ANOVA, TABLES
from webstrata.evaluation.scores import Row

ALGORITHMS = ("bf-plain", "pagesegmenter-marked", "taggap")


def rows(pages: int = 6) -> list[Row]:
    """Every algorithm on every input of as many pages of both data sets: a balanced design."""
    random = np.random.default_rng(7)
    found = []
    for (dataset, source, metric), (number, algorithm) in product(TABLES, enumerate(ALGORITHMS)):
        for page in range(pages):
            value = 0.2 + 0.1 * number + 0.1 * (source == "dom") * number + 0.05 * random.standard_normal()
            found.append(
                Row(dataset, str(page), "", source, algorithm, metric, value, value, value, 1, 2, 3, "ok", 0.1, 0)
            )
    return found


def squares(found: list[Row], *columns: str) -> float:
    """Sum over rows of the squared mean of the group that a row is in, less the grand mean."""
    grand = np.mean([row.value for row in found])
    groups: dict[tuple[str, ...], list[float]] = {}
    for row in found:
        groups.setdefault(tuple(getattr(row, column) for column in columns), []).append(row.value)
    return float(sum(len(values) * (np.mean(values) - grand) ** 2 for values in groups.values()))


def test_against_sums_of_squares_by_hand() -> None:
    found = rows()
    table = {row.term: row for row in analyse_variance(found)}
    names = {"algorithm": "algorithm", "html": "input", "dataset": "dataset", "metric": "metric"}
    for term, row in table.items():
        if term == "Residuals":
            continue
        columns = [names[name] for name in term.split(":")]
        expected = squares(found, *columns)
        if len(columns) == 2:
            expected -= squares(found, columns[0]) + squares(found, columns[1])
        assert row.sum_sq == pytest.approx(expected, abs=1e-9)
        assert row.f == pytest.approx(row.mean_sq / table["Residuals"].mean_sq)
        assert row.p == pytest.approx(f_distribution.sf(row.f, row.df, table["Residuals"].df))
    assert list(table) == list(ANOVA)
    assert table["Residuals"].df == len(found) - 1 - sum(row.df for term, row in table.items() if term != "Residuals")
    assert table["algorithm:html"].p < 0.001
    assert table["html:metric"].p > 0.01


def test_against_statsmodels_where_rows_are_missing() -> None:
    """Sequential sums of squares depend on the order of the terms if the design is not balanced."""
    found = [row for number, row in enumerate(rows()) if number % 5 and not (row.algorithm == "taggap" and number % 3)]
    names = {"algorithm": "algorithm", "html": "input", "dataset": "dataset", "metric": "metric"}
    frame = pandas.DataFrame({name: [getattr(row, column) for row in found] for name, column in names.items()})
    frame["value"] = [row.value for row in found]
    table = anova_lm(ols(f"value ~ ({' + '.join(names)})**2", data=frame).fit(), typ=1)
    for row, (_, expected) in zip(analyse_variance(found), table.iterrows(), strict=True):
        assert row.df == expected["df"]
        assert row.sum_sq == pytest.approx(expected["sum_sq"], abs=1e-9)
        assert row.mean_sq == pytest.approx(expected["mean_sq"], abs=1e-9)
        if row.term != "Residuals":
            assert row.f == pytest.approx(expected["F"])
            assert row.p == pytest.approx(expected["PR(>F)"], abs=1e-12)


def test_a_combination_that_never_occurs_takes_no_degree_of_freedom() -> None:
    found = [row for row in rows() if not (row.algorithm == "taggap" and row.input == "dom")]
    table = {row.term: row.df for row in analyse_variance(found)}
    assert (table["algorithm"], table["algorithm:html"]) == (2, 1)
    assert sum(table.values()) == len(found) - 1


def test_the_thesis_figures_are_consistent() -> None:
    """A slip in copying table 8.1 or tables 7.1 to 7.8 would show here."""
    residual = ANOVA["Residuals"][1] / ANOVA["Residuals"][0]
    for term, (df, sum_sq, mean_sq, f, _) in ANOVA.items():
        assert mean_sq == pytest.approx(sum_sq / df, abs=0.006)
        if f is not None and term != "html:metric":
            assert f == pytest.approx(mean_sq / residual, rel=0.02)
    for printed in TABLES.values():
        for precision, recall, f, retrieved, hits, relevant in printed.values():
            assert hits <= min(retrieved, relevant)
            assert f <= (precision + recall) / 2 + 0.01
    assert len(TABLES) == 8


def test_variables_with_one_value_are_left_out() -> None:
    one = [row for row in rows() if row.dataset == "kreuzer-random" and row.metric == "fuzzy-thesis"]
    assert [row.term for row in analyse_variance(one)] == ["algorithm", "html", "algorithm:html", "Residuals"]
    with pytest.raises(InputError):
        analyse_variance([row for row in one if row.input == "dom" and row.algorithm == "taggap"])


def test_gains_are_what_the_interactions_compare() -> None:
    found = rows()
    table = gains_table(found)
    assert table is not None
    lines = {str(line[0]): line[1:] for line in table.lines}
    assert list(lines) == ["bf-plain", "pagesegmenter-marked"]
    # By hand from tables 7.1 to 7.8: PageSegmenter's F with fuzzy matching less that with exact, and DOM less HTML.
    printed = (0.24 + 0.20 + 0.13 + 0.11 - 0.14 - 0.16 - 0.08 - 0.07) / 4
    scripts = (0.16 + 0.20 + 0.07 + 0.11 - 0.14 - 0.24 - 0.08 - 0.13) / 4
    assert lines["pagesegmenter-marked"][1::2] == pytest.approx((printed, scripts))
    means = [np.mean([row.value for row in found if row.algorithm == "pagesegmenter-marked" and row.input == kind])
             for kind in ("html", "dom")]  # fmt: skip
    assert lines["pagesegmenter-marked"][2] == pytest.approx(means[1] - means[0])
    assert gains_table([row for row in found if row.input == "dom"]) is None


def test_tables_beside_the_thesis() -> None:
    found = rows()
    tables = list(thesis_tables(found))
    assert [table.title.split(",")[0] for table in tables[:2]] == [
        "Table 7.1: Random-HTML-Exact", "Table 7.2: Random-HTML-Fuzzy",
    ]  # fmt: skip
    assert len(tables) == 8
    names = [line[0] for line in tables[0].lines]
    assert names[:3] == ["bf-plain", "  thesis: BlockFusion", "  difference"]
    assert names[-1] == "  thesis: WebTerrain (not run here)"
    both = list(thesis_anova(found))
    assert [table.name for table in both] == ["thesis-8-1", "thesis-8-1-all"]
    assert both[0].lines[0][7:10] == (3, 20.59, 6.864)
    assert not list(thesis_anova([row for row in found if row.input == "dom"]))
    assert anova_table("x", "y", analyse_variance(found)).header[-1] == ""
