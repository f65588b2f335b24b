"""Training of the choice between candidates for title, author and date."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from webstrata.apps.cli import _group
from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Gold, Item, PageInput
from webstrata.extraction.metadata import Metadata
from webstrata.extraction.metadata.choice import COLUMNS, MetadataModel
from webstrata.page import parse
from webstrata.training.metadata import TrainedMetadata, reliability, samples_of, train_metadata, write_metadata_card

pytest.importorskip("lightgbm")
pytest.importorskip("sklearn")


def item(number: int) -> Item:
    """A page whose title is the heading, or of a site where the heading is the name of the site."""
    title, site = f"Clay of lake {number}", f"Rocks {number}"
    heading = title if number % 4 else site
    html = (
        f"<title>{title} | {site}</title><meta property=og:title content='{title}'><h1>{heading}</h1>"
        f"<p class=byline>By Ada Stone</p><time class=published datetime=2024-05-{number % 28 + 1:02}>day</time>"
    )
    known = {"title": title, "date": f"2024-05-{number % 28 + 1:02}"}
    fields = {**known, "author": "Ada Stone"} if number % 3 else known
    return Item(
        str(number),
        {"html": PageInput(html.encode(), url=f"https://{number}.example/a", fold=number % 5)},
        Gold(fields=fields),
    )


@pytest.fixture(scope="module")
def trained() -> TrainedMetadata:
    return train_metadata([sample for number in range(60) for sample in samples_of(item(number), "made")])


def test_there_is_a_model_without_each_fold_and_it_finds_the_title(trained: TrainedMetadata) -> None:
    assert set(trained.without) == set(range(5))
    for number in range(8):
        page = item(number).inputs["html"]
        assert Metadata(parse(page.html), model=trained.without[number % 5]).title == f"Clay of lake {number}"


def test_a_noted_day_of_the_last_change_is_no_day_of_publication() -> None:
    """Some data note the last change where the page declares the day of publication; nothing is learned from these."""

    def is_known(noted: str, html: str) -> bool:
        given = Item("1", {"html": PageInput(html.encode(), url="https://a.example/a")}, Gold(fields={"date": noted}))
        return next(sample.is_known for sample in samples_of(given, "made") if sample.field == "date")

    changed = "<meta property=article:modified_time content=2024-06-01>"
    both = f"<meta property=article:published_time content=2024-05-17>{changed}"
    assert is_known("2024-05-17", both)
    assert not is_known("2024-06-01", both)
    assert is_known("2024-06-01", changed)


def test_the_same_data_gives_the_same_model(trained: TrainedMetadata, tmp_path: Path) -> None:
    again = train_metadata([sample for number in range(60) for sample in samples_of(item(number), "made")])
    trained.model.save(tmp_path / "one.npz")
    again.model.save(tmp_path / "two.npz")
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()


def test_the_card_counts_all_pages_that_have_the_field(trained: TrainedMetadata) -> None:
    samples = [sample for number in range(60) for sample in samples_of(item(number), "made")]
    assert sum(count for *_, count in reliability(samples, trained, "title")) == 120
    assert sum(count for *_, count in reliability(samples, trained, "author")) == 40
    assert "## author" in write_metadata_card(samples, trained, credit="made pages")


def test_a_model_of_other_columns_is_refused(trained: TrainedMetadata, tmp_path: Path) -> None:
    file = tmp_path / "model.npz"
    trained.model.save(file)
    arrays = dict(np.load(file))
    for field, names in COLUMNS.items():
        others = {**arrays, f"{field}_columns": np.array(names[::-1])}
        with pytest.raises(InputError, match="other columns"):
            MetadataModel(others)


def test_a_model_is_for_one_thing() -> None:
    result = CliRunner().invoke(_group, ["train", "--segmenter", "--metadata", "wcxb", "-o", "m.npz"])
    assert result.exit_code
    assert "one purpose" in result.output
