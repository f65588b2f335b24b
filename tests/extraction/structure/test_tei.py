"""TEI: valid by the schema of the part that is written, and, as far as it goes, by the DTD of another program."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from generated_pages import pages
from golden import FOLDER
from hypothesis import given
from lxml import etree

from webstrata.extraction import extract

SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).with_name("tei.rng")))
NAMES = {"t": "http://www.tei-c.org/ns/1.0"}
SOURCES = sorted(FOLDER.glob("*/source.html")) + sorted(
    Path(str(path)) for path in files("webstrata.demo").iterdir() if path.name.endswith(".html")
)


def tei(html: bytes | str, algorithm: str = "keep-all") -> Any:
    """The document of a page, which must be valid."""
    document = etree.fromstring(extract(html, algorithm, url="https://example.org/a b").tei.encode())
    SCHEMA.assertValid(document)
    return document


def texts(document: Any, path: str) -> list[str]:
    return ["".join(found.itertext()).strip() for found in document.xpath(path, namespaces=NAMES)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_pages_are_valid(path: Path) -> None:
    for algorithm in ("learned", "keep-all"):
        tei(path.read_bytes(), algorithm)


@given(pages())
def test_any_page_is_valid(html: str) -> None:
    tei(html)


def test_the_header() -> None:
    html = """<html lang=en-GB><title>Silt</title><meta name=author content="Ada Stone; Ben Clay">
    <meta name=keywords content="silt, clay"><meta property=article:section content=Rivers>
    <meta property=og:site_name content="Rocks &amp; so on"><meta name=description content="What rivers carry">
    <meta property=article:published_time content=2024-05-17>
    <link rel=license href=https://creativecommons.org/licenses/by/4.0/><h1>Silt</h1><p>Pale."""
    document = tei(html)
    assert texts(document, "//t:titleStmt/*")[0] == "Silt"
    assert texts(document, "//t:author") == ["Ada Stone", "Ben Clay"]
    assert texts(document, "//t:publisher") == ["Rocks & so on"]
    assert texts(document, "//t:licence") == ["CC BY 4.0"]
    assert document.xpath("string(//t:publicationStmt/t:date/@when)", namespaces=NAMES) == "2024-05-17"
    assert document.xpath("string(//t:ptr/@target)", namespaces=NAMES) == "https://example.org/a%20b"
    assert texts(document, "//t:term") == ["Rivers", "silt", "clay"]
    assert texts(document, "//t:language") == ["en-GB"]


def test_headings_open_divisions_that_nest() -> None:
    document = tei("<p>a<h2>b</h2><p>c<h3>d</h3><p>e<h2>f</h2><p>g")
    assert texts(document, "/t:TEI/t:text/t:body/t:p") == ["a"]
    assert texts(document, "/t:TEI/t:text/t:body/t:div/t:head") == ["b", "f"]
    assert texts(document, "/t:TEI/t:text/t:body/t:div[1]/t:div/t:p") == ["e"]


def test_a_heading_where_no_division_can_stand() -> None:
    document = tei("<blockquote><h2>a</h2><p>b</blockquote><ul><li><h3>c</h3></ul><figure><figcaption><h4>d</h4><p>e")
    assert texts(document, "//t:ab[@type='heading']") == ["a", "c"]
    assert texts(document, "//t:figure/t:head") == ["d e"]


def test_the_rest() -> None:
    html = """<ol><li>one<li>two</ol><dl><dd>x<dt>y</dl><pre><code class=language-python>
if a &lt; b:
    pass</code></pre><table><tr><th>a<td colspan=2>b<tr></tr><caption>late</caption></table>
    <p><a href="/x y">link</a><br><img src=i.png alt="a <b>"><sub>1</sub><hr><p>\x01"""
    document = tei(html)
    assert texts(document, "//t:list[@rend='numbered']/t:item") == ["one", "two"]
    assert texts(document, "//t:item[@rend='term']") == ["y"]
    assert texts(document, "//t:ab/t:code") == ["if a < b:\n    pass"]
    assert document.xpath("string(//t:cell/@cols)", namespaces=NAMES) == "2"
    assert "late" in texts(document, "//t:table//*")
    assert document.xpath("string(//t:ref/@target)", namespaces=NAMES) == "https://example.org/x%20y"
    assert texts(document, "//t:graphic/t:desc") == ["a <b>"]


@pytest.mark.parametrize("html", ["", "<p hidden>x", "<table></table>", "<ul></ul>"])
def test_nothing_is_a_document_as_well(html: str) -> None:
    assert texts(tei(html), "//t:body") == [""]


def test_the_text_is_that_of_the_extraction() -> None:
    for path in SOURCES:
        found = extract(path.read_bytes())
        shown = etree.fromstring(found.tei.encode()).xpath("//t:body//text()[not(parent::t:desc)]", namespaces=NAMES)
        assert "".join("".join(shown).split()) == "".join("".join(etree.HTML(found.html).itertext()).split()), path


def test_the_dtd_of_the_guidelines() -> None:
    """trafilatura brings the DTD of TEI's core, which knows no tables, no figures and no code."""
    trafilatura = pytest.importorskip("trafilatura")
    dtd = etree.DTD(str(Path(trafilatura.__file__).parent / "data" / "tei_corpus.dtd"))
    valid = 0
    for path in SOURCES:
        document = tei(path.read_bytes(), "learned")
        if not document.xpath("//t:table | //t:figure | //t:code | //t:graphic", namespaces=NAMES):
            dtd.assertValid(document)
            valid += 1
    assert valid >= 3
