"""Tags, categories and licences, as pages name them."""

from __future__ import annotations

import pytest

from webstrata.extraction.metadata import Metadata, metadata
from webstrata.page import parse


def read(html: str) -> Metadata:
    return metadata(parse(html, url="https://example.org/a/"))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta name=keywords content='silt, clay; Sand,, silt '>", ("silt", "clay", "Sand")),
        (
            "<meta property=article:tag content=Silt><meta property=article:tag content='clay, fine'>",
            ("Silt", "clay, fine"),
        ),
        ("<p><a rel='tag nofollow' href=/t>#Silt</a> <a rel=next href=/x>tag</a>", ("Silt",)),
        ("<p><a href=/tag/silt>silt</a>", ("silt",)),
        ("<p><a href=/tag/silt hidden>silt</a> <a href=/tag/>all</a> <a href='/find?x=/tag/silt'>silt</a>", ()),
        ("<h1>Mud</h1><nav><a href=/tag/silt>silt</a></nav><ul class=post-tags><li><a href=/m>Mud</a>", ("Mud",)),
        ("<a href=/tag/silt>silt</a><h1>Mud</h1>", ()),
        ("<main><h1>M</h1><li><a href=/ober-ton/>Ober Ton</a><li><a href=/moor-1.html>Moor</a>", ("Ober Ton", "Moor")),
        ("<main><h1>Mud</h1><li><a href=/a/ober-see/>Ober Ton</a><li><a href=/a/moor-1.html>Moor</a>", ()),
        ("<main><h1>Mud</h1><li><a href=/a/boeden/>Böden</a><li><a href=/a/flusse>Flüsse</a>", ("Böden", "Flüsse")),
        ("<h1>Mud</h1>" + "<a href=/tag/silt>silt</a>" * 26, ()),
        ("<h1 class=topic-title><a href=/t/4821>Kiln trips</a></h1><p>by Sue", ()),
        ("<h1>Mud</h1><h2 class=topic-title><a href=/t/silt>Silt</a></h2><p><a href=/tag/clay>clay</a>", ("clay",)),
        ("<meta name=news_keywords content=silt><meta name=keywords content=clay>", ("silt",)),
        ("<meta name=keywords content='AER,AIR,CRSH,GEN,INDG'><a rel=tag href=/mud>mud</a>", ("mud",)),
        (
            "<h1>Mud</h1><meta name=keywords content='news, sport, radio, video'>"
            "<meta property=article:tag content='mud, clay, silt, sand'>",
            ("mud", "clay", "silt", "sand"),
        ),
        (
            "<meta name=keywords content='Page Type: News, Subject: Silt, Category: Mud, Day: Friday'>",
            ("Silt", "Mud"),
        ),
        ("<meta name=keywords content='silt, clay, mud, silt clay mud clay'>", ("silt", "clay", "mud")),
        ("<meta name=keywords content='a9f5e1d2-26ee-4e2b-9d1c-2b6f0c2d9a11, silt, Tags:'>", ("silt",)),
        ("<meta name=keywords content='地层 河流 湖泊 泥沙'>", ("地层", "河流", "湖泊", "泥沙")),
        ("<p><a rel='category tag' href=/c>Rivers</a> <a rel=tag href=/t>Silt</a>", ("Silt",)),
        ("<meta property=og:site_name content=Rocks><meta name=keywords content='silt, rocks'>", ("silt",)),
        (
            '<script type=application/ld+json>{"@type": "Article", "keywords": ["silt", {"name": "clay"}, 3]}</script>',
            ("silt", "clay"),
        ),
        ('<script type=application/ld+json>{"@type": "Article", "keywords": "silt,clay"}</script>', ("silt", "clay")),
        ("<meta name=keywords content='地层、河流'>", ("地层", "河流")),
    ],
)  # fmt: skip
def test_tags(html: str, expected: tuple[str, ...]) -> None:
    assert read(html).tags == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<meta property=article:section content='Rivers, lakes'>", ("Rivers, lakes",)),
        ("<a rel='category tag' href=/c>Rivers</a>", ("Rivers",)),
        (
            '<script type=application/ld+json>{"@type": "Article", "articleSection": ["A", "a", "B"]}</script>',
            ("A", "B"),
        ),
    ],
)
def test_categories(html: str, expected: tuple[str, ...]) -> None:
    assert read(html).categories == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a rel=license href=http://creativecommons.org/licenses/by-nc-sa/3.0/deed.de>x</a>", "CC BY-NC-SA 3.0"),
        ("<link rel=license href=https://creativecommons.org/publicdomain/zero/1.0/>", "CC0 1.0"),
        ("<link rel=license href=terms.html>", "https://example.org/a/terms.html"),
        ("<a rel=license href=javascript:alert(1)>x</a>", None),
        ("<a href=/license>Licence</a>", None),
        ("<p>a</p>" * 9 + "<a href=https://creativecommons.org/licenses/by-nc/4.0/>x</a>", "CC BY-NC 4.0"),
        ("<a href=https://creativecommons.org/licenses/by/4.0/>picture</a>" + "<p>a</p>" * 9, None),
        ("<p>a</p>" * 9 + "<a href=https://creativecommons.org/about>x</a>", None),
        ("<a rel=license href=https://creativecommons.org/licenses/by-sa/>x</a>", "CC BY-SA"),
        ("<a rel=license href=/terms>x</a><a rel=license href=//creativecommons.org/licenses/by/3.0></a>", "CC BY 3.0"),
        ("<p>All texts here are licensed CC BY-SA 4.0.", "CC BY-SA 4.0"),
        ("<meta name=dc.rights content='Ada Stone'>", None),
        ("<meta name=dc.rights content='All rights reserved'>", "All rights reserved"),
        (
            '<script type=application/ld+json>{"@type": "Dataset", "license": "https://creativecommons.org/licenses/by/4.0"}'
            "</script>",
            "CC BY 4.0",
        ),
    ],
)  # fmt: skip
def test_licence(html: str, expected: str | None) -> None:
    assert read(html).licence == expected


@pytest.mark.parametrize(
    "link", ["<a href=/tag/silt>silt</a> ", "<a href=//creativecommons.org/x>y</a> ", "<a rel=tag>s</a>"]
)
def test_links_to_topics_are_few_however_many_there_are(link: str) -> None:
    found = read("<h1>Mud</h1>" + link * 50_000)
    assert len(found.tags) <= 1
    assert found.licence is None


def test_the_text_of_a_link_may_be_any() -> None:
    html = "<main><h1>Mud</h1>" + "".join(f"<li><a href='/{slug}'>{text}</a>" for slug, text in _SLUGS)
    assert read(html).tags == ("Müll & Ton", "Sand")


_SLUGS = [("", "x"), ("/", "/"), ("muell-ton", "Müll & Ton"), ("sand", "Sand"), ("😀", "😀"), ("é", "é"), ("a", "")]
