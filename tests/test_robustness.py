"""Any bytes make a page."""

from __future__ import annotations

from pathlib import Path

import fuzz
import pytest
from gates import HANG_SECONDS
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import check
from tree_pages import trees

import webstrata
from webstrata.errors import InputError

FRAGMENTS = st.one_of(
    st.sampled_from(fuzz.PIECES).map(str.encode),
    st.text(max_size=12).map(lambda text: text.encode("utf-8", "replace")),
    st.binary(max_size=8),
)


@given(st.lists(FRAGMENTS, max_size=40).map(b"".join))
def test_invariants_hold_for_any_soup(html: bytes) -> None:
    check(webstrata.parse(html))


@given(st.text())
def test_any_text_makes_a_page(html: str) -> None:
    check(webstrata.parse(html))


@given(st.lists(st.sampled_from(fuzz.PIECES), max_size=30).map("".join))
@settings(max_examples=50)
def test_parsing_is_deterministic(html: str) -> None:
    first, second = webstrata.parse(html), webstrata.parse(html)
    assert first.text == second.text
    assert first.blocks.gap.tolist() == second.blocks.gap.tolist()
    assert first.elements.parent.tolist() == second.elements.parent.tolist()


@pytest.mark.slow
@given(trees())
@settings(max_examples=60, deadline=None)
def test_trees_of_any_tags(html: bytes) -> None:
    check(webstrata.parse(html))
    fuzz.check_outputs(html)


@pytest.mark.slow
def test_mutated_pages() -> None:
    """Some of what `make fuzz` does for longer."""
    assert fuzz.run(fuzz.seed_pages([]), seconds=HANG_SECONDS, limit=40, rare=4) == 40


@pytest.mark.parametrize(
    "html",
    [
        b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", bytes(range(256)) * 20, b"<", b"<p", b"&", b"<!--", b"<![CDATA[",
        b"<p>caf\xc3", b"<p>\xe6\xbc", b"<p>\xf0\x9f\x98", b"\x1f\x8b\x08\x00junk", b"%PDF-1.7 <p>x", b"<a" * 1000,
    ],
)  # fmt: skip
def test_odd_bytes(html: bytes) -> None:
    check(webstrata.parse(html))


def test_empty_page() -> None:
    page = webstrata.parse(b"")
    assert (page.text, page.title, page.lang, page.links, len(page.blocks)) == ("", "", None, (), 0)
    assert [element.tag for element in page.elements] == ["html", "head", "body"]


def test_lone_surrogates_are_replaced() -> None:
    assert webstrata.parse("<p>a\ud800b").text == "a\ufffdb"


LEGACY = {
    "windows-1252": "naïve café “quoted”", "iso-8859-2": "Příliš žluťoučký kůň", "windows-1251": "Съешь ещё этих булок",
    "koi8-r": "Широкая электрификация", "windows-1253": "Ξεσκεπάζω την ψυχοφθόρα", "windows-1256": "نص حكيم له سر قاطع",
    "shift_jis": "いろはにほへとちりぬるを", "euc-jp": "色は匂へど散りぬるを", "gb18030": "视野无限广，窗外有蓝天",
    "big5": "視野無限廣，窗外有藍天", "euc-kr": "키스의 고유조건은 입술끼리", "utf-16le": "zwölf Boxkämpfer",
}  # fmt: skip


@pytest.mark.parametrize("label", LEGACY)
def test_legacy_encodings(label: str) -> None:
    codec = {"windows-1252": "cp1252"}.get(label, label)
    html = f"<p>{LEGACY[label]}</p>".encode(codec)
    page = webstrata.parse(html, encoding=label)
    check(page)
    assert page.text == LEGACY[label]
    assert page.encoding == label


def test_wrong_types_and_labels_are_our_errors() -> None:
    with pytest.raises(InputError, match="bytes or str"):
        webstrata.parse(3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="utf-9"):
        webstrata.parse(b"x", encoding="utf-9")


def test_reference_tree_on_our_own_pages() -> None:
    """Every character that is text to lexbor is in one of our blocks, and the other way round."""
    parser = pytest.importorskip("selectolax.lexbor").LexborHTMLParser
    silent = "head,iframe,noembed,noframes,option,script,select,style,template"
    for path in sorted(Path(webstrata.__file__).parent.glob("demo/*.html")):
        page = webstrata.parse(path.read_bytes())
        tree = parser(page.source)
        for node in tree.css(silent):
            node.decompose()
        assert sorted("".join(page.text.split())) == sorted("".join(tree.root.text().split())), path.name
