"""Pages for tests: generated ones, hostile ones, and tables of blocks that need no HTML."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_TEXTS = st.sampled_from(
    [
        "one",
        "Contact us",
        "a b c",
        "—",
        "欢迎光临我们的网站",
        "x &amp; y",
        "The quick brown fox jumps over it. " * 6,
        " ",
        "\n",
    ]
)
_TAGS = """a b br div em form h1 h2 hr i img li noscript ol p pre script select option span strong style sub svg
table tbody td textarea th title tr ul xmp"""
_OPEN = _TAGS.split()
_ATTRIBUTES = ["", "", "", " hidden", " class='x > y'", ' data-block="1"', ' id="data-block-id-3"', " href=/x"]

_PIECES = st.one_of(
    _TEXTS,
    st.builds(lambda tag, attribute: f"<{tag}{attribute}>", st.sampled_from(_OPEN), st.sampled_from(_ATTRIBUTES)),
    st.sampled_from(_OPEN).map(lambda tag: f"</{tag}>"),
    st.sampled_from(["<!-- note -->", "<!doctype html>", "<", "<a<b>", "\x00", "\x0b", "\x1c", "</", "<![CDATA[x]]>"]),
)


def pages() -> st.SearchStrategy[str]:
    """Pages made of tags, texts and rubbish in any order, so that most are badly nested."""
    return st.lists(_PIECES, max_size=40).map("".join)


HOSTILE: dict[str, Any] = {
    "empty": b"",
    "space": b" \n\t ",
    "no tags": b"just text",
    "only tags": b"<div><p></p></div>",
    "all hidden": b"<p hidden>one</p><noscript>two</noscript>",
    "zero bytes": b"\x00\x00<p>\x00</p>",
    "not text": bytes(range(256)) * 4,
    "unclosed": b"<div><p><a href='x",
    "deep": b"<div>" * 3000 + b"deep",
    "wide": b"<b>x</b>" * 3000,
    "misnested": b"<b><p>one</b>two</p><table>three<tr><td>four</table><a>five<div>six</a>seven</div>",
    "links in a text": b"<p>see <a>this</a>, <a>that <b>bold</b></a> and <a>more</a> <i>text</i>",
    "marks already": b'<div data-block="1" data-block-id="7"><p data-block-id-2="1">x</div><!--/data-block-id="0"-->',
    "raw text": b"<textarea>one</textarea>two<xmp>three</xmp><plaintext>four",
    "long word": b"<p>" + b"x" * 5000 + b"<p>short",
    "no spaces": "欢迎光临我们的网站".encode() * 200,
    "comment": b"<p>one<!-- <p>two -->three<p>four",
}
