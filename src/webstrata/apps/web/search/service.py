"""The answers of the search view as plain values: results, facets and explanations."""

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
from webstrata.search.answers import Answer, PageReader
from webstrata.search.authority import page_ranks
from webstrata.search.completion import completed
from webstrata.search.index import DEFAULT
from webstrata.search.queries import Query
from webstrata.search.reasons import reasons
from webstrata.text import Column

__all__ = ["MOST_K", "PAGE", "RANKING_NAMES", "SearchRequest", "SearchService"]

#: Results on one page, and the most pages.
PAGE, MOST_PAGES = 10, 50
#: The most results that facets are counted in.
MOST_K = 10_000
#: The rankings to choose from, with their names for people.
RANKING_NAMES = {
    "strata": "Strata and segments",
    "segment-aware": "Segment-aware",
    "bm25": "BM25",
    "bm25nt": "BM25 without templates",
    "bm25f": "BM25 by strata",
}
# The strata in words, from the one that counts most.
_PLACES = {
    "title": "the title", "heading": "a heading", "anchor": "links to the page", "content": "the text",
    "template": "the template of the site",
}  # fmt: skip
_MOST_FACETS = 24
# Topics that are named with a result.
_NAMED = 3
_LONGEST_QUERY = 500
# Example queries, the pages that they are taken from, and their most words.
_EXAMPLES, _RANKED, _SHORT_TITLE = 5, 40, 4


@dataclass(frozen=True, kw_only=True)
class SearchRequest:
    """A search.

    Attributes
    ----------
    text, ranking, pagerank : the query, and the ranking with PageRank or without
    facets : the facets that are chosen
    reorder : whether results outside of the facets stay, ranked lower, instead of being left out
    k, theta : the results that facets are counted in, and the membership from which a page belongs to one (§3.4.4)
    start : the number of the first result
    """

    text: str
    ranking: str = DEFAULT
    pagerank: bool = False
    facets: tuple[str, ...] = ()
    reorder: bool = False
    k: int = Facets.k
    theta: float = Facets.theta
    start: int = 0


