"""Vectors for other engines: the same answers as the index, by an engine that searches sparse vectors exactly."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from webstrata.search import Document, Index
from webstrata.search.export import page_vectors, query_vector


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    draw = random.Random(4)
    words = [f"w{number}" for number in range(60)]
    pages = [
        Document.of_text(f"http://a.org/{number}", "", " ".join(draw.choices(words, k=draw.randint(5, 60))))
        for number in range(80)
    ]
    return Index.build(pages, tmp_path_factory.mktemp("export") / "index", rankings=["bm25"])


QUERIES = ("w1 w2", "w3 w3 w4 w5", "w59", "w10 w20 w30 w40 unknown")


def test_inner_products_are_scores(index: Index) -> None:
    vectors = dict(page_vectors(index))
    for text in QUERIES:
        asked = query_vector(index, text)
        for answer in index.query(text, k=100).answers:
            product = sum(times * vectors[answer.page].get(term, 0.0) for term, times in asked.items())
            assert product == pytest.approx(answer.score, rel=1e-5)


def test_rankings_that_the_index_does_not_hold_are_computed(index: Index) -> None:
    vectors = dict(page_vectors(index, "bm25(b=0.5)"))
    for answer in index.query("w1 w2", ranking="bm25(b=0.5)").answers:
        asked = query_vector(index, "w1 w2")
        product = sum(times * vectors[answer.page].get(term, 0.0) for term, times in asked.items())
        assert product == pytest.approx(answer.score, rel=1e-5)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_milvus_gives_the_same_answers(index: Index, tmp_path: Path) -> None:
    """Milvus runs embedded here, and as a cluster with the same client."""
    pytest.importorskip("milvus_lite", reason="milvus-lite is not installed: pip install 'webstrata[milvus]'")
    pymilvus = pytest.importorskip("pymilvus")
    client = pymilvus.MilvusClient(str(tmp_path / "milvus.db"))
    schema = client.create_schema(auto_id=False)
    schema.add_field("page", pymilvus.DataType.INT64, is_primary=True)
    schema.add_field("impacts", pymilvus.DataType.SPARSE_FLOAT_VECTOR)
    params = client.prepare_index_params()
    params.add_index("impacts", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
    client.create_collection("pages", schema=schema, index_params=params)
    client.insert("pages", [{"page": page, "impacts": vector} for page, vector in page_vectors(index)])
    client.load_collection("pages")
    try:
        for text in QUERIES:
            hits = client.search("pages", [query_vector(index, text)], limit=10, anns_field="impacts")[0]
            ours = index.query(text, k=10).answers
            scores = [hit["distance"] for hit in hits]
            np.testing.assert_allclose(scores, [answer.score for answer in ours], rtol=1e-4)
            # Pages of equal scores may come in another order.
            least = ours[-1].score * 1.0001
            assert {hit["page"] for hit in hits if hit["distance"] > least} == {
                answer.page for answer in ours if answer.score > least
            }
    finally:
        client.close()
