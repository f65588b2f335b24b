"""Rankings on whole sites (Fernandes et al. 2011 table 2, Kohlschütter 2011 figure 4.27), as tables with intervals.

A site is a folder of HTML. Queries are made from its links, titles and categories with a fixed seed; queries and
judgements are written to files, and so are the tables. Categories are the subject pages of the Wikipedia Selection
for Schools, whose "Related subjects" line is left out of pages since it would give them away, or else the folders of a
site.

    python bench/search_quality.py python3.11-doc/ python-django-doc/ postgresql-doc-15/ wpcd/ -o out/search
    python bench/search_quality.py wpcd/ -o out/search --selection       # figure 4.27
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np

from webstrata.evaluation.known_items import anchor_queries, category_queries, title_queries, without_queries
from webstrata.evaluation.retrieval import JudgedQuery, evaluate_rankings, run_queries, table, write_queries
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.page import Page, parse
from webstrata.search import Document, Documenter, Index
from webstrata.sites.classes import refine
from webstrata.sites.nodes import nodes_of
from webstrata.sites.tree import Tree

PLAIN: tuple[str, ...] = (
    "bm25",
    "bm25nt",
    "segment-aware",
    'segment-aware(reading="occurrence")',
    "segment-aware(power=1.0)",
    'segment-aware(reading="occurrence", power=1.0)',
    "bm25f",
    "strata",
)
_SUBJECT = re.compile(r"/subject\.(.+)\.htm$")
_GIVEN_AWAY = "Related subjects"
#: Thresholds of figure 4.27.
WORDS = (1, 2, 3, 5, 8, 11, 15, 20, 30, 50, 70, 100)
DENSITIES = (1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=1000, help="of each kind (default: 1000)")
    parser.add_argument("--power", type=float, default=0.1, help="of PageRank (default: 0.1)")
    parser.add_argument("--ranking", action="append", help="instead of those of the table; may be repeated")
    parser.add_argument("--selection", action="store_true", help="figure 4.27 instead of table 2")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        site(folder, arguments)


def site(folder: Path, arguments: argparse.Namespace) -> None:
    """Build the index of a site, make its queries, and print its tables."""
    documents = read_documents(folder)
    queries = {
        "anchor": anchor_queries(documents, arguments.queries),
        "title": title_queries(documents, arguments.queries),
        "category": category_queries(categories(documents)),
    }
    out = arguments.output / folder.name
    write_queries(out / "queries.jsonl", [item for kind in queries.values() for item in kind])
    documents = without_queries(documents, queries["anchor"])
    with tempfile.TemporaryDirectory() as work:
        plain = ["bm25"] if arguments.selection else arguments.ranking or PLAIN
        index = Index.build(documents, Path(work) / "index", rankings=plain, graph=graph_of(documents))
        for kind, judged in queries.items():
            if not judged:
                continue
            print(f"\n{folder.name}: {index.pages} pages, {len(judged)} {kind} queries", flush=True)
            if arguments.selection:
                selection(index, judged, out / f"selection-{kind}.json")
                continue
            names = arguments.ranking or [*PLAIN, *(f"{name}+pagerank(power={arguments.power})" for name in PLAIN)]
            measure = "P@10" if kind == "category" else "MRR"
            lines = list(table(evaluate_rankings(index, judged, names, measure=measure), measure))
            (out / f"table-{kind}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            print("\n".join(lines), flush=True)


def selection(index: Index, queries: Sequence[JudgedQuery], path: Path) -> None:
    """P@10, NDCG@10 and MRR over sliding thresholds, and with body text extraction."""
    steps = [f"min-words(minimum={value})" for value in WORDS]
    steps += [f"min-density(minimum={float(value)})" for value in DENSITIES]
    rows = {}
    for step in ("", *steps, "bte"):
        found = run_queries(index, queries, f"bm25+{step}" if step else "bm25")
        rows[step or "whole pages"] = {name: float(np.mean(column)) for name, column in found.items()}
        shown = " ".join(f"{name} {rows[step or 'whole pages'][name]:.3f}" for name in ("P@10", "NDCG@10", "MRR"))
        print(f"{step or 'whole pages':28} {shown}", flush=True)
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def read_documents(folder: Path) -> list[Document]:
    """The pages of a folder with the segment classes of their site."""
    pages = [
        parse(path.read_bytes(), url=f"http://{folder.name}/{path.relative_to(folder)}")
        for path in sorted(folder.rglob("*.htm*"))
        if path.is_file()
    ]
    pages = [page for page in pages if not page.blocks.hidden.all()]
    tree = refine(Tree.of(map(nodes_of, pages)))
    documenter = Documenter()
    found = {}
    for page in pages:
        document = documenter(page, tree)
        found[document.url] = stripped(page, document)
    return list(found.values())


def stripped(page: Page, document: Document) -> Document:
    """A document without the line that names the subjects of its page."""
    if _GIVEN_AWAY not in document.text:
        return document
    starts = zip(document.start.tolist(), document.stop.tolist(), document.paragraph.tolist(), strict=True)
    lines = {number for start, stop, number in starts if _GIVEN_AWAY in document.text[start:stop]}
    keep = ~np.isin(document.paragraph, list(lines))
    columns = (
        "start", "stop", "source_start", "source_stop", "words", "density", "stratum", "bte", "segment", "label",
        "paragraph",
    )  # fmt: skip
    return replace(document, **{name: getattr(document, name)[keep] for name in columns})


def categories(documents: Sequence[Document]) -> dict[str, Iterable[str]]:
    """Pages by the subject pages that list them, or by their folders."""
    pages = {document.url for document in documents if not _SUBJECT.search(document.url)}
    found: dict[str, set[str]] = {}
    for document in documents:
        subject = _SUBJECT.search(document.url)
        if subject:
            name = unquote(subject[1]).split(".")[-1].replace("_", " ")
            found.setdefault(name, set()).update(target for target, _ in document.links if target in pages)
    if not found:
        for url in pages:
            name = urlsplit(url).path.split("/")[-2]
            found.setdefault(name, set()).add(url)
    return {name: urls for name, urls in found.items() if len(urls) < len(pages) / 2}


def graph_of(documents: Sequence[Document]) -> LinkGraph:
    """The graph of the links in the content of pages."""
    place = {document.url: number for number, document in enumerate(documents)}
    pairs = [
        (number, place[target])
        for number, document in enumerate(documents)
        for target, _ in document.links
        if target in place and place[target] != number
    ]
    return build_graph(list(place), [source for source, _ in pairs], [target for _, target in pairs])


if __name__ == "__main__":
    main()
