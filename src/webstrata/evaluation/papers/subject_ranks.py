"""Ranks of the articles of the 2007 Wikipedia Selection for Schools, biased on its subjects (Kohlschütter 2011 §3.3).

Ranks are of the articles alone, without the pages of the index, which would reveal the subjects. The names of the
subjects are queries over the texts (TF-IDF), as the thesis takes queries for each category of the Open Directory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.errors import from_extra
from webstrata.evaluation.datasets import wpcd
from webstrata.evaluation.metrics.retrieval import average_precision
from webstrata.links.facets import Facets, Membership, RatioMembership, UncertainMembership
from webstrata.links.graph import LinkGraph, build_graph
from webstrata.links.methods import GaussSeidel
from webstrata.links.topics import Topics, combine, kendall_tau, kendall_tau_top
from webstrata.text import Column

__all__ = ["MEMBERSHIPS", "SubjectRow", "Subjects", "part_of"]

#: The memberships that are compared, with the threshold that is usual for each.
MEMBERSHIPS: dict[str, tuple[Membership, float]] = {
    "ratio (ours)": (RatioMembership(), 0.8),
    "as printed": (UncertainMembership(), 0.1),
}
_FOLDS = 5
#: Subjects with fewer articles are too small to hold a fifth of them back.
_LEAST = 10
_FIRST = 10


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A subject: its size, the links of its articles, and the effect of a bias on them.

    Attributes
    ----------
    name, level : of the subject
    articles, links : in the biasing set, and the links from them
    tau_unbiased, tau_parent : Kendall's tau of the first 30 results with this bias and with none, or the parent's
    map_biased, map_unbiased : average precision of the first ten where members of the biasing set are relevant
    held_biased, held_unbiased : the same with a fifth of the members held back: only these are relevant, and the
        biasing set is left out of the results; NaN for small subjects
    """

    name: str
    level: int
    articles: int
    links: int
    tau_unbiased: float
    tau_parent: float
    map_biased: float
    map_unbiased: float
    held_biased: float
    held_unbiased: float


def part_of(graph: LinkGraph, kept: Column) -> tuple[LinkGraph, Column]:
    """The graph of some pages, and their new numbers (-1 for the others)."""
    urls = [graph.urls[page] for page in kept.tolist()]
    place = np.full(graph.pages, -1)
    place[kept] = np.arange(len(kept))
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start))
    inner = (place[source] >= 0) & (place[graph.out_target] >= 0)
    ends = place[source[inner]], place[graph.out_target[inner]]
    part = build_graph(urls, *ends, content=graph.out_content[inner])
    number = np.full(graph.pages, -1)
    number[kept] = part.find(urls)
    return part, number


