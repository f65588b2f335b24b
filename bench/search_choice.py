"""Weights of rankings, chosen on some sites and scored on another, for the comparison in `docs/search.md`.

A site is a folder of HTML. For each site, the weights with the highest mean MRR over all *other* sites (anchors and
titles alike) are scored on its own queries, beside BM25 and the shipped weights. The same is done with halves of the
queries: weights are chosen on one half of all sites, and scored on the other.

    python bench/search_choice.py python3.11-doc/ python-django-doc/ cmake-doc/ sqlite3-doc/ -o out/choice

The measurements of a site are cached in the output folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np

from search_quality import read_documents
from webstrata.evaluation.known_items import anchor_queries, title_queries, without_queries
from webstrata.evaluation.papers.site_queries import graph_of
from webstrata.evaluation.reports.statistics import bootstrap_mean
from webstrata.evaluation.retrieval import run_queries
from webstrata.search import RANKINGS, Index
from webstrata.text import Column

#: Candidates by family; the first of each is the shipped one.
FAMILIES: dict[str, list[str]] = {
    "bm25": ["bm25"],
    "segment-aware": ["segment-aware"]
    + [
        f'segment-aware(reading="{reading}", power={power})'
        for reading, power in product(("vocabulary", "occurrence"), (0.5, 1.0, 2.0, 3.0, 4.0))
    ],
    "bm25f": ["bm25f"]
    + [
        f"bm25f(title={title}, heading={heading}, template={template}, anchor={anchor})"
        for title, heading, template, anchor in product((10.0, 20.0, 40.0), (5.0, 10.0), (0.2, 1.0), (1.0, 3.0))
    ],
    "strata": ["strata"]
    + [
        f"strata(title={title}, heading={heading}, power={power}, anchor={anchor})"
        for title, heading, power, anchor in product((20.0, 40.0, 80.0), (5.0, 10.0, 20.0), (1.0, 2.0, 3.0), (1.0, 3.0))
    ],
}
#: For each site and kind of queries: the queries, and for each ranking the reciprocal rank of each.
Measured = dict[str, dict[str, tuple[list[str], dict[str, Column]]]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=500, help="of each kind and site (default: 500)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    found: Measured = {}
    for folder in arguments.folders:
        kept = arguments.output / f"{folder.name}.json"
        if not kept.exists():
            kept.write_text(json.dumps(measured(folder, arguments.queries)), encoding="utf-8")
        rows = json.loads(kept.read_text(encoding="utf-8"))
        found[folder.name] = {
            kind: (row["queries"], {name: np.array(column) for name, column in row["MRR"].items()})
            for kind, row in rows.items()
        }
        counts = ", ".join(f"{len(row['queries'])} {kind}s" for kind, row in rows.items())
        print(f"{folder.name}: {counts}", flush=True)
    by_site(found)
    by_half(found)


def measured(folder: Path, count: int) -> dict[str, dict[str, object]]:
    """The reciprocal rank of each query of a site by each ranking."""
    documents = read_documents(folder)
    queries = {"anchor": anchor_queries(documents, count), "title": title_queries(documents, count)}
    documents = without_queries(documents, queries["anchor"])
    names = [name for family in FAMILIES.values() for name in family]
    with tempfile.TemporaryDirectory() as work:
        index = Index.build(documents, Path(work) / "index", rankings=["bm25"], graph=graph_of(documents))
        same: dict[object, dict[str, list[float]]] = {}
        for number, name in enumerate(names):
            recipe = RANKINGS.make(name)
            if recipe not in same:
                held = index.holding(name)
                same[recipe] = {k: run_queries(held, own, name)["MRR"].tolist() for k, own in queries.items()}
            if sys.stderr.isatty():
                print(f"\r{folder.name}: {number + 1} of {len(names)} rankings", end="", file=sys.stderr)
    return {
        kind: {
            "queries": [item.query for item in own],
            "MRR": {name: same[RANKINGS.make(name)][kind] for name in names},
        }
        for kind, own in queries.items()
    }


def by_site(found: Measured) -> None:
    """Weights chosen on all other sites."""
    print("\nchosen on the other sites")
    for site, kinds in found.items():
        others = {name: rows for name, rows in found.items() if name != site}
        chosen = {family: choose(names, others.values()) for family, names in FAMILIES.items()}
        print(f"{site}: {'; '.join(name for family, name in chosen.items() if family != 'bm25')}")
        for kind, (_, columns) in kinds.items():
            print(f"  {kind:8} {judged(columns, chosen)}")


def by_half(found: Measured) -> None:
    """Weights chosen on one half of the queries of all sites, split by a checksum of each query."""
    for half in (0, 1):
        fitted, other = (
            {site: {kind: _side(row, side) for kind, row in kinds.items()} for site, kinds in found.items()}
            for side in (half, 1 - half)
        )
        chosen = {family: choose(names, fitted.values()) for family, names in FAMILIES.items()}
        print(f"\nchosen on half {half} of the queries: {'; '.join(chosen[family] for family in list(chosen)[1:])}")
        for site, kinds in other.items():
            for kind, (_, columns) in kinds.items():
                print(f"  {site:20} {kind:8} {judged(columns, chosen)}")


def _side(row: tuple[list[str], dict[str, Column]], side: int) -> tuple[list[str], dict[str, Column]]:
    queries, columns = row
    own = np.array([zlib.crc32(query.encode()) % 2 == side for query in queries], bool)
    return [query for query, mine in zip(queries, own, strict=True) if mine], {n: c[own] for n, c in columns.items()}


def choose(names: Iterable[str], sites: Iterable[Mapping[str, tuple[list[str], dict[str, Column]]]]) -> str:
    """The ranking with the highest mean of sites and kinds; the first of equal ones."""
    rows = [columns for kinds in sites for _, columns in kinds.values()]
    return max(names, key=lambda name: np.mean([columns[name].mean() for columns in rows]))


def judged(columns: Mapping[str, Column], chosen: Mapping[str, str]) -> str:
    """The MRR of each choice with its difference to BM25, and the MRR of the shipped weights in brackets."""
    first = columns["bm25"]
    parts = [f"bm25 {first.mean():.3f}"]
    for family, names in list(FAMILIES.items())[1:]:
        own = columns[chosen[family]]
        gap = bootstrap_mean(own - first)
        shipped = columns[names[0]].mean()
        parts.append(f"{family} {own.mean():.3f} ({gap.low:+.3f} to {gap.high:+.3f}) [{shipped:.3f}]")
    return "  ".join(parts)


if __name__ == "__main__":
    main()
