"""Golden pages: what comes out is what was read and found good."""

from __future__ import annotations

import json
import re
import time

import pytest
from golden import FOLDER, Marked, difference, load, outputs, slugs
from read_back import read_back

from webstrata.page import parse

TYPES = {"article", "documentation", "forum", "product", "listing", "service"}
CARRIED = {"carried-article", "carried-forum", "carried-product", "carried-shown"}
WRITTEN = {"images", "formulas", "tables", "code", "no-url"}
LANGUAGES = {"chinese", "japanese", "arabic", "russian", "german"}


def test_all_kinds_of_pages_are_there() -> None:
    assert TYPES | LANGUAGES | CARRIED | WRITTEN | {"one-line"} <= set(slugs())
    assert b"\n" not in (FOLDER / "one-line" / "source.html").read_bytes().strip()


@pytest.mark.parametrize("slug", slugs())
def test_golden_page(slug: str) -> None:
    page, gold = load(slug)
    for name, found in outputs(gold(page)).items():
        expected = (FOLDER / slug / name).read_text(encoding="utf-8")
        assert not difference(expected, found), f"{slug}/{name}\n{difference(expected, found)}"


@pytest.mark.parametrize("slug", slugs())
def test_golden_markdown_reads_back_as_the_text(slug: str) -> None:
    page, gold = load(slug)
    if gold.formulas:
        pytest.skip("formulas are TeX in Markdown, and drawn signs in the text")
    extraction = gold(page)
    # Footnotes and callouts have signs of their own in Markdown.
    found = re.sub(r"\[\^(\d+)\](:?)", lambda mark: mark[1] + ("." if mark[2] else ""), read_back(extraction.markdown))
    found = re.sub(r"\[!\w+\]", "", found)
    if b"span=" in page.source:  # cells that span others are written in each of them
        assert set(found.split()) == set(extraction.text.replace("¶", "").split())
    else:
        assert "".join(found.split()) == "".join(extraction.text.replace("¶", "").split())


@pytest.mark.parametrize("slug", slugs())
def test_content_and_boilerplate_are_both_there(slug: str) -> None:
    page, gold = load(slug)
    if gold(page).carried:
        pytest.skip("the content of this page is not in its visible text")
    words = page.blocks.words[gold(page).keep].sum()
    assert 0.2 < words / page.blocks.words[~page.blocks.hidden].sum() < 0.9


def test_the_comparer_sees_every_difference() -> None:
    assert difference("a\nb\n", "a\nb\n") == ""
    assert "-b\n+c\n" in difference("a\nb\n", "a\nc\n")
    for other in ("a\nb", "a\nb\n\n", "a \nb\n", "A\nb\n", "", "b\na\n"):
        assert difference("a\nb\n", other), repr(other)
    assert difference('<a href="x">', '<a href="y">')


def test_gold_names_must_exist() -> None:
    with pytest.raises(LookupError, match=r"no element \.other"):
        Marked(content=(".other",), boilerplate=())(parse("<p class=text>x"))


@pytest.mark.slow
def test_a_page_of_ten_megabytes() -> None:
    count = 18_000
    section = (
        "<nav><ul><li><a href=/{n}>Back to {n}</a><li><a href=#>Share</a></ul></nav>"
        "<div class=c><h2>Section {n}</h2><p>Layer {n} is <b>pale</b> &amp; thin; the one below it is darker, as the"
        " lake was still in winter, and the river ran <a href=/r/{n}>high</a> in spring. "
        + "Silt settles slowly. " * 12
        + "<ul><li>silt<li>mud</ul></div><aside>Advertisement {n}</aside>\n"
    )
    source = "<title>Long</title>" + "".join(section.format(n=n) for n in range(count))
    assert len(source) > 10_000_000
    start = time.process_time()
    page = parse(source, url="https://example.org/")
    found = Marked(content=(".c",), boilerplate=())(page)
    expected = "\n\n".join(
        f"## Section {n}\n\nLayer {n} is **pale** & thin; the one below it is darker, as the lake was still in winter,"
        f" and the river ran [high](https://example.org/r/{n}) in spring."
        f"{' Silt settles slowly.' * 12}"
        "\n\n- silt\n- mud"
        for n in range(count)
    )
    assert found.markdown == expected
    assert found.html.count("<h2>") == count
    assert found.text.count("Advertisement") == 0
    assert found.metadata.title == "Long"
    assert len(json.loads(found.json())["blocks"]) == len(page.blocks)
    assert time.process_time() - start < 60
