"""The web page, used as a person would use it, in a real browser."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from commands import webstrata

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
    from web_server import Running

pytestmark = pytest.mark.slow

_AXE = Path(__file__).with_name("axe.min.js")


def until(check: Callable[[], bool], tab: Page, *, seconds: float = 30) -> None:
    """Wait for something to become true. (What the browser driver offers needs ``eval``, which our policy forbids.)"""
    limit = time.monotonic() + seconds
    while not check():
        assert time.monotonic() < limit, "it does not become true"
        tab.wait_for_timeout(30)


def problems(tab: Page) -> list[str]:
    """The serious problems of accessibility that axe-core finds on a page, frames left out."""
    # The policy of the page lets no foreign script in; the debugger does.
    tab.evaluate(_AXE.read_text(encoding="utf-8") + "\n;0")
    found: Any = tab.evaluate("axe.run(document, {iframes: false, resultTypes: ['violations']})")
    return [
        f"{item['id']}: {node['html'][:200]}"
        for item in found["violations"]
        if item["impact"] in ("serious", "critical")
        for node in item["nodes"]
    ]


def test_two_algorithms_are_compared(server: Running, tab: Page) -> None:
    tab.goto(server.url)
    assert problems(tab) == []
    tab.get_by_role("button", name="Article").click()
    tab.wait_for_url("**/view/*")
    tab.get_by_label("Segments by").select_option("bf-rulebased")
    tab.wait_for_selector("#caption-a:has-text('bf-rulebased')")
    tab.get_by_label("Compare with").select_option("pagesegmenter")
    tab.wait_for_selector("#adjusted-rand")
    page = tab.url.rpartition("/")[2].partition("?")[0]
    expected = server.ask(f"/api/pages/{page}/agreement?algorithm=bf-rulebased&other=pagesegmenter").json
    assert float(tab.locator("#adjusted-rand").inner_text()) == pytest.approx(expected["adjusted_rand"], abs=6e-4)
    assert float(tab.locator("#fuzzy-f").inner_text()) == pytest.approx(expected["fuzzy"]["f"], abs=6e-4)
    second = tab.frame_locator("#frame-b")
    assert second.get_by_role("heading", level=1).inner_text() == "How a quarry wall taught a town to read time"
    # Another parameter gives other segments, and the address remembers it.
    before = tab.locator("#panel caption").last.inner_text()
    tab.locator(".choice", has_text="Segments by").get_by_text("Parameters").click()
    tab.locator("[name='algorithm.theta']").fill("0.2")
    tab.locator("[name='algorithm.theta']").press("Enter")
    until(lambda: tab.locator("#panel caption").last.inner_text() != before, tab)
    until(lambda: "algorithm.theta=0.2" in tab.url, tab)
    assert problems(tab) == []


def test_blocks_lead_to_the_page_and_to_the_source(server: Running, tab: Page) -> None:
    page = server.open(
        "<h1>Strata</h1>" + "".join(f"<p>Paragraph {i} of the page has some words.</p>\n" for i in range(200))
    )
    tab.goto(f"{server.url}/view/{page}")
    tab.get_by_role("tab", name="Blocks").click()
    tab.wait_for_selector("#panel caption:has-text('Blocks')")
    tab.frame_locator("#frame-a").get_by_text("Paragraph 149 of").wait_for()
    # The second frame, which is hidden, shows the same address.
    frame = tab.locator("#frame-a").element_handle().content_frame()
    assert frame is not None
    row = tab.get_by_role("button", name="150", exact=True)

    row.click()
    until(lambda: frame.evaluate("scrollY") > 1000, tab)
    # What is in sight of the page is told to the densitogram.
    until(lambda: int(tab.locator("#densitogram").get_attribute("aria-valuenow") or 0) > 100, tab)
    tab.get_by_role("button", name="line 150").click()
    assert tab.locator("#source mark").inner_text() == "Paragraph 149 of the page has some words."
    tab.get_by_role("button", name="Close").click()
    tab.get_by_role("tab", name="Results").click()
    tab.get_by_role("button", name="Markdown").click()
    tab.wait_for_selector("[aria-pressed=true]:has-text('Markdown')")
    with tab.expect_download() as waiting:
        tab.get_by_role("link", name="Download").click()
    assert waiting.value.suggested_filename == "page.md"
    # The densitogram leads through the page by keys.
    tab.locator("#densitogram").focus()
    tab.keyboard.press("Home")
    until(lambda: frame.evaluate("scrollY") < 100, tab)


def test_imported_style_sheets_of_frozen_pages_are_shown(server: Running, tab: Page) -> None:
    sheet = "data:text/css;base64," + base64.b64encode(b"p { color: rgb(1, 2, 3) }").decode()
    page = server.open(f"<style>@import url({sheet});</style><p>Frozen")
    tab.goto(f"{server.url}/view/{page}")
    shown = tab.frame_locator("iframe").first.locator("p")
    until(lambda: shown.evaluate("element => getComputedStyle(element).color") == "rgb(1, 2, 3)", tab)


def test_a_late_answer_does_not_undo_a_choice(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/article").json["id"]
    late: list[Route] = []
    tab.route("**/panel/segments*", lambda route: late.append(route))
    tab.goto(f"{server.url}/view/{page}")
    until(lambda: bool(late), tab)
    tab.get_by_role("tab", name="Blocks").click()
    tab.wait_for_selector("#panel caption:has-text('Blocks')")
    for route in late:
        route.continue_()
    tab.wait_for_timeout(300)
    assert "Blocks" in tab.locator("#panel caption").inner_text()


def test_what_is_kept_is_shown(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/product").json["id"]
    tab.goto(f"{server.url}/view/{page}")
    tab.get_by_role("tab", name="Content").click()
    tab.wait_for_selector("#panel .meta")
    tab.wait_for_selector("#caption-a:has-text('Content by learned')")
    until(lambda: "tab=content" in tab.url, tab)
    assert problems(tab) == []


def test_markdown_and_page_lead_to_each_other(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/forum").json["id"]
    tab.goto(f"{server.url}/view/{page}?tab=results&form=markdown")
    tab.wait_for_selector("#frame-a:not([aria-busy])")
    frame = tab.frame_locator("#frame-a")
    passage = tab.locator("#result [data-block]", has_text="checked the plug")
    passage.click()
    until(lambda: "lit" in (passage.get_attribute("class") or ""), tab)
    question = tab.locator("#result [data-block]", has_text="tried another socket")
    frame.locator("li", has_text="tried another socket").click()
    until(lambda: "lit" in (question.get_attribute("class") or ""), tab)
    tab.get_by_role("button", name="Preview").click()
    tab.frame_locator("#preview").locator("h1").wait_for()
    assert problems(tab) == []


def test_a_result_opens_at_its_passage_with_a_way_back(server: Running, tab: Page) -> None:
    tab.goto(f"{server.url}/search?q=leaf+prints")
    tab.locator(".results h2 a").first.click()
    lit = tab.frame_locator("#frame-a").get_by_text("leaf prints")
    lit.wait_for()
    tab.wait_for_selector("#viewer[data-block]")
    tab.get_by_role("link", name="Back to the results").click()
    assert tab.locator("#q").input_value() == "leaf prints"
    tab.goto(f"{server.url}/search")
    tab.locator(".chip").first.click()
    tab.locator(".results li").first.wait_for()


def test_a_view_is_shared_by_its_address(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/article").json["id"]
    tab.set_viewport_size({"width": 1280, "height": 860})
    tab.goto(f"{server.url}/view/{page}")
    tab.get_by_role("tab", name="Results").click()
    tab.get_by_role("button", name="TEI").click()
    tab.wait_for_selector("[aria-pressed=true]:has-text('TEI')")
    splitter = tab.get_by_role("separator")
    before = float(splitter.get_attribute("aria-valuenow") or 0)
    splitter.focus()
    tab.keyboard.press("ArrowLeft")
    until(lambda: "share=58" in tab.url, tab)
    assert before == 60
    # Someone else opens the address; the panel is beside the page, in the window.
    tab.goto(tab.url)
    tab.wait_for_selector("[aria-pressed=true]:has-text('TEI')")
    until(lambda: splitter.get_attribute("aria-valuenow") == "58", tab)
    box, frame = tab.locator("#result").bounding_box(), tab.locator("#frame-a").bounding_box()
    assert box is not None
    assert frame is not None
    assert box["x"] > frame["x"] + frame["width"]
    assert box["y"] < 500
    assert problems(tab) == []


def test_the_address_has_only_what_differs_from_the_defaults(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/article").json["id"]
    tab.goto(f"{server.url}/view/{page}?algorithm=learned&tab=segments")
    tab.wait_for_selector("#panel caption")
    until(lambda: tab.url == f"{server.url}/view/{page}", tab)
    tab.get_by_label("Content by").select_option("numwords")
    until(lambda: tab.url == f"{server.url}/view/{page}?extractor=numwords", tab)
    tab.get_by_label("Content by").select_option("learned")
    tab.locator(".choice", has_text="Content by").get_by_text("Parameters").click()
    tab.get_by_label("comments").select_option("yes")
    until(lambda: tab.url == f"{server.url}/view/{page}?extractor.comments=True", tab)


@pytest.mark.parametrize("tab_name", ["Segments", "Content", "Blocks", "Results"])
def test_a_phone_shows_all_panels_without_a_horizontal_scroll(server: Running, tab: Page, tab_name: str) -> None:
    page = server.post("/api/pages/demo/product").json["id"]
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto(f"{server.url}/view/{page}")
    tab.get_by_role("tab", name=tab_name).click()
    tab.wait_for_selector("#panel table, #panel #result")
    for selector in ("html", "#panel"):
        found = tab.locator(selector)
        wide, room = found.evaluate("element => [element.scrollWidth, element.clientWidth]")
        assert wide <= room, selector
    assert problems(tab) == []


def test_blocks_say_why_they_are_left_out_and_kinds_are_in_words(server: Running, tab: Page) -> None:
    page = server.post("/api/pages/demo/article").json["id"]
    tab.goto(f"{server.url}/view/{page}?tab=blocks")
    row = tab.locator("#panel tr", has_text="Skip to the story")
    row.wait_for()
    decision = row.locator("[data-name=Decision]").inner_text()
    assert decision.startswith("left out: ")
    assert len(decision.split()) > 5
    tab.get_by_role("tab", name="Segments").click()
    tab.wait_for_selector("#panel td:has-text('Link list')")
    assert tab.locator("#panel td:has-text('LinkList')").count() == 0


def test_steps_lead_through_a_page_to_mark(server: Running, tab: Page) -> None:
    held: list[Any] = []
    tab.route("**/annotate/frame/**", lambda route: held.append(route))
    tab.goto(f"{server.url}/annotate/page/forum?by=Eve", wait_until="commit")
    loading = "[...document.querySelectorAll('figure')].map((each) => getComputedStyle(each, '::after').content).join()"
    until(lambda: "Loading the page" in str(tab.evaluate(loading)), tab)
    until(lambda: bool(held), tab)
    held[0].continue_()
    tab.wait_for_selector("#frame:not([aria-busy])")
    assert tab.evaluate(loading) == "none"
    current = tab.locator("#tour [aria-current=step]")
    tab.wait_for_selector("#saved:has-text('nothing marked yet')")
    assert current.inner_text().startswith("Get a first version")
    assert tab.locator("#algorithm").input_value() == "learned"
    tab.get_by_role("button", name="Use its segments").click()
    tab.wait_for_selector("#tour li:nth-child(2)[aria-current=step]")
    tab.wait_for_selector("#marks .kind")
    tab.get_by_label("Done").check()
    tab.wait_for_selector("#tour li:nth-child(3)[aria-current=step]")
    assert problems(tab) == []


def select(text: str, tab: Page) -> None:
    """Select an element to mark: the frame reports it by a message, and a click before it is ready selects nothing."""

    def selected() -> bool:
        tab.frame_locator("#frame").get_by_text(text).first.click()
        return text in tab.locator("#chosen").inner_text()

    until(selected, tab)


def test_blocks_are_marked_by_mouse_and_by_keys(server: Running, tab: Page, tmp_path: Path) -> None:
    tab.goto(f"{server.url}/annotate")
    tab.get_by_label("Your name").fill("Ada")
    tab.get_by_role("button", name="Continue").click()
    assert problems(tab) == []
    tab.get_by_role("link", name="article").click()
    tab.wait_for_selector("#saved:has-text('nothing marked yet')")
    for text, kind, number in (
        ("How a quarry wall taught", "Title", 1),
        ("The clay pit above Harlow Ferry", "Content", 2),
        ("We and our 214 partners", "Ad", 3),
    ):
        select(text, tab)
        if kind == "Ad":
            tab.get_by_role("button", name="Widen").click()
            tab.wait_for_selector("#chosen:not(:has-text('<p>'))")
        tab.locator(f"[data-type='{kind}']").click()
        tab.wait_for_selector(f"#saved:has-text('version {number}')")
    # The fourth by keys alone: the first element, then on to siblings, two of them joined, and marked.
    tab.locator("h1").click()
    tab.keyboard.press("Escape")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "h"):
        tab.keyboard.press(key)
    tab.wait_for_selector("#saved:has-text('version 4')")
    tab.keyboard.press("x")
    tab.wait_for_selector("#saved:has-text('version 5')")
    tab.keyboard.press("z")
    tab.wait_for_selector("#saved:has-text('version 6')")
    assert problems(tab) == []
    tab.reload()
    tab.wait_for_selector("#marks li:nth-child(4)")
    kinds = tab.locator("#marks .kind").all_inner_texts()
    assert kinds == ["Ad", "Header", "Title", "Content"]
    tab.get_by_label("Done").check()
    tab.wait_for_selector("#saved:has-text('version 7')")
    data = server.data
    assert data is not None
    sheet = json.loads((data / "annotators" / "Ada" / "article.json").read_text())
    assert [len(mark["rows"]) for mark in sheet["marks"]] == [1, 1, 1, 2]
    assert sheet["done"]
    done = webstrata(
        "evaluate", "--dataset", str(data), "--algorithm", "bf-rulebased,pagesegmenter", "-o", str(tmp_path / "out")
    )
    assert done.exit_code == 0, done.output
    assert "adjusted-rand" in (tmp_path / "out" / "report.md").read_text()


def test_people_are_compared(server: Running, tab: Page) -> None:
    page = server.open("<p>one</p><p>two</p>")
    name = server.post(f"/api/annotation/pages/opened/{page}").json["name"]
    for who, kinds in (("Ada", ("Menu", "Article")), ("Ben", ("Menu", "Ad"))):
        marks = [{"rows": [3 + i], "level": 2, "kind": kind} for i, kind in enumerate(kinds)]
        assert server.put(f"/api/annotation/pages/{name}/sheets/{who}", {"version": 0, "marks": marks}).status == 200
    tab.goto(f"{server.url}/annotate/agreement")
    # Equal segments, and of two words one has the same type: kappa is (1/2 - 1/4) / (1 - 1/4).
    row = tab.locator("table.list tr", has_text=name)
    assert row.locator("td").all_inner_texts()[1:5] == ["1.000", "1.000", "1.000", "0.333"]
    assert problems(tab) == []
    row.get_by_role("button", name="Ben").click()
    tab.wait_for_selector(f"[data-page='{name}'][data-truth='Ben'][aria-pressed=true]")
    data = server.data
    assert data is not None
    assert 'data-block-type="Ad"' in (data / f"{name}.blocks.html").read_text()


def test_a_site_is_searched_by_facets(server: Running, tab: Page) -> None:
    tab.goto(f"{server.url}/search")
    tab.get_by_label("Search", exact=True).press_sequentially("laye", delay=20)
    # Answers come while one types: no page has "laye", and many have "layers".
    tab.wait_for_selector("#matched:has-text('layers')")
    until(lambda: tab.url.endswith("q=laye"), tab)
    tab.wait_for_selector(".facets")
    everything = tab.locator(".results li").count()
    facets = tab.get_by_role("complementary", name="Facets")
    facets.get_by_role("link", name="rocks", exact=True).click()
    tab.wait_for_selector("#matched:has-text('in rocks')")
    rocks = tab.locator(".results li").count()
    facets.get_by_role("link", name="hard", exact=True).click()
    tab.wait_for_selector("#matched:has-text('in rocks, rocks/hard')")
    titles = tab.locator(".results h2").all_inner_texts()
    assert 0 < len(titles) < rocks < everything
    until(lambda: "facet=rocks&facet=rocks%2Fhard" in tab.url, tab)
    tab.get_by_role("button", name="Why this result").first.click()
    tab.wait_for_selector(".why .hint:has-text('PageRank on rocks, rocks/hard')")
    assert problems(tab) == []
    tab.reload()
    assert tab.locator(".results h2").all_inner_texts() == titles
    facets.get_by_role("link", name="General importance").click()
    until(lambda: tab.locator(".results li").count() == everything, tab)
    tab.get_by_label("Ranking").select_option("bm25")
    tab.get_by_label("with PageRank").check()
    until(lambda: tab.evaluate("location.search").endswith("&ranking=bm25&pagerank=true"), tab)
    tab.get_by_label("Ranking").select_option("segment-aware")
    # A result of the site that ships with the package opens in the viewer.
    tab.locator(".results h2 a").first.click()
    tab.wait_for_url("**/view/*")
    tab.wait_for_selector("#caption-a:has-text('Learned')")


def test_a_rendered_page_adds_visual_segmenters(server: Running, tab: Page) -> None:
    page = server.open("<style>div{float:left;width:45%}</style><div>left side</div><div>right side</div>")
    tab.goto(f"{server.url}/view/{page}")
    tab.get_by_role("button", name="Render").click()
    tab.get_by_role("button", name="Screenshot").click(timeout=60_000)
    until(lambda: tab.evaluate("document.querySelector('#picture-dialog img').naturalWidth") > 500, tab)
    tab.get_by_role("button", name="Close").click()
    tab.get_by_label("Segments by").select_option("webterrain")
    tab.wait_for_selector("#caption-a:has-text('WebTerrain')")
    # What is marked on it remembers the rows of the original.
    name = server.post(f"/api/annotation/pages/opened/{tab.url.partition('/view/')[2].partition('?')[0]}").json["name"]
    marks = [{"rows": [5], "level": 1}]
    saved = server.put(f"/api/annotation/pages/{name}/sheets/Ada", {"version": 0, "marks": marks}).json
    assert len(saved["marks"][0]["source_rows"]) == 1
