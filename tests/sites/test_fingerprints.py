"""Fingerprints: the normalisation of the thesis, and paragraphs."""

from __future__ import annotations

import hashlib

import pytest

from webstrata.page import parse
from webstrata.sites.fingerprints import fingerprint, normalised, paragraph_fingerprints, paragraph_numbers


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Home", b"home"),
        ("Log  In!", b"log in"),
        ("Sat, 12 May 2007, 11:59 PM", b"$DATE$"),
        ("See HTTP://Example.org/a?b=1 now", b"see now URL"),
        ("www.example.org", b"URL"),
        ("may be", b"be $DATE$"),
        ("marching on", b"marching on"),
        ("a://", b"a"),
        ("Straße 日本", "straße 日本".encode()),
        ("2007 / 11", b""),
        ("", b""),
    ],
)
def test_normalisation(text: str, normal: bytes) -> None:
    assert normalised(text) == normal


def test_a_fingerprint_begins_the_sha1() -> None:
    assert f"{fingerprint('Home'):016x}" == hashlib.sha1(b"home").hexdigest()[:16]
    assert fingerprint("12.5 %") == 0


def test_paragraphs_are_those_of_the_package() -> None:
    page = parse("<p>one <b>two</b> three<p>four <span hidden>five</span>six<p>a<br>b<ul><li>c<li>d</ul>")
    assert paragraph_numbers(page).tolist() == [0, 0, 0, 1, -1, 1, 2, 2, 3, 4]
    found, words = paragraph_fingerprints(page)
    assert words.tolist() == [3, 2, 2, 1, 1]
    assert found.tolist() == [fingerprint(text) for text in ("One two three", "four six", "a b", "c", "d")]
    assert [len(column) for column in paragraph_fingerprints(parse(""))] == [0, 0]


def test_a_link_to_a_headline_is_not_the_headline() -> None:
    page = parse("<h1>Clay and sand</h1><ul><li><a href=/c>Clay and sand</a><li><a href=/s>Silt</a> is next</ul>")
    found, _ = paragraph_fingerprints(page)
    headline = fingerprint("clay and sand")
    assert found.tolist() == [headline, headline ^ (2**64 - 1), fingerprint("silt is next")]
