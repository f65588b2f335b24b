"""Speed and size of search beside bm25s, tantivy and SQLite FTS5 on the same pages: ``python bench/search_speed.py``.

Pages are texts of words drawn by Zipf's law, or those of a folder, repeated with other numbers in them until there are
enough. Every engine gets the same strings and keeps no more than it needs to rank; ours keeps texts as well, for
snippets, and is shown with and without them. Queries are two to four words of the pages. Times are processor time of
one thread, the least of all rounds; in each round the engines take turns.

    python bench/search_speed.py --pages 5000 50000 --folder wpcd/ -o out/speed.json
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from webstrata.page import parse
from webstrata.search import Document, Index

Ask = Callable[[str], Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, nargs="+", default=[5000, 50000])
    parser.add_argument("--words", type=int, default=300, help="of a page that is made up (default: 300)")
    parser.add_argument("--folder", type=Path, help="of HTML files whose texts are taken")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--engine", action="append", help="one of them; may be repeated (default: all)")
    parser.add_argument("-o", "--output", type=Path, help="JSON file for the figures")
    arguments = parser.parse_args()
    rows = []
    for count in arguments.pages:
        texts = real_texts(arguments.folder, count) if arguments.folder else made_texts(count, arguments.words)
        rows += compare(texts, arguments.queries, arguments.rounds, arguments.engine)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def made_texts(count: int, words: int) -> list[str]:
    """Texts of words by Zipf's law, of lengths that vary."""
    draw = np.random.default_rng(1)
    vocabulary = np.array([f"{'abcdefghij'[n % 10]}{n:x}" for n in range(200_000)])
    lengths = np.maximum(draw.poisson(words, count), 1)
    numbers = np.minimum(draw.zipf(1.3, int(lengths.sum())), len(vocabulary)) - 1
    pieces = np.split(vocabulary[numbers], np.cumsum(lengths)[:-1])
    return [" ".join(piece) for piece in pieces]


def real_texts(folder: Path, count: int) -> list[str]:
    """The texts of a folder's pages; beyond their number, pieces of them in another order."""
    files = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    texts = [parse(path.read_bytes()).text.replace("\n", " ") for path in files[:count]]
    draw = random.Random(1)
    while len(texts) < count:
        words = texts[draw.randrange(len(files))].split()
        first = draw.randrange(max(len(words) - 300, 1))
        texts.append(" ".join(words[first : first + 300]))
    return texts


def compare(texts: Sequence[str], count: int, rounds: int, only: Sequence[str] | None = None) -> list[dict[str, Any]]:
    """Build an index with every engine and put the same queries to it."""
    draw = random.Random(2)
    queries: list[str] = []
    while len(queries) < count:
        words = texts[draw.randrange(len(texts))].split()
        if len(words) > 4:
            queries.append(" ".join(draw.sample(words, draw.randint(2, 4))))
    engines = {"webstrata": ours, "bm25s": bm25s_index, "tantivy": tantivy_index, "sqlite fts5": fts5_index}
    rows: dict[str, dict[str, Any]] = {}
    for _ in range(rounds):
        for name in only or engines:
            row: dict[str, Any] = {"engine": name, "pages": len(texts), **measure(engines[name], texts, queries)}
            best = rows.setdefault(name, row)
            best |= {key: min(best[key], row[key]) for key in ("build", "query")}
    print(f"\n{len(texts)} pages\n{'engine':22} {'build s':>8} {'ms a query':>10} {'queries/s':>10} {'MB':>8}")
    for name, row in rows.items():
        each, size, kept = row["query"], row["bytes"], row["texts"]
        print(f"{name:22} {row['build']:8.2f} {1000 * each:10.3f} {1 / each:10.0f} {size / 1e6:8.1f}", flush=True)
        if kept:
            print(f"{'  without texts':52} {(size - kept) / 1e6:8.1f}", flush=True)
    return list(rows.values())


def measure(
    build: Callable[[Sequence[str], Path], Ask], texts: Sequence[str], queries: Sequence[str]
) -> dict[str, float]:
    """Processor time to build an index and of a query, and what the index takes on disk."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        ask = build(texts, Path(folder))
        took = time.process_time() - start
        for query in queries[:20]:
            ask(query)
        start = time.process_time()
        for query in queries:
            ask(query)
        each = (time.process_time() - start) / len(queries)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        kept = sum(path.stat().st_size for path in Path(folder).rglob("texts.npy"))
    return {"build": took, "query": each, "bytes": size, "texts": kept}


def ours(texts: Sequence[str], folder: Path) -> Ask:
    documents = (Document.of_text(f"http://a.org/{n}", "", text) for n, text in enumerate(texts))
    index = Index.build(documents, folder / "index", rankings=["bm25"], anchors=False)
    return lambda query: index.query(query, k=10, snippets=False)


def bm25s_index(texts: Sequence[str], folder: Path) -> Ask:
    import bm25s

    tokens = bm25s.tokenize(list(texts), stopwords=None, show_progress=False)
    engine = bm25s.BM25()
    engine.index(tokens, show_progress=False)
    engine.save(str(folder / "index"))
    found = bm25s.BM25.load(str(folder / "index"), mmap=True)

    def ask(query: str) -> Any:
        words = bm25s.tokenize(query, stopwords=None, show_progress=False)
        return found.retrieve(words, k=10, show_progress=False, n_threads=0)

    return ask


def tantivy_index(texts: Sequence[str], folder: Path) -> Ask:
    import tantivy

    schema = tantivy.SchemaBuilder().add_text_field("body", stored=False).build()
    index = tantivy.Index(schema, path=str(folder))
    writer = index.writer(num_threads=1)
    for text in texts:
        writer.add_document(tantivy.Document(body=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    return lambda query: searcher.search(index.parse_query(query, ["body"]), 10)


def fts5_index(texts: Sequence[str], folder: Path) -> Ask:
    database = sqlite3.connect(folder / "index.db")
    database.execute("create virtual table pages using fts5(body, content='', detail=full)")
    with database:
        database.executemany("insert into pages(rowid, body) values (?, ?)", enumerate(texts))
        database.execute("insert into pages(pages) values ('optimize')")

    def ask(query: str) -> Any:
        words = " OR ".join(f'"{word}"' for word in query.replace('"', "").split())
        return database.execute(
            "select rowid from pages where pages match ? order by bm25(pages) limit 10", (words,)
        ).fetchall()

    return ask


if __name__ == "__main__":
    main()
