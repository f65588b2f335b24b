"""``webstrata blocks``, as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import webstrata

PAGE = "<title>Strata</title><nav><a href=/>Home</a></nav><p>A page comes in layers.<p hidden>secret"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


def test_blocks_table(page: str) -> None:
    result = webstrata("blocks", page)
    assert result.exit_code == 0
    assert "A page comes in layers." in result.output
    assert "secret" in result.output
    assert "secret" not in webstrata("blocks", "--no-hidden", page).output


def test_blocks_json(page: str) -> None:
    rows = [json.loads(line) for line in webstrata("blocks", "--json", page).output.splitlines()]
    assert [row["text"] for row in rows] == ["Home", "A page comes in layers.", "secret"]
    assert rows[0]["link_density"] == 1.0
    assert rows[1]["words"] == 5
    assert rows[2]["hidden"] is True
    assert PAGE[slice(*rows[1]["source"])] == "A page comes in layers."


def test_standard_input() -> None:
    assert "straight from a pipe" in webstrata("blocks", "-", stdin=b"<p>straight from a pipe").output


def test_encoding_option() -> None:
    assert "Мир" in webstrata("blocks", "--encoding", "koi8-r", "-", stdin="<p>Мир".encode("koi8-r")).output


def test_blocks_are_written_to_a_file(page: str, tmp_path: Path) -> None:
    table, rows = tmp_path / "table.txt", tmp_path / "rows.jsonl"
    assert webstrata("blocks", page, "-o", str(table)).stderr == f"1 page -> {table}\n"
    assert "(hidden) secret" in table.read_text()
    webstrata("blocks", page, "--json", "-o", str(rows))
    assert json.loads(rows.read_text().splitlines()[0])["text"] == "Home"
