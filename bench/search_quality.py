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
import tempfile
from collections.abc import Sequence
from pathlib import Path

from webstrata.evaluation.known_items import anchor_queries, category_queries, title_queries, without_queries
from webstrata.evaluation.papers import site_queries
from webstrata.evaluation.papers.kohlschuetter_2011_retrieval import selection
from webstrata.evaluation.papers.site_queries import categories, graph_of, stripped
from webstrata.evaluation.papers.whole_sites import WholeSite
from webstrata.evaluation.retrieval import JudgedQuery, evaluate_rankings, table, write_queries
from webstrata.files import files_below
from webstrata.search import Document, Index

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
                write_selection(index, judged, out / f"selection-{kind}.json")
                continue
            names = arguments.ranking or [*PLAIN, *(f"{name}+pagerank(power={arguments.power})" for name in PLAIN)]
            measure = "P@10" if kind == "category" else "MRR"
            lines = list(table(evaluate_rankings(index, judged, names, measure=measure), measure))
            (out / f"table-{kind}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            print("\n".join(lines), flush=True)


def write_selection(index: Index, queries: Sequence[JudgedQuery], path: Path) -> None:
    """P@10, NDCG@10 and MRR over sliding thresholds, and with body text extraction."""
    rows = {}
    for step, measures in selection(index, queries):
        rows[step or "whole pages"] = measures
        shown = " ".join(f"{name} {measures[name]:.3f}" for name in ("P@10", "NDCG@10", "MRR"))
        print(f"{step or 'whole pages':28} {shown}", flush=True)
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")


def read_documents(folder: Path) -> list[Document]:
    """The pages of a folder with the segment classes of their site."""
    files = [path for path in files_below(folder) if path.suffix in (".html", ".htm")]
    read = ((path.relative_to(folder).as_posix(), path.read_bytes()) for path in files)
    return [stripped(document) for _, document in site_queries.read_documents(WholeSite(folder.name, (), read))]


if __name__ == "__main__":
    main()
