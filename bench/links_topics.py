"""Topics, facets and strata on the 2007 Wikipedia Selection for Schools (Kohlschütter 2011 §3.3, §3.4 and §5.2.1).

    python bench/links_topics.py [--keep DIR]

- *Accuracy.* The articles of each of the 15 subjects are split in five; ranks are biased on four parts, and the largest
  membership predicts the subject of the articles of the fifth. An article with several subjects may have any of them.
- *Hits.* The names of the 130 other subjects are queries over the texts (TF-IDF); a hit is a query whose subject, or
  one above it, is among the first six facets of its results.
- *Utility.* Kendall's tau of biased and unbiased ranks, over all pages and over the first 30 results, and the mean
  average precision of the first ten results, by level. A result is relevant if it is an article of the subject.
- *Strata.* How well ranks with all links, and with links of the content only, find the pages that the index lists.

Ranks are of the articles alone, without the pages of the index, which would reveal the subjects.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import webstrata
from webstrata.evaluation.datasets.wpcd import archive, pages, subjects, wpcd_graph
from webstrata.links import GaussSeidel, LinkGraph, Surfer, build_graph
from webstrata.links.facets import Facets, Membership, RatioMembership, UncertainMembership
from webstrata.links.topics import Topics, average_precision, kendall_tau, kendall_tau_top
from webstrata.text import Column

FOLDS = 5
MEMBERSHIPS: dict[str, tuple[Membership, float]] = {
    "ratio": (RatioMembership(), Facets.theta),
    "as printed": (UncertainMembership(), 0.1),
}


@dataclass(frozen=True, eq=False)
class Site:
    """The articles alone: their graph, the subjects with those below them, and the texts."""

    graph: LinkGraph
    topics: Topics
    search: Callable[[str], tuple[Column, Column]]


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


def articles(whole: LinkGraph, texts: dict[str, str]) -> Site:
    listed = subjects(whole).with_descendants()
    graph, number = part_of(whole, np.unique(np.concatenate(listed.pages)))
    topics = Topics(listed.names, tuple(np.sort(number[members]) for members in listed.pages))
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english")
    matrix = vectorizer.fit_transform([texts[url] for url in graph.urls])

    def search(query: str) -> tuple[Column, Column]:
        scores = np.asarray((matrix @ vectorizer.transform([query]).T).todense()).ravel()
        found = np.flatnonzero(scores > 0)
        found = found[np.argsort(-scores[found], kind="stable")]
        return found, scores[found]

    return Site(graph, topics, search)


def accuracy(site: Site, rank: GaussSeidel) -> dict[str, float]:
    graph = site.graph
    top = [topic for topic in range(len(site.topics)) if site.topics.level(topic) == 1]
    belongs = np.zeros((graph.pages, len(top)), bool)
    for column, topic in enumerate(top):
        belongs[site.topics.pages[topic], column] = True
    fold = np.random.default_rng(1).integers(0, FOLDS, graph.pages)
    unbiased = rank(graph).relative
    right: dict[str, list[Column]] = {name: [] for name in (*MEMBERSHIPS, "largest subject")}
    for number in range(FOLDS):
        out = np.flatnonzero(fold == number)
        jumps = (belongs & (fold != number)[:, None]).astype(float)
        biased = rank(graph, jumps).relative
        dimension = np.zeros(len(top))
        for name, (membership, _) in MEMBERSHIPS.items():
            predicted = membership(biased[out], unbiased[out], dimension).argmax(axis=1)
            right[name].append(belongs[out, predicted])
        right["largest subject"].append(belongs[out, jumps.sum(axis=0).argmax()])
    return {name: float(np.concatenate(values).mean()) for name, values in right.items()}


def hits(site: Site, facets: Facets, *, first: int = 6) -> float:
    found = []
    for topic, name in enumerate(site.topics.names):
        if site.topics.level(topic) == 1:
            continue
        results, _ = site.search(name.rpartition("/")[2].replace("_", " "))
        named = {facet.name for facet in facets.of(results)[:first]}
        found.append(any(name == other or name.startswith(other + "/") for other in named))
    return float(np.mean(found))


def utility(site: Site, biased: Column, unbiased: Column) -> list[tuple[float, ...]]:
    rows = []
    for topic, name in enumerate(site.topics.names):
        results, scores = site.search(name.rpartition("/")[2].replace("_", " "))
        relevant = set(site.topics.pages[topic].tolist())
        with_bias, without = scores * biased[results, topic], scores * unbiased[results]
        precision = [
            average_precision(results[np.argsort(-score, kind="stable")].tolist(), relevant)
            for score in (with_bias, without)
        ]
        tau = kendall_tau(biased[:, topic], unbiased), kendall_tau_top(with_bias, without)
        rows.append((site.topics.level(topic), *tau, *precision))
    return rows


def strata(whole: LinkGraph) -> dict[str, tuple[float, float, float]]:
    """Of the pages beside the index: precision of the first 20 and 100, and the average precision of all."""
    listed = set(np.concatenate(subjects(whole).pages).tolist())
    beside = np.array([page for page, url in enumerate(whole.urls) if "/index/" not in url])
    graph, number = part_of(whole, beside)
    wanted = {int(number[page]) for page in listed if number[page] >= 0}
    found = {"share of pages that are listed": (len(wanted) / graph.pages,) * 3}
    for content in (None, 0.5, 0.9, 1.0, 0.0):
        order = GaussSeidel(surfer=Surfer(content=content))(graph).top(graph.pages).tolist()
        marks = [page in wanted for page in order]
        name = "all links alike" if content is None else f"chance of content links {content}"
        found[name] = (
            float(np.mean(marks[:20])),
            float(np.mean(marks[:100])),
            average_precision(order, wanted, count=len(order)),
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, help="folder to keep the graph in")
    options = parser.parse_args()
    whole = wpcd_graph(archive(), kept=options.keep)
    print("\nprecision of the first 20, of the first 100, average precision, of pages that the index lists")
    for name, values in strata(whole).items():
        print(f"  {name:32}" + "".join(f"{value:8.3f}" for value in values))
    texts = {url: webstrata.parse(html).text for url, html in pages(archive())}
    site = articles(whole, texts)
    rank = GaussSeidel()
    print(f"\n{site.graph}, {len(site.topics)} subjects")
    for name, method in (("all links", rank), ("content links", GaussSeidel(surfer=Surfer(content=1.0)))):
        shares = ", ".join(f"{how} {value:.3f}" for how, value in accuracy(site, method).items())
        print(f"subject of held-out articles, {name}: {shares}")
    unbiased = rank(site.graph).relative
    biased = rank(site.graph, site.topics.jumps(site.graph.pages)).relative
    print("right facet or one above it among six")
    for name, (membership, usual) in MEMBERSHIPS.items():
        for by_level in (False, True):
            for theta in sorted({usual, 0.5, 1.0} if name == "ratio" else {usual}):
                facets = Facets(topics=site.topics, biased=biased, unbiased=unbiased, membership=membership,
                                theta=theta, by_level=by_level)  # fmt: skip
                how = "a dimension for each level" if by_level else "one dimension"
                print(f"  {name:12} theta {theta:.1f}, {how:28} {hits(site, facets):.3f}")
    print("level, topics, tau of all pages, tau of first 30 results, MAP with bias, MAP without")
    rows = np.array(utility(site, biased, unbiased))
    for level in np.unique(rows[:, 0]):
        chosen = rows[rows[:, 0] == level, 1:]
        print(f"  {level:.0f} {len(chosen):5}" + "".join(f"{value:8.3f}" for value in chosen.mean(axis=0)))


if __name__ == "__main__":
    main()
