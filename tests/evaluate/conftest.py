"""What the tests of the framework share."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata.evaluate.algorithms import parse_spec
from webstrata.evaluate.datasets.folder import tiny_dataset
from webstrata.evaluate.drivers import Driver
from webstrata.evaluate.runner import Experiment

from answering import Make


@pytest.fixture
def experiment(tmp_path: Path) -> Make:
    """Makes an experiment of algorithms on the tiny data set."""

    def make(*names: str, folder: str = "run", pages: int | None = None, **drivers: Driver) -> Experiment:
        specs = tuple(parse_spec(name, drivers) for name in names)
        return Experiment(tiny_dataset(), specs, tmp_path / folder, ("html",), pages)

    return make
