"""The pages with snippets, and what they are known to hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.snippets import snippet_pages


def test_pages(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("snippets-dev")
    pages = list(snippet_pages())
    assert (len(pages), pages[0].name, pages[-1].name) == (
        510,
        "bahamaslocal.com-atlantis.html",
        "zoo-berlin.de-turm.html",
    )
    assert (sum(len(page.wanted) for page in pages), sum(len(page.unwanted) for page in pages)) == (1513, 1526)
    assert all(page.html for page in pages)
    assert pages[0].url is None
    assert sum(page.url is not None for page in pages) == 486
