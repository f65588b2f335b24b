"""What a response says of itself, on bytes that nobody checked."""

from __future__ import annotations

import gzip
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.crawls.reading.http import decode_body, is_html
from webstrata.encoding import charset

# What the scanner does, as an expression: a comment ends at its first end. Backtracking may take long, so that it is
# asked about short bytes only.
SLOW = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml[^>]*>|<!--(?:(?!-->).)*-->|\s)*<(?:!doctype\s+html|html|head|body)",
    re.IGNORECASE | re.DOTALL,
)
PIECES = [
    b"<!--",
    b"-->",
    b" ",
    b"\n",
    b"<?xml",
    b">",
    b"<!DOCTYPE",
    b"html",
    b"<html",
    b"<p",
    b"<BODY",
    b"\xef\xbb\xbf",
]


@given(st.lists(st.sampled_from(PIECES), max_size=8).map(b"".join))
def test_the_scanner_finds_what_the_expression_finds(body: bytes) -> None:
    assert is_html(None, body) == (SLOW.match(body) is not None)


@pytest.mark.parametrize("body", [b"<!---->" * 146, b"<?xml>" * 170, b"<!--" * 250, b" \n" * 500])
def test_nothing_hangs_the_sniffing(body: bytes) -> None:
    start = time.process_time()
    assert not is_html(None, body)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("value", ["charset=" + " " * 30_000, "charset " * 5000, "charset=" + "\"' " * 10_000])
def test_nothing_hangs_the_search_for_a_charset(value: str) -> None:
    start = time.process_time()
    assert charset("text/html; " + value + "; x=y") in (None, "x=y", ";")
    assert time.process_time() - start < 1


@pytest.mark.parametrize("count", [1, 2, 500])
def test_a_body_of_several_members_is_whole(count: int) -> None:
    body = b"".join(gzip.compress(b"<p>%d" % i) for i in range(count))
    expected = b"".join(b"<p>%d" % i for i in range(count))
    assert decode_body(body, {"content-encoding": "gzip"}, 10_000) == expected
    assert decode_body(body + b"trailing", {"content-encoding": "gzip"}, 10_000) == expected
    assert decode_body(body, {"content-encoding": "gzip"}, 2) == expected[:3]
