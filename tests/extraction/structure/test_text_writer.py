"""Text with the markers of lists and the rows of tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from commands import webstrata
from generated_pages import pages
from hypothesis import given, settings
from hypothesis import strategies as st
from span_faults import span_faults

from webstrata.extraction import extract
from webstrata.extraction.structure.text import structured_text, structured_text_with_spans, text
from webstrata.page import parse

TEX = '<math><annotation encoding="application/x-tex">x^2</annotation></math>'
NOTED = "<p>Silt<sup><a href=#n id=r>1</a></sup> sinks.<ol class=footnotes><li id=n>slowly <a href=#r>↩</a></ol>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a *b* <b>c</b><br>d <a href=/x>e</a><h2># f</h2>", "a *b* c\nd e\n\n# f"),
        ("<ol start=9><li>a<li>b<p>c<ul><li>d</ul></ol><p>e", "9. a\n10. b\n\n    c\n    - d\n\ne"),
        ("<ul><li>a<br>b</ul><ul><li>c</ul>", "- a\n  b\n\n* c"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "a\n\nb"),
        ("<ul><li><pre>a\n\n  b</pre></ul>", "- a\n\n    b"),
        ("<dl><dt>a<dd>b</dl>", "a\n\nb"),
        ("<p>a<hr><p>b", "a\n\nb"),
        (f"<p>a {TEX} b", "a $x^2$ b"),
        ("<div class='admonition tip'><p class=admonition-title>Tip<p>Dig.</div>", "Tip\n\nDig."),
        ("<table><tr><td>a<td>b<br>c<tr><td>d<td><pre>e\n\tf</pre></table>", "a\tb c\nd\te  f"),
        (
            "<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
            "a\tb\t\nc\td\te\n\tf\tg",
        ),
        ("<ul><li>a<table><tr><td>b<td>c<tr><td>d<td>e</table></ul>", "- a\n\n  b\tc\n  d\te"),
        ("<table><tr><td>a</table>", "a"),
        ("<p>a<img src=/b.png alt=c>d<iframe title=Film src=//www.youtube.com/embed/b_PXuEPxN50></iframe>", "a d Film"),
        (NOTED, "Silt[1] sinks.\n\n[1] slowly"),
        ("", ""),
    ],
)
def test_structure(html: str, expected: str) -> None:
    page = parse(html, url="https://example.org/")
    keep = ~page.blocks.hidden
    assert structured_text(page, keep) == expected
    assert structured_text_with_spans(page, keep)[0] == expected


def test_citations_can_be_left_out() -> None:
    assert extract(NOTED, "keep-all", structured=True, citations=False).text == "Silt sinks."


@settings(max_examples=100)
@given(html=pages(), seed=st.integers(0, 2**16))
@pytest.mark.slow
def test_it_has_the_letters_of_the_text(html: str, seed: int) -> None:
    page = parse(html)
    keep = np.random.default_rng(seed).random(len(page.blocks)) < 0.8
    found, plain = (Counter(filter(str.isalpha, write(page, keep))) for write in (structured_text, text))
    assert found == plain


@pytest.mark.parametrize(
    "html", [f"<p>a {TEX} b", "<ul><li>silt<li>m&uuml;d</ul><table><tr><td>a<td>b<tr><td>c<td>d</table>"]
)
def test_spans(html: str) -> None:
    assert list(span_faults(extract(html, "keep-all", structured=True))) == []


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_text("<ul><li>silt<li>mud</ul>")
    run = webstrata("extract", str(file), "--algorithm", "keep-all", "--structured")
    assert (run.exit_code, run.output) == (0, "- silt\n- mud\n")
