"""A small labelled data set in the form that `webstrata train` reads, made of the pages that ship with the package."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

from webstrata.evaluation.datasets.folder import tiny_dataset

__all__ = ["write_labelled"]

_TYPES = {"article": "article", "cjk": "article", "documentation": "documentation", "forum": "forum"}


def write_labelled(path: Path, copies: int = 4) -> Path:
    """Each page several times, as if from so many hosts, so that every fold has some."""
    rows = [
        {
            "file_id": f"{item.name}-{number}",
            "url": f"http://host{number}.example/{item.name}",
            "page_type": _TYPES.get(item.name, "product"),
            "html": item.inputs["html"].html.replace(b"</title>", f" {number}</title>".encode()),
            "main_content": item.gold.text,
        }
        for item in tiny_dataset().items()
        for number in range(copies)
    ]
    parquet.write_table(pa.Table.from_pylist(rows), path)
    return path
