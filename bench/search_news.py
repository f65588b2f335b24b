"""Selection by text on news (Kohlschütter 2011 figure 4.27): P@10, NDCG@10 and MRR over sliding minima of words and
density, on the 621 pages of L3S-GN1.

The thesis used the judged queries of BLOGS06, which are not available here. Two kinds of queries replace them, and
titles are left out of the index, since they would reveal the answers:

- *title*: the title of a page, which is to be found;
- *topic*: the two rarest words of a title that occur in the articles of several pages. Relevant are the pages whose
  article, as annotated, has both words, not those with the words in menus and lists only. So a selection that keeps
  exactly the articles is right by definition.

    python bench/search_news.py -o out/news
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from search_quality import selection
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.known_items import title_queries
from webstrata.evaluation.retrieval import JudgedQuery, write_queries
from webstrata.page import Page
from webstrata.search import Documenter, Index
from webstrata.search.analyser import Analyser

# The least number of articles with a word of a topic, and with both words.
_ARTICLES, _RELEVANT = 8, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    news = list(find_dataset("l3s-gn1").items())
    pages = [item.inputs["html"].page() for item in news]
    documents = list(map(Documenter(extractor="keep-all"), pages))
    topics = topic_queries(pages, [item.gold.text or "" for item in news])
    queries = {"title": title_queries(documents, 1000), "topic": topics}
    write_queries(arguments.output / "queries.jsonl", [item for kind in queries.values() for item in kind])
    untitled = [replace(document, title="", links=()) for document in documents]
    with tempfile.TemporaryDirectory() as work:
        index = Index.build(untitled, Path(work) / "index", rankings=["bm25"])
        for kind, judged in queries.items():
            print(f"\nL3S-GN1: {index.pages} pages, {len(judged)} {kind} queries", flush=True)
            selection(index, judged, arguments.output / f"selection-{kind}.json")


def topic_queries(pages: Sequence[Page], texts: Sequence[str]) -> list[JudgedQuery]:
    """Pairs of words, and the pages whose articles have both."""
    analyser = Analyser()

    def words(text: str) -> set[str]:
        return {term for term, _, _ in analyser(text)}

    articles = [words(text) for text in texts]
    count = Counter(word for article in articles for word in article)
    found: dict[tuple[str, str], dict[str, float]] = {}
    for page in pages:
        known = sorted((count[word], word) for word in words(page.title) if count[word] >= _ARTICLES)
        for (_, first), (_, second) in combinations(known[:3], 2):
            both = (other for other, article in zip(pages, articles, strict=True) if {first, second} <= article)
            relevant = {other.url or "": 1.0 for other in both}
            if len(relevant) >= _RELEVANT:
                found.setdefault((first, second), relevant)
                break
    return [JudgedQuery(" ".join(pair), relevant, "topic") for pair, relevant in sorted(found.items())]


if __name__ == "__main__":
    main()
