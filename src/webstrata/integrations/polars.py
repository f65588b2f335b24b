"""polars: a column of HTML into columns of its content."""

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
    frame: Any,
    *,
    html: str = "html",
    url: str = "url",
    algorithm: str = "learned",
    formats: Sequence[str] = ("text",),
    jobs: int = 1,
    **parameters: Any,
) -> Any:
    """A frame without its column of pages, and with the fields of ``webstrata run extract``, row for row.

    Parameters
    ----------
    frame : a DataFrame; of a LazyFrame, ``lazy.map_batches(extract, streamable=True, validate_output_schema=False)``
    html : its column with the pages, text or bytes
    url : its column with their addresses, if it has one
    algorithm : the extractor
    formats : in which forms the content is given
    jobs : 1 for this process; more, or 0 for all cores, for others, under the guard
    parameters : of the extractor, such as ``favour="recall"``

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
