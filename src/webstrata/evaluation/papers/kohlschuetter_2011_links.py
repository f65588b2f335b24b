"""Kohlschütter 2011, chapter 3: the structure of links, PageRank in parts, topics and facets.

The graphs of the thesis are not at hand: the LargeWeb of Stanford (62.8 million pages, 470,000 hosts), and a crawl of
9.2 million pages around the Open Directory. Its experiments run on the 2007 Wikipedia Selection for Schools here, whose
folders take the place of hosts and whose subjects that of categories.

Reference: C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from webstrata._once import once
from webstrata.drawing.svg import line, picture, text
from webstrata.errors import from_extra
from webstrata.evaluation.datasets import wpcd
from webstrata.evaluation.papers.catalogue import PaperData
from webstrata.evaluation.papers.subject_ranks import MEMBERSHIPS, SubjectRow, Subjects, part_of
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.links import figures
from webstrata.links.facets import Dimension, Facets
from webstrata.links.graph import LinkGraph
from webstrata.links.methods import GaussSeidel, Jacobi, Unified
from webstrata.links.partitions import Partitioned
from webstrata.links.statistics import dot_plot, link_statistics
from webstrata.page import parse
from webstrata.text import Column

__all__ = ["DATA", "PARTS"]

# Tables 3.1 and 3.2: links, and the share of all.
_TABLES = {
    "links": (601_183_777, 1.0),
    "within sites": (563_992_416, 0.9381),
    "between sites": (37_191_361, 0.0619),
    "between partitions": (32_716_628, 0.0544),
    "between sites of one partition": (4_474_733, 0.0074),
    "votes between partitions": (3_618_335, 0.006),
}
_PARTITIONS = 8
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class _School(PaperData):
    """The Wikipedia Selection for Schools."""

    @once
    def pages(self) -> dict[str, bytes]:
        return dict(wpcd.pages(wpcd.archive()))

    @once
    def graph(self) -> LinkGraph:
        """Its link graph; kept in the folder of the report."""
        return wpcd.wpcd_graph(wpcd.archive(), kept=self.setting.folder / "graph")

    @once
    def by_folder(self) -> LinkGraph:
        return wpcd.by_directory(self.graph)

    @once
    def subjects(self) -> Subjects:
        return Subjects.of(self.graph, lambda url: parse(self.pages[url]).text)


def _tables_3(data: _School) -> Iterator[Part]:
    """Tables 3.1 and 3.2, figures 3.2 to 3.5."""
    found = link_statistics(data.by_folder, partitions=_PARTITIONS)
    lines: list[tuple[Cell, ...]] = []
    for name, number, share in found.rows():
        printed = _TABLES.get(name)
        lines.append((name, number, f"{share:.2%}", *((printed[0], f"{printed[1]:.2%}") if printed else (None, ""))))
    header = ("links", "number", "share", "thesis: number", "share")
    yield ReportTable("tables-3.1-and-3.2", "Tables 3.1 and 3.2: links and votes", header, tuple(lines))
    yield _WHY_TABLES
    dots = dot_plot(data.by_folder, partitions=_PARTITIONS)
    yield Figure("figure-3.2", "Figure 3.2: links in the order of the partitions", figures.draw_dots(dots, title=""))
    yield Figure("figure-3.3", "Figure 3.3: pages per site", figures.pages_per_site(found))
    yield Figure("figure-3.4", "Figure 3.4: pages per partition", figures.pages_per_partition(found))
    yield Figure("figure-3.5", "Figure 3.5: links between partitions", figures.links_between(found))


_WHY_TABLES = """The sites of the thesis are 470,000 hosts of the Web, which link within themselves (93.81 %). One
encyclopedia has no hosts; its folders are the first letters of titles, and articles link to articles whatever their
letter, so that links within sites are rare. What does carry over is the aggregation of votes: one number for all links
of a partition to one page."""


def _figure_3_1(data: _School) -> Iterator[Part]:
    """Figure 3.1: dot plots: sorted by URL, one site alone, sites in random order."""
    graph = data.by_folder
    yield Figure("figure-3.1a", "Figure 3.1a: links, pages sorted by URL", figures.draw_dots(dot_plot(graph), title=""))
    sizes = np.diff(graph.site_start)
    largest = int(sizes.argmax())
    part, _ = part_of(graph, np.arange(graph.site_start[largest], graph.site_start[largest + 1]))
    title = f"Figure 3.1b: links of the largest site alone ({part.pages} pages)"
    yield Figure("figure-3.1b", title, figures.draw_dots(dot_plot(part), title=""))
    # Shares of the links of a row, with sites in random order: what normalising shows whatever the order.
    order = np.random.default_rng(1).permutation(len(sizes))
    place = np.empty(len(sizes), np.int64)
    place[order] = np.arange(len(sizes))
    counts = np.zeros((len(sizes), len(sizes)))
    site = place[graph.site_of_pages()]
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start))
    np.add.at(counts, (site[source], site[graph.out_target]), 1)
    shares = np.round(1000 * counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))
    title = "Figure 3.1c: share of the links of a site, in thousandths, sites in random order"
    yield Figure("figure-3.1c", title, figures.draw_dots(shares, title=""))
    yield _WHY_DOTS


_WHY_DOTS = """On the Web the thesis sees a diagonal in 3.1c, links within hosts, whatever the order of hosts. Here
columns are dark and not the diagonal: some letters have many articles, and all letters link to them. The darkest column
is the folder of the index, which each page links to."""


def _figure_3_6(data: _School) -> Iterator[Part]:
    """Figure 3.6: convergence and times of PageRank in parts."""
    graph = data.by_folder
    methods = {
        "Jacobi": Jacobi(tolerance=_TOLERANCE),
        "Gauss-Seidel": GaussSeidel(tolerance=_TOLERANCE),
        "unified, random order": Unified(tolerance=_TOLERANCE),
        f"partitioned, {_PARTITIONS} parts": Partitioned(tolerance=_TOLERANCE, partitions=_PARTITIONS, threads=1),
    }
    curves: dict[str, Sequence[float]] = {}
    lines: list[tuple[Cell, ...]] = [("partitioned (thesis)", 17, None)]
    for name, method in methods.items():
        prepared = method.prepare(graph)
        start = time.process_time()
        curves[name] = method.rank(prepared).residuals
        lines.append((name, len(curves[name]), 1000 * (time.process_time() - start)))
    title = "Figure 3.6: residual after each sweep, to 0.001"
    yield Figure("figure-3.6", title, figures.convergence(curves, title=title))
    header = ("method", "sweeps", "processor ms")
    yield ReportTable("figure-3.6", "Figure 3.6 in numbers", header, tuple(lines))
    yield _WHY_36


_WHY_36 = """Partitions converge as the whole does, as the thesis says, in fewer sweeps than Jacobi. A graph of 5,400
pages needs fewer sweeps than one of 62.8 million. Communication is not shown: partitions share memory here, and the
thesis's 100 MBit network between four machines of 2006 cannot be had."""


