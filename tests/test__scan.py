"""The tokenizer against the shared conformance cases, and against cases of our own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from webstrata._scan.scan import tokens

# What the cases also test and the tokenizer does not give: the parts of a DOCTYPE, the text of comments, the names of
# parse errors. Inputs with a lone surrogate cannot be UTF-8; `webstrata.encoding` replaces them before the tokenizer.
OUT_OF_SCOPE = {"DOCTYPE", "Comment"}

CASE_FILES = (
    "contentModelFlags", "domjs", "entities", "escapeFlag", "namedEntities", "numericEntities", "pendingSpecChanges",
    "test1", "test2", "test3", "test4", "unicodeChars", "unicodeCharsProblematic",
)  # fmt: skip


def unescape(value: Any) -> Any:
    """Undo the second layer of escapes that some cases have."""
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
    if isinstance(value, list):
        return [unescape(item) for item in value]
    if isinstance(value, dict):
        return {unescape(key): unescape(item) for key, item in value.items()}
    return value


def expected_tokens(output: list[Any]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    for kind, *rest in output:
        if kind == "StartTag":
            found.append(("start", rest[0], rest[1], len(rest) > 2))
        elif kind == "EndTag":
            found.append(("end", rest[0]))
        elif kind == "Character":
            found.append(("characters", rest[0]))
        else:
            assert kind in OUT_OF_SCOPE
    return join(found)


def join(found: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Character tokens that follow each other are one."""
    joined: list[tuple[Any, ...]] = []
    for token in found:
        if token[0] == "characters" and joined and joined[-1][0] == "characters":
            joined[-1] = ("characters", joined[-1][1] + token[1])
        else:
            joined.append(token)
    return joined


@pytest.mark.parametrize("name", CASE_FILES)
def test_conformance(html5lib_dir: Path, name: str) -> None:
    cases = json.loads((html5lib_dir / f"tokenizer/{name}.test").read_text(encoding="utf-8"))["tests"]
    checked = 0
    for case in cases:
        text, output = case["input"], case["output"]
        if case.get("doubleEscaped"):
            text, output = unescape(text), unescape(output)
        if re.search("[\ud800-\udfff]", text):
            continue
        for state in case.get("initialStates", ["Data state"]):
            name_of_state = state.lower().removesuffix(" state")
            found = tokens(text.encode(), name_of_state, case.get("lastStartTag", "").encode())
            assert join(found) == expected_tokens(output), (case["description"], state, text)
            checked += 1
    assert checked > 0


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("a<b>c</b>", [("characters", "a"), ("start", "b", {}, False), ("characters", "c"), ("end", "b")]),
        ("<A HREF=x/y>", [("start", "a", {"href": "x/y"}, False)]),
        ("<br/>", [("start", "br", {}, True)]),
        ("<br class=x/>", [("start", "br", {"class": "x/"}, False)]),
        ("<a b='1'c=\"2\" b=3>", [("start", "a", {"b": "1", "c": "2"}, False)]),
        ("<a =b>", [("start", "a", {"=b": ""}, False)]),
        ("<a b = c d>", [("start", "a", {"b": "c", "d": ""}, False)]),
        ("<a title='x&amp;y&copy=1&copy;'>", [("start", "a", {"title": "x&y&copy=1©"}, False)]),
        ("</>x", [("characters", "x")]),
        ("</3>x", [("characters", "x")]),
        ("1 < 2 <3 </", [("characters", "1 < 2 <3 </")]),
        ("<!-->a<!--->b<!-- --!>c<!-- - -- -->d", [("characters", "abcd")]),
        ("<!doctype html>x<?php ?>y<![CDATA[z]]>", [("characters", "xy")]),
        ("&notit; &notin; &amp &#x80; &#0; &#xD800; &#1114112;", [("characters", "¬it; ∉ & € \ufffd \ufffd \ufffd")]),
        ("&#x41;&#65&nGt;&;&#;&#x;", [("characters", "AA≫⃒&;&#;&#x;")]),
        ("a\r\nb\rc", [("characters", "a\nb\nc")]),
        ("<p", []),
        ("<p a='", []),
        ("<h1\x11>", [("start", "h1\x11", {}, False)]),
    ],
)
def test_data(html: str, expected: list[tuple[Any, ...]]) -> None:
    assert join(tokens(html.encode())) == expected


@pytest.mark.parametrize(
    ("state", "html", "expected"),
    [
        ("rcdata", "a&amp;<b></titl></TITLE >x", [
            ("characters", "a&<b></titl>"), ("end", "title"), ("characters", "x")]),
        ("rawtext", "a&amp;<b></title", [("characters", "a&amp;<b></title")]),
        ("script data", "<!--<script></title></script></title>", [
            ("characters", "<!--<script></title></script>"), ("end", "title")]),
        ("script data", "<!--></title>x", [("characters", "<!-->"), ("end", "title"), ("characters", "x")]),
        ("script data", "<!--<script>--></title>", [("characters", "<!--<script>-->"), ("end", "title")]),
        ("plaintext", "</title>\0", [("characters", "</title>\ufffd")]),
        ("cdata section", "a<b>]]&amp;]]>&amp;", [("characters", "a<b>]]&amp;&")]),
    ],
)  # fmt: skip
def test_other_states(state: str, html: str, expected: list[tuple[Any, ...]]) -> None:
    assert join(tokens(html.encode(), state, b"title")) == expected


def test_unknown_state() -> None:
    with pytest.raises(KeyError):
        tokens(b"", "no such state")


@pytest.mark.parametrize("size", range(1, 20))
@pytest.mark.parametrize("odd", ["", "\x01", "\x0b", "\x1f", "é", "=", "~"])
def test_names_of_any_size_end_where_they_do(size: int, odd: str) -> None:
    """Names are read eight bytes at a time where so many are left; what is read must not depend on that."""
    for place in range(1, size + 1):
        name = "x" * place + odd + "x" * (size - place)
        for end, closing in ((" ", False), ("\t", False), ("\n", False), ("\f", False), ("/", True), (">", False)):
            for after in ("", "y" * 20):
                html = f"<{name}{end}{'' if end == '>' else '>'}{after}"
                assert join(tokens(html.encode())) == [
                    ("start", name, {}, closing), *([("characters", after)] if after else [])
                ]  # fmt: skip
        if odd != "=":
            assert tokens(f"<p {name}=1>".encode()) == [("start", "p", {name: "1"}, False)]
            assert tokens(f"<p {name}>{'y' * 20}".encode())[0] == ("start", "p", {name: ""}, False)
