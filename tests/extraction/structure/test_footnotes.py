# ruff: noqa: E501 - the markup of makers, as they write it
"""Footnotes of common makers: references, notes, and numbers that are neither."""

from __future__ import annotations

import pytest

from webstrata.extraction import extract
from webstrata.extraction.structure.footnotes import footnotes
from webstrata.page import parse

GITHUB = (
    '<p>Silt is pale.<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref>1</a></sup> It sinks.'
    '<section data-footnotes class="footnotes"><h2 class="sr-only" id="footnote-label">Footnotes</h2><ol>'
    '<li id="user-content-fn-1"><p>In spring. <a href="#user-content-fnref-1" data-footnote-backref>↩</a></p></li></ol></section>'
)
PANDOC = (
    '<p>Silt is pale.<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a> It sinks.'
    '<section id="footnotes" class="footnotes" role="doc-endnotes"><hr/><ol><li id="fn1"><p>In spring.'
    '<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>'
)
MEDIAWIKI = (
    '<p>Silt is pale.<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span>[</span>1<span>]</span></a></sup>'
    ' It sinks.<h2>References</h2><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b>'
    '<a href="#cite_ref-1">^</a></b></span> <span class="reference-text">In spring.</span></li></ol>'
)
WORD = (
    '<p>Silt is pale.<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a> It sinks.<hr>'
    '<div id="ftn1"><p><a href="#_ftnref1" name="_ftn1"><span>[1]</span></a> In spring.</p></div>'
)
SUBSTACK = (
    '<p>Silt is pale.<a class="footnote-anchor" id="footnote-anchor-1-9" href="https://a.example/p/silt#footnote-1-9">1</a>'
    ' It sinks.<div class="footnote"><a id="footnote-1-9" href="https://a.example/p/silt#footnote-anchor-1-9"'
    ' class="footnote-number" contenteditable="false">1</a><div class="footnote-content"><p>In spring.</p></div></div>'
)
SPHINX = (
    '<p>Silt is pale.<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref">'
    '<span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> It sinks.'
    '<aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>'
    '<a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>In spring.</p></aside>'
)
WORDPRESS = (
    '<p>Silt is pale.<sup data-fn="d6" class="fn"><a href="#d6" id="d6-link">1</a></sup> It sinks.'
    '<ol class="wp-block-footnotes"><li id="d6">In spring. <a href="#d6-link">↩︎</a></li></ol>'
)
BY_HAND = "<p>Silt is pale.<sup>1</sup> It sinks.<hr><p><sup>1</sup> In spring.</p>"
TEXINFO = (
    '<p>Silt is pale.<a class="footnote" id="DOCF1" href="#FOOT1"><sup>1</sup></a> It sinks.'
    '<div class="footnotes-segment"><hr><h4 class="footnotes-heading">Footnotes</h4>'
    '<h5><a id="FOOT1" href="#DOCF1">(1)</a></h5><p>In spring.</p></div>'
)
ORG = (
    '<p>Silt is pale.<sup><a id="fnr.1" class="footref" href="#fn.1">1</a></sup> It sinks.<div id="footnotes">'
    '<h2 class="footnotes">Footnotes: </h2><div class="footdef"><sup><a id="fn.1" class="footnum" href="#fnr.1">1</a></sup>'
    ' <div class="footpara"><p class="footpara">In spring.</p></div></div></div>'
)
TUFTE = (
    '<p>Silt is pale.<label for="sn-a" class="margin-toggle sidenote-number"></label><input type="checkbox" id="sn-a"'
    ' class="margin-toggle"/><span class="sidenote">In spring.</span> It sinks.'
)
INLINE = (
    '<p>Silt is pale.<span title="In spring." class="inline-footnote">1<span class="footnoteContent" style="display:none;">'
    "In spring.</span></span> It sinks."
)
MAKERS = {
    "github": GITHUB, "pandoc": PANDOC, "mediawiki": MEDIAWIKI, "word": WORD, "substack": SUBSTACK, "sphinx": SPHINX,
    "wordpress": WORDPRESS, "by hand": BY_HAND, "texinfo": TEXINFO, "org": ORG,
    "tufte": TUFTE, "inline": INLINE,
}  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_makers(maker: str) -> None:
    found = extract(MAKERS[maker], "keep-all").markdown.replace("\n\n## References", "")
    assert "".join(found.replace("***\n\n", "").split("\n\n")) == "Silt is pale.[^1] It sinks.[^1]: In spring.", found


