"""Chunks: every kept block in one of them, in order, within its size where blocks allow, and found in the source."""

from __future__ import annotations

import re

import pytest
from generated_pages import pages
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction import extract
from webstrata.integrations.chunks import Chunker, metadata_of
from webstrata.page import parse


@given(pages(), st.integers(1, 200))
def test_nothing_is_lost_or_moved(html: str, size: int) -> None:
    page = parse(html)
    chunks = Chunker(algorithm="keep-all", size=size).cut(page)
    kept = extract(page, "keep-all").keep
    words = "".join(page.blocks[row].text for row in kept.nonzero()[0].tolist())
    assert re.sub(r"\s", "", "".join(chunk.text for chunk in chunks)) == re.sub(r"\s", "", words)
    edges = [edge for chunk in chunks for edge in (chunk.start, chunk.stop)]
    assert edges == sorted(edges)
    for chunk in chunks:
        starts = page.blocks.source_start[kept]
        blocks = int(((starts >= chunk.start) & (starts < chunk.stop)).sum())
        assert len(chunk.text) <= size or blocks == 1 or max(map(len, chunk.text.split("\n"))) < len(chunk.text)


def test_boilerplate_is_left_out_and_sizes_are_kept() -> None:
    sections = "".join(f"<h2>Layer {i}</h2><p>{'Silt settles slowly in the bay. ' * 8}" for i in range(20))
    html = f"<nav><a href=/>Home</a></nav><main>{sections}</main>"
    found, chunks = Chunker(size=600)(html, url="https://example.org/")
    assert all(len(chunk.text) <= 600 for chunk in chunks)
    assert len(chunks) < 20
    assert "Home" not in "".join(chunk.text for chunk in chunks)
    assert metadata_of(found) == {"title": "Layer 0", "url": "https://example.org/"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"size": 0}, "at least 1"), ({"algorithm": "x"}, "no extractor"), ({"segmenter": "x"}, "no segmenter")],
)
def test_what_is_wrong_is_told(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Chunker(**parameters)  # type: ignore[arg-type]
