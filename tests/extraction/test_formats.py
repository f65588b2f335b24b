"""The table of output formats."""

from __future__ import annotations

import pytest

import webstrata
from webstrata.errors import InputError
from webstrata.extraction.formats import CONTENT_FORMATS, FORMATS, content_format


def test_every_format_is_an_attribute_of_an_extraction() -> None:
    found = webstrata.extract("<title>Silt</title><p>Silt is pale.", "keep-all")
    for each in FORMATS.values():
        written = getattr(found, each.name)
        assert "Silt is pale." in (written() if each.has_decisions else written)


def test_names_and_endings_are_distinct() -> None:
    assert (
        len({each.ending for each in FORMATS.values()})
        == len({each.title for each in FORMATS.values()})
        == len(FORMATS)
    )


def test_json_is_no_format_of_the_content_alone() -> None:
    assert CONTENT_FORMATS == ("text", "markdown", "html", "tei")
    with pytest.raises(InputError, match="no format is called 'json'"):
        content_format("json")
