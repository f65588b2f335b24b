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
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.errors import InputError
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.pagerank import PageRank
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.search import Index

__all__ = ["DAMAGES", "STORES", "attack", "rewrite"]

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


#: For each kind of folder: how it is made, how it is used, and the folders of arrays in it with their facts.
STORES: Mapping[str, tuple[Callable[[Path], None], Callable[[Path], None], Mapping[str, str]]] = {
    "graph": (lambda folder: _graph().save(folder), _use_graph, {".": "graph.json"}),
    "ranks": (_ranks, _use_ranks, {".": "ranks.json"}),
    "index": (_index, _use_index, {"shard-00000": "about.json", "model-*": "about.json"}),
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    for store in STORES:
        refused = attack(store, options.trials, options.seed)
        print(f"{store}: {options.trials} damaged, {refused} refused (seed {options.seed})", flush=True)


if __name__ == "__main__":
    main()
