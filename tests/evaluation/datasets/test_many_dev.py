"""The pages of five suites: what each suite labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.many_dev import CARD, read


def test_every_suite_documents_its_convention() -> None:
    suites = {"fundus", "articles", "reader", "magic-article", "magic-forum"}
    assert set(CARD.conventions) == suites <= set(CARD.counts)


def test_fields_by_suite(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("many-dev")
    items = list(read())
    found = Counter((item.group, name) for item in items for name in item.gold.fields)
    assert found == {
        ("fundus", "title"): 138,
        ("fundus", "author"): 133,
        ("fundus", "date"): 138,
        ("fundus", "tags"): 108,
        ("reader", "title"): 58,
        ("reader", "date"): 11,
    }
    page = next(item for item in items if item.name == "fundus-KleineZeitung_2025_06_30")
    assert page.gold.fields["author"] == "André Schmidt"
    assert page.gold.fields["tags"] == "Notbetrieb; Notfallplan; Schulen; Kinder; Lienz; Hitze"
    assert [item.name for item in items if not item.gold.text] == ["magic-article-e8dff24871ec6758"]
