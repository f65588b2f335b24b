"""Every fit finds known numbers again, from exact curves and from samples, and agrees with SciPy where SciPy has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.statistics import (
    Geometric,
    Lavalette,
    MenzerathAltmann,
    NegativeHypergeometric,
    OneBeta,
    ThreeBetas,
    TwoBetas,
    TwoBetasAndNormal,
    TwoGeometrics,
    Zipf,
    fit_model,
)
from webstrata.statistics.goodness import goodness

scipy_stats: Any = pytest.importorskip("scipy.stats", reason="scipy is not installed: pip install 'webstrata[stats]'")

QUICK = settings(max_examples=5, deadline=None)
WORDS = np.arange(1, 201)
METHODS = ("least squares", "maximum likelihood")


def sampled(model: Any, x: Any, size: int = 200_000) -> tuple[Any, Any]:
    """Shares and counts of a sample of a distribution."""
    chance = model.chance(x)
    counts = np.random.default_rng(5).multinomial(size, chance / chance.sum())
    return counts / size, counts


@QUICK
@given(p=st.floats(0.05, 0.8), method=st.sampled_from(METHODS))
def test_geometric_is_found_again_in_samples(p: float, method: Any) -> None:
    y, counts = sampled(Geometric(p), WORDS)
    fit = fit_model(Geometric, WORDS, y, method=method, counts=counts)
    # The standard error of p by maximum likelihood is p sqrt(1 - p) / sqrt(n), below 0.0013; squares weigh the head.
    assert abs(fit.model.p - p) < 0.01 * p + 0.002
    assert fit.converged


def test_maximum_likelihood_of_a_geometric_is_one_over_the_mean() -> None:
    y, counts = sampled(Geometric(0.2), WORDS)
    fit = fit_model(Geometric, WORDS, y, method="maximum likelihood", counts=counts)
    assert abs(fit.model.p - counts.sum() / (WORDS * counts).sum()) < 1e-6
    likelihood = float(scipy_stats.geom.logpmf(WORDS[counts > 0], fit.model.p) @ counts[counts > 0])
    assert fit.goodness.log_likelihood == pytest.approx(likelihood)
    assert fit.goodness.aic == pytest.approx(2 - 2 * likelihood)


@pytest.mark.parametrize("method", METHODS)
def test_two_geometrics_are_found_again_in_samples(method: Any) -> None:
    true = TwoGeometrics(0.7586, 0.3968, 0.04369)
    y, counts = sampled(true, WORDS)
    found = fit_model(TwoGeometrics, WORDS, y, method=method, counts=counts).model
    assert found.short == pytest.approx(true.short, rel=0.03)
    assert found.p_short == pytest.approx(true.p_short, rel=0.03)
    assert found.p_long == pytest.approx(true.p_long, rel=0.06)


@QUICK
@given(k=st.floats(1.5, 12), part=st.floats(0.1, 0.8), n=st.integers(12, 30))
def test_negative_hypergeometric_is_scipys_betabinom_and_is_found_again(k: float, part: float, n: int) -> None:
    true = NegativeHypergeometric(k, k * part, n)
    x = np.arange(n + 1)
    assert np.allclose(true.pdf(x), scipy_stats.betabinom.pmf(x, n, true.m, true.k - true.m))
    assert np.allclose(true.cdf(x), scipy_stats.betabinom.cdf(x, n, true.m, true.k - true.m))
    y, counts = sampled(true, x)
    found = fit_model(NegativeHypergeometric, x, y, method="maximum likelihood", counts=counts).model
    assert found.k == pytest.approx(true.k, rel=0.06)
    assert found.m == pytest.approx(true.m, rel=0.06)


def test_frumkinas_law_on_the_papers_own_frequencies() -> None:
    """The frequencies and the fit that Kohlschütter & Nejdl 2008 prints (K = 2.30454, M = 0.10989, n = 17)."""
    frequencies = np.array([1802, 180, 92, 80, 34, 36, 24, 18, 14, 16, 12, 12, 4, 2, 4, 2, 0, 2])
    expected = [1800.9989, 184.9156, 95.4882, 62.2025, 44.5585, 33.5436, 25.9808, 20.4556, 16.2396, 12.9186, 10.2396]
    printed = NegativeHypergeometric(2.30453585151999, 0.109889153462268, 17)
    assert np.allclose(2334 * printed.pdf(np.arange(11)), expected, atol=0.01)
    fit = fit_model(
        NegativeHypergeometric, np.arange(18), frequencies / 2334, method="maximum likelihood", counts=frequencies
    )
    assert fit.model.m == pytest.approx(printed.m, rel=0.08)
    assert fit.model.k == pytest.approx(printed.k, rel=0.08)


@QUICK
@given(a=st.floats(1.5, 40), b=st.floats(1.5, 60))
def test_one_beta_is_scipys_and_is_found_again(a: float, b: float) -> None:
    x = np.arange(1, 36)
    true = OneBeta(36.0, (1.0,), (a,), (b,))
    assert np.allclose(true.pdf(x), scipy_stats.beta.pdf(x / 36, a, b) / 36)
    assert np.allclose(true.cdf(x), scipy_stats.beta.cdf(x / 36, a, b))
    y, counts = sampled(true, x)
    found = fit_model(OneBeta, x, y, method="maximum likelihood", counts=counts).model
    assert found.a[0] == pytest.approx(a, rel=0.05)
    assert found.b[0] == pytest.approx(b, rel=0.05)


MIXTURES = (
    TwoBetas(36.0, (0.4, 0.6), (3.0, 68.0), (40.0, 132.0)),
    ThreeBetas(36.0, (0.3, 0.2, 0.5), (2.6, 10.7, 64.0), (32.0, 30.0, 147.0)),
    TwoBetasAndNormal(36.0, (0.3, 0.5, 0.2), (4.0, 68.0), (54.0, 132.0), 7.5, 2.0),
)


@pytest.mark.parametrize("true", MIXTURES, ids=lambda model: type(model).__name__)
def test_mixtures_are_found_again_by_least_squares(true: Any) -> None:
    x = np.arange(1, 36)
    fit = fit_model(type(true), x, true.pdf(x))
    assert fit.goodness.r2 > 0.99999
    assert np.allclose(fit.model.weights, true.weights, atol=0.02)
    assert np.allclose(fit.model.modes(), true.modes(), atol=0.3)
    assert sum(map(sum, zip(*fit.model.parts(x), strict=True))) == pytest.approx(float(fit.model.pdf(x).sum()))


def test_a_mixture_is_found_again_in_a_sample_by_likelihood() -> None:
    true = MIXTURES[0]
    x = np.arange(1, 36)
    y, counts = sampled(true, x)
    fit = fit_model(TwoBetas, x, y, method="maximum likelihood", counts=counts)
    share = fit.model.weights[0] / sum(fit.model.weights)
    assert share == pytest.approx(0.4, abs=0.02)
    assert np.allclose(fit.model.modes(), true.modes(), atol=0.4)
    one = fit_model(OneBeta, x, y, method="maximum likelihood", counts=counts)
    assert one.goodness.aic is not None
    assert fit.goodness.aic is not None
    assert fit.goodness.aic < one.goodness.aic


@QUICK
@given(c=st.floats(0.1, 50), b=st.floats(0.1, 2.5))
def test_curves_of_ranks_are_found_again(c: float, b: float) -> None:
    noise = 1 + 0.01 * np.random.default_rng(2).standard_normal(300)
    x = np.arange(1, 301)
    zipf = fit_model(Zipf, x, Zipf(c, b).pdf(x) * noise).model
    assert zipf.c == pytest.approx(c, rel=0.05)
    assert zipf.b == pytest.approx(b, rel=0.05)
    places = (x - 0.5) / 300
    lavalette = fit_model(Lavalette, places, Lavalette(c, b).pdf(places) * noise).model
    assert lavalette.a == pytest.approx(b, rel=0.05)
    bent = fit_model(MenzerathAltmann, x, MenzerathAltmann(c, -b, 1.0).pdf(x))
    assert bent.goodness.r2 > 0.9999


def test_distributions_add_up_and_grow() -> None:
    whole = np.arange(0, 400)
    for model in (Geometric(0.3), TwoGeometrics(0.7, 0.4, 0.05), NegativeHypergeometric(2.3, 0.11, 17), *MIXTURES):
        total = model.cdf(whole)
        assert (np.diff(total) >= -1e-12).all()
        assert total[-1] == pytest.approx(1, abs=1e-6)
        if not isinstance(model, TwoBetas | ThreeBetas | TwoBetasAndNormal):
            assert np.allclose(np.cumsum(model.pdf(whole)), total)


def test_a_curve_by_least_squares_has_no_likelihood_and_a_mixture_is_judged_by_its_probabilities() -> None:
    true, x = MIXTURES[0], np.arange(1, 36)
    y, counts = sampled(true, x)
    curve = fit_model(TwoBetas, x, y, counts=counts).goodness
    assert (curve.log_likelihood, curve.aic) == (None, None)
    likely = fit_model(TwoBetas, x, y, method="maximum likelihood", counts=counts)
    chance = likely.model.chance(x)
    assert chance.sum() == pytest.approx(1, abs=0.02)
    assert likely.goodness.r2 == pytest.approx(1 - ((y - chance) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def test_goodness_is_that_of_the_formulas() -> None:
    y, predicted = np.array([3.0, 1.0, 4.0, 1.0, 5.0]), np.array([2.5, 1.5, 3.5, 1.0, 5.5])
    found = goodness(y, predicted, 2)
    errors, spread = ((y - predicted) ** 2).sum(), ((y - y.mean()) ** 2).sum()
    assert found.r2 == pytest.approx(1 - errors / spread)
    assert found.adjusted_r2 == pytest.approx(1 - (errors / 2) / (spread / 4))
    assert found.rmse == pytest.approx(np.sqrt(errors / 5))


@pytest.mark.parametrize(
    ("x", "y", "counts", "match"),
    [
        ([], [], None, "x and y are empty"),
        ([1, 2, 3], [0.5, 0.5], None, "equally long"),
        ([1, 2, 3], [0.5, 0.5, 0.0], [1, 1], "equally long"),
        ([1, 2, 3], [0.5, float("nan"), 0.1], None, "finite numbers"),
        ([1, float("inf"), 3], [0.5, 0.2, 0.1], None, "finite numbers"),
        ([1, 2, 3], [0.5, 0.2, 0.1], [1, -1, 2], "at least 0"),
        ([1], [1.0], None, "give at least 2"),
    ],
)
@pytest.mark.parametrize("kind", [Geometric, NegativeHypergeometric, OneBeta, Zipf, Lavalette, MenzerathAltmann])
def test_degenerate_data_are_refused(kind: Any, x: Any, y: Any, counts: Any, match: str) -> None:
    with pytest.raises(InputError, match="give at least" if len(x) == 1 else match):
        fit_model(kind, x, y, counts=counts)


@pytest.mark.parametrize("kind", [Geometric, TwoGeometrics, NegativeHypergeometric, TwoBetas])
@pytest.mark.parametrize("y", [0.0, 0.2])
def test_constant_data_have_a_fit(kind: Any, y: float) -> None:
    assert np.isfinite(fit_model(kind, WORDS, np.full(200, y)).goodness.rmse)


def test_models_that_do_not_suit_a_method_are_refused() -> None:
    with pytest.raises(InputError, match="not all of them 0"):
        fit_model(Geometric, WORDS, 1 / WORDS, method="maximum likelihood", counts=np.zeros(200))
    with pytest.raises(InputError, match="too few"):
        fit_model(TwoGeometrics, np.array([1, 2]), np.array([0.5, 0.5]))
    with pytest.raises(InputError, match="maximum likelihood"):
        fit_model(Zipf, WORDS, 1 / WORDS, method="maximum likelihood", counts=np.ones(200))


def test_a_fit_that_does_not_converge_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.optimize

    search = scipy.optimize.least_squares

    def stopped(*arguments: Any, **options: Any) -> Any:
        return search(*arguments, **{**options, "max_nfev": 1})

    monkeypatch.setattr(scipy.optimize, "least_squares", stopped)
    fit = fit_model(TwoGeometrics, WORDS, TwoGeometrics(0.7, 0.4, 0.05).pdf(WORDS))
    assert not fit.converged
    assert "not converged" in str(fit)


def test_equations_carry_the_numbers() -> None:
    assert Geometric(0.3145).equation() == "P(x) = (1 - p)^(x-1) p, p = 0.3145"
    for model in (TwoGeometrics(0.7586, 0.3968, 0.04369), *MIXTURES, Zipf(1, 2), Lavalette(1, 2)):
        assert model.equation().count("=")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", [Lavalette, MenzerathAltmann])
def test_points_at_the_limits_of_numbers_are_refused(kind: Any) -> None:
    with pytest.raises(InputError, match="scale them"):
        fit_model(kind, np.arange(1, 10) * 1e-300, np.zeros(9))
