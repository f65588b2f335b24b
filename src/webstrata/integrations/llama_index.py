"""LlamaIndex: a reader of HTML files, and a node parser along segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from webstrata.encoding import from_str
from webstrata.errors import from_extra
from webstrata.extraction import EXTRACTORS, Extraction
from webstrata.extraction.chunks import flat_metadata
from webstrata.extraction.formats import content_format
from webstrata.page import parse

with from_extra("llama-index", "llama-index-core"):
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.readers.base import BasePydanticReader
    from llama_index.core.schema import BaseNode, Document, MetadataMode

__all__ = ["WebstrataNodeParser", "WebstrataReader"]


class WebstrataReader(BasePydanticReader):
    """HTML files to documents; also for ``SimpleDirectoryReader(file_extractor={".html": WebstrataReader()})``.

    Attributes
    ----------
    algorithm : the extractor, with its parameters in brackets
    format : the format of the content, one of `webstrata.extraction.formats.CONTENT_FORMATS`
    """

    algorithm: str = "learned"
    format: str = "markdown"

    @classmethod
    def class_name(cls) -> str:
        return "WebstrataReader"

    def lazy_load_data(
        self, file: Any, extra_info: dict[str, Any] | None = None, fs: Any = None, **_: Any
    ) -> Iterable[Document]:
        """The document of a file; none if it has no content.

        Parameters
        ----------
        file : its path, or its bytes
        extra_info : metadata to add
        fs : a file system of fsspec to read the path from
        """
        if isinstance(file, bytes):
            data = file
        elif fs is not None:
            with fs.open(file, "rb") as stream:
                data = stream.read()
        else:
            data = Path(file).read_bytes()
        found = EXTRACTORS.make(self.algorithm)(parse(data))
        if found.text:
            yield Document(
                text=getattr(found, content_format(self.format)),
                metadata={**flat_metadata(found), **(extra_info or {})},
            )


class WebstrataNodeParser(NodeParser):
    """HTML documents to nodes of their content as Markdown, cut along headings, segments and wholes.

    The metadata of a node has its headings, its kind, and its byte range in the HTML as UTF-8: ``start`` and ``stop``.

    Attributes
    ----------
    algorithm : the extractor, with its parameters in brackets
    segmenter : the segmenter; None for headings alone
    chunk_size, chunk_overlap : the most characters of a node, and of what it repeats of the one before it

    >>> html = "<h2>Silt</h2><p>Pale, in spring.<h2>Mud</h2><p>Dark, in autumn."
    >>> parser = WebstrataNodeParser(algorithm="keep-all", chunk_size=25)
    >>> for node in parser.get_nodes_from_documents([Document(text=html)]):
    ...     print(repr(node.get_content()), node.metadata["start"], node.metadata["stop"])
    '## Silt\\n\\nPale, in spring.' 4 32
    '## Mud\\n\\nDark, in autumn.' 36 63
    """

    algorithm: str = "learned"
    segmenter: str | None = "learned"
    chunk_size: int = 2000
    chunk_overlap: int = 0

    @classmethod
    def class_name(cls) -> str:
        return "WebstrataNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        extractor = EXTRACTORS.make(self.algorithm)
        made: list[BaseNode] = []
        for node in nodes:
            html = from_str(node.get_content(metadata_mode=MetadataMode.NONE))
            found: Extraction = extractor(parse(html, url=node.metadata.get("url"), encoding="utf-8"))
            chunks = found.chunks(size=self.chunk_size, overlap=self.chunk_overlap, segmenter=self.segmenter)
            passages = build_nodes_from_splits([chunk.text for chunk in chunks], node, id_func=self.id_func)
            for passage, chunk in zip(passages, chunks, strict=True):
                place = chunk.flat()
                passage.metadata = {**place, **node.metadata, "start": place["start"], "stop": place["stop"]}
            made += passages
        return made
