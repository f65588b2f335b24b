"""The pages with snippets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.snippets import read


def test_names_and_urls(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("snippets-dev")
    items = list(read())
    assert (items[0].name, items[-1].name) == ("bahamaslocal.com-atlantis.html", "zoo-berlin.de-turm.html")
    urls = [item.inputs["html"].url for item in items]
    assert urls[0] is None
    assert sum(url is not None for url in urls) == 486
