"""The atomic blocks of whole crawls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.running.steps import PageStep
from webstrata.page import Page
from webstrata.workers.limits import Reject

__all__ = ["ListBlocks"]

_NUMBERS = ("source_start", "source_stop", "words", "link_words", "lines", "wrapped_words")


@dataclass(frozen=True, kw_only=True)
class ListBlocks(PageStep):
    """The atomic blocks of each page, with their counts."""

    def columns(self) -> Sequence[tuple[str, Any]]:
        pa = pyarrow()
        numbers = [(name, pa.int32()) for name in _NUMBERS]
        block = pa.struct([("text", pa.string()), ("tag", pa.string()), ("hidden", pa.bool_()), *numbers])
        return [("title", pa.string()), ("blocks", pa.list_(block))]

    def row(self, page: Page) -> dict[str, Any]:
        blocks = page.blocks
        if not len(blocks):
            raise Reject("no content")
        columns = {name: getattr(blocks, name).tolist() for name in _NUMBERS}
        rows = [
            {"text": block.text, "tag": block.element.tag, "hidden": block.hidden}
            | {name: column[i] for name, column in columns.items()}
            for i, block in enumerate(blocks)
        ]
        return {"title": page.title or None, "blocks": rows}
