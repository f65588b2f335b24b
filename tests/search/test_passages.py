"""Closeness: native loops beside plain Python, and the order of answers."""

from __future__ import annotations

import random
from itertools import pairwise
from math import log1p
from pathlib import Path

import numpy as np
import pytest

from webstrata.page import parse
from webstrata.search import RANKINGS, Analyser, Document, Documenter, Index, Query
from webstrata.search._passages import Order
from webstrata.search.passages import idf_of

_WORDS = [f"w{number}" for number in range(30)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Pages of random lines in two shards, one page in both."""
    draw = random.Random(5)

    def page(number: int) -> Document:
        lines = [" ".join(draw.choices(_WORDS, k=draw.randint(1, 12))) for _ in range(draw.randint(1, 6))]
        title = " ".join(draw.choices(_WORDS, k=draw.randint(0, 4)))
        links = [(f"http://a.org/{draw.randrange(40)}", " ".join(draw.choices(_WORDS, k=2)))]
        return Document.of_text(f"http://a.org/{number}", title, "\n".join(lines), links=links)

    folder: Path = tmp_path_factory.mktemp("passages") / "index"
    return Index.build(map(page, range(30)), folder).add([page(number) for number in range(29, 40)])


def test_the_mass_of_a_block_is_the_idf_of_its_terms(index: Index) -> None:
    mass = iter(index.model.mass)
    for shard in index.shards:
        starts, stops = shard.blocks["text_start"].tolist(), shard.blocks["text_stop"].tolist()
        for page, start, stop in zip(shard.blocks["page"].tolist(), starts, stops, strict=True):
            terms = {term for term, _, _ in index.analyser(shard.text(page, start, stop))}
            assert next(mass) == pytest.approx(sum(idf_of(index.model, term) for term in terms), rel=1e-4)


def test_idf_counts_the_pages_that_count(index: Index) -> None:
    assert index.pages == 40
    holding = sum("w3" in _terms(index, page) for page in range(41) if index.model.alive[page])
    assert idf_of(index.model, "w3") == pytest.approx(log1p((40 - holding + 0.5) / (holding + 0.5)))
    assert idf_of(index.model, "absent") == pytest.approx(log1p(40.5 / 0.5))


def _terms(index: Index, page: int) -> set[str]:
    shard, number = index._reader.place(page)
    return {term for term, _, _ in index.analyser(shard.texts[number])}


def _slow(index: Index, sequence: list[str], page: int, exact: float, passage: float, order: float) -> float:
    """Closeness as its definition says, for pages whose lines are paragraphs."""
    shard, number = index._reader.place(page)
    idf = {term: idf_of(index.model, term) for term in sequence}
    whole, equal, shares = sum(idf.values()), [0.0] * 5, []
    for block in range(int(shard.block_start[number]), int(shard.block_start[number + 1])):
        text = shard.text(number, int(shard.blocks["text_start"][block]), int(shard.blocks["text_stop"][block]))
        terms = [term for term, _, _ in index.analyser(text)]
        common = sum(idf[term] for term in idf if term in terms)
        mass = sum(idf_of(index.model, term) for term in set(terms))
        stratum = int(shard.blocks["stratum"][block])
        if common:
            equal[stratum] = max(equal[stratum], common**2 / (whole * mass))
            if stratum != 4:
                shares.append((common / whole, terms))
    found = exact * (equal[0] ** 2 + (equal[1] ** 2 + equal[4] ** 2) / 2)
    found += passage * max((share for share, _ in shares), default=0.0)
    pairs = list(pairwise(sequence))
    best = sorted(shares, key=lambda item: -item[0])[:3]
    if order and pairs and len(idf) > 1:
        near = [{*pairwise(terms), *zip(terms, terms[2:], strict=False)} for _, terms in best]
        full = order * min(1.0, (len(idf) - 1) / 4)
        found += full * max((sum(pair in own for pair in pairs) / len(pairs) for own in near), default=0.0)
    return whole * found


@pytest.mark.parametrize("weights", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (2.0, 1.0, 1.0)])
def test_closeness_is_that_of_the_definition(index: Index, weights: tuple[float, float, float]) -> None:
    draw = random.Random(6)
    exact, passage, order = weights
    recipe = RANKINGS.make(f"strata(exact={exact}, passage={passage}, order={order})")
    for _ in range(40):
        text = " ".join(draw.choices([*_WORDS, "absent"], k=draw.randint(1, 5)))
        query = Query.read(text, index.analyser)
        pages, added = index.closeness(query, recipe)
        expected = [_slow(index, list(query.words), page, exact, passage, order) for page in pages.tolist()]
        np.testing.assert_allclose(added, expected, rtol=1e-4, err_msg=text)


def test_the_order_of_terms_may_have_one_term_between() -> None:
    order = Order(["blue", "clay", "pit"])
    assert order.share("the blue, soft CLAY has a pit") == 0.5
    assert order.share("clay blue") == 0.0
    assert Order(["blue"]).share("blue") == 0.0
    assert order.share("blues clays pit", Analyser(stemmer="english").alter) == 1.0


def test_the_page_that_the_query_names_comes_first(tmp_path: Path) -> None:
    """Other titles have the words of the query and others, and more occurrences of them."""
    titles = ["Blue clay", "Blue clay of the north", "Clay that is blue clay", "Red clay", "Sand", "Silt", "Loam"]
    pages = [
        parse(f"<title>{title} - Almanac</title><h1>{title}</h1><p>{title}. {title}. Layers.", url=f"http://a.org/{n}")
        for n, title in enumerate(titles)
    ]
    index = Index.build(map(Documenter(extractor="keep-all"), pages), tmp_path / "index")
    assert index.query("blue clay")[0].url == "http://a.org/0"
    assert index.query("clay blue")[0].url == "http://a.org/0"
    assert index.query("north of clay")[0].url == "http://a.org/1"
