"""Clusters: connected components against networkx, the crawl's result, and the page to keep."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.crawls import find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.duplicates.clusters import Deduplicator
from webstrata.duplicates import Member, WholePage, clusters
from webstrata.duplicates._minhash import join
from webstrata.duplicates.clustering import connected, keeper
from webstrata.errors import InputError
from webstrata.page import parse


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), max_size=30))
def test_clusters_are_connected_components(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    pages, cluster = connected(a, b)
    graph = nx.Graph(pairs)
    expected = {page: min(part) for part in nx.connected_components(graph) for page in part}
    assert dict(zip(pages.tolist(), cluster.tolist(), strict=True)) == expected


def test_edges_that_lead_nowhere_are_refused() -> None:
    parent = np.arange(3)
    for a, b in (([0], [3]), ([-1], [0])):
        with pytest.raises(IndexError):
            join(parent, np.array(a), np.array(b))


def test_the_page_that_is_kept_does_not_depend_on_the_order() -> None:
    best = Member(words=9, crawled="2011-01-02", url="http://a/")
    others = [
        Member(words=8, crawled="2010-01-01", url="http://a/"),
        Member(words=9, crawled="2011-01-03", url="http://a/"),
        Member(words=9, crawled="2011-01-02", url="http://b/"),
        Member(words=9, url="http://a/"),
    ]
    for order in permutations([best, *others]):
        assert order[keeper(order)] is best


def pages(count: int = 30) -> list[str]:
    """Articles with up to two near-duplicates each, in templates of three sites."""
    chance = random.Random(7)
    found = []
    for number in range(count):
        words = [f"w{chance.randrange(10**6)}" for _ in range(60)]
        for copy in range(1 + number % 3):
            changed = [word if chance.random() > 0.02 * copy else "changed" for word in words]
            found.append(f"<ul><li><a href=/{copy}>Home</a></ul><p>{' '.join(changed)}.</p>")
    return found


def test_clusters_are_those_of_a_crawl(tmp_path: Path) -> None:
    records = [{"url": f"http://h{n % 3}.example/{n}", "html": html} for n, html in enumerate([*pages(), "<p>"])]
    crawl = tmp_path / "crawl.jsonl"
    crawl.write_text("\n".join(map(json.dumps, records)))
    inputs = tuple(find_inputs([str(crawl)]))
    Deduplicator(inputs=inputs, output=tmp_path / "out", by="page").run(Engine(jobs=1))
    rows = pq.read_table(tmp_path / "out/clusters.parquet").to_pylist()
    expected = [(row["cluster"], row["url"], row["words"], row["keeper"], row["shared"]) for row in rows]
    found = [
        (number, item.url, item.words, item is cluster.keeper, item.similarity)
        for number, cluster in enumerate(clusters([parse(**row) for row in records], part=WholePage()), start=1)
        for item in cluster.members
    ]
    assert found == expected
    assert len({row["cluster"] for row in rows}) == 20


@settings(max_examples=20)
@given(st.randoms())
def test_clusters_do_not_depend_on_the_order(chance: random.Random) -> None:
    texts = [parse(html).text for html in pages(9)]
    shuffled = chance.sample(texts, len(texts))
    found = [{frozenset(given[item.record] for item in cluster.members) for cluster in clusters(given)}
             for given in (texts, shuffled)]  # fmt: skip
    assert found[0] == found[1]
    assert len(found[0]) == 6


def test_texts_and_pages_in_any_form_are_compared(tmp_path: Path) -> None:
    text = "It rained all day and all of them slept until ten in the morning"
    path = tmp_path / "page.html"
    path.write_text(f"<p>{text}")
    [found] = clusters(["", text, path, f"<p>{text}".encode(), parse(f"<p>{text}", url="http://a/")])
    assert [item.record for item in found.members] == [1, 2, 3, 4]
    assert repr(found) == "<Cluster: 4 members, keeps #1, similarity from 1.00>"
    assert clusters([]) == clusters([""]) == clusters(["one text"]) == []
    with pytest.raises(InputError, match="in a list"):
        clusters(text)
