"""What each part of the search brings, on Debian manuals for development and on others, beside tantivy and FTS5.

    python bench/search_manuals.py manuals/ -o out/manuals --fetch     download the packages first (Debian; once)
    python bench/search_manuals.py manuals/ -o out/manuals --store     write the tables into the documentation

Queries with known answers are made from the texts of links, titles, headings, and sentences with one word left out,
with a fixed seed (`webstrata.evaluation.known_items`). Weights are chosen on the manuals for development alone. The
index and the queries of a manual are kept in the output folder.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from manuals import fetch
from results import store
from search_quality import read_documents
from webstrata.evaluation.datasets.manuals import Manual
from webstrata.evaluation.known_items import (
    anchor_queries,
    heading_queries,
    sentence_queries,
    title_queries,
    without_queries,
)
from webstrata.evaluation.reports.statistics import compare_all
from webstrata.evaluation.retrieval import JudgedQuery, read_queries, run_queries, write_queries
from webstrata.search import Index
from webstrata.text import Column

DEVELOPMENT = (
    "sqlite3-doc", "python-celery-doc", "git-doc", "python-django-doc", "cmake-doc", "python3.11-doc", "gnuplot-doc",
    "postgresql-doc-15",
)  # fmt: skip
HELD_OUT = (
    "nim-doc", "libglib2.0-doc", "maxima-doc", "python-sqlalchemy-doc", "ant-doc", "octave-doc", "qtbase5-doc-html",
    "erlang-doc",
)  # fmt: skip
KINDS = ("anchor", "title", "heading", "sentence")
OURS = "strata"
#: Rankings by the name that tables have; each of the last ones leaves out one part of ours.
RANKINGS = {
    "BM25": "bm25",
    "BM25F(5, 3)": "bm25f",
    "BM25F(80, 10)": "bm25f(title=80.0, heading=10.0, template=1.0)",
    "segment-aware": "segment-aware",
    "strata": OURS,
    "strata without exact titles": "strata(exact=0.0)",
    "strata without passages": "strata(passage=0.0)",
    "strata without order": "strata(order=0.0)",
    "strata without all three": "strata(exact=0.0, passage=0.0, order=0.0)",
    "strata without segment classes": 'strata(reading="")',
    "strata without other forms": "strata(forms=0.0)",
}
DEPTH = 1000
Ask = Callable[[str], Iterator[int]]
#: For each engine and kind, the reciprocal ranks of all queries.
Found = dict[str, dict[str, Column]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with a folder of HTML for each package")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--fetch", action="store_true", help="download the packages that the folder does not have")
    parser.add_argument("--queries", type=int, default=300, help="of each kind and manual (default: 300)")
    parser.add_argument("--store", action="store_true", help="write the tables into docs/search.md")
    arguments = parser.parse_args()
    if arguments.fetch:
        fetch([Manual(package, "", "test") for package in (*DEVELOPMENT, *HELD_OUT)], arguments.folder)
    groups: list[list[Found]] = []
    for packages in (DEVELOPMENT, HELD_OUT):
        groups.append([])
        for package in packages:
            if (arguments.folder / package).exists():
                groups[-1].append(measured(package, arguments))
                print(f"{package}: " + line(groups[-1][-1][OURS]), flush=True)
    headings, rows = table(groups)
    for row in [headings, *rows]:
        print(f"{row[0]:32}" + "".join(f"{cell:>14}" for cell in row[1:]))
    if arguments.store:
        about = (
            f"Mean MRR over {len(groups[0])} manuals for development, then over {len(groups[1])} others, and the "
            "number of kinds of queries of these others where `strata` is above or below with p < .05"
        )
        store("search-manuals", about, headings, rows)


def line(found: dict[str, Column]) -> str:
    return ", ".join(f"{kind} {column.mean():.3f} of {len(column)}" for kind, column in found.items())


def measured(package: str, arguments: argparse.Namespace) -> Found:
    """The reciprocal ranks of the queries of a manual, by all engines."""
    index, queries = indexed(arguments.folder / package, arguments.output / package, arguments.queries)
    kinds = {kind: own for kind in KINDS if (own := [item for item in queries if item.kind == kind])}
    found = {
        name: {kind: run_queries(index, own, ranking)["MRR"] for kind, own in kinds.items()}
        for name, ranking in RANKINGS.items()
    }
    urls = [url for shard in index.shards for url in shard.urls]
    with tempfile.TemporaryDirectory() as work:
        for name, ask in peers(index, Path(work)):
            found[name] = {kind: np.array([ranked(ask, item, urls) for item in own]) for kind, own in kinds.items()}
    return found


def indexed(pages: Path, output: Path, count: int) -> tuple[Index, list[JudgedQuery]]:
    """The index and the queries of a manual."""
    if not (output / "index").exists():
        documents = read_documents(pages)
        anchors = anchor_queries(documents, count)
        queries = [
            *anchors, *title_queries(documents, count), *heading_queries(documents, count),
            *sentence_queries(documents, count),
        ]  # fmt: skip
        write_queries(output / "queries.jsonl", queries)
        Index.build(without_queries(documents, anchors), output / "index")
    return Index.open(output / "index"), read_queries(output / "queries.jsonl")


def ranked(ask: Ask, item: JudgedQuery, urls: Sequence[str]) -> float:
    """The reciprocal rank of the answer."""
    return next((1 / rank for rank, page in enumerate(ask(item.query), 1) if urls[page] in item.relevant), 0.0)


def peers(index: Index, work: Path) -> Iterator[tuple[str, Ask]]:
    """Other engines with the titles and the texts of the pages of an index."""
    pages = [
        (title, text)
        for shard in index.shards
        for title, text in zip(shard.titles, shard.texts, strict=True)
    ]  # fmt: skip
    yield "tantivy", tantivy(pages, work / "tantivy", 1.0)
    yield "tantivy, titles by 5", tantivy(pages, work / "boosted", 5.0)
    yield "SQLite FTS5", fts5(pages)


def tantivy(pages: Sequence[tuple[str, str]], folder: Path, boost: float) -> Ask:
    import tantivy

    folder.mkdir()
    schema = tantivy.SchemaBuilder()
    for name in ("title", "body"):
        schema.add_text_field(name, stored=False)
    schema.add_unsigned_field("page", stored=True)
    index = tantivy.Index(schema.build(), path=str(folder))
    writer = index.writer(num_threads=1)
    for number, (title, text) in enumerate(pages):
        writer.add_document(tantivy.Document(title=title, body=text, page=number))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def ask(query: str) -> Iterator[int]:
        parsed = index.parse_query(query, ["title", "body"], field_boosts={"title": boost})
        for _, address in searcher.search(parsed, DEPTH).hits:
            yield searcher.doc(address)["page"][0]

    return ask


def fts5(pages: Sequence[tuple[str, str]]) -> Ask:
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table pages using fts5(title, body)")
    database.executemany("insert into pages(rowid, title, body) values (?, ?, ?)",
                         ((number, *page) for number, page in enumerate(pages)))  # fmt: skip

    def ask(query: str) -> Iterator[int]:
        words = " OR ".join(f'"{word}"' for word in query.split()) or '"-"'
        found = database.execute(
            f"select rowid from pages where pages match ? order by bm25(pages, 5.0, 1.0) limit {DEPTH}", (words,)
        )
        return (page for (page,) in found)

    return ask


def table(groups: Sequence[Sequence[Found]]) -> tuple[list[str], list[list[str]]]:
    """The mean of each engine and kind over the manuals of both groups, and where ours is better and worse."""
    shown = [group for group in groups if group]
    headings = ["ranking", *(f"{kind}s" for kind in KINDS), *(f"{kind}s" for kind in KINDS), "above", "below"]
    rows = []
    for name in shown[0][0]:
        row = [name]
        for group in groups:
            for kind in KINDS:
                means = [found[name][kind].mean() for found in group if kind in found[name]]
                row.append(f"{np.mean(means):.3f}" if means else "-")
        differences = [decided(found, name, kind) for found in groups[-1] for kind in found[name]]
        rows.append([*row, str(differences.count(1)), str(differences.count(-1))])
    return headings, rows


def decided(found: Found, name: str, kind: str) -> int:
    """1 if ours is better than an engine, -1 if it is worse, 0 if they are level (p > .05)."""
    if name == OURS:
        return 0
    test = compare_all({OURS: found[OURS][kind].tolist(), name: found[name][kind].tolist()})[0]
    return int(np.sign(test.difference.mean)) if test.p < 0.05 else 0


if __name__ == "__main__":
    main()
