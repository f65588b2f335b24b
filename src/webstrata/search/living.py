"""Changing an index in place: pages are added, replaced and deleted without a rebuild.

A commit writes one small shard with the new pages and the numbers of the pages that no longer count, and then swaps the
manifest. Shards of older pages stay as they are; small shards are merged with small ones, so that a page is copied
about as often as the logarithm of their number. What depends on all pages (the weights of classes, mean lengths, the
frequency of terms) is computed from the postings of the living pages when the index is opened, so scores are those of a
fresh index of these pages, whatever was changed. Once an eighth of the pages has changed, the writer brings the stored
model up to date, so that opening is fast again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import numpy as np

from webstrata._locks import locked
from webstrata.errors import InputError
from webstrata.files import remove_temporary
from webstrata.links.graph import LinkGraph
from webstrata.links.ranks import Ranks
from webstrata.links.strings import Strings
from webstrata.search.authority import page_ranks
from webstrata.search.building import IndexPart, build_shards, write_part
from webstrata.search.documents import Document
from webstrata.search.manifest import DeadPages, Manifest, number_of_part, part_name
from webstrata.search.merging import merge_shards, shards_to_merge
from webstrata.search.model import IndexModel, living_pages
from webstrata.search.shard import Shard
from webstrata.text import Column

__all__ = ["IndexWriter"]

# The model is brought up to date once this share of the pages has changed, and at least so many pages.
_SHARE, _FEWEST = 1 / 8, 64
# A shard in which a larger share of the pages is dead is written anew when the model is.
_DEAD_SHARE = 1 / 4
# The key of the hashes by which pages are found; URLs of equal hashes are compared.
_HASH_KEY = (0, 0)


class IndexWriter:
    """Changes the index in a folder. Each change is on disk, and seen by new readers, when its method returns.

    One writer at a time: its ``with`` block holds the lock of the folder. Readers need no lock.

    Parameters
    ----------
    folder : of the index
    seconds : how long to wait for another writer; by default a few seconds

    >>> from tempfile import TemporaryDirectory
    >>> from webstrata.search import Index
    >>> pages = [Document.of_text(f"http://a.org/{name}", name, f"All about {name}.") for name in ("clay", "sand")]
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.build(pages[:1], f"{folder}/index")
    ...     with IndexWriter(index.folder) as writer:
    ...         writer.add(pages[1:])
    ...         deleted = writer.delete(["http://a.org/clay", "http://a.org/silt"])
    ...     found = [answer.url for answer in Index.open(index.folder).query("about")]
    >>> deleted, found
    (1, ['http://a.org/sand'])
    """

    def __init__(self, folder: str | Path, *, seconds: float | None = None) -> None:
        self.folder = Path(folder)
        self._seconds = seconds
        self._stack = ExitStack()
        self._hashes: dict[Shard, Column] = {}

    def __enter__(self) -> IndexWriter:
        Manifest.read(self.folder)  # raises where there is no index, before a lock is made there
        with ExitStack() as stack:
            stack.enter_context(locked(self.folder / ".webstrata.lock", seconds=self._seconds))
            remove_temporary(self.folder)
            self._manifest = Manifest.read(self.folder)
            self._shards = [Shard.open(self.folder / name) for name in self._manifest.shards]
            # The rankings that the model holds, and the ranks of its pages.
            self._model = IndexModel.open(self.folder / self._manifest.model)
            dead = DeadPages.open(self.folder / self._manifest.dead) if self._manifest.dead else None
            pages = dead.pages if dead is not None else len(self._model.alive)
            if pages != sum(shard.pages for shard in self._shards) or len(self._model.alive) > pages:
                raise InputError(f"{self.folder} is damaged: its numbers do not fit together; build the index again")
            self._alive = self._model.alive if dead is None else dead.alive
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def pages(self) -> int:
        """The number of pages that count."""
        return int(self._alive.sum())

    def add(self, documents: Iterable[Document], *, anchors: bool = True) -> None:
        """Add pages. A page replaces an older page with the same URL.

        Parameters
        ----------
        documents : the documents of the pages
        anchors : whether the texts of links in these pages count for those of these pages that they lead to
        """
        self.change(documents, anchors=anchors)

    def delete(self, urls: Iterable[str]) -> int:
        """Delete pages; returns how many there were."""
        before = self.pages
        self.change(delete=urls)
        return before - self.pages

    def change(self, documents: Iterable[Document] = (), *, delete: Iterable[str] = (), anchors: bool = True) -> None:
        """Add pages and delete others in one commit: readers see all of it or nothing."""
        self.add_shards(list(build_shards(documents, self._manifest.analyser, anchors)), delete=delete)

    def add_shards(
        self,
        fresh: Sequence[Shard],
        *,
        delete: Iterable[str] = (),
        progress: Callable[[float], None] = lambda share: None,
    ) -> None:
        """Add the pages of shards, as `change` does; progress is that of `settle`."""
        urls = dict.fromkeys(url for url in (*delete, *(url for shard in fresh for url in shard.urls)) if url)
        gone = self._pages_of(list(urls))
        if not len(gone) and not fresh:
            return
        alive = np.concatenate([self._alive, living_pages(fresh)])
        alive[gone] = False
        self._commit(list(fresh), alive)
        if self._changed() >= max(_FEWEST, _SHARE * self.pages):
            self.settle(progress=progress)

    def settle(
        self,
        *,
        whole: bool = False,
        graph: LinkGraph | None = None,
        ranks: Ranks | None = None,
        progress: Callable[[float], None] = lambda share: None,
    ) -> None:
        """Bring the stored model up to date, and merge shards where that pays.

        Parameters
        ----------
        whole : whether all shards are merged into one
        graph, ranks : for new ranks, as of `Index.build`; by default pages keep theirs, and new pages have the mean
        progress : called with the share of the work that is done
        """
        whole = whole or not self._alive.any()
        start = 0 if whole else shards_to_merge(self._shards, self._alive)
        shards, names, kept, first_page = [], [], [], 0
        for first, stop in [*((n, n + 1) for n in range(start)), (start, len(self._shards))]:
            own = self._shards[first:stop]
            pages = np.arange(first_page, first_page + sum(shard.pages for shard in own))
            first_page += len(pages)
            alive = self._alive[pages]
            if whole or len(own) > 1 or alive.sum() < (1 - _DEAD_SHARE) * len(pages):
                joined, living = merge_shards(own, alive)
                if not joined.pages and not whole:
                    continue
                kept.append(pages[living])
                names.append(self._write(joined, "shard"))
                shards.append(Shard.open(self.folder / names[-1]))
            elif own:
                kept.append(pages)
                names.append(self._manifest.shards[first])
                shards += own
        numbers = np.concatenate(kept)
        alive = self._alive[numbers]
        rank, topics, biased = self._model.ranks(len(self._alive))
        ranked = page_ranks(shards, graph, ranks) if graph is not None else (rank[numbers], topics, biased[numbers])
        model = IndexModel.of(shards, tuple(self._model.impacts), alive=alive, ranks=ranked, progress=progress)
        name = self._write(model, "model")
        self._swap(shards, alive, replace(self._manifest, shards=tuple(names), model=name, dead=""))
        self._model = IndexModel.open(self.folder / name)

    def _commit(self, fresh: list[Shard], alive: Column) -> None:
        """Write new shards and the list of dead pages; small shards that the model does not know are merged."""
        covered = len(self._model.alive)
        shards = [*self._shards, *fresh]
        first_pages = np.cumsum([0, *(shard.pages for shard in shards)])
        base = int(np.searchsorted(first_pages, covered))
        first = base + shards_to_merge(shards[base:], alive[covered:])
        if len(shards) - first > 1:
            joined, living = merge_shards(shards[first:], alive[first_pages[first] :])
            alive = np.concatenate([alive[: first_pages[first]], np.ones(len(living), bool)])
            fresh = [joined] if joined.pages else []
        else:
            first = len(self._shards)
        names = [self._write(shard, "shard") for shard in fresh]
        opened = [Shard.open(self.folder / name) for name in names]
        dead = self._write(DeadPages.of(alive), "dead")
        manifest = replace(self._manifest, shards=(*self._manifest.shards[:first], *names), dead=dead)
        self._swap([*self._shards[:first], *opened], alive, manifest)

    def _write(self, part: IndexPart, kind: str) -> str:
        """Write a part under a new name, which is returned."""
        name = part_name(kind, self._manifest.next)
        write_part(self.folder / name, part)
        self._manifest = replace(self._manifest, next=self._manifest.next + 1)
        return name

    def _swap(self, shards: list[Shard], alive: Column, manifest: Manifest) -> None:
        """Make a manifest the one of the folder, and delete the parts that it does not name."""
        manifest = replace(manifest, next=self._manifest.next)
        manifest.write(self.folder)
        self._manifest, self._shards, self._alive = manifest, shards, alive
        for path in self.folder.iterdir():
            if path.is_dir() and path.name not in manifest.parts and number_of_part(path.name) >= 0:
                # On systems that keep open files, the next commit tries again.
                shutil.rmtree(path, ignore_errors=True)

    def _changed(self) -> int:
        """The number of pages that the model does not know, or does not know to be dead."""
        covered = len(self._model.alive)
        return int((self._model.alive & ~self._alive[:covered]).sum()) + len(self._alive) - covered

    def _pages_of(self, urls: Sequence[str]) -> Column:
        """The numbers of the living pages with some URLs."""
        wanted, _ = Strings.of(urls).hashes(_HASH_KEY)
        known, found, first = set(urls), [], 0
        for shard in self._shards:
            places = np.flatnonzero(np.isin(self._hashed(shard), wanted) & self._alive[first : first + shard.pages])
            found += [first + place for place in places.tolist() if shard.urls[place] in known]
            first += shard.pages
        return np.array(found, np.int64)

    def _hashed(self, shard: Shard) -> Column:
        """The hashes of the URLs of a shard, which are computed once."""
        held = self._hashes.get(shard)
        if held is None:
            held, _ = shard.urls.hashes(_HASH_KEY)
            self._hashes = {own: hashes for own, hashes in self._hashes.items() if own in self._shards} | {shard: held}
        return held