def _figure_3_7(data: _School) -> Iterator[Part]:
    """Figure 3.7: bias on subjects: tau and precision."""
    rows = data.subjects.rows
    lines = tuple(_line_3_7(row) for row in rows)
    header = ("subject", "level", "articles", "tau to unbiased", "tau to parent", "MAP biased", "MAP unbiased",
              "held out: biased", "unbiased")  # fmt: skip
    yield ReportTable("figure-3.7", "Figure 3.7 in numbers: the effect of a bias on each subject", header, lines)
    branch = max(
        (row.name for row in rows if row.level == 1),
        key=lambda name: sum(row.name.startswith(f"{name}/") for row in rows),
    )
    shown = [row for row in rows if row.name == branch or row.name.startswith(f"{branch}/")]
    title = f"Figure 3.7: the branch {branch}"
    yield Figure("figure-3.7", title, _draw_branch(shown, title))
    yield from _summary_3_7(data, rows)


def _line_3_7(row: SubjectRow) -> tuple[Cell, ...]:
    values = (row.tau_unbiased, row.tau_parent, row.map_biased, row.map_unbiased, row.held_biased, row.held_unbiased)
    cells = (None if np.isnan(value) else float(value) for value in values)
    return (row.name, row.level, row.articles, *cells)


def _draw_branch(rows: Sequence[SubjectRow], title: str) -> str:
    """The subjects of a branch below each other: the line above one is as thick as its tau to the parent, the frame as
    thick as the ratio of the precisions of held-out articles with and without bias."""
    high, wide, parts = 34, 560, [text(12, 24, title, size=15, weight="bold")]
    for place, row in enumerate(rows):
        x, y = 40 + 60 * (row.level - 1), 60 + high * place
        if row.level > 1 and not np.isnan(row.tau_parent):
            parts.append(line(x - 40, 60 + 12, x - 40, y, width=1 + 12 * max(row.tau_parent, 0.0)))
            parts.append(line(x - 40, y, x, y, width=1 + 12 * max(row.tau_parent, 0.0)))
        known = row.held_unbiased > 0
        ratio = min(row.held_biased / row.held_unbiased, 5.0) if known else 0.0
        dashes = "" if known else " stroke-dasharray='4 3'"
        parts.append(
            f"<rect x='{x}' y='{y - 12}' width='{wide}' height='24' rx='4' fill='none' stroke='currentColor'"
            f" stroke-width='{0.5 + ratio:.1f}'{dashes}/>"
        )
        label = f"{row.name.rpartition('/')[2].replace('_', ' ')}: {row.articles} articles, tau {row.tau_unbiased:.2f}"
        more = f", MAP of held-out articles {row.held_biased:.2f} with bias, {row.held_unbiased:.2f} without"
        parts.append(text(x + 10, y + 4, label + ("" if np.isnan(row.held_biased) else more)))
    return picture(700, 80 + high * len(rows), parts, alone=True)


