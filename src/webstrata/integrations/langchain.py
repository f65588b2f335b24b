"""LangChain: a parser of blobs, a transformer of documents, and a splitter along segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from webstrata.encoding import from_str
from webstrata.errors import from_extra
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.chunks import Length, flat_metadata
from webstrata.extraction.formats import content_format
from webstrata.page import parse

with from_extra("langchain", "langchain-core"):
    from langchain_core.document_loaders import BaseBlobParser
    from langchain_core.documents import BaseDocumentTransformer, Document
    from langchain_core.documents.base import Blob

__all__ = ["WebstrataParser", "WebstrataSplitter", "WebstrataTransformer"]


class WebstrataParser(BaseBlobParser):
    """HTML blobs to documents, for loaders that accept a parser.

    Parameters
    ----------
    algorithm : the extractor
    format : the format of the content, one of `webstrata.extraction.formats.CONTENT_FORMATS`
    parameters : of the extractor, such as ``favour="recall"``

    >>> blob = Blob.from_data("<title>Silt</title><p>Pale, in <b>spring</b>.", metadata={"source": "https://a.example/"})
    >>> [document] = WebstrataParser("keep-all").parse(blob)
    >>> document.page_content, document.metadata["title"]
    ('Pale, in **spring**.', 'Silt')
    """

    def __init__(self, algorithm: str = "learned", *, format: str = "markdown", **parameters: Any) -> None:  # noqa: A002
        self._extractor = EXTRACTORS.make(algorithm, **parameters)
        self._format = content_format(format)

    def lazy_parse(self, blob: Blob) -> Iterator[Document]:
        page = parse(blob.as_bytes(), url=_address(blob.source), encoding=_encoding(blob))
        found = self._extractor(page)
        if found.text:
            source = {"source": blob.source} if blob.source else {}
            yield Document(getattr(found, self._format), metadata={**source, **blob.metadata, **flat_metadata(found)})


class WebstrataTransformer(BaseDocumentTransformer):
    """HTML documents to documents of their content; documents without content are dropped.

    Parameters
    ----------
    algorithm, format, parameters : as for `WebstrataParser`

    >>> page = Document("<p>Silt is <i>pale</i>.", metadata={"source": "https://a.example/"})
    >>> WebstrataTransformer("keep-all").transform_documents([page])[0].page_content
    'Silt is *pale*.'
    """

    def __init__(self, algorithm: str = "learned", *, format: str = "markdown", **parameters: Any) -> None:  # noqa: A002
        self._extractor = EXTRACTORS.make(algorithm, **parameters)
        self._format = content_format(format)

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        return [document for given in documents for document in self._transformed(given)]

    def _transformed(self, given: Document) -> Iterator[Document]:
        html = from_str(given.page_content)
        found: Extraction = self._extractor(parse(html, url=_address(given.metadata.get("source")), encoding="utf-8"))
        if found.text:
            yield Document(
                getattr(found, self._format), metadata={**flat_metadata(found), **given.metadata}, id=given.id
            )


class WebstrataSplitter(BaseDocumentTransformer):
    """HTML documents to passages of their content as Markdown, cut along headings, segments and wholes.

    The metadata of a passage has its headings, its kind, and its byte range in the HTML as UTF-8: ``start``, ``stop``.

    Parameters
    ----------
    algorithm : the extractor
    segmenter : the segmenter; None for headings alone
    chunk_size, chunk_overlap, length_function : as `webstrata.Extraction.chunks` has ``size``, ``overlap``, ``length``
    parameters : of the extractor, such as ``favour="recall"``

    >>> html = "<h2>Silt</h2><p>Pale, in spring.<h2>Mud</h2><p>Dark, in autumn."
    >>> for document in WebstrataSplitter("keep-all", chunk_size=25).split_text(html):
    ...     print(repr(document.page_content), document.metadata["start"], document.metadata["stop"])
    '## Silt\\n\\nPale, in spring.' 4 32
    '## Mud\\n\\nDark, in autumn.' 36 63
    """

    def __init__(
        self,
        algorithm: str = "learned",
        *,
        segmenter: str | None = "learned",
        chunk_size: int = 2000,
        chunk_overlap: int = 0,
        length_function: Length | Any = len,
        **parameters: Any,
    ) -> None:
        self._extractor = EXTRACTORS.make(algorithm, **parameters)
        self._options: dict[str, Any] = {
            "segmenter": segmenter,
            "size": chunk_size,
            "overlap": chunk_overlap,
            "length": length_function,
        }

    def split_text(self, text: str, *, url: str | None = None) -> list[Document]:
        """The passages of an HTML page."""
        found: Extraction = self._extractor(parse(from_str(text), url=url, encoding="utf-8"))
        return [Document(chunk.text, metadata=chunk.flat()) for chunk in found.chunks(**self._options)]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The passages of HTML documents; passages keep the metadata of their document."""
        return [
            Document(passage.page_content, metadata={**passage.metadata, **given.metadata})
            for given in documents
            for passage in self.split_text(given.page_content, url=_address(given.metadata.get("source")))
        ]

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        return self.split_documents(documents)


def _encoding(blob: Blob) -> str | None:
    """UTF-8 for text. None for bytes: a blob says utf-8 by default, so the declaration of the page is used instead."""
    return "utf-8" if isinstance(blob.data, str) else None


def _address(source: Any) -> str | None:
    """The source of a document in LangChain, if it is an address and not a file."""
    return source if isinstance(source, str) and source.startswith(("http://", "https://")) else None
