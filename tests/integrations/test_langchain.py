"""LangChain: from files to passages that are found again, and back to the bytes they came from."""

from __future__ import annotations

import re
from pathlib import Path

from langchain_core.document_loaders.blob_loaders import Blob
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.vectorstores import InMemoryVectorStore
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.langchain import WebstrataParser, WebstrataSplitter, WebstrataTransformer

URL = "https://example.org/strata"


def test_the_parser_reads_files_in_any_encoding(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(ARTICLE.replace("<head>", "<head><meta charset=latin-1>").replace("bay", "bäy").encode("latin-1"))
    [found] = WebstrataParser().parse(Blob.from_path(path))
    assert found.page_content.startswith("# Strata of the bäy")
    assert found.metadata["source"] == str(path)
    assert (found.metadata["author"], found.metadata["tags"]) == ("Ada Stone", "silt, clay")
    assert WebstrataParser().parse(Blob.from_data(EMPTY)) == []


def test_the_transformer() -> None:
    documents = [Document(ARTICLE, metadata={"source": URL, "id": 7}), Document(EMPTY)]
    [found] = WebstrataTransformer(format="text", favour="recall").transform_documents(documents)
    assert found.page_content == extract(ARTICLE, url=URL, favour="recall").text
    assert (found.metadata["id"], found.metadata["url"]) == (7, URL)


def test_passages_are_found_and_lead_back_to_the_source() -> None:
    splitter = WebstrataSplitter(chunk_size=600)
    passages = splitter.split_documents([Document(ARTICLE, metadata={"source": URL})])
    assert len(passages) >= 3
    assert all(len(passage.page_content) <= 600 for passage in passages)
    assert "Shop" not in " ".join(passage.page_content for passage in passages)
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=32))
    store.add_documents(passages)
    wanted = passages[2]
    [found] = store.similarity_search(wanted.page_content, k=1)
    assert found.page_content == wanted.page_content
    source = ARTICLE.encode()[found.metadata["start"] : found.metadata["stop"]].decode()
    words = re.findall(r"\w+", found.page_content)
    assert len(words) > 20
    assert all(word in source for word in words)
    assert found.metadata["headings"]
    assert found.metadata["source"] == URL
