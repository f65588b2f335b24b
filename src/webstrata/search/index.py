"""An index of pages: build it, add pages, and query it.

On disk an index is a folder: ``about.json``, a folder for each shard, and a model (`webstrata.search.model`). It is
changed in place (`webstrata.search.living`); an open index stays as it was. Files whose size has changed are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from webstrata._once import once
from webstrata._pages import AnyPages
from webstrata.errors import InputError
from webstrata.links.facets import Facet, Facets
from webstrata.links.graph import LinkGraph
from webstrata.links.ranks import Ranks
from webstrata.links.topics import Topics
from webstrata.search._impacts import best, find, impacts, scores
from webstrata.search.analyser import Analyser
from webstrata.search.answers import Answer, Answers, PageReader
from webstrata.search.authority import page_ranks
from webstrata.search.blocks import BlockTable
from webstrata.search.building import build_shards, write_index
from webstrata.search.conditions import keep_fulfilling
from webstrata.search.documents import Document, documents_of
from webstrata.search.living import IndexWriter
from webstrata.search.manifest import DeadPages, Manifest
from webstrata.search.model import Impacts, IndexModel, all_impacts, merged_postings, merged_terms
from webstrata.search.passages import closeness
from webstrata.search.queries import Query
from webstrata.search.rankings import RANKINGS, RankingRecipe
from webstrata.search.shard import Shard
from webstrata.search.widening import Widening
from webstrata.text import Column

__all__ = ["DEFAULT", "Index"]

#: The default ranking. Indexes hold its impacts unless they are built with others.
DEFAULT = "strata"
# Attempts to open an index that other processes change.
_TRIES = 50
# Cached weights of rankings whose impacts the index does not hold.
_KEPT = 16
# Terms that a prefix in a query stands for.
_MOST_OF_PREFIX = 256


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Index:
    """Pages that can be searched. Made by `Index.of_pages` or `Index.build`, or opened from a folder.

    Attributes
    ----------
    folder : its folder
    analyser : reads the terms of pages and queries
    shards, model : its parts
    rankings : the rankings whose impacts it holds, the default of queries first; those of others, and of an index that
        was changed since its model was made, are computed for each query
    manifest : the names of its parts

    >>> from tempfile import TemporaryDirectory
    >>> pages = [(f"http://a.org/{name}", f"<title>{name}</title><p>All about {name}.") for name in ("clay", "sand")]
    >>> with TemporaryDirectory() as folder:
    ...     index = Index.of_pages(pages, f"{folder}/index", extractor="keep-all")
    ...     answers = index.query("what is clay?")
    >>> answers
    <Answers to 'what is clay?' by strata: 1 of 1 pages>
    >>> answers[0].url, answers[0].snippet.html
    ('http://a.org/clay', 'All about <mark>clay</mark>.')
    """

    folder: Path
    analyser: Analyser
    shards: tuple[Shard, ...]
    model: IndexModel
    rankings: tuple[str, ...]
    manifest: Manifest
    _weights: dict[RankingRecipe, Column] = field(default_factory=dict)

    def __repr__(self) -> str:
        shards = f"{len(self.shards)} shard{'s' * (len(self.shards) != 1)}"
        return f"<Index {self.folder}: {self.pages} pages, {len(self.model.terms)} terms, {shards}>"

    @property
    def pages(self) -> int:
        """The number of pages."""
        return self.model.pages

    @classmethod
    def build(
        cls,
        documents: Iterable[Document],
        folder: str | Path,
        *,
        analyser: Analyser | None = None,
        rankings: Iterable[str] = (DEFAULT,),
        graph: LinkGraph | None = None,
        ranks: Ranks | None = None,
        anchors: bool = True,
        progress: Callable[[float], None] = lambda share: None,
    ) -> Index:
        """Build an index in a new folder.

        Parameters
        ----------
        documents : the documents of the pages, in order
        folder : appears as a whole or not at all
        analyser : reads terms
        rankings : rankings whose impacts are computed now, so that queries are fast; the first is the default of
            queries
        graph : the link graph of the pages, for ranks
        ranks : ranks of the graph; by default PageRank over the links of the content
        anchors : whether the texts of links count for their target pages
        progress : called with the share of the last step that is done
        """
        shards = build_shards(documents, analyser or Analyser(), anchors)
        ranked = (lambda built: page_ranks(built, graph, ranks)) if graph is not None else None
        write_index(folder, shards, analyser or Analyser(), rankings, ranked, progress)
        return cls.open(folder)

    @classmethod
    def of_pages(
        cls,
        pages: AnyPages,
        folder: str | Path,
        *,
        site: str = "host",
        extractor: str = "learned",
        query: bool = True,
        **options: Any,
    ) -> Index:
        """Build an index of pages in a new folder: that of ``webstrata search index``, with segment classes.

        Parameters
        ----------
        pages : `Page` objects with a URL, pairs of URL and HTML, or a mapping
        folder, options : as for `build`
        site, extractor, query : as for `webstrata.search.documents.documents_of`
        """
        return cls.build(documents_of(pages, site=site, extractor=extractor, query=query), folder, **options)

    @classmethod
    def open(cls, folder: str | Path) -> Index:
        """An index from its folder, mapped into memory."""
        folder, manifest = Path(folder), Manifest.read(Path(folder))
        for _ in range(_TRIES):
            try:
                return cls._of(folder, manifest)
            except InputError:
                # A commit may have deleted parts of the one before, while these were opened.
                found = Manifest.read(folder)
                if found == manifest:
                    raise
                manifest = found
        raise InputError(f"{folder} changes faster than it can be opened: try again")

    @classmethod
    def _of(cls, folder: Path, manifest: Manifest) -> Index:
        shards = tuple(Shard.open(folder / name) for name in manifest.shards)
        model = IndexModel.open(folder / manifest.model)
        pages, rankings = sum(shard.pages for shard in shards), tuple(model.impacts)
        dead = DeadPages.open(folder / manifest.dead) if manifest.dead else None
        if len(model.alive) > pages or (dead.pages if dead else len(model.alive)) != pages or not rankings:
            raise InputError(f"{folder} is damaged: its numbers do not fit together; build the index again")
        if dead is not None:
            model = model.updated(shards, dead.alive)
        return cls(
            folder=folder, analyser=manifest.analyser, shards=shards, model=model, rankings=rankings, manifest=manifest
        )

    def refreshed(self) -> Index:
        """The index as it is on disk now: this one, unless it was changed."""
        return self if Manifest.read(self.folder) == self.manifest else Index.open(self.folder)

    def add(
        self,
        documents: Iterable[Document],
        *,
        graph: LinkGraph | None = None,
        ranks: Ranks | None = None,
        anchors: bool = True,
        progress: Callable[[float], None] = lambda share: None,
    ) -> Index:
        """The index with more pages, in the same folder. A page replaces an older page with the same URL.

        The texts of links in new pages count for new pages only. Without a graph, pages keep their ranks and new pages
        have the mean. For many changes, `webstrata.search.living.IndexWriter` is faster.
        """
        return self.add_shards(
            list(build_shards(documents, self.analyser, anchors)), graph=graph, ranks=ranks, progress=progress
        )

    def add_shards(
        self,
        fresh: list[Shard],
        *,
        graph: LinkGraph | None = None,
        ranks: Ranks | None = None,
        progress: Callable[[float], None] = lambda share: None,
    ) -> Index:
        """The index with more shards, in the same folder."""
        with IndexWriter(self.folder) as writer:
            writer.add_shards(fresh, progress=progress)
            if graph is not None:
                writer.settle(graph=graph, ranks=ranks, progress=progress)
        return Index.open(self.folder)

    def delete(self, urls: Iterable[str]) -> Index:
        """The index without the pages of some URLs, in the same folder."""
        with IndexWriter(self.folder) as writer:
            writer.delete(urls)
        return Index.open(self.folder)

    def merged(self, *, progress: Callable[[float], None] = lambda share: None) -> Index:
        """The index with all shards merged into one, in the same folder, without replaced and deleted pages."""
        with IndexWriter(self.folder) as writer:
            writer.settle(whole=True, progress=progress)
        return Index.open(self.folder)

    @once
    def blocks(self) -> BlockTable:
        """The blocks of all pages."""
        return BlockTable(self.shards, self.model.alive, self.model.classes)

    @once
    def _held(self) -> dict[RankingRecipe, Impacts]:
        return {RANKINGS.make(spelling).matching: found for spelling, found in self.model.impacts.items()}

    @once
    def _reader(self) -> PageReader:
        return PageReader(self.shards, self.analyser)

    @once
    def _widening(self) -> Widening:
        return Widening(self.model, self.shards, self.analyser)

    def read(self, text: str, recipe: RankingRecipe | None = None) -> Query:
        """The query of a text, with further terms of the index.

        A prefix stands for the most frequent terms that begin so, and a word that no page has for the term that was
        probably meant. By some rankings, words stand for their other forms as well.

        Parameters
        ----------
        text : of the query
        recipe : the ranking; without it, words stand for themselves
        """
        query = self._widening.corrected(Query.read(text, self.analyser))
        prefixes = [item.terms[-1] for item in query.conditions if item.prefix and not item.excluded]
        further = {term: 1.0 for prefix in prefixes for term, _ in self.model.terms_with(prefix, _MOST_OF_PREFIX)}
        if recipe is not None and recipe.forms:
            for term, weight in self._widening.forms_of(query.words):
                further[term] = max(recipe.forms * weight, further.get(term, 0.0))
        return replace(query, further=tuple(further.items()))

    def query(
        self, text: str, *, k: int = 10, start: int = 0, ranking: str | None = None, snippets: bool = True
    ) -> Answers:
        """The best pages for a query.

        Parameters
        ----------
        text : words and conditions; `webstrata.search.queries` has the language
        k : the number of answers
        start : the number of best pages to skip, for further pages of answers
        ranking : its spelling, such as "bm25" or "segment-aware+pagerank(power=0.5)"; see `RANKINGS`
        snippets : whether answers have a passage of the page
        """
        if k < 0 or start < 0:
            raise InputError(f"k and start must be 0 or more, not {k} and {start}")
        ranking = ranking or self.rankings[0]
        recipe = RANKINGS.make(ranking)
        query = self.read(text, recipe)
        score = self.scores(query, recipe)
        pages, values, matched = best(score, min(start + k, len(score)))
        chosen = [(int(page), float(value)) for page, value in zip(pages[start:], values[start:], strict=True)]
        answers = tuple(self._answer(page, value, query, snippets) for page, value in chosen)
        return Answers(
            query=text, ranking=ranking, terms=tuple(query.terms), suggestion=query.suggestion, matched=matched,
            answers=answers,
        )  # fmt: skip

    def _answer(self, page: int, score: float, query: Query, snippets: bool) -> Answer:
        return self._reader.answer(page, score, query.terms, snippets=snippets)

    def scores(self, query: Query, recipe: RankingRecipe) -> Column:
        """The score of each page, 0 for pages without any of the terms."""
        score = self._of_terms(query, recipe)
        pages, added = self.closeness(query, recipe, score)
        score[pages] += added
        for prior in recipe.priors:
            score *= self.model.ranks_on(prior.topic) ** prior.power
        return score

    def closeness(self, query: Query, recipe: RankingRecipe, score: Column | None = None) -> tuple[Column, Column]:
        """The best pages by their terms, and what their closeness to the query adds to the score of each.

        Parameters
        ----------
        query, recipe : the query and the ranking
        score : of each page by its terms; computed by default
        """
        if not recipe.closeness or not query.words:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        score = self._of_terms(query, recipe) if score is None else score
        forms = self._widening.forms_by_word(query.words) if recipe.forms else {}
        return closeness(recipe.closeness, query.words, score, self.shards, self.model, self.analyser, forms)

    def _of_terms(self, query: Query, recipe: RankingRecipe) -> Column:
        """The score of each page by its terms alone."""
        score = np.zeros(len(self.model.alive), np.float32)
        if query.terms:
            numbers, times, held = self._impacts(query, recipe.matching)
            scores(held.start, held.page, held.impact, numbers, times, score)
        elif query.everything:
            score[self.model.alive] = 1.0
        keep_fulfilling(query, score, self.shards, self.analyser)
        return score

    def _impacts(self, query: Query, recipe: RankingRecipe) -> tuple[Column, Column, Impacts]:
        """The indices of the query's terms in some impacts, the count of each in the query, and the impacts."""
        held = self._held.get(recipe)
        if held is None:
            times = np.array(list(query.terms.values()), np.float32)
            return np.arange(len(query.terms)), times, self._computed(list(query.terms), recipe)
        terms = self.model.terms
        places = [find(terms.data, terms.start, term.encode("utf-8", "replace")) for term in query.terms]
        known = [(place, times) for place, times in zip(places, query.terms.values(), strict=True) if place >= 0]
        return np.array([place for place, _ in known], np.int64), np.array([n for _, n in known], np.float32), held

    def impacts(self, recipe: RankingRecipe) -> Impacts:
        """The impacts of all terms by a ranking; computed now where the index does not hold them."""
        held = self._held.get(recipe)
        if held is not None:
            return held
        terms, places = merged_terms(self.shards)
        return all_impacts(self.blocks, recipe, merged_postings(self.shards, places, len(terms)))

    def holding(self, ranking: str) -> Index:
        """The same index that holds the impacts of one more ranking as well, in memory only: for many queries by it."""
        recipe = RANKINGS.make(ranking).unranked
        if recipe.matching in self._held:
            return self
        held = {**self.model.impacts, RANKINGS.spell(recipe): self.impacts(recipe.matching)}
        return replace(self, model=replace(self.model, impacts=held))

    def facets(self, pages: Iterable[int], *, theta: float = 0.8) -> list[Facet]:
        """The facets of ordered pages, the largest first; none if the index has no ranks by topic.

        Parameters
        ----------
        pages : their numbers, such as those of answers
        theta : the membership from which on a page belongs to a facet
        """
        names = self.model.topics
        if not names:
            return []
        topics = Topics(names, tuple(np.empty(0, np.int64) for _ in names))
        found = Facets(topics=topics, biased=self.model.biased, unbiased=self.model.rank, theta=theta)
        return found.of(np.fromiter(pages, np.int64))

    def _computed(self, terms: list[str], recipe: RankingRecipe) -> Impacts:
        """The impacts of some terms by a ranking that the index holds no impacts of."""
        weight = self._weights.get(recipe)
        if weight is None:
            if len(self._weights) >= _KEPT:
                self._weights.pop(next(iter(self._weights)))
            weight = self._weights.setdefault(recipe, recipe.weights(self.blocks))
        pieces = [self._reader.postings(term) for term in terms]
        start = np.cumsum([0, *(len(block) for block, _ in pieces)])
        block = np.concatenate([np.empty(0, np.uint32), *(block for block, _ in pieces)])
        count = np.concatenate([np.empty(0, np.uint16), *(count for _, count in pieces)])
        return Impacts(*impacts(start, block, count, self.blocks.page, weight, self.pages, recipe.k1))
