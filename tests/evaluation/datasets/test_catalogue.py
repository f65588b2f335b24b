"""Data sets are what their cards say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.datasets.catalogue import DATASETS, find_dataset
from webstrata.evaluation.datasets.folder import folder_dataset, tiny_dataset
from webstrata.evaluation.metrics import tokens
from webstrata.segmentation.html import from_html

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", [name for name in DATASETS if name != "tiny"])
def test_counts_and_sums(name: str, data_dir: Path) -> None:
    dataset = find_dataset(name)
    if not all((data_dir / file).is_file() for file in dataset.card.files):
        pytest.skip(f"WEBSTRATA_DATA holds no {name}")
    dataset.card.check(data_dir.joinpath)
    names: set[str] = set()
    groups: Counter[str] = Counter()
    fields: Counter[str] = Counter()
    segments = texts = labels = wanted = unwanted = 0
    for item in dataset.items():
        names.add(item.name)
        groups[item.group] += 1
        fields.update(item.gold.fields.keys())
        segments += len(item.gold.segmentation.segments) if item.gold.segmentation is not None else 0
        texts += item.gold.text is not None
        wanted, unwanted = wanted + len(item.gold.wanted), unwanted + len(item.gold.unwanted)
        if item.gold.labels is not None and labels < 20:
            labels += 1
            assert len(item.gold.labels) == len(item.inputs["html"].page().blocks)
        assert tuple(item.inputs) == dataset.inputs
    assert len(names) == sum(groups.values()) == dataset.card.pages == dataset.size()
    counts = {"blocks": segments, "texts": texts, "wanted": wanted, "unwanted": unwanted, **groups, **fields}
    for key, count in dataset.card.counts.items():
        assert counts[key] == count, key
    assert dataset.card.licence
    assert dataset.card.source
    assert set(dataset.card.conventions) <= groups.keys()


def items() -> dict[str, Item]:
    return {item.name: item for item in tiny_dataset().items()}


def test_the_tiny_pages_are_consistent() -> None:
    """The marked page is the page with marks, the content is on the page, snippets are where they should be."""
    assert len(items()) == tiny_dataset().card.pages == 5
    for item in items().values():
        gold, page = item.gold, item.inputs["html"].page()
        assert gold.segmentation is not None
        assert gold.text is not None
        assert gold.marked is not None
        assert gold.segmentation.page.source == page.source
        assert from_html(gold.marked).segments == gold.segmentation.segments
        assert set(gold.segmentation.levels) <= {1, 2}
        shown = " ".join(block.text for block in page.blocks if not block.hidden)
        assert not Counter(tokens(gold.text)) - Counter(tokens(shown))
        for snippet in gold.wanted:
            assert snippet in " ".join(gold.text.split())
        for snippet in gold.unwanted:
            assert snippet not in " ".join(gold.text.split())
            assert snippet in " ".join(shown.split())


def test_a_folder_is_a_data_set(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>One<nav>Two")
    (tmp_path / "a.dom.html").write_text("<p>One</p><nav>Two</nav>")
    (tmp_path / "a.txt").write_text("One")
    (tmp_path / "a.json").write_text(json.dumps({"group": "news", "with": ["One"], "url": "http://example.org/"}))
    (tmp_path / "notes.html").write_text("no gold data, no page")
    dataset = find_dataset(str(tmp_path))
    (item,) = dataset.items()
    assert (dataset.name, dataset.inputs, item.group) == (tmp_path.name, ("html", "dom"), "news")
    assert (item.gold.text, item.gold.wanted, item.gold.segmentation) == ("One", ("One",), None)
    assert item.inputs["dom"].page().url == "http://example.org/"


def test_errors_say_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose one of tiny"):
        find_dataset("no-such-data")
    with pytest.raises(InputError, match="has no page"):
        folder_dataset(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        folder_dataset(tmp_path / "x")
    (tmp_path / "a.html").write_text("x")
    (tmp_path / "a.txt").write_text("x")
    for text in ("{", "[]"):
        (tmp_path / "a.json").write_text(text)
        with pytest.raises(InputError, match="JSON"):
            list(folder_dataset(tmp_path).items())


def test_another_file_is_an_error(tmp_path: Path) -> None:
    card = tiny_dataset().card
    for name in card.files:
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(InputError, match="is not the file"):
        card.check(tmp_path.joinpath)
