"""Pearson's test against the frequencies and the result that Kohlschütter & Nejdl 2008 print in appendix A."""

from __future__ import annotations

import numpy as np
import pytest

from webstrata.evaluation.papers.kohlschuetter_nejdl_2008 import APPENDIX_A, FRUMKINA
from webstrata.statistics.goodness import chi_square


def test_the_printed_test_comes_out_of_the_printed_frequencies() -> None:
    counts, printed = (np.array(column) for column in zip(*APPENDIX_A.values(), strict=True))
    expected = counts.sum() * FRUMKINA.pdf(np.arange(18))
    np.testing.assert_allclose(expected, printed, atol=1e-4)
    found = chi_square(counts, expected, 3)
    assert round(found.statistic, 4) == 14.2394
    assert (round(found.p, 4), round(found.c, 4), found.freedom) == (0.3572, 0.0061, 13)


def test_a_perfect_fit() -> None:
    found = chi_square(np.array([8.0, 4.0, 2.0]), np.array([8.0, 4.0, 2.0]), 0)
    assert (found.statistic, found.c) == (0.0, 0.0)
    assert found.p == pytest.approx(1.0)
