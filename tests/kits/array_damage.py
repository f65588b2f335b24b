"""Damage to the arrays of files that native code reads: each is refused with an `InputError`, or harmless.

``python tests/kits/array_damage.py --trials 5000`` does so for longer; `make fuzz` does.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from boxed_pages import boxed

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.pagerank import PageRank
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.page import parse
from webstrata.rendering import recording
from webstrata.rendering.page import RenderedPage
from webstrata.search import Index
from webstrata.search.documents import Document
from webstrata.search.living import IndexWriter
from webstrata.segmentation import segment
from webstrata.sites import Sites, learn

__all__ = ["DAMAGES", "FILES", "STORES", "attack", "attack_facts", "attack_file", "recorded", "rewrite"]

WRAPPING = [0, 2**63 - 1, -(2**63), -1]
Array = Any


def _put(array: Array, value: Any, place: int) -> Array:
    changed = array.copy()
    if changed.size and changed.dtype.kind in "iuf":
        changed.ravel()[place % changed.size] = np.array(value).astype(changed.dtype)
    return changed


def _huge(array: Array) -> bytes:
    header = io.BytesIO()
    shape = (10**15, *array.shape[1:])
    np.lib.format.write_array_header_1_0(header, {"descr": array.dtype.str, "fortran_order": False, "shape": shape})
    return header.getvalue() + bytes(array.data)


#: What is done to an array, with a random number; bytes replace the file.
DAMAGES: dict[str, Callable[[Array, int], Array | bytes]] = {
    "differences that wrap": lambda a, n: np.resize(np.array(WRAPPING), a.shape).astype(a.dtype),
    "a negative value": lambda a, n: _put(a, -1 - n % 9, n),
    "the smallest value": lambda a, n: _put(a, -(2**63), n),
    "a value past the end": lambda a, n: _put(a, 2**31 - 1 - n % 9, n),
    "the largest value": lambda a, n: _put(a, 2**63 - 1, n),
    "not a number": lambda a, n: _put(a, np.nan, n) if a.dtype.kind == "f" else a,
    "infinity": lambda a, n: _put(a, np.inf, n) if a.dtype.kind == "f" else a,
    "another type": lambda a, n: a.astype(["<f4", "<i2", ">i8", "<u1", "?"][n % 5]) if a.dtype.kind in "iuf" else a,
    "another byte order": lambda a, n: a.astype(a.dtype.newbyteorder(">")),
    "one value less": lambda a, n: a[:-1] if a.ndim else a,
    "one value more": lambda a, n: np.concatenate([a, a[-1:]]) if a.ndim else a,
    "no values": lambda a, n: a[:0] if a.ndim else a,
    "one dimension more": lambda a, n: a.reshape(1, *a.shape),
    "another order": lambda a, n: a[::-1] if a.ndim else a,
    "a cut file": lambda a, n: _npy(a)[: n % (len(_npy(a)) + 1)],
    "a size beyond the memory": lambda a, n: _huge(a),
    "other bytes": lambda a, n: random.Random(n).randbytes(len(_npy(a))),
    "another byte": lambda a, n: _garbled(_npy(a), n),
}  # fmt: skip


def _npy(array: Array) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()


def _garbled(data: bytes, number: int) -> bytes:
    place = number % len(data)
    return data[:place] + bytes([number // 7 % 256]) + data[place + 1 :]


def rewrite(folder: Path, name: str, array: Array | bytes, about: str) -> None:
    """Replace an array of a folder, and its size and type among the facts, as somebody who means harm would."""
    data = array if isinstance(array, bytes) else _npy(array)
    (folder / f"{name}.npy").write_bytes(data)
    facts = json.loads((folder / about).read_text())
    kind = facts["files"][name][1] if isinstance(array, bytes) else str(array.dtype)
    facts["files"][name] = [len(data), kind]
    (folder / about).write_text(json.dumps(facts))


def _graph() -> LinkGraph:
    urls = [f"http://{site}.org/{page}" for site in "abc" for page in range(3)]
    return build_graph(urls, [0, 0, 1, 3, 4, 8], [1, 5, 2, 0, 7, 8], content=[1, 0, 1, 1, 0, 1])


def _use_graph(folder: Path) -> None:
    graph = LinkGraph.open(folder)
    PageRank()(graph)
    graph.find(list(graph.urls)[:1])


def _ranks(folder: Path) -> None:
    topics = Topics(("x", "y"), (np.array([0, 1]), np.array([2])))
    Ranks(np.ones(9), topics, np.ones((9, 2)), "PageRank()").save(folder)


def _use_ranks(folder: Path) -> None:
    _ = Ranks.open(folder).relative


def _index(folder: Path) -> None:
    pages = [(f"http://a.org/{name}", f"<title>{name}</title><p>All about {name} and stone.") for name in "abcd"]
    Index.of_pages(pages, folder, extractor="keep-all")


def _use_index(folder: Path) -> None:
    index = Index.open(folder)
    for ranking in ("strata", "bm25"):
        index.query('"about a" stone', ranking=ranking)


def _documents(names: str) -> list[Document]:
    return [Document.of_text(f"http://a.org/{name}", name, f"All about {name} and stone.") for name in names]


def _living_index(folder: Path) -> None:
    """An index of several shards, with deleted and replaced pages that its model does not know."""
    Index.build(_documents("abcd"), folder)
    with IndexWriter(folder) as writer:
        writer.add(_documents("de"))
        writer.delete(["http://a.org/b"])


def _use_living_index(folder: Path) -> None:
    _use_index(folder)
    with IndexWriter(folder) as writer:
        writer.add(_documents("af"))
        writer.delete(["http://a.org/c"])
    _use_index(folder)
    with IndexWriter(folder) as writer:
        writer.settle(whole=True)
    _use_index(folder)


#: For each kind of folder: how it is made, how it is used, and the folders of arrays in it with their facts.
STORES: Mapping[str, tuple[Callable[[Path], None], Callable[[Path], None], Mapping[str, str]]] = {
    "graph": (lambda folder: _graph().save(folder), _use_graph, {".": "graph.json"}),
    "ranks": (_ranks, _use_ranks, {".": "ranks.json"}),
    "index": (_index, _use_index, {"shard-00000": "about.json", "model-*": "about.json"}),
    "living index": (
        _living_index,
        _use_living_index,
        dict.fromkeys(("shard-*", "model-*", "dead-*"), "about.json"),
    ),
}


def attack(store: str, trials: int, seed: int) -> int:
    """Damage arrays of a folder one at a time, and use it; the number of damaged folders that were refused."""
    make, use, parts = STORES[store]
    chance, refused = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place, "whole")
        make(whole)
        use(whole)
        arrays = [
            (path.relative_to(whole), about)
            for part, about in parts.items()
            for path in sorted(whole.glob(f"{part}/*.npy" if part != "." else "*.npy"))
        ]
        assert arrays
        for number in range(trials):
            path, about = chance.choice(arrays)
            damage, n = chance.choice(list(DAMAGES)), chance.randrange(2**31)
            bad = Path(place, "bad")
            shutil.copytree(whole, bad)
            rewrite(bad / path.parent, path.stem, DAMAGES[damage](np.load(whole / path), n), about)
            try:
                use(bad)
            except InputError:
                refused += 1
            except Exception as error:
                raise AssertionError(f"{store}, trial {number} of seed {seed}: {damage} ({n}) in {path}") from error
            shutil.rmtree(bad)
    return refused


def attack_facts(store: str, trials: int, seed: int) -> int:
    """Damage values in the JSON of a folder one at a time, and use it; the number of damaged folders refused."""
    make, use, _ = STORES[store]
    chance, refused = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as place:
        whole = Path(place, "whole")
        make(whole)
        facts = [path.relative_to(whole) for path in sorted(whole.rglob("*.json"))]
        assert facts
        for number in range(trials):
            path, n = chance.choice(facts), chance.randrange(2**31)
            bad = Path(place, "bad")
            shutil.copytree(whole, bad)
            (bad / path).write_text(json.dumps(_changed(json.loads((whole / path).read_text()), random.Random(n))))
            try:
                use(bad)
            except InputError:
                refused += 1
            except Exception as error:
                raise AssertionError(f"{store}, trial {number} of seed {seed}: damage {n} to {path}") from error
            shutil.rmtree(bad)
    return refused


def _changed(value: Any, chance: random.Random) -> Any:
    """JSON with another value at one place, however deep, or without it."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.2:
        return chance.choice(_VALUES)
    inner = value.copy()
    at = chance.choice(sorted(inner)) if isinstance(inner, dict) else chance.randrange(len(inner))
    if chance.random() < 0.1:
        del inner[at]
    else:
        inner[at] = _changed(inner[at], chance)
    return inner


