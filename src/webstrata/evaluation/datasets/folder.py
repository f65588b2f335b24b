"""A folder of plain files as a data set.

For each page ``NAME``:

- ``NAME.html``, as the server sent it (required);
- ``NAME.dom.html``, the document of a browser;
- ``NAME.blocks.html``, the page with its segments marked by ``data-block``, and ``NAME.txt``, its content (one of them
  is required);
- ``NAME.json`` with any of ``url``, ``group``, ``encoding``, and the snippets ``with`` and ``without``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from webstrata.errors import InputError
from webstrata.evaluation.datasets.base import Card, Dataset, Gold, Item, PageInput
from webstrata.evaluation.datasets.folds import fold_of
from webstrata.segmentation.html import from_html

__all__ = ["folder_dataset", "tiny_dataset"]

_NOT_PAGES = (".dom.html", ".blocks.html")


def folder_dataset(folder: Path, *, name: str | None = None) -> Dataset:
    """The data set in a folder; its name is that of the folder."""
    pages = _pages(folder)
    if not pages:
        raise InputError(f"{folder} has no page: it needs NAME.html with NAME.blocks.html or NAME.txt beside it")
    inputs = ("html", "dom") if all(_beside(path, ".dom.html").is_file() for path in pages) else ("html",)
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir()) if path.is_file()
    }
    counts = {
        "blocks": sum(_beside(path, ".blocks.html").is_file() for path in pages),
        "texts": sum(_beside(path, ".txt").is_file() for path in pages),
    }
    card = Card(
        name or folder.resolve().name,
        f"Folder {folder.name}",
        "a folder",
        "as its owner says",
        len(pages),
        counts,
        files,
        inputs,
    )
    return Dataset(card, partial(_items, folder, inputs))


def tiny_dataset() -> Dataset:
    """The five small pages that ship with webstrata, each with segments, content and snippets."""
    found = folder_dataset(Path(__file__).with_name("tiny"), name="tiny")
    card = replace(
        found.card,
        title="Pages that ship with webstrata",
        source="written for webstrata",
        licence="Apache-2.0",
        note="Runs anywhere and guards against regressions; too small to compare algorithms.",
    )
    return Dataset(card, found.read)


def _pages(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    pages = [path for path in sorted(folder.glob("*.html")) if not path.name.endswith(_NOT_PAGES)]
    return [path for path in pages if _beside(path, ".blocks.html").is_file() or _beside(path, ".txt").is_file()]


def _beside(page: Path, ending: str) -> Path:
    return page.with_name(page.name.removesuffix(".html") + ending)


def _items(folder: Path, inputs: tuple[str, ...]) -> Iterator[Item]:
    for path in _pages(folder):
        facts = _facts(_beside(path, ".json"))
        encoding, url = facts.get("encoding"), facts.get("url")
        fold = fold_of(url or "", path.name.removesuffix(".html"))
        documents = {"html": PageInput(path.read_bytes(), encoding, url, fold)}
        if "dom" in inputs:
            documents["dom"] = PageInput(_beside(path, ".dom.html").read_bytes(), "utf-8", url, fold)
        blocks, text = _beside(path, ".blocks.html"), _beside(path, ".txt")
        gold = Gold(
            segmentation=from_html(blocks.read_bytes(), url=url, encoding=encoding) if blocks.is_file() else None,
            marked=blocks.read_bytes() if blocks.is_file() else None,
            text=text.read_text(encoding="utf-8") if text.is_file() else None,
            wanted=tuple(facts.get("with", ())),
            unwanted=tuple(facts.get("without", ())),
        )
        yield Item(path.name.removesuffix(".html"), documents, gold, facts.get("group", ""))


def _facts(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(facts, dict):
        raise InputError(f"{path} must hold one JSON object")
    return facts
