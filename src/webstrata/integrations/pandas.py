"""pandas: a column of HTML to columns of its content."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from webstrata.errors import from_extra
from webstrata.integrations.frames import columns_of

with from_extra("pandas", "pandas"):
    import pandas as pd

__all__ = ["extract"]


def extract(
    frame: pd.DataFrame,
    *,
    html: str = "html",
    url: str = "url",
    algorithm: str = "learned",
    formats: Sequence[str] = ("text",),
    jobs: int = 1,
    **parameters: Any,
) -> pd.DataFrame:
    """Replaces the column of pages by the fields of ``webstrata run extract``, row for row.

    Parameters
    ----------
    frame : the frame
    html : the column of the pages, text or bytes
    url : the column of their addresses, if the frame has it
    algorithm : the extractor
    formats : the formats of the content
    jobs : 1 for this process; else the number of guarded processes, with 0 for all cores
    parameters : of the extractor, such as ``favour="recall"``

    >>> frame = pd.DataFrame({"id": [7, 8], "html": ["<title>Silt</title><p>Pale.", None]}, index=["a", "b"])
    >>> extract(frame, algorithm="keep-all")[["id", "title", "text", "reason"]].to_dict("records")
    [{'id': 7, 'title': 'Silt', 'text': 'Pale.', 'reason': None},
     {'id': 8, 'title': None, 'text': None, 'reason': 'empty'}]
    """
    pages = [page if isinstance(page, bytes | str) else None for page in frame[html]]
    urls = [value if isinstance(value, str) else None for value in frame[url]] if url in frame else None
    found = columns_of(pages, urls, algorithm=algorithm, formats=formats, jobs=jobs, parameters=parameters)
    # As objects, because pandas would make columns without values numeric.
    columns = {name: pd.Series(values, frame.index, object) for name, values in found.items()}
    return frame.drop(columns=html).assign(**columns)
