"""What all tests share: where the data sets are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory of data sets, which are not part of the project."""
    path = Path(os.environ.get("WEBSTRATA_DATA") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip("no data sets: set WEBSTRATA_DATA to their directory")
    return path


@pytest.fixture(scope="session")
def html5lib_dir(data_dir: Path) -> Path:
    """The cases of html5lib-tests."""
    path = data_dir / "html5lib-tests"
    if not path.is_dir():
        pytest.skip("WEBSTRATA_DATA holds no html5lib-tests")
    return path
