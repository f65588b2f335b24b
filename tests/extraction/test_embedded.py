"""What a page carries outside of its visible text: shapes of the wild, what is no content, what is hostile."""

from __future__ import annotations

import json
import random
import sys
import time
from html import escape
from typing import Any

import pytest
from click.testing import CliRunner
from fuzz import mutate
from golden import FOLDER, load
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.apps.cli.extract import command
from webstrata.apps.explain import report
from webstrata.crawls.jobs.extract import Extract
from webstrata.crawls.reading.records import record_schema
from webstrata.extraction import extract
from webstrata.extraction.embedded import carried
from webstrata.extraction.embedded.prose import is_prose, plain, share_named
from webstrata.extraction.metadata.jsonld import MOST_CHARACTERS
from webstrata.page import Page, parse

HEAD = "<title>How varves grow in a still lake</title>"
FIRST = (
    "A varve is a pair of layers: pale silt of the spring flood, and dark mud that settles in a still lake in winter."
)
SECOND = "Count the pairs of a core from the top down and you know in which year each of them was laid, as with trees."
THIRD = "Where worms dig through the mud the layers are mixed, so only lakes without air at the bottom have good ones."
OTHER = (
    "Our shop has a sale of rubber boots this week, with free delivery on all orders above forty in how still a lake."
)


def ld(value: Any) -> str:
    return f'{HEAD}<script type="application/ld+json">{json.dumps(value)}</script>'


def text_of(html: str, **options: Any) -> str:
    found = carried(parse(html), **options)
    return found.text if found else ""


# JSON-LD


@pytest.mark.parametrize(
    "value",
    [
        {"@type": "Article", "articleBody": f"{FIRST}\n\n{SECOND}"},
        [{"@type": "WebSite", "description": OTHER}, {"@type": "BlogPosting", "articleBody": f"{FIRST}\n{SECOND}"}],
        {"@graph": [{"@type": "Organization", "description": OTHER}, {"@type": "X", "text": f"{FIRST}\n{SECOND}"}]},
        {"@type": "WebPage", "mainEntity": {"@type": ["Thing", "Product"], "description": f"<p>{FIRST}<p>{SECOND}"}},
        {"@type": "Product", "description": f"&lt;p&gt;{FIRST}&lt;/p&gt;&lt;p&gt;{SECOND}&lt;/p&gt;"},
        {"@type": "ProductGroup", "description": FIRST, "hasPart": [{"@type": "Product", "description": SECOND}] * 3},
        {
            "@type": "Recipe",
            "recipeIngredient": [FIRST],
            "recipeInstructions": [{"@type": "HowToStep", "text": SECOND}],
        },
        {"@type": "Article", "articleBody": f"{FIRST}\n{SECOND}", "review": {"text": OTHER}, "author": {"text": OTHER}},
    ],
)
def test_bodies_of_linked_data(value: Any) -> None:
    assert text_of(ld(value)).split("\n") == [FIRST, SECOND]


def test_a_thread_is_in_reading_order() -> None:
    reply = {"@type": "Comment", "text": SECOND}
    thread = {"text": FIRST, "comment": [{"text": THIRD, "comment": [reply]}, {"text": OTHER}]}
    html = ld({"@type": "DiscussionForumPosting", "headline": "Worms", **thread})
    assert text_of(html).split("\n") == ["Worms", FIRST, THIRD, SECOND, OTHER]
    assert text_of(html, comments=False).split("\n") == ["Worms", FIRST]


def test_questions_are_headings() -> None:
    answers = [
        {"@type": "Question", "name": f"{n}?", "acceptedAnswer": {"text": t}} for n, t in ((1, FIRST), (2, SECOND))
    ]
    page = carried(parse(ld({"@type": "FAQPage", "mainEntity": answers})))
    assert page is not None
    assert page.text.split("\n") == ["1?", FIRST, "2?", SECOND]
    assert page.blocks.heading.tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize(
    "value",
    [
        {"@type": "Article", "description": FIRST},
        {"@type": "WebSite", "description": FIRST},
        {"@type": "Organization", "description": FIRST},
        {"@type": "Article", "articleBody": "function(){return{a:1}};" * 20},
        {"@type": "Article", "articleBody": ["", None, 3, {"a": FIRST}]},
        {"@type": None, "articleBody": 7},
        {"@type": "Question", "name": FIRST},
        [[[[]]]],
        None,
        "text",
    ],
)
def test_what_is_no_body(value: Any) -> None:
    assert carried(parse(ld(value))) is None


def test_a_body_that_nobody_would_see() -> None:
    assert carried(parse(ld({"articleBody": f"<div hidden>{FIRST} {SECOND}</div>"}))) is None


# Embedded state


