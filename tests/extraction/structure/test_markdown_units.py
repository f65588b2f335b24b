"""Units of Markdown: what a chunk may begin with, and how strong the boundary before it is."""

from __future__ import annotations

import re

import pytest
from generated_pages import pages
from hypothesis import given

from webstrata.extraction import extract
from webstrata.extraction.structure.markdown_units import (
    BLOCK,
    GLUED,
    HEADING,
    NOTES,
    SENTENCE,
    code_units,
    plain,
    units,
    wholes,
)


def found(markdown: str) -> list[tuple[str, str, int]]:
    return [(markdown[unit.start : unit.stop], unit.kind, unit.strength) for unit in units(markdown)]


def test_blocks_and_their_strengths() -> None:
    markdown = "# A\n\n## B\n\none\n\n> two\n>\n> three\n\n1. x\n2. y\n   - z\n   - w\n\n***\n\nfour\n\n[^1]: five"
    assert found(markdown) == [
        ("# A", "heading", 59),
        ("## B", "heading", GLUED),
        ("one", "text", GLUED),
        ("> two", "quote", 40),
        ("> three", "quote", 38),
        ("1. x", "list", 40),
        ("2. y", "list", 39),
        ("   - z", "list", 38),
        ("   - w", "list", 37),
        ("***", "text", 40),
        ("four", "text", GLUED),
        ("[^1]: five", "notes", NOTES),
    ]


def test_sentences_are_not_cut_in_links_code_and_formulas_nor_after_abbreviations() -> None:
    markdown = (
        "Dr. Stone came. See [No. One. Two](https://a.example/b?c.) first! `a. B` and $x. Y$ are. e.g. this; and "
        "that. J. S. Bach. 欢迎。光临。"
    )
    assert [text for text, _, _ in found(markdown)] == [
        "Dr. Stone came.",
        "See [No. One. Two](https://a.example/b?c.) first!",
        "`a. B` and $x. Y$ are. e.g. this; and that.",
        "J. S. Bach.",
        "欢迎。",
        "光临。",
    ]


def test_code_and_tables_keep_what_a_part_of_them_needs() -> None:
    markdown = "- ```python\n  a\n\n  b\n  ```\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    code, first, second = units(markdown)
    assert [(unit.lead, markdown[unit.start : unit.stop]) for unit in (first, second)] == [
        ("", "| x | y |\n| --- | --- |\n| 1 | 2 |"),
        ("| x | y |\n| --- | --- |\n", "| 3 | 4 |"),
    ]
    lines = code_units(markdown, code)
    assert [unit.lead + markdown[unit.start : unit.stop] + unit.tail for unit in lines] == [
        "- ```python\n  a\n  ```",
        "  ```python\n\n  ```",
        "  ```python\n  b\n  ```",
    ]
    assert lines[2].strength > lines[1].strength


def test_a_paragraph_that_introduces_something_goes_with_it() -> None:
    assert [strength for _, _, strength in found("Two layers:\n\n- one\n- two\n\nNote:\n\ntext")] == [
        40,
        GLUED,
        39,
        40,
        40,
    ]
    assert [kind for _, kind, _ in found("> [!note] A\n> best. C")] == ["quote", "quote", "quote"]
    assert [strength for _, _, strength in found("> [!note] A\n> best. C")] == [40, GLUED, SENTENCE]


def test_the_heading_of_an_item_heads_its_item_alone() -> None:
    found = units("1. # silt\n\n   pale\n2. # mud\n3. # clay\n\n# sand\n\nfine")
    assert [unit.strength for unit in found] == [BLOCK, GLUED, BLOCK - 1, BLOCK - 1, HEADING - 1, GLUED]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("[![logo](/l.png)](/home) **B**", "logo B"),
        ("a\\*b\\_c `x*y` [^1]", "a*b_c xy"),
        ("H<sub>2</sub>O ~~old~~", "H2O old"),
    ],
)
def test_plain(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_unclosed_signs_take_linear_time() -> None:
    for sign in ("[", "`", "$$", "$x", "![", "](", "\\", "` `` ", "[`"):
        wholes(sign * 100_000)
        plain(sign * 20_000)


@given(pages())
def test_units_are_in_order_and_cover_every_letter(html: str) -> None:
    markdown = extract(html, "keep-all").markdown
    at = 0
    for unit in units(markdown):
        assert at <= unit.start < unit.stop
        assert not re.search(r"\w", markdown[at : unit.start])
        at = unit.stop
    assert not re.search(r"\w", markdown[at:])
