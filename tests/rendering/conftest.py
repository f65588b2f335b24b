"""One browser for the tests of a module; they are skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from webstrata.errors import WebstrataError
from webstrata.rendering import Renderer


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    """A renderer, or the reason why there is none."""
    try:
        found = Renderer()
    except WebstrataError as error:
        pytest.skip(str(error))
    with found:
        yield found
