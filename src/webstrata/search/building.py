"""Building an index: shards from documents, and the files of its folder.

New parts are written beside the old ones, and ``about.json``, which lists the parts in use, is replaced last.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from webstrata.errors import InputError
from webstrata.files import new_folder
from webstrata.search.analyser import Analyser
from webstrata.search.documents import Document
from webstrata.search.manifest import Manifest, part_name
from webstrata.search.model import IndexModel
from webstrata.search.rankings import RANKINGS
from webstrata.search.shard import Shard, ShardBuilder

__all__ = ["IndexPart", "build_shards", "collect_anchors", "write_index", "write_part"]

# Postings of a shard: some 100,000 pages, and less than a gigabyte of memory while it is built.
_SHARD_POSTINGS = 50_000_000


def build_shards(documents: Iterable[Document], analyser: Analyser, anchors: bool) -> Iterator[Shard]:
    """Shards from documents in order. With anchors, all documents stay in memory until all links are known."""
    incoming: Mapping[str, Counter[str]] = {}
    if anchors:
        documents = list(documents)
        incoming = collect_anchors(documents)
    builder = ShardBuilder(analyser)
    for document in documents:
        builder.add(document, incoming.get(document.url))
        if builder.postings >= _SHARD_POSTINGS:
            yield builder.shard()
            builder = ShardBuilder(analyser)
    if builder.pages:
        yield builder.shard()


def collect_anchors(documents: Iterable[Document]) -> dict[str, Counter[str]]:
    """For each page, the texts of the links from other pages to it, with their counts."""
    found: dict[str, Counter[str]] = {}
    for document in documents:
        for target, text in document.links:
            if target != document.url:
                found.setdefault(target, Counter())[text] += 1
    return found


def write_index(
    folder: str | Path,
    shards: Iterable[Shard],
    analyser: Analyser,
    rankings: Iterable[str],
    ranked: Callable[[tuple[Shard, ...]], Any] | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Write shards as an index; the folder appears as a whole or not at all."""
    folder = Path(folder)
    if folder.exists():
        raise InputError(f"{folder} is there already: name a new folder, or add to the index")
    spelled = [RANKINGS.spell(RANKINGS.make(name).unranked) for name in rankings]
    with new_folder(folder) as new:
        opened = []
        for number, shard in enumerate(shards):
            part = new / part_name("shard", number)
            part.mkdir()
            shard.save(part)
            opened.append(Shard.open(part))
        if not opened:
            raise InputError("there is no page to index: give at least one page with text")
        model = IndexModel.of(opened, spelled, ranks=ranked(tuple(opened)) if ranked else None, progress=progress)
        model_name = part_name("model", len(opened))
        (new / model_name).mkdir()
        model.save(new / model_name)
        names = tuple(part_name("shard", number) for number in range(len(opened)))
        Manifest(analyser=analyser, shards=names, model=model_name, next=len(opened) + 1).write(new)


class IndexPart(Protocol):
    """A part of an index: a shard, a model, or a list of dead pages."""

    def save(self, folder: Path) -> None: ...


def write_part(folder: Path, item: IndexPart) -> None:
    """Write a part of an existing index."""
    shutil.rmtree(folder, ignore_errors=True)
    with new_folder(folder) as new:
        item.save(new)
