"""Right first answers to queries by hand: twenty for each of four Debian manuals, with the pages that are right.

    python bench/search_by_hand.py manuals/ -o out/manuals

`bench/queries` has the queries and the ends of the addresses of right pages. The folder has the manuals, as
`search_manuals.py --fetch` writes them, and the output folder keeps their indexes.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from search_manuals import indexed
from webstrata.evaluation.retrieval import read_queries

QUERIES = Path(__file__).parent / "queries"
RANKINGS = ("bm25", "bm25f(title=80.0, heading=10.0, template=1.0)", "strata")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with a folder of HTML for each package")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--queries", type=int, default=300, help="as for search_manuals.py (default: 300)")
    arguments = parser.parse_args()
    for file in sorted(QUERIES.glob("*.jsonl")):
        index, _ = indexed(arguments.folder / file.stem, arguments.output / file.stem, arguments.queries)
        judged = read_queries(file)
        for ranking in RANKINGS:
            firsts = {item.query: next((each.url for each in index.query(item.query, k=1, ranking=ranking)), "none")
                      for item in judged}  # fmt: skip
            wrong = {item.query: firsts[item.query] for item in judged if not right(firsts[item.query], item.relevant)}
            print(f"{file.stem:20} {ranking[:20]:20} {len(judged) - len(wrong)} of {len(judged)} right", flush=True)
        for query, url in wrong.items():
            print(f"    {query}: {url}")


def right(url: str, pages: Mapping[str, float]) -> bool:
    return any(url.endswith(f"/{page}") for page in pages)


if __name__ == "__main__":
    main()