@dataclass(frozen=True, eq=False, kw_only=True)
class SearchService:
    """Searches an index.

    Attributes
    ----------
    index : the index
    paths : names of the site's segment classes, by kind
    pages : the HTML of pages by URL, if the server has it
    title : name of the site for people
    """

    index: Index
    paths: dict[str, str]
    pages: dict[str, bytes]
    title: str

    @classmethod
    def open(cls, index: Path, *, site: Path | None = None, graph: Path | None = None) -> SearchService:
        """Open the index of a folder; a link graph gives its pages ranks, and topics from the folders of URLs."""
        found = Index.open(index)
        if graph is not None:
            links = LinkGraph.open(graph)
            ranks = Ranks.open(graph / "ranks") if (graph / "ranks").exists() else topic_ranks(links)
            rank, topics, biased = page_ranks(found.shards, links, ranks)
            found = replace(found, model=replace(found.model, rank=rank, topics=topics, biased=biased))
        return cls(index=found, paths=_class_paths(site) if site else {}, pages={}, title=index.name)

    @once
    def _reader(self) -> PageReader:
        return PageReader(self.index.shards, self.index.analyser)

    @once
    def facets(self) -> Facets | None:
        """The facets of the index; None if it has no topics."""
        model = self.index.model
        if not model.topics:
            return None
        topics = Topics(tuple(model.topics), tuple(np.empty(0, np.int64) for _ in model.topics))
        return Facets(
            topics=topics,
            biased=np.asarray(model.biased, np.float64),
            unbiased=np.asarray(model.rank, np.float64),
            dimension="level" if any("/" in name for name in model.topics) else "one",
        )

    def _facets_for(self, request: SearchRequest) -> Facets | None:
        """The facets with the limits of a request."""
        return None if self.facets is None else replace(self.facets, k=request.k, theta=request.theta)

    def _spelling(self, request: SearchRequest) -> str:
        """The full spelling of the ranking. With facets, it uses the PageRank that is biased on all of them (3.6)."""
        if request.ranking not in RANKING_NAMES:
            raise InputError(f"unknown ranking: choose one of {', '.join(RANKING_NAMES)}")
        steps = [*read(request.ranking)]
        if request.pagerank or request.facets:
            # A name with a comma cannot be combined with others.
            plain = [name for name in request.facets if "," not in name] or request.facets[-1:]
            topic = {"topic": ", ".join(plain)} if request.facets else {}
            steps.append(Step("pagerank", {"power": 0.5, **topic}))
        return write(steps)

    def answer(self, request: SearchRequest) -> dict[str, Any]:
        """The results of a search with their facets."""
        request = self._checked(request)
        text = completed(self.index, request.text)
        spelling = self._spelling(request)
        query = self.index.read(text, RANKINGS.make(spelling))
        scores = self.index.scores(query, RANKINGS.make(spelling))
        facets = self._facets_for(request)
        if facets is None or not request.facets:
            pages = np.flatnonzero(scores > 0)
        elif request.reorder:
            # A page that no link of the topic leads to has the biased rank 0, and is a result all the same.
            pages = np.flatnonzero(self.index.scores(query, RANKINGS.make(request.ranking)) > 0)
        else:
            pages = np.flatnonzero(scores > 0)
            pages = pages[self._in_facets(facets, pages, request.facets)]
        order = _best(pages, scores, max(request.start + PAGE, facets.k if facets else 0))
        shown = order[request.start : request.start + PAGE]
        return {
            "query": request.text,
            "understood": text,
            "suggestion": query.suggestion,
            "terms": list(query.terms),
            "conditions": query.as_dict()["conditions"],
            "ranking": spelling,
            "matched": len(pages),
            "start": request.start,
            "results": [
                self._result(int(page), float(scores[page]), query) | {"topics": _topics_of(facets, int(page))}
                for page in shown
            ],
            "facets": self._facets(facets, order, request),
        }

    def why(self, request: SearchRequest, page: int) -> dict[str, Any]:
        """Why a page is a result of a search."""
        request = self._checked(request)
        if not 0 <= page < len(self.index.model.alive):
            raise InputError("the index has no such page")
        found = reasons(self.index, completed(self.index, request.text), page, ranking=self._spelling(request))
        rows = asdict(found)
        for term in rows["terms"]:
            for each in term["occurrences"]:
                each["path"] = self._class_name(each["segment"])
            term["places"] = _places(term["occurrences"])
        return {**rows, "rank": float(self.index.model.rank[page])}

    def snippet(self, request: SearchRequest, page: int) -> str:
        """The snippet of a page for a search."""
        request = self._checked(request)
        if not 0 <= page < len(self.index.model.alive):
            raise InputError("the index has no such page")
        query = self.index.read(completed(self.index, request.text), RANKINGS.make(self._spelling(request)))
        return str(self._result(page, 0.0, query)["snippet"])

    @once
    def examples(self) -> list[str]:
        """Queries to try: the titles of the pages with the highest ranks, if they are short."""
        found: list[str] = []
        for page in np.argsort(-self.index.model.rank, kind="stable")[:_RANKED].tolist():
            if self.index.model.alive[page]:
                title = self._reader.answer(page, 0.0, {}, snippets=False).title.strip()
                if title and len(title.split()) <= _SHORT_TITLE and title.lower() not in map(str.lower, found):
                    found.append(title)
        return found[:_EXAMPLES]

    def html(self, page: int) -> tuple[str, bytes] | None:
        """The URL and the HTML of a page, if the server has them."""
        if not 0 <= page < len(self.index.model.alive):
            return None
        shard, number = self._reader.place(page)
        url = shard.urls[number]
        return (url, self.pages[url]) if url in self.pages else None

    def _class_name(self, kind: str) -> str:
        """The name of a segment class: its path if the site is known, else the first digits of its label."""
        return self.paths.get(kind, kind[:6] if kind and not kind.startswith("ffffffff") else "")

    def _checked(self, request: SearchRequest) -> SearchRequest:
        known = tuple(name for name in request.facets if name in self.index.model.topics)[:5]
        start = min(max(request.start, 0) // PAGE, MOST_PAGES - 1) * PAGE
        k, theta = min(max(request.k, 1), MOST_K), min(max(request.theta, 0.0), 10.0)
        return replace(request, text=request.text[:_LONGEST_QUERY], facets=known, start=start, k=k, theta=theta)

    def _in_facets(self, facets: Facets, pages: Column, names: Sequence[str]) -> Column:
        """Which pages belong to all these facets."""
        chosen = [self.index.model.topics.index(name) for name in names]
        return np.asarray((facets.members(pages)[:, chosen] >= facets.theta).all(axis=1))

    def _facets(self, facets: Facets | None, order: Column, request: SearchRequest) -> dict[str, Any]:
        """The facets of the first results: a list by share, a tree by name, and general importance."""
        if facets is None:
            return {"list": [], "tree": [], "general": 0.0, "chosen": []}
        found = facets.of(order)[:_MOST_FACETS]
        rows = [
            {"name": facet.name, "share": facet.share, "chosen": facet.name in request.facets, "level": 0}
            for facet in found
        ]
        tree = []
        known = {facet.name for facet in found}
        for row in sorted(rows, key=lambda each: str(each["name"]).split("/")):
            above, _, last = str(row["name"]).rpartition("/")
            # A facet without its parent in the list is shown by its full name.
            level, label = (above.count("/") + 1, last) if above in known else (0, str(row["name"]))
            tree.append({**row, "level": level, "label": label})
        return {"list": rows, "tree": tree, "general": facets.general(order), "chosen": list(request.facets)}

    def _result(self, page: int, score: float, query: Query) -> dict[str, Any]:
        answer: Answer = self._reader.answer(page, score, query.terms, snippets=True)
        snippet = answer.snippet
        return {
            "page": page,
            "url": answer.url,
            "title": answer.title or answer.url,
            "title_html": answer.title_html or escape(answer.url),
            "score": score,
            "rank": float(self.index.model.rank[page]),
            "snippet": snippet.text if snippet else "",
            "heading": snippet.heading if snippet else "",
            "snippet_html": snippet.html if snippet else "",
            "stratum": snippet.stratum if snippet else "",
            "segment": self._class_name(snippet.segment) if snippet else "",
            "at_hand": answer.url in self.pages,
        }


def _topics_of(facets: Facets | None, page: int) -> list[dict[str, Any]]:
    """The topics that a page belongs to, with its memberships, the highest first."""
    if facets is None:
        return []
    member = facets.members([page])[0]
    order = np.argsort(-member, kind="stable")[:_NAMED].tolist()
    names = facets.topics.names
    return [{"name": names[each], "membership": float(member[each])} for each in order if member[each] >= facets.theta]


def _places(occurrences: Sequence[dict[str, Any]]) -> str:
    """Where a term stands, in words.

    >>> _places([{"stratum": "title", "count": 1}, {"stratum": "content", "count": 3}])
    'in the title, 3 times in the text'
    """
    counts: dict[str, int] = {}
    for each in occurrences:
        counts[each["stratum"]] = counts.get(each["stratum"], 0) + int(each["count"])
    order = [name for name in _PLACES if name in counts] + sorted(counts.keys() - _PLACES.keys())
    times = {1: ""}
    parts = [f"{times.get(counts[name], f'{counts[name]} times ')}in {_PLACES.get(name, name)}" for name in order]
    return ", ".join(parts) or "nowhere on the page"


def _best(pages: Column, scores: Column, most: int) -> Column:
    """The pages with the highest scores, in order; pages with equal scores keep their order."""
    if len(pages) > most:
        pages = np.sort(pages[np.argpartition(-scores[pages], most - 1)[:most]])
    return pages[np.argsort(-scores[pages], kind="stable")]


def _class_paths(site: Path) -> dict[str, str]:
    """The paths of the segment classes of a learnt folder, by kind."""
    from webstrata.sites import Sites

    sites = Sites(site)
    found: dict[str, str] = {}
    for name in list(sites.names())[:100]:
        loaded = sites.load(name)
        for item in loaded.classes if loaded else ():
            found.setdefault(item.kind, item.path)
    return found
