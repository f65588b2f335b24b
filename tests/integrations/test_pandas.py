"""pandas: a column of pages, here and on other processes."""

from __future__ import annotations

import pandas as pd
import pytest
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.pandas import extract as extract_frame


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_frame(jobs: int) -> None:
    frame = pd.DataFrame({"id": [1, 2, 3], "html": [ARTICLE, EMPTY.encode(), None]}, index=[10, 20, 30])
    found = extract_frame(frame, formats=["markdown"], jobs=jobs, favour="recall")
    assert list(found.index) == [10, 20, 30]
    assert list(found["id"]) == [1, 2, 3]
    assert found["text"][10] == extract(ARTICLE, favour="recall").text
    assert list(found["reason"]) == [None, "no content", "empty"]
    assert found["tags"][10] == ["silt", "clay"]
    assert "html" not in found
    assert "html" in frame
