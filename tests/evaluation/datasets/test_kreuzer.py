"""The Kreuzer pages as read here, against what their index says."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import pytest

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.kreuzer import clean_dom, read
from webstrata.evaluation.papers.sweeps import truth_of
from webstrata.segmentation import Segmentation, segment

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(dataset_dir: Callable[[str], Path]) -> Path:
    return dataset_dir("kreuzer")


@pytest.fixture(scope="module")
def items(folder: Path) -> Sequence[Item]:
    return list(read(folder=folder, used=None))


def truth(item: Item) -> Segmentation:
    assert item.gold.segmentation is not None
    return item.gold.segmentation


def test_counts(folder: Path, items: Sequence[Item]) -> None:
    assert [sum(item.group == part for item in items) for part in ("random", "popular")] == [82, 70]
    index = {entry["id"]: entry for entry in json.loads((folder / "index.json").read_text(encoding="utf-8"))}
    found = [(len(truth(item)), index[item.name]["n_blocks"]) for item in items]
    # The index counts marks in the tool's own dialog as well, and an element at two levels once.
    assert sum(ours == theirs for ours, theirs in found) == 141
    assert all(abs(ours - theirs) <= 1 for ours, theirs in found)
    assert {level for item in items for level in truth(item).levels} == {1, 2}


def test_leftovers_are_gone(items: Sequence[Item]) -> None:
    for item in items:
        for version in (item.inputs["dom"].page(), truth(item).page):
            assert "High-level types" not in version.text
            scripts = [version.elements[int(row)].attributes.get("src", "") for row in version.elements.find("script")]
            assert not any("awesomeness/builder" in source for source in scripts)
    # On five pages marks stand where there is no element: in a script, or in a comment that is never closed.
    assert sum(b"data-block=" in truth(item).page.source for item in items) == 5


def test_broken_dom_files_are_replaced(folder: Path, items: Sequence[Item]) -> None:
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    broken = {entry["id"] for entry in index if not entry["dom_ok"]}
    assert len(broken) == 19
    for item in items:
        assert item.name not in broken or item.inputs["dom"].html == truth(item).page.source


def test_used_and_left_out_pages_are_all_pages(folder: Path, items: Sequence[Item]) -> None:
    used = [item.name for item in read("random", folder=folder)]
    left_out = [item.name for item in read("random", folder=folder, used=False)]
    assert len(used) == 78
    assert sorted(used + left_out) == sorted(item.name for item in items if item.group == "random")


def test_clean_dom_keeps_other_dialogs() -> None:
    html = b'<div class="ui-dialog">ours</div><input name="group1"><script src="x.js"></script>'
    assert clean_dom(html) == html.decode()
    tool = (
        b'<script src="http://awesomeness/builder/builder.js"></script><link href="http://awesomeness/builder/a.css">'
    )
    assert clean_dom(tool + html) == html.decode()


def test_no_data(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no Kreuzer data"):
        list(read(folder=tmp_path))


def test_rule_based_fusion_keeps_its_accuracy(items: Sequence[Item]) -> None:
    """A floor below what `bench/segmenters.py` shows on the random pages: AdjRand 0.59 and NMI 0.80 on DOM HTML."""
    random = [truth_of(item) for item in items if item.group == "random"]
    agreements = [known.agreement(segment(known.page).labels()[known.words.blocks]) for known in random]
    rand, nmi = (fmean(column) for column in zip(*agreements, strict=True))
    assert rand > 0.57
    assert nmi > 0.78
