"""Options of other extractors, tried with ours."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import webstrata
from webstrata.errors import InputError
from webstrata.extraction.base import EXTRACTORS
from webstrata.extraction.foreign_options import _FOREIGN


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"output_format": "markdown"}, r"the result has every format: \.text, \.markdown"),
        ({"favor_precision": True}, 'write favour="precision"'),
        ({"include_comments": False}, "comments=True or comments=False"),
        ({"target_language": "en"}, "language"),
        ({"algorithm": "https://example.org/"}, "url='https://example.org/'"),
        ({"favou": "recall"}, "no parameter 'favou'"),
    ],
)
def test_a_foreign_option_is_explained(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        webstrata.extract("<p>one", **options)


def test_no_option_of_ours_is_foreign() -> None:
    taken = EXTRACTORS.takes("learned")
    assert not [name for name in _FOREIGN if f"{name}=" in taken]


@pytest.mark.parametrize("given", [Path("page.html"), io.StringIO("<p>one")])
def test_a_file_is_no_page(given: Any) -> None:
    with pytest.raises(InputError, match="give what its method"):
        webstrata.extract(given)