@dataclass(frozen=True, eq=False)
class Subjects:
    """The articles alone: their graph, their texts, and the subjects with those below them."""

    graph: LinkGraph
    topics: Topics
    texts: Sequence[str]

    @classmethod
    def of(cls, whole: LinkGraph, texts: Callable[[str], str]) -> Subjects:
        """From the graph of the whole site, and the text of a URL."""
        listed = wpcd.subjects(whole).with_descendants()
        graph, number = part_of(whole, np.unique(np.concatenate(listed.pages)))
        topics = Topics(listed.names, tuple(np.sort(number[members]) for members in listed.pages))
        return cls(graph, topics, [texts(url) for url in graph.urls])

    @once
    def unbiased(self) -> Column:
        """Ranks without bias, of mean one."""
        return GaussSeidel()(self.graph).relative

    @once
    def biased(self) -> Column:
        """Ranks by subject, of mean one."""
        return GaussSeidel()(self.graph, self.topics.jumps(self.graph.pages)).relative

    @once
    def vectors(self) -> tuple[object, object]:
        """The vectorizer of the texts, and their vectors."""
        with from_extra("eval", "scikit-learn"):
            from sklearn.feature_extraction.text import TfidfVectorizer
        vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
        return vectorizer, vectorizer.fit_transform(self.texts)

    def search(self, query: str) -> tuple[Column, Column]:
        """The articles that match a query, best first, and the scores of their texts."""
        vectorizer, matrix = self.vectors
        scores = np.asarray((matrix @ vectorizer.transform([query]).T).todense()).ravel()  # type: ignore[attr-defined]
        found = np.flatnonzero(scores > 0)
        found = found[np.argsort(-scores[found], kind="stable")]
        return found, scores[found]

    def query(self, topic: int) -> str:
        """The name of a subject as a query."""
        return self.topics.names[topic].rpartition("/")[2].replace("_", " ")

    @once
    def rows(self) -> list[SubjectRow]:
        """The effect of the bias on each subject."""
        held = self._held_out()
        return [self._row(topic, *held[topic]) for topic in range(len(self.topics))]

    def _row(self, topic: int, held_biased: float, held_unbiased: float) -> SubjectRow:
        results, scores = self.search(self.query(topic))
        members = self.topics.pages[topic]
        with_bias, without = scores * self.biased[results, topic], scores * self.unbiased[results]
        parent = self.topics.parent(topic)
        above = np.nan if parent is None else kendall_tau_top(with_bias, scores * self.biased[results, parent])
        return SubjectRow(
            self.topics.names[topic],
            self.topics.level(topic),
            len(members),
            int(np.diff(self.graph.out_start)[members].sum()),
            kendall_tau_top(with_bias, without),
            above,
            _precision(results, with_bias, members),
            _precision(results, without, members),
            held_biased,
            held_unbiased,
        )

    def _held_out(self) -> list[tuple[float, float]]:
        """For each subject the mean average precisions of held-out members, with the bias and without."""
        random = np.random.default_rng(1)
        folds = [random.permutation(len(members)) % _FOLDS for members in self.topics.pages]
        sums = np.zeros((len(self.topics), 2))
        for fold in range(_FOLDS):
            # Subjects with few members hold none out: one with a single member would have none left.
            kept = [
                members if len(members) < _LEAST else members[own != fold]
                for members, own in zip(self.topics.pages, folds, strict=True)
            ]
            biased = GaussSeidel()(self.graph, Topics(self.topics.names, tuple(kept)).jumps(self.graph.pages)).relative
            for topic, members in enumerate(self.topics.pages):
                if len(members) < _LEAST:
                    continue
                results, scores = self.search(self.query(topic))
                new = ~np.isin(results, kept[topic])
                results, scores = results[new], scores[new]
                out = members[folds[topic] == fold]
                sums[topic] += [
                    _precision(results, scores * ranks[results], out) for ranks in (biased[:, topic], self.unbiased)
                ]
        few = np.array([len(members) < _LEAST for members in self.topics.pages])
        means = np.where(few[:, None], np.nan, sums / _FOLDS)
        return [(float(one), float(other)) for one, other in means]

    def sibling_taus(self) -> Iterator[tuple[str, str, float]]:
        """Kendall's tau of the first 30 results of each subject with its own bias and with that of each sibling."""
        for topic, name in enumerate(self.topics.names):
            results, scores = self.search(self.query(topic))
            parent, own = self.topics.parent(topic), scores * self.biased[results, topic]
            for other in range(len(self.topics)):
                if other != topic and parent is not None and self.topics.parent(other) == parent:
                    tau = kendall_tau_top(own, scores * self.biased[results, other])
                    yield name, self.topics.names[other], tau

    def accuracy(self) -> dict[str, float]:
        """The share of held-out articles whose main subject has the largest membership."""
        graph = self.graph
        top = [topic for topic in range(len(self.topics)) if self.topics.level(topic) == 1]
        belongs = np.zeros((graph.pages, len(top)), bool)
        for column, topic in enumerate(top):
            belongs[self.topics.pages[topic], column] = True
        fold = np.random.default_rng(1).integers(0, _FOLDS, graph.pages)
        right: dict[str, list[Column]] = {name: [] for name in (*MEMBERSHIPS, "always the largest subject")}
        for number in range(_FOLDS):
            out = np.flatnonzero(fold == number)
            jumps = (belongs & (fold != number)[:, None]).astype(float)
            biased = GaussSeidel()(graph, jumps).relative
            for name, (membership, _) in MEMBERSHIPS.items():
                predicted = membership(biased[out], self.unbiased[out], np.zeros(len(top))).argmax(axis=1)
                right[name].append(belongs[out, predicted])
            right["always the largest subject"].append(belongs[out, jumps.sum(axis=0).argmax()])
        return {name: float(np.concatenate(values).mean()) for name, values in right.items()}

    def hits(self, facets: Facets, first: int | None = None) -> float:
        """The share of lower subjects found, themselves or one above them, among the facets of the results for their
        names (§3.4.4); among the ``first`` ones, or among all."""
        found = []
        for topic, name in enumerate(self.topics.names):
            if self.topics.level(topic) == 1:
                continue
            results, _ = self.search(self.query(topic))
            named = {facet.name for facet in facets.of(results)[:first]}
            found.append(any(name == other or name.startswith(other + "/") for other in named))
        return float(np.mean(found))

    def combined(self) -> dict[str, float]:
        """Equation 3.6: the mean average precision for the names of lower subjects, ranked by combinations of the
        vectors of the main subjects, with weights from the text (Haveliwala) or equal ones."""
        vectorizer, matrix = self.vectors
        top = [topic for topic in range(len(self.topics)) if self.topics.level(topic) == 1]
        centres = [np.asarray(matrix[self.topics.pages[topic]].mean(axis=0)).ravel() for topic in top]  # type: ignore[index]
        found: dict[str, list[float]] = {}
        for topic, _ in enumerate(self.topics.names):
            if topic in top:
                continue
            results, scores = self.search(self.query(topic))
            near = np.asarray(vectorizer.transform([self.query(topic)]) @ np.array(centres).T).ravel()  # type: ignore[attr-defined]
            ways = {
                "no bias": self.unbiased,
                "weights from the text": combine(self.biased[:, top], near),
                "the nearest subject alone": self.biased[:, top[int(near.argmax())]],
                "equal weights": combine(self.biased[:, top], np.ones(len(top))),
            }
            for name, ranks in ways.items():
                precision = _precision(results, scores * ranks[results], self.topics.pages[topic])
                found.setdefault(name, []).append(precision)
        return {name: float(np.mean(values)) for name, values in found.items()}

    def tau_of_ranks(self) -> list[float]:
        """Kendall's tau of the biased and the unbiased ranks of all articles."""
        return [kendall_tau(self.biased[:, topic], self.unbiased) for topic in range(len(self.topics))]


def _precision(results: Column, scores: Column, relevant: Column) -> float:
    """The average precision of the first ten results in the order of their scores."""
    order = results[np.argsort(-scores, kind="stable")][:_FIRST]
    gains = np.isin(order, relevant).astype(float).tolist()
    return average_precision(gains, min(len(relevant), _FIRST))