def state_pages(value: Any) -> dict[str, str]:
    """A value in all the ways in which pages carry their state."""
    data = json.dumps(value)
    return {
        "typed": f'<script type="application/json" id="__NEXT_DATA__">{data}</script>',
        "upper case": f"<SCRIPT TYPE=text/json>{data}</SCRIPT>",
        "window": f"<script>window.__STATE__ = {data};window.other={{}}</script>",
        "after another": f"<script>var a = {{b: 1}};\nwindow['__STATE__']={data}</script>",
        "bare": f"<script>\n__STATE__={data}</script>",
        "parsed": f"<script>const state = JSON.parse({json.dumps(data)});</script>",
        "string": f'<script type="text/javascript">self.state={json.dumps(data)};</script>',
        "attribute": f'<div id=app data-page="{escape(data)}"></div>',
        "nested": f'<script type="application/json">{json.dumps({"topic_7": data, "build": "x" * 300})}</script>',
    }


WAYS = list(state_pages({}))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "value",
    [
        {"posts": [{"id": 1, "cooked": f"<p>{FIRST}</p>"}, {"id": 2, "cooked": f"<p>{SECOND}</p>"}]},
        {"props": {"article": {"title": "How varves grow", "body": f"{FIRST}\n{SECOND}"}}},
        {"Product:1": {"longDescription": FIRST}, "Product:2": {"longDescription": SECOND}},
        {"content": [{"content": [{"value": FIRST}]}, {"content": [{"content": [{"value": SECOND}]}]}]},
        {"body_html": f"<p>{FIRST}</p><p>{SECOND}</p>", "cookieText": f"{OTHER} {OTHER} {OTHER} {OTHER}"},
        {"body": f"{FIRST}\n{SECOND}", "related": [{"body": f"{OTHER} {OTHER} {OTHER}"}]},
    ],
)
def test_state_in_all_its_ways(way: str, value: Any) -> None:
    value = {"config": {"unused": "x" * 200}, **value}
    assert text_of(HEAD + state_pages(value)[way]).split("\n") == [FIRST, SECOND]


@pytest.mark.parametrize(
    "value",
    [
        {"body": "Too short to say how varves grow in a still lake."},
        {"title": f"{FIRST} {SECOND}"},
        {"i18n": {"text": f"{FIRST} {SECOND}"}},
        {"footer": {"legal": {"html": f"<p>{FIRST} {SECOND}</p>"}}},
        {"body": "how varves grow in a still lake {color: red; margin: 0 auto;} " * 20},
        {"content": "aG93IHZhcnZlcyBncm93IGluIGEgc3RpbGwgbGFrZQ" * 40},
        {"content": "https://example.org/how/varves/grow/still/lake " * 30},
        {"text": [f"varves grow {n}" for n in range(100)]},
        {"text": (OTHER.replace("still", "").replace("lake", "") + " ") * 9},
    ],
)
def test_state_without_content(value: Any) -> None:
    for html in state_pages({**value, "filling": "x" * 200}).values():
        assert carried(parse(HEAD + html)) is None


def test_scripts_that_are_no_state() -> None:
    data = json.dumps({"body": f"{FIRST} {SECOND}"})
    for html in (
        f'<script type="text/template">window.a={data}</script>',
        f'<script src="a.js">window.a={data}</script>',
        f"<script>call({data})</script>",
        f"<!-- <script>window.a={data}</script> -->",
    ):
        assert carried(parse(HEAD + html)) is None


def test_scripts_without_spaces_between_words() -> None:
    first = "纹泥是湖底的沉积物，每年春天的洪水带来浅色的粉砂，冬天湖面结冰，深色的泥慢慢沉到湖底。"
    body = first + "数一数岩芯里的层，就知道每一层是哪一年形成的，就像数树的年轮一样。" * 4
    html = "<title>湖底的纹泥</title>" + state_pages({"article": {"body": body}, "filling": "x" * 200})["window"]
    assert text_of(html) == body
    assert carried(parse(f"{html}<p>{body}")) is None
    assert carried(parse(html.replace("湖底的纹泥", "今天的新闻和天气预报"))) is None


def test_the_source_with_more_words_is_taken() -> None:
    short, long = ld({"articleBody": FIRST}), ld({"articleBody": " ".join((FIRST, SECOND, THIRD))})
    state = state_pages({"posts": [{"cooked": FIRST}, {"cooked": SECOND}]})["window"]
    assert text_of(short + state).split("\n") == [FIRST, SECOND]
    assert text_of(long + state) == " ".join((FIRST, SECOND, THIRD))


# What is shown already


