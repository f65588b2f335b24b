"""Indexes that are changed in place: equal to a fresh index of the same pages, for one writer and many readers."""

from __future__ import annotations

import json
import multiprocessing
import queue
import threading
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from living_kit import (
    RANKINGS,
    apply,
    assert_equal_to_fresh,
    changes,
    kill_while_changing,
    page_of,
    pages_after,
    read_until,
    scores,
    texts_of,
    url_of,
)

from webstrata.errors import InputError
from webstrata.links import build_graph
from webstrata.search import Document, Index
from webstrata.search.completion import completions
from webstrata.search.living import IndexWriter
from webstrata.search.manifest import Manifest

FIRST = dict.fromkeys(range(30), 0)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is brought to disk, since no test that uses this loses power."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def folder(tmp_path: Path, quick: None) -> Path:
    return Index.build([page_of(*item) for item in FIRST.items()], tmp_path / "index", rankings=RANKINGS).folder


@pytest.mark.parametrize(("seed", "fewest"), [(0, 20), (1, 20), (2, 10_000)])
def test_a_changed_index_is_that_of_its_pages(
    folder: Path, tmp_path: Path, seed: int, fewest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webstrata.search.living._FEWEST", fewest)
    monkeypatch.setattr("webstrata.search.merging._FAN", 3)
    pages, shards, dirty = dict(FIRST), set(), set()
    with IndexWriter(folder) as writer:
        for number, change in enumerate(islice(changes(seed, most_pages=60), 30), 1):
            apply(writer, change)
            for page in (*change[0], *change[1]):
                pages.pop(page, None)
            pages |= change[0]
            assert writer.pages == len(pages)
            manifest = Manifest.read(folder)
            shards.add(len(manifest.shards))
            dirty.add(bool(manifest.dead))
            if number in (1, 2, 12, 25):
                assert_equal_to_fresh(Index.open(folder), pages, tmp_path / "fresh")
        writer.settle()
        assert_equal_to_fresh(Index.open(folder), pages, tmp_path / "fresh")
    assert dirty == ({True, False} if fewest == 20 else {True})
    assert max(shards) > 1
    assert_equal_to_fresh(Index.open(folder).merged(), pages, tmp_path / "fresh")
    assert len(list(folder.iterdir())) == 4


def test_many_commits_leave_few_shards(folder: Path) -> None:
    with IndexWriter(folder) as writer:
        for number in range(70):
            writer.add([page_of(100 + number, 0)])
    index = Index.open(folder)
    assert index.pages == 100
    assert len(index.shards) < 20
    assert [url for shard in index.shards for url in shard.urls] == [url_of(n) for n in (*range(30), *range(100, 170))]


def test_a_settled_index_holds_its_impacts_again(folder: Path) -> None:
    with IndexWriter(folder) as writer:
        writer.add([page_of(1, 5)])
        changed = Index.open(folder)
        writer.settle()
        settled = Index.open(folder)
    assert (changed.rankings, settled.rankings) == (RANKINGS, RANKINGS)
    assert (set(changed.model.impacts), set(settled.model.impacts)) == (set(), set(RANKINGS))
    assert completions(changed, "w1") == completions(settled, "w1")


def test_shards_of_dead_pages_are_written_anew(folder: Path) -> None:
    with IndexWriter(folder) as writer:
        assert writer.delete(url_of(page) for page in range(20)) == 20
        writer.settle()
    assert [shard.pages for shard in Index.open(folder).shards] == [10]


def test_all_pages_can_be_deleted_and_others_added(folder: Path, tmp_path: Path) -> None:
    index = Index.open(folder).delete([url_of(page) for page in FIRST])
    assert (index.pages, index.query("w1").matched) == (0, 0)
    for empty in (index, index.merged()):
        assert (empty.pages, empty.query("w1").matched) == (0, 0)
    assert_equal_to_fresh(empty.add([page_of(3, 1)]), {3: 1}, tmp_path / "fresh")


def test_a_change_is_one_commit(folder: Path) -> None:
    before = Index.open(folder)
    with IndexWriter(folder) as writer:
        writer.change([page_of(1, 1), page_of(1, 2), page_of(99, 0)], delete=[url_of(2), url_of(99), "http://b.org/"])
        assert writer.pages == 30  # a page that is deleted and added in one change is added
        assert writer.delete([url_of(2)]) == 0
    after = before.refreshed()
    assert after.manifest.next == before.manifest.next + 2  # a shard, and the list of dead pages
    assert (before.pages, after.refreshed()) == (30, after)
    assert texts_of(after)[url_of(1)] != texts_of(before)[url_of(1)]


def test_nothing_to_do_changes_nothing(folder: Path) -> None:
    before = Index.open(folder)
    with IndexWriter(folder) as writer:
        writer.change()
    assert before.refreshed() is before


def test_pages_without_a_url_are_kept(folder: Path) -> None:
    nameless = [Document.of_text("", "", "nameless"), Document.of_text("", "", "nameless")]
    index = Index.open(folder).add(nameless).add(nameless)
    assert index.query("nameless").matched == 4


def test_pages_keep_their_ranks(tmp_path: Path, quick: None) -> None:
    pages = [page_of(number, 0) for number in range(6)]
    graph = build_graph([page.url for page in pages], np.arange(1, 6), np.zeros(5, np.int64))
    index = Index.build(pages, tmp_path / "index", graph=graph)
    ranks = dict(zip((page.url for page in pages), index.model.rank.tolist(), strict=True))
    with IndexWriter(index.folder) as writer:
        writer.change([page_of(7, 0)], delete=[pages[1].url])
        for _ in range(2):
            found = Index.open(index.folder)
            urls = [url for shard in found.shards for url in shard.urls]
            expected = {**ranks, url_of(7): 1.0}
            assert found.model.rank.tolist() == pytest.approx([expected[url] for url in urls])
            writer.settle(whole=True)
        assert pages[1].url not in urls
        writer.settle(graph=graph)
    assert Index.open(index.folder).model.rank.max() == pytest.approx(max(ranks.values()))


def test_one_writer_at_a_time(folder: Path) -> None:
    with IndexWriter(folder), pytest.raises(InputError, match="another process"), IndexWriter(folder, seconds=0):
        pass
    with IndexWriter(folder, seconds=0):
        pass
    with pytest.raises(InputError, match="no search index"), IndexWriter(folder / "missing"):
        pass
    assert not (folder / "missing").exists()


def test_a_list_of_dead_pages_that_is_damaged_is_refused(folder: Path) -> None:
    index = Index.open(folder).delete([url_of(1)])
    part = folder / index.manifest.dead
    np.save(part / "page.npy", np.array([4000], np.uint32))
    for _ in range(2):
        with pytest.raises(InputError, match="damaged"):
            Index.open(folder)
        (part / "page.npy").unlink(missing_ok=True)


@pytest.mark.parametrize(
    "change",
    [
        {"shards": ["../index/shard-00000"]}, {"shards": ["."]}, {"shards": []}, {"shards": ["model-00001"]},
        {"model": ""}, {"model": "/etc"}, {"model": "shard-00000"}, {"dead": "../dead-00003"},
        {"next": 0}, {"next": 1}, {"next": -9}, {"next": 10**400}, {"next": float("inf")}, {"next": "x"},
        {"analyser": {"stop_words": ["a"]}}, {"analyser": {"stemmer": 3}}, {"analyser": {"x": ""}},
    ],
)  # fmt: skip
def test_a_manifest_with_other_names_and_numbers_is_refused(folder: Path, change: dict[str, Any]) -> None:
    """A number that is taken would have a part in use overwritten."""
    facts = json.loads((folder / "about.json").read_text())
    (folder / "about.json").write_text(json.dumps(facts | change))
    for use in (lambda: Index.open(folder), lambda: IndexWriter(folder).__enter__()):
        with pytest.raises(InputError, match="is damaged"):
            use()


def test_a_list_of_dead_pages_of_another_size_is_refused_before_memory_is_taken(folder: Path) -> None:
    part = folder / Index.open(folder).delete([url_of(1)]).manifest.dead / "about.json"
    part.write_text(json.dumps(json.loads(part.read_text()) | {"pages": 2**50}))
    for use in (lambda: Index.open(folder), lambda: IndexWriter(folder).__enter__()):
        with pytest.raises(InputError, match="is damaged"):
            use()


def test_folders_of_the_owner_survive_a_commit(folder: Path) -> None:
    for name in ("model-notes", "shard-00000-old", "dead-letters", "shard-1"):
        (folder / name).mkdir()
    Index.open(folder).delete([url_of(1)]).merged()
    assert {"model-notes", "shard-00000-old", "dead-letters", "shard-1"} <= {path.name for path in folder.iterdir()}


def test_readers_in_threads_and_processes_see_whole_commits(folder: Path) -> None:
    """Each commit adds one page with the marker and deletes one without, so their number tells which commit it is."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    results: list[Any] = [context.SimpleQueue(), queue.SimpleQueue(), queue.SimpleQueue()]
    kinds: list[Any] = [context.Process, threading.Thread, threading.Thread]
    readers = [kind(target=read_until, args=(folder, stop, own)) for kind, own in zip(kinds, results, strict=True)]
    for reader in readers:
        reader.start()
    opened = Index.open(folder)
    try:
        with IndexWriter(folder) as writer:
            for number in range(14):
                fresh = Document.of_text(f"http://new.org/{number}", "", "marker")
                writer.change([fresh], delete=[url_of(number)])
                # An index that was opened before stays as it was, though its files are deleted.
                assert opened.query("marker").matched == 0
                if number == 7:
                    writer.settle(whole=True)
    finally:
        stop.set()
        seen = [own.get() for own in results]
        for reader in readers:
            reader.join()
    for found in seen:
        assert isinstance(found, list), found
        assert all(pages == 30 for pages, _ in found)
        matched = [matched for _, matched in found]
        assert matched == sorted(matched)
    assert len({matched for found in seen for _, matched in found}) > 2


def test_an_index_that_changes_while_it_is_opened_is_opened_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webstrata.search.shard import Shard

    opening = Shard.open
    changed: list[Path] = []

    def slow(path: Path) -> Shard:
        if not changed:
            changed.append(path)
            with IndexWriter(folder) as writer:
                writer.add([page_of(1, 9)])
                writer.settle(whole=True)
        return opening(path)

    monkeypatch.setattr(Shard, "open", slow)
    assert texts_of(Index.open(folder))[url_of(1)] == texts_of(Index.open(folder))[url_of(1)]
    assert not changed[0].exists()


def test_threads_query_one_index(folder: Path) -> None:
    index = Index.open(folder).add([page_of(1, 1)])
    expected = {query: scores(index, query, "strata") for query in ("w1", "w2 w3", '"w0 w1"')}
    wrong: list[str] = []

    def ask(fresh: Index) -> None:
        wrong.extend(query for query in expected if scores(fresh, query, "strata") != expected[query])

    for one in (index, Index.open(folder)):  # the second one computes what it needs in many threads at once
        threads = [threading.Thread(target=ask, args=(one,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_a_killed_writer_loses_nothing_that_was_confirmed(tmp_path: Path) -> None:
    commits, operations = kill_while_changing(tmp_path, operations=40, kills=2, seed=3)
    assert commits > 2
    assert operations >= 40


def test_the_pages_after_some_commits_are_those_of_all_of_them() -> None:
    (one, _), (two, deleted) = islice(changes(3), 2)
    assert pages_after({}, 3, 1) == one
    assert pages_after({}, 3, 2).keys() == (one.keys() | two.keys()) - set(deleted)
