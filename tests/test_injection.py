"""Nothing runs and nothing is fetched when the output for a hostile page is opened in a browser (`injection`)."""

from __future__ import annotations

import pytest
from injection import FORMATS, PAGES, browser, made, opened

pytestmark = [pytest.mark.slow, pytest.mark.skipif(browser() is None, reason="no chromium on the PATH")]


def test_no_output_runs_or_fetches_anything() -> None:
    documents = made()
    assert len(documents) > len(PAGES) * (len(FORMATS) - 1)
    result = opened(documents)
    assert result.documents == len(documents)
    assert result.fetched == []


def test_the_canaries_sing() -> None:
    pages = {name: PAGES[name] for name in ("script", "handler", "refresh", "no-break space", "newlines in a scheme")}
    sung = opened(pages).fetched
    for name in pages:
        assert any(line.endswith(f" by {name}") for line in sung), (name, sung)
