"""Folds are by host."""

from __future__ import annotations

from webstrata.evaluation.datasets.folds import FOLDS, fold_of


def test_one_host_is_one_fold() -> None:
    assert len({fold_of(f"https://{'www.' * (i % 2)}example.org/{i}", str(i)) for i in range(8)}) == 1
    assert {fold_of(f"https://host{i}.org/", "") for i in range(50)} == set(range(FOLDS))


def test_a_page_without_a_host_goes_by_its_name() -> None:
    assert {fold_of(url, str(i)) for i in range(50) for url in ("", "no-address")} == set(range(FOLDS))
    assert fold_of("", "a") == fold_of("page.html", "a")


def test_folds_are_those_that_models_were_trained_with() -> None:
    """Other folds would put pages before models that were trained on them."""
    hosts = ("example.org", "en.wikipedia.org", "news.ycombinator.com", "docs.python.org", "forum.example.com")
    assert [fold_of(f"https://{host}/", "") for host in hosts] == [0, 3, 4, 1, 1]