def test_what_is_shown_is_not_carried() -> None:
    shown = f"<p>{FIRST}</p><div><b>{SECOND.upper()}</b></div>"
    for html in (ld({"articleBody": f"{FIRST} {SECOND}"}), HEAD + state_pages({"body": f"{FIRST} {SECOND}"})["window"]):
        assert carried(parse(html + shown)) is None
        assert carried(parse(html + "<p>Please switch on JavaScript.")) is not None


def test_the_shown_body_hides_all_state() -> None:
    """What else the state of a page has is not content when the page shows its body."""
    state = {"body": f"{FIRST} {SECOND} {THIRD}", "next": {"body": f"{FIRST} {OTHER}"}}
    html = HEAD + state_pages(state)["window"]
    assert carried(parse(html + f"<p>{FIRST} {SECOND} {THIRD}")) is None


def test_passages_that_are_shown_are_left_out() -> None:
    html = ld({"text": FIRST, "comment": [{"text": SECOND}, {"text": THIRD}]})
    assert text_of(f"{html}<p>{SECOND}").split("\n") == [FIRST, THIRD]


# The extractor and what it writes


@pytest.mark.parametrize("slug", ["carried-article", "carried-forum", "carried-product"])
def test_the_learned_extractor_gives_what_is_carried(slug: str) -> None:
    page, gold = load(slug)
    found, expected = extract(page), gold(page)
    assert found.carried is not None
    assert found.as_dict()["carried"] == expected.text
    assert found.text.endswith(expected.text)
    assert found.markdown.endswith(expected.markdown)
    assert found.html.startswith('<article lang="en">')
    assert found.html.count("</article>") == 1
    assert json.loads(found.json())["carried"] == expected.text
    assert "words carried" in repr(found)
    first = escape(expected.text.split("\n\n")[0])
    assert f"<p>{first}</p>" in report(found, name="page")


@pytest.mark.parametrize(("output", "suffix"), [("text", "txt"), ("markdown", "md"), ("html", "html")])
def test_the_command_writes_what_is_carried(output: str, suffix: str) -> None:
    folder = FOLDER / "carried-article"
    result = CliRunner().invoke(command, [str(folder / "source.html"), "--format", output])
    assert result.output == (folder / f"expected.{suffix}").read_text(encoding="utf-8")


def test_the_crawl_has_rows_of_what_is_carried() -> None:
    pa = pytest.importorskip("pyarrow")
    record = {"html": (FOLDER / "carried-article" / "source.html").read_bytes()}
    [row] = next(Extract(spans=True)(iter([pa.RecordBatch.from_pylist([record], record_schema())]))).to_pylist()
    assert row["reason"] is None
    assert row["spans"] == []
    assert row["text"] == (FOLDER / "carried-article" / "expected.txt").read_text(encoding="utf-8").rstrip("\n")


def test_pages_with_visible_content_are_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(page: Page, **options: Any) -> Page:
        raise AssertionError("looked into")

    monkeypatch.setattr(sys.modules["webstrata.extraction.embedded"], "carried", refuse)
    found = extract(load("carried-shown")[0])
    assert found.carried is None
    assert found.as_dict()["carried"] is None
    with pytest.raises(AssertionError, match="looked into"):
        extract(load("carried-forum")[0])


def test_kept_blocks_stand_before_what_is_carried() -> None:
    page = parse(f"{HEAD}<h1>A still lake</h1>{state_pages({'body': FIRST + SECOND + THIRD})['window']}")
    found = extract(page)
    kept = [page.text] if found.keep.all() else []
    assert found.text.split("\n\n") == [*kept, FIRST + SECOND + THIRD]
    assert extract(page, "keep-all").carried is None


# Hostile pages


def bombs() -> dict[str, str]:
    deep = "[" * 100_000
    closed = deep + "]" * 100_000
    nested = json.dumps(FIRST)
    for _ in range(12):
        nested = json.dumps([nested])
    return {
        "deep": deep,
        "deep and closed": closed,
        "deep objects": '{"body":' * 50_000 + '"x"' + "}" * 50_000,
        "deep late": f'{{"body": {json.dumps(FIRST * 9)}, "a": {closed}}}',
        "strings in strings": nested,
        "large number": f'{{"a": {"9" * 10_000}}}',
        "not numbers": f'{{"a": [NaN, Infinity, -1e999], "body": "{"x" * 300}"}}',
        "lone surrogates": json.dumps({"body": f"{FIRST} \ud800 {SECOND} \udc00\x00"}),
        "unclosed string": '{"body": "' + FIRST * 100,
        "empty keys": json.dumps({"": {"": FIRST * 9}, "\x00": [FIRST]}),
        "spaces": "-->" + " " * 200_000 + "x",
        "markup": json.dumps({"body": f"{FIRST}{SECOND}<p>" + "<div><" * 2000 + "<script><!--"}),
    }


