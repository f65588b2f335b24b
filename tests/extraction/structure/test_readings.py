"""Readings over words."""

from __future__ import annotations

import pytest
from commands import webstrata

from webstrata.extraction import extract

WORD = "<p>彼は<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>を書く。"


@pytest.mark.parametrize(
    ("html", "bare", "whole"),
    [
        (WORD, "彼は漢字を書く。", "彼は漢(かん)字(じ)を書く。"),
        ("<p><ruby><rb>漢字</rb><rt>かんじ</rt></ruby>を。", "漢字を。", "漢字かんじを。"),
        ("<p><ruby>漢<rtc><rt>かん</rt></rtc></ruby>", "漢", "漢かん"),
        ("<p><ruby><rt>かん</rt></ruby>", "かん", "かん"),
        ("<p>Silt<rt>a</rt>", "Silta", "Silta"),
        ("<p>a<ruby>b<rt>c</rt></ruby> d", "ab d", "abc d"),
    ],
)
def test_readings(html: str, bare: str, whole: str) -> None:
    without, with_all = extract(html, "keep-all"), extract(html, "keep-all", readings=True)
    for found, expected in ((without, bare), (with_all, whole)):
        assert found.text == found.markdown == expected
        assert f"<p>{expected}</p>" in found.html
        assert expected in found.tei
        spans = [found.text[span.start : span.stop] for span in found.text_spans]
        assert "".join(spans) == expected.replace(" ", "")


def test_brackets_stay_hidden_where_readings_are_left_out() -> None:
    found = extract(f"{WORD}<p>Silt", "keep-all", readings=True)
    assert found.dropping([3, 7], "left out").text == "彼は漢字を書く。\n\nSilt"


def test_the_command_chooses_what_is_written() -> None:
    page = f"{WORD}<p>Silt<sup><a href=#n id=r>1</a></sup> sinks.<ol class=footnotes><li id=n>slowly</ol>".encode()
    options = ("extract", "-", "--algorithm", "keep-all", "--format", "markdown")
    assert webstrata(*options, "--no-citations", stdin=page).output == "彼は漢字を書く。\n\nSilt sinks.\n"
    assert "漢(かん)字(じ)" in webstrata(*options, "--readings", stdin=page).output
    assert "[^1]: slowly" in webstrata(*options, stdin=page).output
