"""An index as a folder of static files that a browser searches without a server.

- ``index.json``: the number of pages, and the first term of each file of terms
- ``terms/0.json`` and so on: for some terms in order, the pages and the impact on each (0 to 255), as one list in which
  pages are differences to the page before
- ``pages/0.json`` and so on: the URL, the title and the text of a page, for its snippet
- ``search.js``: reads these, and makes a search field; ``index.html``: a page with one

A query reads one file for each of its terms, and one for each page that is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.files import new_folder
from webstrata.search.documents import CONTENT, HEADING
from webstrata.search.index import Index
from webstrata.search.model import Impacts
from webstrata.search.rankings import RANKINGS
from webstrata.search.shard import Shard

__all__ = ["publish"]

# Characters of a file of terms, and of the text of a page.
_FILE, _TEXT = 20_000, 8_000
# The impacts are rounded to so many steps.
_STEPS = 255


def publish(
    index: Index,
    folder: str | Path,
    *,
    ranking: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write an index as static files in a new folder.

    Parameters
    ----------
    index : the index
    folder : appears as a whole or not at all
    ranking : whose impacts are written, without closeness and other forms of words
    progress : called with the pages that are done and their number
    """
    folder = Path(folder)
    if folder.exists():
        raise InputError(f"{folder} is there already: name a new folder")
    held = index.impacts(RANKINGS.make(ranking or index.rankings[0]).matching)
    with new_folder(folder) as new:
        for name in ("terms", "pages"):
            (new / name).mkdir()
        for name in ("search.js", "index.html"):
            (new / name).write_bytes(files("webstrata.search").joinpath("browser", name).read_bytes())
        first = []
        for number, own in enumerate(_term_files(index, held)):
            first.append(next(iter(own), ""))
            _write(new / "terms" / f"{number}.json", own)
        _write(new / "index.json", {"version": 1, "pages": index.pages, "first": first})
        for page, row in _pages(index):
            _write(new / "pages" / f"{page}.json", row)
            progress(page + 1, len(index.model.alive))


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _term_files(index: Index, held: Impacts) -> Iterator[dict[str, list[int]]]:
    """Terms with their pages and impacts, in pieces of similar size, ascending as JavaScript compares them (UTF-16)."""
    terms = list(index.model.terms)
    order = sorted(range(len(terms)), key=lambda number: terms[number].encode("utf-16-be", "replace"))
    most = float(held.impact.max(initial=0.0)) or 1.0
    found: dict[str, list[int]] = {}
    pieces = size = 0
    for number in order:
        own = slice(int(held.start[number]), int(held.start[number + 1]))
        page = np.asarray(held.page[own]).astype(np.int64)
        impact = np.maximum(np.rint(np.asarray(held.impact[own]) * (_STEPS / most)), 1).astype(np.int64)
        if not len(page):
            continue
        found[terms[number]] = np.column_stack((np.diff(page, prepend=0), impact)).ravel().tolist()
        size += len(terms[number]) + 7 * len(page)
        if size >= _FILE:
            yield found
            pieces += 1
            found, size = {}, 0
    if found or not pieces:
        yield found


def _pages(index: Index) -> Iterator[tuple[int, list[str]]]:
    """The number of each page that counts, and its URL, title and text."""
    first = 0
    for shard in index.shards:
        for page in range(shard.pages):
            if index.model.alive[first + page]:
                yield first + page, [shard.urls[page], shard.titles[page], _text(shard, page)]
        first += shard.pages


def _text(shard: Shard, page: int) -> str:
    """The beginning of the content of a page, white space folded."""
    start, stop = int(shard.block_start[page]), int(shard.block_start[page + 1])
    stratum = np.asarray(shard.blocks["stratum"][start:stop])
    own = start + np.flatnonzero((stratum == HEADING) | (stratum == CONTENT))
    pieces, size = [], 0
    for block in own.tolist():
        text = shard.text(page, int(shard.blocks["text_start"][block]), int(shard.blocks["text_stop"][block]))
        pieces.append(" ".join(text.split()))
        size += len(pieces[-1]) + 1
        if size >= _TEXT:
            break
    return " ".join(pieces)[:_TEXT]
