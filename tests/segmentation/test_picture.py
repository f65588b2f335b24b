"""Pictures: what they hold, that they are well-formed, and that a browser draws them."""

from __future__ import annotations

import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from generated_pages import HOSTILE

import webstrata
from webstrata.drawing.svg import PALETTE
from webstrata.errors import InputError
from webstrata.segmentation import segment
from webstrata.segmentation.picture import densitogram, overlay, png

PAGE = webstrata.parse("<title>A &lt; B</title><h1>one</h1><p>two three four <b>five</b></p><p hidden>no</p><hr><p>six")
SVG = "{http://www.w3.org/2000/svg}"


def test_densitogram_has_a_bar_a_block_and_a_line_a_boundary() -> None:
    rows = [segment(PAGE, "taggap"), segment(PAGE, "justrules"), segment(PAGE, "bf-plain", inner=0.1)]
    root = ElementTree.fromstring(densitogram(rows, names=["a", "b & c"]))
    groups = root.findall(f"{SVG}g")
    assert [len(group.findall(f"{SVG}rect[@class='block']")) for group in groups] == [4, 4, 4]
    assert [len(group.findall(f"{SVG}line[@class='level-1']")) for group in groups][:2] == [3, 2]
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert "A < B" in words
    assert "b & c: 3 segments" in words
    assert "boundary of finer levels" in words


def test_bars_are_as_high_as_blocks_are_dense() -> None:
    root = ElementTree.fromstring(densitogram([segment("<p>a</p><p>b c d e f g h i j k", "taggap")]))
    one, ten = (float(bar.attrib["height"]) for bar in root.iter(f"{SVG}rect") if bar.get("class") == "block")
    assert ten == pytest.approx(10 * one)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_page_can_be_drawn(name: str) -> None:
    page = webstrata.parse(HOSTILE[name])
    ElementTree.fromstring(densitogram([segment(page, "bf-rulebased")]))
    assert "webstrata-legend" in overlay(segment(page, "bf-rulebased"))


def test_a_title_with_control_characters_can_be_drawn() -> None:
    found = segment(webstrata.parse("<title>a&#1;b\x0bc</title><p>x"), "taggap")
    root = ElementTree.fromstring(densitogram([found], names=["\x01 & <b>"]))
    assert "& <b>: 1 segments" in [(text.text or "").strip() for text in root.iter(f"{SVG}text")]


def test_densitogram_compares_one_page() -> None:
    with pytest.raises(InputError, match="at least one"):
        densitogram([])
    with pytest.raises(InputError, match="of one page"):
        densitogram([segment(PAGE, "taggap"), segment("x", "taggap")])


def test_overlay_colours_neighbours_differently() -> None:
    html = overlay(segment(PAGE, "taggap"))
    for number, colour in enumerate(PALETTE[:4]):
        assert f'[data-block-id~="{number}"][data-block]{{outline:2px solid {colour}' in html
    assert "default-src 'none'" in html
    assert overlay(segment("<!doctype html><p>x", "taggap")).startswith("<!doctype html><meta")


@pytest.mark.skipif(shutil.which("chromium") is None, reason="no chromium")
@pytest.mark.slow
def test_png(tmp_path: Path) -> None:
    for number, picture in enumerate((densitogram([segment(PAGE, "taggap")]), overlay(segment(PAGE, "taggap")))):
        file = tmp_path / f"{number}.png"
        png(picture, file, width=400, height=300)
        assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("before", ["\u00a0", "\u2003", "\x00", "x", "<p>", "\ufeff\ufeff"])
def test_the_policy_of_an_overlay_comes_before_all_that_begins_the_body(before: str) -> None:
    html = overlay(segment(f"{before}<!doctype html><p>one", "taggap"))
    assert html.startswith('<meta charset="utf-8"><meta http-equiv="Content-Security-Policy"')


@pytest.mark.parametrize("before", ["", " \n\t", "\f", "<!-- x -->\n<!-- y --> "])
def test_the_policy_of_an_overlay_keeps_the_mode(before: str) -> None:
    html = overlay(segment(f"{before}<!DOCTYPE html><p>one", "taggap"))
    assert html.startswith('<!DOCTYPE html><meta charset="utf-8">')


def test_an_overlay_leads_nowhere() -> None:
    html = overlay(segment("<meta http-equiv=refresh content='0;url=/x'><LINK rel=preconnect href=//a><p>x", "taggap"))
    assert "refresh" not in html
    assert "preconnect" not in html


def test_control_characters_leave_a_densitogram_well_formed() -> None:
    ElementTree.fromstring(densitogram([segment("<title>a\x01\x0b</title><p>x", "taggap")]))
