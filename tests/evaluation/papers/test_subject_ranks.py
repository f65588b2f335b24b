"""Biased ranks of subjects: relevance that is not the bias itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from webstrata.evaluation.papers.subject_ranks import Subjects
from webstrata.links.graph import build_graph
from webstrata.links.topics import Topics


def subjects() -> Subjects:
    """Twenty stones that link in a ring, and twenty birds; a stone's page names stones, a bird's birds."""
    names = [f"http://a/{kind}{n}" for kind in ("stone", "bird") for n in range(20)]
    source = [n for n in range(40) for _ in range(2)]
    target = [base + (n + step) % 20 for base in (0, 20) for n in range(20) for step in (1, 2)]
    graph = build_graph(names, source, target)
    page = {url: n for n, url in enumerate(graph.urls)}
    stones = [page[url] for url in names[:20]]
    topics = Topics.of({"All": list(range(40)), "All/Stones": stones, "All/Birds": [page[url] for url in names[20:]]})
    texts = ["stones birds" for _ in graph.urls]
    return Subjects(graph, topics, texts)


def test_a_bias_finds_members_that_it_does_not_know() -> None:
    rows = {row.name: row for row in subjects().rows}
    stones = rows["All/Stones"]
    assert stones.map_biased == 1.0
    assert stones.held_biased == 1.0 > stones.held_unbiased
    assert (stones.level, stones.articles, stones.links) == (2, 20, 40)
    assert np.isnan(rows["All"].tau_parent)


def test_a_subject_of_one_article_holds_none_out() -> None:
    found = subjects()
    sets = dict(zip(found.topics.names, (pages.tolist() for pages in found.topics.pages), strict=True))
    topics = Topics.of({**sets, "All/Stones/Flint": sets["All/Stones"][:1]})
    rows = {row.name: row for row in replace(found, topics=topics).rows}
    assert rows["All/Stones/Flint"].articles == 1
    assert np.isnan(rows["All/Stones/Flint"].held_biased)
    assert rows["All/Stones"].held_biased == 1.0


def test_siblings_and_accuracy() -> None:
    found = subjects()
    assert [(one, other) for one, other, _ in found.sibling_taus()] == [
        ("All/Birds", "All/Stones"),
        ("All/Stones", "All/Birds"),
    ]
    assert found.accuracy()["always the largest subject"] == 1.0
