"""The map of the package (docs/architecture.md) is true of the package."""

from __future__ import annotations

import re
from pathlib import Path

from import_graph import SOURCE, import_graph
from rooms_picture import TARGET, room_of, rooms_picture

DOCS = Path(__file__).parents[2] / "docs"


def test_the_picture_shows_the_imports() -> None:
    assert TARGET.read_text(encoding="utf-8") == rooms_picture(), "run python tools/rooms_picture.py"


def test_every_room_has_a_sentence() -> None:
    section = (DOCS / "architecture.md").read_text(encoding="utf-8").partition("## Rooms")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `?([\w ]+)`? \|", section, re.MULTILINE)[1:]
    assert set(listed) == {room_of(module) for module in import_graph(SOURCE)}


def test_modules_that_the_map_names_exist() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\w+/)+\w+(?:\.py)?)`", text)) - {"src/webstrata"}
    for name in named:
        if name.startswith(("tests/", "tools/", "docs/")):
            assert (DOCS.parent / name).exists(), name
            continue
        path = SOURCE / "webstrata" / name
        assert any(path.with_suffix(ending).exists() for ending in ("", ".py", ".pyx")), name
