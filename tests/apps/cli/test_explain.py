"""``webstrata explain``, as a user meets it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from commands import webstrata

PAGE = """<html lang=en><title>Strata | Rocks</title><meta name=author content="Ada Stone">
<h1>Strata</h1><p>A page comes in <b>layers</b>.<p hidden>secret"""


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


class Reader(HTMLParser):
    """Collects what a report loads, its spans, and whether its tags fit."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.spans: dict[str, dict[str, str | None]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.loads += [str(values[name]) for name in ("src", "href") if name in values]
        if "data-d" in values:
            self.spans[str(values["id"])] = values


def test_explain(page: str, tmp_path: Path) -> None:
    output = tmp_path / "new" / "report.html"
    result = webstrata("explain", page, "-o", str(output), "--algorithm", "keep-all")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == f"{page}: 4 of 5 blocks kept\n1 page -> {output}\n"
    text = output.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(text)
    assert all(target.startswith("#b") for target in reader.loads), "nothing is loaded from elsewhere"
    assert not re.search(r"@\w+@|url\(|@import", text)
    tables = json.loads(re.findall(r"const tables = (.*);", text)[0])
    reason, words, _, _, path, *_ = json.loads(f"[{reader.spans['b1']['data-d']}]")
    assert (words, tables["reasons"][reason]) == (4, "content")
    assert tables["paths"][path].startswith("html › body")
    assert "kept" in str(reader.spans["b1"]["class"])
    assert "hidden" in str(reader.spans["b4"]["class"])


def test_explain_says_what_moved_a_block_and_can_show_the_kept_ones_alone(tmp_path: Path) -> None:
    path, output = tmp_path / "page.html", tmp_path / "report.html"
    words = "Silt settles on the floor of the lake in summer, and in winter a thin dark layer of mud covers it. "
    path.write_text(f"<nav><a href=/>Home</a></nav><article>{f'<p>{words * 3}</p>' * 3}</article>", encoding="utf-8")
    for option in ((), ("--kept-only",)):
        assert webstrata("explain", str(path), "-o", str(output), *option).exit_code == 0
        text = output.read_text(encoding="utf-8")
        assert ('id="only-kept" checked' in text) == bool(option)
    tables = json.loads(re.findall(r"const tables = (.*);", text)[0])
    assert any(re.match(r"boilerplate: .*in a navigation", reason) for reason in tables["reasons"])
    assert any(re.match(r"content: \D+$", reason) for reason in tables["reasons"])
    assert any(re.search(r"\([+-]\d", numbers) for numbers in tables["numbers"])
    assert "show({target: content})" in text


def test_explain_cannot_write(page: str, tmp_path: Path) -> None:
    result = webstrata("explain", page, "-o", f"{page}/report.html")
    assert result.exit_code == 2
    assert "cannot write" in result.stderr
