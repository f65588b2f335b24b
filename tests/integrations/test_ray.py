"""Ray Data: a data set of pages through the function, with the guard and without."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import ray
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.integrations.arrow import ExtractTable


@pytest.fixture(scope="module", autouse=True)
def _cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.parametrize("guard", [False, True])
def test_a_data_set(guard: bool) -> None:
    pages = ray.data.from_items([{"id": i, "html": EMPTY if i == 3 else ARTICLE} for i in range(8)])
    function = ExtractTable(formats=("text", "markdown"), guard=guard)
    rows = pages.map_batches(function, batch_format="pyarrow", batch_size=4).take_all()
    found = {row["id"]: row for row in rows}
    assert len(found) == 8
    assert found[0]["text"] == extract(ARTICLE).text
    assert found[0]["markdown"].startswith("# Strata")
    assert list(found[0]["tags"]) == ["silt", "clay"]
    assert (found[3]["text"], found[3]["reason"]) == (None, "no content")
