"""Score: the ratios, their bounds and the rule for 0/0."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.evaluation.metrics import Score
from webstrata.evaluation.metrics.score import harmonic_mean


@given(hits=st.integers(0, 50), more_retrieved=st.integers(0, 50), more_relevant=st.integers(0, 50))
def test_ratios_follow_from_the_counts(hits: int, more_retrieved: int, more_relevant: int) -> None:
    score = Score.from_counts(hits, retrieved=hits + more_retrieved, relevant=hits + more_relevant)
    assert 0 <= min(score.precision, score.recall) <= score.f + 1e-15
    assert score.f <= max(score.precision, score.recall) + 1e-15 <= 1 + 1e-15
    if hits:
        assert score.precision == hits / (hits + more_retrieved)
        assert score.f == pytest.approx(harmonic_mean(score.precision, score.recall))


@pytest.mark.parametrize(("retrieved", "relevant", "value"), [(0, 0, 1.0), (0, 4, 0.0), (4, 0, 0.0), (4, 4, 0.0)])
def test_no_hits(retrieved: int, relevant: int, value: float) -> None:
    score = Score.from_counts(0, retrieved=retrieved, relevant=relevant)
    assert (score.precision, score.recall, score.f) == (value, value, value)


def test_more_hits_than_blocks_is_an_error() -> None:
    with pytest.raises(ValueError, match="hits"):
        Score.from_counts(3, retrieved=2, relevant=5)


def test_repr_rebuilds() -> None:
    score = Score.from_counts(1, retrieved=3, relevant=2)
    assert eval(repr(score)) == score


def test_ratios_without_counts() -> None:
    assert Score.from_ratios(0.5, 1.0) == Score(0.5, 1.0, 2 / 3)
    assert Score.from_ratios(0.0, 0.0).f == 0.0