def _summary_3_7(data: _School, rows: Sequence[SubjectRow]) -> Iterator[Part]:
    """The findings of §3.3.1, each with its number here."""
    lines: list[tuple[Cell, ...]] = []
    for level in sorted({row.level for row in rows}):
        chosen = [row for row in rows if row.level == level]
        names = ("tau_unbiased", "tau_parent", "map_biased", "map_unbiased", "held_biased", "held_unbiased")
        lines.append((level, len(chosen), *(_mean([getattr(row, name) for row in chosen]) for name in names)))
    header = ("level", "subjects", "tau to unbiased", "tau to parent", "MAP biased", "MAP unbiased",
              "held out: biased", "unbiased")  # fmt: skip
    yield ReportTable("levels", "§3.3.1: means by level", header, tuple(lines))
    siblings = [tau for _, _, tau in data.subjects.sibling_taus()]
    parents = [row.tau_parent for row in rows if not np.isnan(row.tau_parent)]
    gain = [row.held_biased - row.held_unbiased for row in rows]
    tau, size, links = ([float(getattr(row, name)) for row in rows] for name in ("tau_unbiased", "articles", "links"))
    findings: tuple[tuple[Cell, ...], ...] = (
        ("tau of parent and child, mean", _mean(parents), "< 0.2, generally"),
        ("tau of siblings, mean", _mean(siblings), "< 0.2, generally"),
        ("tau of biased and unbiased, mean over subjects", _mean(tau), "tends to 0"),
        ("tau of biased and unbiased, all articles and not the first 30", _mean(data.subjects.tau_of_ranks()), ""),
        ("rank correlation of tau and size", _correlation(tau, size), "none"),
        ("rank correlation of tau and out-links", _correlation(tau, links), "none"),
        ("rank correlation of the gain in MAP and size", _correlation(gain, size), "none"),
        ("rank correlation of the gain in MAP and out-links", _correlation(gain, links), "none"),
        ("rank correlation of the gain in MAP and tau", _correlation(gain, tau), "none"),
    )
    yield ReportTable("findings", "§3.3.1: the findings of the thesis", ("finding", "here", "thesis says"), findings)
    yield _WHY_3_7


_WHY_3_7 = """*MAP biased* takes the biasing set itself for relevant, and so does the thesis in part, whose three judges
knew the category: a bias on the answers finds the answers. *Held out* is the honest figure: a fifth of the articles of
a subject is left out of its biasing set, only they are relevant, and results in the biasing set are passed over.

Subjects have three levels here and six in the thesis, so its rise of MAP up to level five cannot be seen. Similarities
are below .2 here too, most of them below zero: a result that is among the first 30 of one list only shares the last
place of the other list, so that two lists with little in common have a negative tau. The thesis does not say how it
counts such results. Over all articles the ranks are alike, because an encyclopedia is so dense that every bias reaches
every page."""


def _mean(values: Sequence[float]) -> float | None:
    """The mean of the values that are known."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else None


def _correlation(left: Sequence[float], right: Sequence[float]) -> float:
    """Spearman's rank correlation."""
    with from_extra("eval", "scipy"):
        from scipy.stats import spearmanr
    known = ~np.isnan(left) & ~np.isnan(right)
    return float(spearmanr(np.array(left)[known], np.array(right)[known]).statistic)


def _equation_3_6(data: _School) -> Iterator[Part]:
    """Equation 3.6: linear combinations of topic vectors."""
    lines = tuple(data.subjects.combined().items())
    title = "Equation 3.6: names of lower subjects, ranked by combinations of the 15 main subjects"
    yield ReportTable("equation-3.6", title, ("rank", "MAP of the first ten"), lines)
    yield _WHY_EQ


