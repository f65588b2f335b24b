"""What every registered extractor must do, and every recipe."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.extraction import bte, filters, language, shallow, ttr
from webstrata.extraction.base import EXTRACTORS, FILTERS, Extractor, LearnedOptions, Recipe
from webstrata.extraction.base import extract as base_extract
from webstrata.extraction.learned.extractor import LearnedExtractor
from webstrata.page import parse

NAMES = [*EXTRACTORS, *(f"numwords+{step}" for step in FILTERS), "keep-all+main-content+largest-content"]

# Lines matter to the text-to-tag ratios: one element each, as a person would write it.
ARTICLE = "\n".join(
    [
        "<title>How strata form - The Daily</title>",
        *("<nav><ul><li><a href=/>Home</a></li></ul></nav>",) * 20,
        "<h1>How strata form</h1>",
        *("<p>Layers of sand settle on the floor of a lake, year after year, until the lake is gone.</p>",) * 9,
        "<p hidden>Secret words that nobody should ever see in what comes out of an extractor.</p>",
        "<h2>Comments</h2>",
        "<p>First!</p>",
        *("<footer><ul><li>Contact | Imprint</li></ul></footer>",) * 9,
    ]
)
HOSTILE = {
    "empty": "",
    "white": " \n\t ",
    "tags only": "<div><p><br></p></div>" * 50,
    "one block": "word",
    "no words": "<p>|<p>--<p>...",
    "deep": "<div>" * 5000 + "text",
    "wide": "<b>x</b>" * 3000,
    "one line": "<p>" + "word " * 20_000,
    "unclosed": "<p <a href='<<<>>> <table><tr><td>x</p",
    "null": "a\x00b<\x00p>c",
    "hidden": "<div hidden><p>" + "hidden words " * 30 + "</div>",
    "Chinese": "<p>" + "地层是一层一层的岩石。" * 30 + "<p>首页",
    "bytes": b"\xff\xfe<p>\x80\x81 caf\xe9 " * 20,
    "script": "<script>" + "if (a < b) { c } " * 100 + "</script><p>text",
    "carried": '<script type="application/ld+json">{"articleBody": "' + "Layers of sand settle. " * 30 + '"}</script>',
    "link": "<a href=/>" + "linked words " * 50 + "</a>",
}


@pytest.fixture(params=NAMES)
def extract(request: pytest.FixtureRequest) -> Extractor:
    return EXTRACTORS.make(request.param)


@pytest.mark.parametrize("html", [*HOSTILE.values(), ARTICLE], ids=[*HOSTILE, "article"])
def test_any_page_gives_one_decision_a_block(extract: Extractor, html: str | bytes) -> None:
    page = parse(html)
    found = extract(page)
    assert found.page is page
    assert len(found.keep) == len(found.score) == len(found.reason) == len(page.blocks)
    assert found.keep.dtype == bool
    assert np.isfinite(found.score).all()
    assert ((found.score >= 0) & (found.score <= 1)).all()
    # What scripts will show is content as well; the learned extractor was taught to see that, no other one can.
    assert isinstance(extract, LearnedExtractor) or not (found.keep & page.blocks.hidden).any()
    assert all(0 <= reason < len(found.reasons) for reason in found.reason.tolist())
    rows = json.loads(found.json())["blocks"]
    assert [row["keep"] for row in rows] == found.keep.tolist()
    assert [page.source[slice(*row["source"])].decode() for row in rows] == [block.html for block in page.blocks]
    assert bool(found.text) == bool(found.keep.any() or found.carried)


def test_the_same_page_gives_the_same_decisions(extract: Extractor) -> None:
    first, second = extract(parse(ARTICLE)), extract(parse(ARTICLE))
    assert first.json() == second.json()


def test_the_repr_rebuilds_it(extract: Extractor) -> None:
    names: dict[str, Any] = {"Recipe": Recipe, "LearnedExtractor": LearnedExtractor}
    for module in (bte, filters, language, shallow, ttr):
        names |= vars(module)
    assert eval(repr(extract), names) == extract
    assert extract(parse(ARTICLE)).algorithm == repr(extract)


def test_the_article_is_kept(extract: Extractor) -> None:
    assert "Layers of sand settle on the floor of a lake" in extract(parse(ARTICLE)).text


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "<a href=/>", "</a>", "\n", "one ", "two three ", "<br>", "<li>", "</p>", "<p hidden>", "é "]
        ),
        max_size=60,
    )
)
def test_any_sequence_of_tags_and_words(name: str, parts: list[str]) -> None:
    page = parse("".join(parts))
    found = EXTRACTORS.make(name)(page)
    # What scripts will show is content as well; the learned extractor was taught to see that, no other one can.
    assert name == "learned" or not (found.keep & page.blocks.hidden).any()
    assert len(found.keep) == len(page.blocks)


def test_the_options_of_the_learned_extractor_are_named_at_the_front_door() -> None:
    """For editors, type checkers and help(webstrata.extract)."""
    options = {option.name: option for option in fields(LearnedExtractor)}
    assert list(LearnedOptions.__annotations__) == list(options)
    for name, option in options.items():
        assert LearnedOptions.__annotations__[name].__forward_arg__ == option.type, name
        line = f"        {name}: {option.type} = {option.default!r}\n".replace("'", '"')
        assert line in (base_extract.__doc__ or ""), name
