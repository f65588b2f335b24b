"""What all tests share: where the data sets are, and no deadline for single examples."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

# How long an example takes says more about the machine than about the code. Growth has tests of its own.
settings.register_profile("any-machine", deadline=None)
settings.load_profile("any-machine")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory of data sets, which are not part of the project."""
    path = Path(os.environ.get("WEBSTRATA_DATA") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip("no data sets: set WEBSTRATA_DATA to their directory")
    return path


@pytest.fixture(scope="session")
def dataset_dir(data_dir: Path) -> Callable[[str], Path]:
    """Gives the directory of a data set by its name."""

    def find(name: str) -> Path:
        path = data_dir / name
        if not path.is_dir():
            pytest.skip(f"WEBSTRATA_DATA holds no {name}")
        return path

    return find


@pytest.fixture(scope="session")
def html5lib_dir(dataset_dir: Callable[[str], Path]) -> Path:
    """The cases of html5lib-tests."""
    return dataset_dir("html5lib-tests")
