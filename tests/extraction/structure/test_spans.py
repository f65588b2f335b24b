"""Spans of text and Markdown: in order, without gaps, and true to the source."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from golden import load, slugs
from hypothesis import given
from hypothesis import strategies as st
from markup import blocks
from span_faults import span_faults

from webstrata._paragraphs import kept_places
from webstrata.extraction import extract
from webstrata.extraction.structure.markdown import markdown, markdown_with_spans
from webstrata.extraction.structure.text import separator, text
from webstrata.page import parse

PAGES = {
    "title": "<title>Silt</title><h1>Silt</h1><p>Pale &amp; fine.",
    "table": "<table><tr><th rowspan=2>a|<th colspan=2>b<tr><th>c<th>d<tr><td>e<br>f<td><pre>g\n h</pre><td>i</table>",
    "code": "<p>x <code>a`b</code> y<pre>one\n  <b>two</b>\n\nthree &lt;</pre><blockquote><pre>four</pre>",
    "read code": "<pre><span class=lineno>1</span>a = 1\n<span class=lineno>2</span>  b<button>Copy</button></pre>",
    "heading": "<h2>Silt #</h2><h3># <a href=/x>mud</a> #</h3>",
    "formula": '<p>So <math><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></math> and $y_1$.',
    "note": '<p>Silt.<sup><a href="#n1">1</a></sup><ol><li id=n1>In spring. <a href="#r1">back</a></ol>',
    "callout": "<div class='admonition tip'><p class=admonition-title>A <b>tip</b><p>Dig.</div>",
    "image": "<p>one <img src=/a.png alt='the *lake*'>! <b>!</b><img src=b.png>",
}


@pytest.mark.parametrize("name", PAGES)
def test_makers(name: str) -> None:
    assert list(span_faults(extract(PAGES[name], "keep-all"))) == []


@pytest.mark.parametrize("slug", slugs())
def test_golden_pages(slug: str) -> None:
    page, gold = load(slug)
    for found in (gold(page), extract(page, "keep-all")):
        assert len(found.markdown_spans) >= found.keep.any()
        assert list(span_faults(found)) == []


@given(html=blocks, seed=st.integers(0, 2**16))
def test_spans_of_any_page(html: str, seed: int) -> None:
    page = parse(html)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.8
    assert markdown_with_spans(page, keep)[0] == markdown(page, keep)
    whole = text(page, keep)
    rows = np.flatnonzero(keep)
    for row, place in zip(
        rows.tolist(), kept_places(page.blocks, keep, lambda *rows: separator(page, *rows)), strict=True
    ):
        assert whole.startswith(page.blocks[row].text, place)
    assert list(span_faults(extract(page, "keep-all").dropping(~keep, "left out"))) == []


def test_the_source_is_exact_where_it_can_be() -> None:
    html = "<p>Pale &amp; fine <b>silt</b> in <i>sp</i>ring"
    found = extract(html, "keep-all")
    sources = [html[span.source_start : span.source_stop] for span in found.markdown_spans]
    assert sources == ["Pale &amp; fine", "silt", "in", "sp", "ring"]
    assert [span.source_start for span in found.text_spans] == [3, 22, 31, 37, 43]


def test_text_of_scripts_has_spans_of_its_own() -> None:
    found = extract("<p>Silt", "keep-all")
    found = replace(found, carried=parse("<p>Mud is dark."))
    assert found.text_spans[-1].carried
    assert list(span_faults(found)) == []


def test_json_has_spans_on_request() -> None:
    found = extract("<p>Silt", "keep-all").as_dict(with_spans=True)
    assert (
        found["markdown_spans"]
        == [{"start": 0, "stop": 4, "source_start": 3, "source_stop": 7, "carried": False}]
        == found["text_spans"]
    )
    assert "text_spans" not in extract("<p>Silt", "keep-all").as_dict()