def recorded(path: Path) -> None:
    """Write a recording of a page with made-up boxes."""
    page = parse("<h1>Strata</h1><p>A page <b>comes</b> in layers.<ul><li>silt<li>clay</ul>", url="http://a.org/")
    recording.save(path, page, boxed(page).boxes, np.arange(len(page.elements)), recording.About(fonts=("Serif",)))


def _use_recording(path: Path) -> None:
    found = RenderedPage.load(path)
    for name in ("vips", "webterrain", "learned"):
        segment(found, name)
    repr(found)


def _site(folder: Path) -> None:
    learn([f"<nav><a href=/>Home</a></nav><p>About {name} and stone." for name in "abcd"], extractor=None).save(folder)


def _use_site(folder: Path) -> None:
    sites = Sites(folder)
    repr(sites)
    repr(sites.names())
    found = sites.of("http://a.org/x")
    if found is not None:
        page = parse("<nav><a href=/>Home</a></nav><p>About d and stone.", url="http://a.org/x")
        found.weights(page)
        found.segmenter(page)


#: For each kind of file: how its folder or file is made, and used, and the name of the file in the folder.
FILES: Mapping[str, tuple[Callable[[Path], None], Callable[[Path], None], str]] = {
    "recording": (recorded, _use_recording, ""),
    "site": (_site, _use_site, "site.json"),
}
_VALUES: tuple[Any, ...] = (None, True, -1, 2**70, 1e308, "x", "\x00", [], {}, [[[]]] * 3)


