"""The Kreuzer pages as read here, against what their index says."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import pytest

from webstrata.errors import InputError
from webstrata.evaluation.datasets.kreuzer import KreuzerPage, clean_dom, read
from webstrata.evaluation.metrics.segments import Truth
from webstrata.segmentation import segment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(dataset_dir: Callable[[str], Path]) -> Path:
    return dataset_dir("kreuzer")


@pytest.fixture(scope="module")
def pages(folder: Path) -> Sequence[KreuzerPage]:
    return list(read(folder, active=False))


def test_counts(folder: Path, pages: Sequence[KreuzerPage]) -> None:
    assert [sum(page.part == part for page in pages) for part in ("random", "popular")] == [82, 70]
    index = {entry["id"]: entry for entry in json.loads((folder / "index.json").read_text(encoding="utf-8"))}
    found = [(len(page.truth), index[page.id]["n_blocks"]) for page in pages]
    # The index counts marks in the tool's own dialog as well, and an element at two levels once.
    assert sum(ours == theirs for ours, theirs in found) == 141
    assert all(abs(ours - theirs) <= 1 for ours, theirs in found)
    assert {level for page in pages for level in page.truth.levels} == {1, 2}


def test_leftovers_are_gone(pages: Sequence[KreuzerPage]) -> None:
    for page in pages:
        for version in (page.dom, page.truth.page):
            assert "High-level types" not in version.text
            scripts = [version.elements[int(row)].attributes.get("src", "") for row in version.elements.find("script")]
            assert not any("awesomeness/builder" in source for source in scripts)
    # On five pages marks stand where there is no element: in a script, or in a comment that is never closed.
    assert sum(b"data-block=" in page.truth.page.source for page in pages) == 5


def test_broken_dom_files_are_replaced(pages: Sequence[KreuzerPage]) -> None:
    assert sum(page.dom is page.truth.page for page in pages) == 19


def test_active_pages(folder: Path) -> None:
    assert len(list(read(folder, "random"))) == 78


def test_clean_dom_keeps_other_dialogs() -> None:
    html = b'<div class="ui-dialog">ours</div><input name="group1"><script src="x.js"></script>'
    assert clean_dom(html) == html.decode()
    tool = (
        b'<script src="http://awesomeness/builder/builder.js"></script><link href="http://awesomeness/builder/a.css">'
    )
    assert clean_dom(tool + html) == html.decode()


def test_no_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Kreuzer data"):
        list(read(tmp_path))


def test_rule_based_fusion_keeps_its_accuracy(pages: Sequence[KreuzerPage]) -> None:
    """A floor below what `bench/segmenters.py` shows on the random pages: AdjRand 0.59 and NMI 0.80 on DOM HTML."""
    random = [Truth(page.truth, page.dom) for page in pages if page.part == "random"]
    agreements = [truth.agreement(segment(truth.page).labels()[truth.words.blocks]) for truth in random]
    rand, nmi = (fmean(column) for column in zip(*agreements, strict=True))
    assert rand > 0.57
    assert nmi > 0.78
