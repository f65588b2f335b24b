"""What the search room answers: results, facets and reasons, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._escaping import html as escape
from webstrata._once import once
from webstrata._spelling import Step, read, write
from webstrata.apps.web.search.ranked import topic_ranks
from webstrata.errors import InputError
from webstrata.links import LinkGraph
from webstrata.links.facets import Facets
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.search import RANKINGS, Index
from webstrata.search.answers import Answer, Seeker
from webstrata.search.authority import page_ranks
from webstrata.search.completion import completed
from webstrata.search.index import DEFAULT
from webstrata.search.queries import Query
from webstrata.search.reasons import reasons
from webstrata.text import Column

__all__ = ["PAGE", "RANKING_NAMES", "Asked", "SearchRoom"]

#: Results of one page, and how many pages there are at most.
PAGE, MOST_PAGES = 10, 50
#: The rankings that can be chosen, with what to call them.
RANKING_NAMES = {
    "strata": "Strata and segments",
    "segment-aware": "Segment-aware",
    "bm25": "BM25",
    "bm25nt": "BM25 without templates",
    "bm25f": "BM25 by strata",
}
# Facets that are shown.
_MOST_FACETS = 24
_LONGEST_QUERY = 500


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What somebody asks: a text, a ranking with PageRank or without, facets that were chosen, and where to begin."""

    text: str
    ranking: str = DEFAULT
    pagerank: bool = False
    facets: tuple[str, ...] = ()
    start: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchRoom:
    """An index with what is known of its pages.

    Attributes
    ----------
    index : what is searched
    paths : the segment classes of its site in words, by kind
    pages : the HTML of pages by their URLs, where it is at hand
    title : what to call it
    """

    index: Index
    paths: dict[str, str]
    pages: dict[str, bytes]
    title: str

    @classmethod
    def open(cls, index: Path, *, site: Path | None = None, graph: Path | None = None) -> SearchRoom:
        """The room of an index in a folder; with a link graph, pages are ranked by it, and folders are topics."""
        found = Index.open(index)
        if graph is not None:
            links = LinkGraph.open(graph)
            ranks = Ranks.open(graph / "ranks") if (graph / "ranks").exists() else topic_ranks(links)
            rank, topics, biased = page_ranks(found.shards, links, ranks)
            found = replace(found, model=replace(found.model, rank=rank, topics=topics, biased=biased))
        return cls(index=found, paths=_class_paths(site) if site else {}, pages={}, title=index.name)

    @once
    def _seeker(self) -> Seeker:
        return Seeker(self.index.shards, self.index.analyser)

    @once
    def facets(self) -> Facets | None:
        """The facets of the index; None where it has no topics."""
        model = self.index.model
        if not model.topics:
            return None
        topics = Topics(tuple(model.topics), tuple(np.empty(0, np.int64) for _ in model.topics))
        return Facets(
            topics=topics,
            biased=np.asarray(model.biased, np.float64),
            unbiased=np.asarray(model.rank, np.float64),
            by_level=any("/" in name for name in model.topics),
        )

    def spelling(self, asked: Asked) -> str:
        """The ranking of a question, in full. With a facet, pages are ranked by the PageRank that is biased on it."""
        if asked.ranking not in RANKING_NAMES:
            raise InputError(f"there are the rankings {', '.join(RANKING_NAMES)}")
        steps = [*read(asked.ranking)]
        if asked.pagerank or asked.facets:
            topic = {"topic": asked.facets[-1]} if asked.facets else {}
            steps.append(Step("pagerank", {"power": 0.5, **topic}))
        return write(steps)

    def answer(self, asked: Asked) -> dict[str, Any]:
        """The results of a question with their facets."""
        asked = self._checked(asked)
        text = completed(self.index, asked.text)
        query = Query.read(text, self.index.analyser)
        spelling = self.spelling(asked)
        scores = self.index.scores(query, RANKINGS.make(spelling))
        pages = np.flatnonzero(scores > 0)
        if asked.facets:
            pages = pages[self._belong(pages, asked.facets)]
        order = _best(pages, scores, max(asked.start + PAGE, self.facets.k if self.facets else 0))
        shown = order[asked.start : asked.start + PAGE]
        return {
            "query": asked.text,
            "understood": text,
            "terms": list(query.terms),
            "ranking": spelling,
            "matched": len(pages),
            "start": asked.start,
            "results": [self._result(int(page), float(scores[page]), query) for page in shown],
            "facets": self._facets(order, asked),
        }

    def why(self, asked: Asked, page: int) -> dict[str, Any]:
        """Why a page is a result of a question."""
        asked = self._checked(asked)
        if not 0 <= page < len(self.index.model.alive):
            raise InputError("the index has no such page")
        found = reasons(self.index, completed(self.index, asked.text), page, ranking=self.spelling(asked))
        rows = asdict(found)
        for term in rows["terms"]:
            for each in term["occurrences"]:
                each["path"] = self.segment(each["segment"])
        return {**rows, "rank": float(self.index.model.rank[page])}

    def html(self, page: int) -> tuple[str, bytes] | None:
        """The URL and the HTML of a page, where they are at hand."""
        if not 0 <= page < len(self.index.model.alive):
            return None
        shard, number = self._seeker.place(page)
        url = shard.urls[number]
        return (url, self.pages[url]) if url in self.pages else None

    def segment(self, kind: str) -> str:
        """A segment class in words: its path where the site is known, else the beginning of its label."""
        return self.paths.get(kind, kind[:6] if kind and not kind.startswith("ffffffff") else "")

    def _checked(self, asked: Asked) -> Asked:
        known = tuple(name for name in asked.facets if name in self.index.model.topics)[:5]
        start = min(max(asked.start, 0) // PAGE, MOST_PAGES - 1) * PAGE
        return replace(asked, text=asked.text[:_LONGEST_QUERY], facets=known, start=start)

    def _belong(self, pages: Column, names: Sequence[str]) -> Column:
        """Which pages belong to all of some facets."""
        assert self.facets is not None
        chosen = [self.index.model.topics.index(name) for name in names]
        return np.asarray((self.facets.members(pages)[:, chosen] >= self.facets.theta).all(axis=1))

    def _facets(self, order: Column, asked: Asked) -> dict[str, Any]:
        """The facets of the first results: a list by share, a tree by name, and general importance."""
        if self.facets is None:
            return {"list": [], "tree": [], "general": 0.0, "chosen": []}
        found = self.facets.of(order)[:_MOST_FACETS]
        rows = [
            {"name": facet.name, "share": facet.share, "chosen": facet.name in asked.facets, "level": 0}
            for facet in found
        ]
        tree = []
        known = {facet.name for facet in found}
        for row in sorted(rows, key=lambda each: str(each["name"]).split("/")):
            above, _, last = str(row["name"]).rpartition("/")
            # A facet whose parent is not among them is called by its whole name.
            level, label = (above.count("/") + 1, last) if above in known else (0, str(row["name"]))
            tree.append({**row, "level": level, "label": label})
        return {"list": rows, "tree": tree, "general": self.facets.general(order), "chosen": list(asked.facets)}

    def _result(self, page: int, score: float, query: Query) -> dict[str, Any]:
        answer: Answer = self._seeker.answer(page, score, query.terms, snippets=True)
        snippet = answer.snippet
        return {
            "page": page,
            "url": answer.url,
            "title": answer.title or answer.url,
            "title_html": answer.title_html or escape(answer.url),
            "score": score,
            "rank": float(self.index.model.rank[page]),
            "snippet": snippet.text if snippet else "",
            "snippet_html": snippet.html if snippet else "",
            "stratum": snippet.stratum if snippet else "",
            "segment": self.segment(snippet.segment) if snippet else "",
            "at_hand": answer.url in self.pages,
        }


def _best(pages: Column, scores: Column, most: int) -> Column:
    """The pages with the highest scores, the first of equals first."""
    if len(pages) > most:
        pages = np.sort(pages[np.argpartition(-scores[pages], most - 1)[:most]])
    return pages[np.argsort(-scores[pages], kind="stable")]


def _class_paths(site: Path) -> dict[str, str]:
    from webstrata.crawls.jobs.sites.learning import Sites

    sites = Sites(site)
    found: dict[str, str] = {}
    for name in list(sites.names())[:100]:
        loaded = sites.load(name)
        for item in loaded.classes if loaded else ():
            found.setdefault(item.kind, item.path)
    return found
