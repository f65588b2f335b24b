"""The card of an extractor begins like the card that comes with the package."""

from __future__ import annotations

from pathlib import Path

from webstrata.extraction.learned import model
from webstrata.training.extractor_card import write_card


def test_the_heading_is_that_of_the_shipped_card() -> None:
    shipped = Path(model.__file__).with_name("model.md").read_text(encoding="utf-8")
    card = write_card([], [], made=0, credit="")
    assert card.splitlines()[0] == shipped.splitlines()[0]
