"""LlamaIndex: a folder read, cut into nodes, and put into an index."""

from __future__ import annotations

from pathlib import Path

from llama_index.core import Document, SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.ingestion import IngestionPipeline
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.llama_index import WebstrataNodeParser, WebstrataReader


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "article.html").write_text(ARTICLE, encoding="utf-8")
    (tmp_path / "empty.html").write_text(EMPTY, encoding="utf-8")
    reader = SimpleDirectoryReader(str(tmp_path), file_extractor={".html": WebstrataReader(format="text")})
    [document] = reader.load_data()
    assert document.text == extract(ARTICLE).text
    assert document.metadata["author"] == "Ada Stone"
    assert document.metadata["file_name"] == "article.html"


def test_nodes_know_their_place_and_their_neighbours() -> None:
    parser = WebstrataNodeParser(chunk_size=600)
    nodes = IngestionPipeline(transformations=[parser]).run(documents=[Document(text=ARTICLE, metadata={"id": 7})])
    assert len(nodes) >= 3
    for node in nodes:
        source = ARTICLE.encode()[node.metadata["start"] : node.metadata["stop"]].decode()
        assert node.get_content().split("\n")[0].strip("# ") in source
        assert (node.metadata["id"], node.metadata["title"]) == (7, "Strata of the bay")
    assert nodes[0].next_node is not None
    assert nodes[0].next_node.node_id == nodes[1].node_id
    index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=8))
    assert len(index.as_retriever(similarity_top_k=2).retrieve("silt")) == 2


def test_its_settings_are_told() -> None:
    told = WebstrataNodeParser(chunk_size=600, algorithm="learned(favour='recall')").to_dict()
    assert (told["class_name"], told["chunk_size"]) == ("WebstrataNodeParser", 600)
    assert told["algorithm"] == "learned(favour='recall')"