@pytest.mark.parametrize("name", list(bombs()))
def test_hostile_json(name: str) -> None:
    data = bombs()[name]
    start = time.process_time()
    for html in (
        f'<script type="application/json">{data}</script>',
        f'<script type="application/ld+json">{data}</script>',
        f"<script>window.state = {data};</script>",
        f'<div data-state="{escape(data)}"></div>',
        f'<script type="application/json">{json.dumps([data])}</script>',
    ):
        found = carried(parse(HEAD + html))
        assert found is None or found.text
    assert time.process_time() - start < 5
    assert sys.getrecursionlimit() < 10_000


def test_json_beyond_the_limit_is_left_unread() -> None:
    value = {"body": f"{FIRST}\n{SECOND}", "filling": "x" * MOST_CHARACTERS}
    for html in state_pages(value).values():
        assert carried(parse(HEAD + html)) is None
    small = state_pages({"body": f"{FIRST}\n{SECOND}", "filling": "x" * 300})["typed"]
    assert text_of(HEAD + state_pages(value)["typed"] + small).split("\n") == [FIRST, SECOND]
    assert carried(parse(ld({"articleBody": FIRST * (MOST_CHARACTERS // len(FIRST) + 1)}))) is None


@pytest.mark.parametrize(
    "unit",
    [
        'window.a = {"',
        'window.a = {"": ',
        "var a=[[",
        "window window window ",
        'window.a = "[',
        'window.a = {"b": "c"};',
        "window.a = [" + "[" * 2000,
    ],
)
@pytest.mark.slow
def test_the_time_for_a_script_grows_with_its_length(unit: str) -> None:
    def seconds(size: int) -> float:
        page = parse(f"{HEAD}<script>{unit * (size // len(unit))}</script>")
        runs = []
        for _ in range(3):
            start = time.process_time()
            carried(page)
            runs.append(time.process_time() - start)
        return min(runs)

    assert seconds(1_600_000) < 16 * max(seconds(200_000), 0.005)


def test_the_start_tag_of_an_element_that_is_opened_again_is_read_once() -> None:
    data = escape(json.dumps({"body": f"{FIRST}\n{SECOND}", "filling": "x" * 1_000_000}))
    page = parse(f'{HEAD}<b data-state="{data}">' + "<p></b><p><b>" * 50 + "<p>" * 500)
    start = time.process_time()
    found = carried(page)
    assert found is not None
    assert found.text.split("\n") == [FIRST, SECOND]
    assert time.process_time() - start < 1


PAGES = [file.read_bytes() for file in sorted(FOLDER.glob("carried-*/source.html"))]


@settings(max_examples=150)
@given(st.integers(0, 2**32))
def test_mutated_pages(seed: int) -> None:
    rng = random.Random(seed)
    page = parse(mutate(rng.choice(PAGES), PAGES, rng))
    found = carried(page)
    assert found is None or found.text
    assert isinstance(extract(page).text, str)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | st.sampled_from([FIRST, f"<p>{SECOND}</p>", "[1]", "{}"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["@type", "@graph", "text", "articleBody", "body", "comment", "name", "item", "a"]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150)
@given(JSON, st.integers(0, 10_000), st.text(max_size=3))
def test_any_json_also_broken(value: Any, at: int, piece: str) -> None:
    data = json.dumps([value, "x" * 200])
    data = data[: at % len(data)] + piece + data[at % len(data) :]
    for html in (
        f'{HEAD}<script type="application/ld+json">{data}</script>',
        f"{HEAD}<script>window.a={data}</script>",
        f'{HEAD}<div data-a="{escape(data)}">',
    ):
        found = carried(parse(html))
        assert found is None or found.text.strip()


# Prose


def test_prose_and_what_is_none() -> None:
    for text in (FIRST, "Größe und Gewicht", "Слои песка и глины", "地层是一层一层的岩石", "طبقات من الرمل والطين"):
        assert is_prose(text), text
    for text in ("", " ", "x", "12.5 13.5 14.5", "a=b;c=d;e=f;", "M0 0h24v24H0z", "https://example.org/a"):
        assert not is_prose(text), text


def test_plain_text() -> None:
    assert plain("<p class='a'>One<br>two</p>").split() == ["One", "two"]
    assert plain("1 < 2 &amp; 3 > 2") == "1 < 2 & 3 > 2"
    assert plain("<" * 100_000) == "<" * 100_000


def test_share_of_the_topic() -> None:
    assert share_named(FIRST, "Varve and silt") == 1
    assert share_named(FIRST, "Varve and gold mines") == pytest.approx(1 / 3)
    assert share_named(FIRST, "a an the") == 0
