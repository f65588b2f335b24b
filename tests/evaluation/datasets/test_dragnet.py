"""The pages of dragnet, and what they are known to hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.dragnet import DragnetPage, dragnet_pages


def test_content_and_comments_are_two_golds() -> None:
    assert DragnetPage("a", b"", "one", "two").both == "one\n\ntwo"
    assert DragnetPage("a", b"", "one", "").both == "one"


def test_pages(dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("dragnet-dev")
    pages = list(dragnet_pages())
    assert (len(pages), pages[0].name, pages[-1].name) == (682, "100", "T98")
    assert sum(bool(page.comments) for page in pages) == 203
    alone, both = (next(find_dataset(name).items()) for name in ("dragnet-dev", "dragnet-dev-comments"))
    assert alone.inputs["html"].html == both.inputs["html"].html == pages[0].html
    assert (alone.gold.text, both.gold.text) == (pages[0].content, pages[0].both)
