"""polars: a column of HTML to columns of its content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webstrata.errors import from_extra
from webstrata.integrations.frames import columns_of

with from_extra("polars", "polars"):
    import polars as pl

__all__ = ["extract"]

_LISTS = ("tags", "categories")


def extract(
    frame: pl.DataFrame,
    *,
    html: str = "html",
    url: str = "url",
    algorithm: str = "learned",
    formats: Sequence[str] = ("text",),
    jobs: int = 1,
    **parameters: Any,
) -> pl.DataFrame:
    """Replaces the column of pages by the fields of ``webstrata run extract``, row for row.

    For a LazyFrame: ``lazy.map_batches(extract, streamable=True, validate_output_schema=False)``. The parameters are
    those of `webstrata.integrations.pandas.extract`.

    >>> frame = pl.DataFrame({"id": [7, 8], "html": ["<title>Silt</title><p>Pale.", None]})
    >>> extract(frame, algorithm="keep-all").select("id", "title", "text", "reason").rows()
    [(7, 'Silt', 'Pale.', None), (8, None, None, 'empty')]
    """
    urls = frame[url].to_list() if url in frame.columns else None
    found = columns_of(
        frame[html].to_list(), urls, algorithm=algorithm, formats=formats, jobs=jobs, parameters=parameters
    )
    columns = [
        pl.Series(name, values, pl.List(pl.String) if name in _LISTS else pl.String) for name, values in found.items()
    ]
    return frame.drop(html).with_columns(columns)
