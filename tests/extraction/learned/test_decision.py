"""What the page as a whole says against the scores, with the scores given by hand."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from webstrata.extraction import extract
from webstrata.extraction.base import Kind
from webstrata.extraction.learned.decision import REASONS, STEPS, decide
from webstrata.extraction.learned.reading import read_page
from webstrata.page import parse

WITH_REPEATS = [step for step in STEPS if step != "drop_repeats"]
PROSE = "Silt settles on the floor of the lake in summer, and in winter a thin dark layer of mud covers it all. "
HEAD = "<title>Varves of the lake</title><h1>Varves of the lake</h1>"


def kept(html: str, score: Callable[[str], float] = lambda text: 1.0) -> dict[str, str]:
    """Of each paragraph by its first two words, what it is taken for and why."""
    page = parse(html)
    paragraphs = read_page(page)
    starts = [*paragraphs.first_block.tolist(), len(page.blocks)]
    texts = [
        page.text[page.blocks.text_start[first] : page.blocks.text_stop[stop - 1]] for first, stop in pairwise(starts)
    ]
    scores = np.array([score(text) for text in texts], float)
    kind, reason = decide(paragraphs, scores, scores, 0.5, steps=WITH_REPEATS)
    return {
        " ".join(text.split()[:2]): f"{Kind(k).name.lower()}: {REASONS[r]}"
        for text, k, r in zip(texts, kind.tolist(), reason.tolist(), strict=True)
    }


@pytest.mark.parametrize("kind", [np.uint8, np.bool_, np.float64, np.int64, np.int16, "U3"])
def test_columns_are_spread_over_the_blocks_of_each_paragraph(kind: npt.DTypeLike) -> None:
    page = parse("<p>one<b>two</b>three<p>four<ul><li>five<i>six</i></ul>")
    paragraphs = read_page(page)
    values = np.arange(len(paragraphs)).astype(kind)
    (spread,) = paragraphs.spread(values)
    blocks = np.diff([*paragraphs.first_block, len(page.blocks)])
    assert spread.dtype == values.dtype
    assert spread.tolist() == np.repeat(values, blocks).tolist()
    with pytest.raises(ValueError, match="needs one value"):
        paragraphs.spread(values[1:])
    assert read_page(parse("")).spread(values[:0])[0].tolist() == []


def test_a_sidebar_is_left_out_where_there_is_a_text_beside_it() -> None:
    side = "<div class='sidebar section'><p>About me, a person who writes of lakes for those who live by one.</p></div>"
    found = kept(f"{HEAD}<div class=post><p>{PROSE * 3}</p></div>{side}")
    assert found["About me,"] == "boilerplate: in a sidebar"
    assert found["Silt settles"].startswith("content")
    alone = kept(f"{HEAD}<p>Nothing.</p>{side}")
    assert alone["About me,"].startswith("content")


def test_a_short_post_beside_a_sidebar_is_found() -> None:
    side = f"<div id=sidebar><p>About me, {PROSE * 2}</p></div>"
    found = kept(
        f"{HEAD}<div class=post><p>A short post of no more than these twelve words about it.</p></div>{side}",
        lambda text: 1.0 if text.startswith("About") else 0.0,
    )
    assert found["A short"] == "content: between the title and the comments"
    assert found["About me,"] == "boilerplate: in a sidebar"


def test_what_has_a_sidebar_beside_it_is_none() -> None:
    for name in ("content-sidebar-wrap", "has-sidebar", "main sidebar-right"):
        found = kept(f"{HEAD}<p>{'one two three four ' * 20}</p><div class='{name}'><p>{PROSE * 3}</p></div>")
        assert found["Silt settles"].startswith("content"), name
    most = kept(f"{HEAD}<p>{'one two three four ' * 10}</p><div class=sidebar><p>{PROSE * 30}</p></div>")
    assert most["Silt settles"].startswith("content")


def test_a_text_ends_at_a_heading_that_leads_elsewhere() -> None:
    rest = "<h3>Related articles</h3><dl><dd>Ten lakes of the north that you must see before they freeze over</dl>"
    found = kept(f"{HEAD}<article>{f'<p>{PROSE * 2}</p>' * 3}{rest}<p>Mud goes on with the text, {PROSE}</p></article>")
    assert found["Ten lakes"] == "boilerplate: after the end of the text"
    assert found["Mud goes"].startswith("content")
    listing = kept(f"{HEAD}<p>{PROSE}</p>{rest}{'<dl><dd>More of the lakes in the north and the south</dl>' * 20}")
    assert listing["Ten lakes"].startswith("content")


STRUCTURES = {
    "table": "<table><tr><th>first<th>second</tr><tr><td>third<td>fourth</tr><tr><td>fifth<td>sixth</tr></table>",
    "list": "<ul><li>first<li>second<ol><li>third<li>fourth</ol><li>fifth<li>sixth</ul>",
    "definitions": "<dl><dt>first<dd>second<dt>third<dd><p>fourth<p>fifth<ul><li>sixth</ul></dl>",
    "code": "<pre><div>first</div><div>second</div><div>third</div><div>fourth</div><div>fifth</div>sixth</pre>",
    "figure": "<figure><img src=a><div>first</div><figcaption><p>second<p>third<p>fourth<p>fifth<p>sixth</figure>",
}
NAMES = ["first", "second", "third", "fourth", "fifth", "sixth"]


@pytest.mark.parametrize("name", STRUCTURES)
@pytest.mark.parametrize("good", range(7))
def test_structures_are_kept_whole_or_left_out(name: str, good: int) -> None:
    """By most of their words, whichever of them have the good scores."""
    best = {*NAMES[::2][:good], *NAMES[1::2][: max(good - 3, 0)]}
    found = kept(f"{HEAD}<p>{PROSE}</p>{STRUCTURES[name]}<p>{PROSE}", lambda text: text in {*best, PROSE.strip()})
    # The captions between kept paragraphs are kept already.
    whole = good >= 3 or name == "figure"
    assert {found[each].partition(":")[0] != "boilerplate" for each in NAMES} == {whole}
    changed = {found[each] for each in (set(NAMES) - best if whole else best)}
    assert all("part of a table, list, code or figure" in why or "caption" in why for why in changed)


def test_what_lays_out_the_page_is_judged_by_its_parts() -> None:
    """Tables with headings or of one column, lists of posts, and tables with records in their cells."""
    record = "<div>one</div><div>two</div><div>three</div>"
    for layout in (
        "<table><tr><td><h2>first</h2><td>second</tr><tr><td>third<td>fourth</table>",
        "<table><tr><td>first</tr><tr><td>second</tr><tr><td>third<tr><td>fourth</table>",
        f"<table><tr><td>first{record}<td>second</tr><tr><td>third{record}<td>fourth</tr></table>",
        "<ul><li><h3>first</h3><p>second<li><h3>third</h3><p>fourth</ul>",
        f"<ul><li>first{record}<li>second{record}<li>third<li>fourth</ul>",
    ):
        found = kept(f"{HEAD}<p>{PROSE}</p>{layout}", lambda text: text != "fourth")
        assert found["first"].startswith("content"), layout
        assert found["fourth"].startswith("boilerplate"), layout


def test_a_structure_is_a_copy_as_a_whole() -> None:
    """Equal cells of one table stay; a second table with the same cells goes."""
    cell = "one two three four five six seven eight nine"
    table = f"<table><tr><td>first<td>{cell}</tr><tr><td>second<td>{cell}</tr></table>"
    paragraphs = read_page(parse(f"<p>{PROSE}</p><div>{table}</div><p>{PROSE[:50]}</p><section>{table}</section>"))
    score = np.ones(len(paragraphs))
    assert decide(paragraphs, score, score, 0.5)[0].tolist() == [1, 1, 1, 1, 1, 1, 0, 0, 0, 0]


def test_comments_of_a_program_are_code() -> None:
    found = kept(f"{HEAD}<p>{PROSE}</p><pre><span class=comment># Silt counter</span>\ncount = 1</pre>")
    assert found["# Silt"].startswith("content")


@pytest.mark.parametrize(
    "part", ["<table><tr><td>x", "<ul><li>x", "<dl><dd>x", "<pre>x", "<figure>x", "<table><tr><th>"]
)
def test_nested_structures_take_linear_time(part: str) -> None:
    def seconds(count: int) -> float:
        paragraphs = read_page(parse(part * count + "<p>end"))
        score = np.linspace(0, 1, len(paragraphs))
        start = time.process_time()
        decide(paragraphs, score, score, 0.5)
        return time.process_time() - start

    small = min(seconds(10_000) for _ in range(3))
    assert seconds(100_000) < 4 * 10 * small + 0.2


def test_a_short_post_before_comments_is_the_content() -> None:
    comments = f"<div class=comments>{f'<p>{PROSE}</p>' * 4}</div>"
    post = "A short post of no more than these twelve words about it."
    found = kept(f"{HEAD}<p>{post}</p>{comments}", lambda text: 0.0 if text.startswith("A short") else 1.0)
    assert found["A short"] == "content: between the title and the comments"
    assert found["Silt settles"] == "comment: in a comment"


def test_each_step_can_be_left_out() -> None:
    side = "<div class=sidebar><p>About me, a person who writes of lakes for people who live by one.</p></div>"
    paragraphs = read_page(parse(f"{HEAD}<div class=post><p>{PROSE * 3}</p></div>{side}"))
    score = np.ones(len(paragraphs))
    results = {left_out: decide(paragraphs, score, score, 0.5, steps=set(STEPS) - {left_out}) for left_out in STEPS}
    kinds = {left_out: kind.tolist() for left_out, (kind, _) in results.items()}
    assert kinds["drop_link_lists"] == decide(paragraphs, score, score, 0.5)[0].tolist() == [2, 1, 0]
    assert kinds["drop_sidebars"] == [2, 1, 1]
    assert kinds["separate_title"] == [1, 1, 0]


def test_an_unknown_step_is_refused() -> None:
    with pytest.raises(KeyError, match="drop_everything"):
        decide(read_page(parse("<p>one")), np.ones(1), np.ones(1), 0.5, steps=["drop_everything"])


_LINE = "The ferry crosses the river every hour, and the old bridge was closed after the flood of that year."
_SAID = "Returns the depth of the layer below the surface of the lake in metres."


def test_a_sentence_that_a_longer_text_says_again_stays() -> None:
    detail = f"<h3>depth()</h3><p>{_SAID}</p><p>{_LINE}</p><p>{_LINE.replace('ferry', 'boat')}</p>"
    table = f"<h2>Summary</h2><table><tr><td>depth()</td><td>{_SAID}</td></tr></table>"
    text = extract(
        f"<title>Layer</title><main><h1>Class Layer</h1><p>{_LINE * 2}</p>{table}<section>{detail}</section></main>"
    ).text
    assert text.count(_SAID) == 2


def test_the_second_view_of_a_text_is_left_out() -> None:
    narrow = f"<div class=narrow><span>{_LINE}</span><div>{_SAID}</div></div>"
    found = extract(f"<title>Layer</title><main><h1>Layers</h1><div><p>{_LINE}<p>{_SAID}</div>{narrow}</main>")
    assert found.text.count(_SAID) == found.text.count(_LINE) == 1


def test_comments_with_text_between_them_are_content() -> None:
    methods = "".join(
        f"<h3>method{i}(depth)</h3><p>Since version {i} of the library.</p><div class=comment><p>{i}: {_LINE}</p></div>"
        for i in range(8)
    )
    found = extract(f"<title>Layer</title><main><h1>Class Layer</h1><p>{_LINE * 2}</p>{methods}</main>")
    assert found.text.count(_LINE) == 10
    assert not found.comments