_WHY_EQ = """The thesis gives the equation as Haveliwala's and does not measure it. Weights are the similarity of the
query to the mean text of each main subject. The biasing sets contain the relevant articles, so compare the rows with
each other and not with other tables."""


def _facets(data: _School) -> Iterator[Part]:
    """Algorithm 3.1 and §3.4.4: two memberships, by the thesis's criterion and by held-out articles."""
    subjects = data.subjects
    accuracy = subjects.accuracy()
    lines: list[tuple[Cell, ...]] = [("as printed (thesis)", "one", 0.1, None, 0.916, None)]
    for name, (membership, theta) in MEMBERSHIPS.items():
        dimensions: dict[Dimension, str] = {"one": "one", "level": "one for each level"}
        for kind, dimension in dimensions.items():
            facets = Facets(topics=subjects.topics, biased=subjects.biased, unbiased=subjects.unbiased,
                            membership=membership, theta=theta, dimension=kind)  # fmt: skip
            held = accuracy[name] if kind == "one" else None
            counts = _facets_a_query(subjects, facets)
            lines.append((name, dimension, theta, subjects.hits(facets, 6), subjects.hits(facets), held, counts))
    lines = [(*row, None) if len(row) == 6 else row for row in lines]
    header = ("membership", "dimension", "theta", "among the first six", "among all facets", "held-out articles",
              "facets a query")  # fmt: skip
    yield ReportTable("facets", "§3.4.4: facets of results for the names of subjects", header, tuple(lines))
    yield (
        _WHY_FACETS + f" Always guessing the largest subject is right for {accuracy['always the largest subject']:.1%}."
    )


_WHY_FACETS = """By the thesis's own criterion, the wanted category or one above it among the facets of a query (91.6 %
of 155 queries there), the printed formula is as good as ours and a little better: see *among the first six* and *among
all facets*. They differ where one subject has to be chosen for an article that was held out, in the column *held-out
articles*. The printed membership divides by a number that is the same for all facets of a page, so it chooses the facet
with the highest biased rank, and pages of general importance have a high rank with any bias. Ours divides by the
unbiased rank first. That measure is ours, and not the purpose of the printed formula."""


def _facets_a_query(subjects: Subjects, facets: Facets) -> float:
    lower = [topic for topic in range(len(subjects.topics)) if subjects.topics.level(topic) > 1]
    return float(np.mean([len(facets.of(subjects.search(subjects.query(topic))[0])) for topic in lower]))


def _strata(data: _School) -> Iterator[Part]:
    """Figures 5.1 and 5.2: the stratified surfer of §5.2.1."""
    from webstrata.evaluation.metrics.retrieval import average_precision
    from webstrata.links.surfer import Surfer

    whole = data.graph
    listed = np.unique(np.concatenate(wpcd.subjects(whole).pages))
    beside = np.array([page for page, url in enumerate(whole.urls) if "/index/" not in url])
    graph, number = part_of(whole, beside)
    wanted = np.zeros(graph.pages)
    wanted[number[listed[number[listed] >= 0]]] = 1.0
    lines: list[tuple[Cell, ...]] = [("share of all pages that are listed", *(float(wanted.mean()),) * 3)]
    for chance in (None, 0.5, 0.9, 1.0, 0.0):
        gains: Column = wanted[GaussSeidel(surfer=Surfer(content=chance))(graph).top(graph.pages)]
        name = "all links alike" if chance is None else f"links of the content with chance {chance}"
        precision = average_precision(gains.tolist(), int(wanted.sum()))
        lines.append((name, float(gains[:20].mean()), float(gains[:100].mean()), precision))
    title = "Figures 5.1 and 5.2: pages that the index lists, by the simple and the stratified surfer"
    yield ReportTable("figure-5.2", title, ("surfer", "of the first 20", "of the first 100", "MAP"), tuple(lines))
    yield _WHY_52


_WHY_52 = """The thesis draws the two surfers and measures neither. A surfer who keeps to links of the content meets
fewer licences and forms, which every footer links to."""


DATA = _School
#: The tables and figures by name.
PARTS = {
    "figure-3.1": _figure_3_1,
    "tables-3": _tables_3,
    "figure-3.6": _figure_3_6,
    "figure-3.7": _figure_3_7,
    "equation-3.6": _equation_3_6,
    "facets": _facets,
    "figure-5.2": _strata,
}