def _other_value(about: bytes, number: int) -> bytes:
    """JSON with another value, an object without one, or something else than an object."""
    facts = json.loads(about)
    inner = facts["rules"] if "rules" in facts and number % 2 else facts
    name = sorted(inner)[number // 2 % len(inner)]
    value = _VALUES[number // 7 % len(_VALUES)]
    if number % 13 == 0:
        return json.dumps(value).encode()
    if number % 11 == 0:
        del inner[name]
    else:
        inner[name] = value
    return json.dumps(facts).encode()


def _other_member(archive: bytes, number: int) -> bytes:
    """A zip file whose checksums are right, with damage to one member."""
    with zipfile.ZipFile(io.BytesIO(archive)) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    name = sorted(members)[number % len(members)]
    is_json = name.endswith(".json")
    members[name] = _other_value(members[name], number) if is_json else _garbled(members[name], number // 4)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as changed:
        for each, data in members.items():
            changed.writestr(each, data)
    return file.getvalue()


def _damaged(data: bytes, number: int) -> bytes:
    changed = _other_member if data[:2] == b"PK" else _other_value
    kinds = (lambda: data[: number % len(data)], lambda: _garbled(data, number), lambda: changed(data, number))
    return kinds[number % 5 if number % 5 < 2 else 2]()


def attack_file(kind: str, trials: int, seed: int) -> int:
    """Damage a file and use it; the number of damaged files that were refused."""
    make, use, name = FILES[kind]
    chance, refused = random.Random(seed), 0
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, "made")
        make(path)
        use(path)
        whole = (path / name).read_bytes()
        for number in range(trials):
            n = chance.randrange(2**31)
            (path / name).write_bytes(_damaged(whole, n))
            try:
                use(path)
            except InputError:
                refused += 1
            except Exception as error:
                raise AssertionError(f"{kind}, trial {number} of seed {seed}: damage {n}") from error
    return refused


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    for store in STORES:
        refused = attack(store, options.trials, options.seed)
        print(f"{store}: {options.trials} damaged, {refused} refused (seed {options.seed})", flush=True)
        refused = attack_facts(store, options.trials, options.seed)
        print(f"JSON of {store}: {options.trials} damaged, {refused} refused (seed {options.seed})", flush=True)
    for kind in FILES:
        refused = attack_file(kind, options.trials, options.seed)
        print(f"{kind}: {options.trials} damaged, {refused} refused (seed {options.seed})", flush=True)


if __name__ == "__main__":
    main()
