"""What a URL is."""

from __future__ import annotations

import sys
import time
import types
from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata import parse, urls
from webstrata._lengths import FREE_URL_ROOM, LONGEST_URL, URL_ROOM
from webstrata.extraction import extract
from webstrata.urls import Resolver, clean, host, registered_domain, resolve, safe

BASE = "https://example.org/a/b?c"
BASES = [BASE, "file:///home/a/b.html"]
_WORDS = st.text("abcXYZ019-_~%=&", min_size=1, max_size=8)
_REFERENCES = st.one_of(
    st.lists(st.one_of(_WORDS, st.just(".."), st.just(".")), max_size=5).map("/".join),
    st.lists(_WORDS, min_size=1, max_size=3).map(lambda words: "/" + "/".join(words)),
    st.builds(lambda a, b: f"https://{a.strip('-_~%=&') or 'x'}.org/{b}", _WORDS, _WORDS),
    st.builds(lambda a, b: f"{a}?{b}#{a}", _WORDS, _WORDS),
)


@settings(deadline=None)
@given(_REFERENCES)
def test_ordinary_references_are_joined_as_the_standard_library_does(reference: str) -> None:
    assert resolve(BASE, reference) == urljoin(BASE, reference)
    assert safe(BASE, reference) in (urljoin(BASE, reference), reference, None)
    assert Resolver(BASE, size=100).safe(reference) == safe(BASE, reference)


@settings(deadline=None, max_examples=1000)
@given(
    st.sampled_from(
        [
            "",
            BASE,
            "file:///home/a/b.html",
            "http://a",
            "http://a/b;p?x#f",
            "http://a/b/../c",
            "javascript:x",
            "/d/e",
            "mailto:a",
        ]
    ),
    st.sampled_from(["", "//", "//a", "../", "../a", "/", "https://a"]),
    st.text("ab/.:?#;&=%~ \\@[", max_size=12),
)
def test_the_short_ways_of_a_resolver_lead_to_the_same(base: str, beginning: str, end: str) -> None:
    reference = beginning + end
    assert Resolver(base, size=100).safe(reference) == safe(base, reference)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_safe_url_has_a_scheme_that_runs(base: str, reference: str) -> None:
    for url in (safe(base, reference), safe(base, f"javascript:{reference}"), safe(f"javascript:{base}", reference)):
        assert url is None or not clean(url).lower().startswith(("javascript:", "data:", "vbscript:"))
        assert url is None or url == clean(url)


@pytest.mark.parametrize(
    "reference",
    [
        "java" + "\n" * 64 + "script:x",
        "\x01" * 64 + "javascript:x",
        "\x7f\xa0 JavaScript:x",
        "data:text/html,x",
        "\tvbscript:x",
    ],
)
def test_what_browsers_ignore_hides_no_scheme(reference: str) -> None:
    assert safe("", reference) is safe("http://example.org/", reference) is None


def test_a_base_that_runs_is_no_base() -> None:
    page = parse('<base href="&#x7f;javascript:alert(1)//"><p><a href="#x">x</a>', url="http://example.org/")
    assert page.base_url == "http://example.org/"
    assert page.links[0].url == "http://example.org/#x"
    assert "javascript" not in extract(page, "keep-all").html + extract(page, "keep-all").markdown


def test_long_urls_are_left_out() -> None:
    assert safe(BASE, "x" * (LONGEST_URL + 1)) is None
    assert resolve("http://a/" + "x" * LONGEST_URL, "b") == "b"
    assert safe("http://a/" + "x/" * (LONGEST_URL // 2 - 5), "b" * 100) is None


def test_links_have_room_in_proportion_to_the_page() -> None:
    page = parse(f"<base href=http://a/{'x' * 8000}/>" + "<p><a href=b>x</a>" * 2000)
    for output in (extract(page, "keep-all").html, extract(page, "keep-all").markdown):
        assert 0 < output.count("http://a/xx") < 100
        assert output.count("x\n") + output.count("x</p>") + output.count("](") >= 1900
    assert sum(len(link.url) for link in page.links) <= FREE_URL_ROOM + URL_ROOM * len(page.source)
    assert len(page.links) == 2000


@given(st.text("htps:/.a-B?#@[]1ü \n", max_size=20).map("http".__add__))
def test_the_host_of_a_plain_url_is_that_of_any_other(url: str) -> None:
    try:
        expected = urlsplit(url).hostname or ""
    except ValueError:
        expected = ""
    assert host(url) == expected


def test_hosts_and_registered_domains() -> None:
    assert [host(url) for url in ("http://A.b:80/", "//c.d/x", "x", "http://[::1", "mailto:a@b.c")] == [
        "a.b",
        "c.d",
        "",
        "",
        "",
    ]
    names = ["", "localhost", "a.b.c.co.uk", "co.uk", "a.com.br", "[::1]", "1.2.3.4", "x.github.io."]
    assert [registered_domain(name) for name in names] == [
        "", "localhost", "c.co.uk", "co.uk", "a.com.br", "[::1]", "1.2.3.4", "github.io",
    ]  # fmt: skip


@pytest.mark.parametrize("reference", ["b c.html", "b.html", "../b c.html", "#ä", "?q=a b"])
def test_references_of_a_file_stay_relative(reference: str) -> None:
    url = safe("file:///home/a/page.html", reference)
    assert url is not None
    assert url == Resolver("file:///home/a/page.html", size=100).safe(reference)
    assert not url.startswith("file")


def test_names_under_a_shared_second_level_are_domains() -> None:
    names = ["www.police.govt.nz", "www.mext.go.jp", "a.b.com.br"]
    assert [registered_domain(name) for name in names] == ["police.govt.nz", "mext.go.jp", "b.com.br"]


def test_the_public_suffix_list_decides_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class PublicSuffixList:
        def __init__(self, *, only_icann: bool) -> None:
            assert only_icann

        def privatesuffix(self, name: str) -> str | None:
            return "x.kobe.jp" if name.endswith("x.kobe.jp") else None

    monkeypatch.setitem(sys.modules, "publicsuffixlist", types.SimpleNamespace(PublicSuffixList=PublicSuffixList))
    urls._registered_part.cache_clear()
    try:
        assert registered_domain("www.x.kobe.jp") == "x.kobe.jp"
        assert registered_domain("kobe.jp") == "kobe.jp"
    finally:
        urls._registered_part.cache_clear()


@pytest.mark.parametrize("unit", ["/..", "a:", "?", "\x01", " ", "./", "%", "[", "\\\\", "http://"])
def test_hostile_references_take_linear_time(unit: str) -> None:
    start = time.process_time()
    safe(BASE, unit * 500_000)
    safe(unit * 500_000, "x")
    safe(BASE, (unit * LONGEST_URL)[:LONGEST_URL])
    assert time.process_time() - start < 2
