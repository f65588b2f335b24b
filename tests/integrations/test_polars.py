"""polars: a column of pages, here and on other processes, eager and lazy."""

from __future__ import annotations

import polars as pl
import pytest
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.polars import extract as extract_frame


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_frame(jobs: int) -> None:
    frame = pl.DataFrame({"id": [1, 2, 3], "url": ["https://a.example/", None, None], "html": [ARTICLE, EMPTY, None]})
    found = extract_frame(frame, formats=["markdown"], jobs=jobs, favour="recall")
    assert found.columns[:2] == ["id", "url"]
    assert found["text"][0] == extract(ARTICLE, favour="recall").text
    assert found["reason"].to_list() == [None, "no content", "empty"]
    assert found["tags"].to_list() == [["silt", "clay"], None, None]
    assert found["url"].to_list() == ["https://a.example/", None, None]


def test_bytes_and_lazy_frames() -> None:
    lazy = pl.LazyFrame({"html": [ARTICLE.encode()]})
    found = lazy.map_batches(extract_frame, validate_output_schema=False).collect()
    assert found["title"].to_list() == ["Strata of the bay"]