@pytest.mark.parametrize("maker", MAKERS)
def test_html_and_tei_have_notes(maker: str) -> None:
    found = extract(MAKERS[maker], "keep-all")
    assert '<a href="#fn-1" role="doc-noteref">1</a>' in found.html
    assert '<aside id="fn-1" role="doc-footnote">' in found.html
    assert "<note" in found.tei
    assert "In spring." in found.tei


@pytest.mark.parametrize(
    "source",
    [
        "<p>10<sup>2</sup> grains<p>2 more",
        "<ul><li><a href=#a>1</a><li><a href=#b>2</a></ul><h2 id=a>One</h2><p>x<h2 id=b>Two</h2><p>y",
        "<p><a href=#comments>12</a> comments<section id=comments><p>12 comments<p>Nice",
        "<p>A. Stone<sup>1</sup><p><sup>1</sup> University<p>" + "long text " * 50,
        "<p><a href=#A>A</a> <a href=#B>B</a><dl><dt id=A>A<dd>Ash<dt id=B>B<dd>Birch</dl>",
        "<p><a href=#nowhere>1</a>",
    ],
)
def test_numbers_that_are_no_footnotes(source: str) -> None:
    assert not footnotes(parse(source)).notes


def test_a_note_goes_with_its_reference() -> None:
    page = parse(WORDPRESS)
    found = extract(page, "keep-all").dropping([len(page.blocks) - 1], "a list of links")
    assert found.markdown.endswith("[^1]: In spring.")
    assert "In spring" not in found.text


def test_citations_can_be_left_out() -> None:
    assert extract(MEDIAWIKI, "keep-all", citations=False).markdown == "Silt is pale. It sinks."


def test_the_heading_of_a_list_of_sources_stays_with_it() -> None:
    assert "## References" in extract(MEDIAWIKI, "keep-all").markdown
    assert "Footnotes" not in extract(GITHUB, "keep-all").markdown


@pytest.mark.parametrize("maker", [TUFTE, INLINE])
def test_notes_in_the_text_can_be_left_out(maker: str) -> None:
    assert extract(maker, "keep-all", citations=False).markdown == "Silt is pale. It sinks."


def test_notes_in_the_text_are_numbered_in_order() -> None:
    mark, note = '<label for=s class="margin-toggle"></label>', '<span class="sidenote">{}</span>'
    found = extract(f"<p>a {mark}{note.format('b')} c{mark}{note.format('d <i>e</i>')} f.<p>g", "keep-all").markdown
    assert found == "a [^1] c[^2] f.\n\ng\n\n[^1]: b\n\n[^2]: d *e*"


@pytest.mark.parametrize(
    "source",
    [
        "<p>a<span class=footnote>1</span> b",
        "<p>a<label class=margin-toggle></label><input> b <span class=sidenote></span>",
        "<p>a<label class=margin-toggle>Show</label><span class=sidenote>b</span>",
        "<p>a<span class=footnotes>b<span>c</span></span>",
    ],
)
def test_no_note_in_the_text(source: str) -> None:
    assert not footnotes(parse(source)).notes


def test_notes_may_have_several_blocks() -> None:
    found = extract(
        '<p>a<sup><a href="#n1">1</a></sup> b<ol><li id=n1><p>c<ul><li>d<li>e</ul></ol>', "keep-all"
    ).markdown
    assert found == "a[^1] b\n\n[^1]: c\n\n    - d\n    - e"


def test_many_references_take_linear_time() -> None:
    source = "".join(f"<p>a<sup><a href=#fn{i}>{i}</a></sup>" for i in range(3000))
    assert len(footnotes(parse(source + "".join(f"<p id=fn{i}>b" for i in range(3000)))).notes) > 900
