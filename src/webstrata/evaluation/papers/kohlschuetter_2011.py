"""Kohlschütter 2011, chapter 4: the structure of text.

This module has the classification of §4.4.3: tables 4.8 and 4.9, figures 4.20, 4.21 and 4.24, on the thesis's own news
pages (L3S-GN1) and on CleanEval. The strata of §4.3, the distributions of §4.4.4, the retrieval of §4.4.5 and the
attempts to explain table 4.9 have modules of their own. §4.2 is Kohlschütter & Nejdl 2008. A note below each table
explains the differences.

Reference: C. Kohlschütter, Exploiting links and text structure on the Web, PhD thesis, Hannover 2011.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from webstrata import features
from webstrata.drawing.charts import Series, bar_chart, line_chart, stacked_chart
from webstrata.evaluation.answers.peers import ReadabilityLxml
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.l3s_gn1 import CLASSES, FULL_TEXT, labelled_text
from webstrata.evaluation.metrics import word_score
from webstrata.evaluation.papers import (
    kohlschuetter_2011_retrieval,
    kohlschuetter_2011_settings,
    kohlschuetter_2011_strata,
    kohlschuetter_2011_text,
)
from webstrata.evaluation.papers.experiments import (
    TRIALS,
    Instances,
    TrialResult,
    cross_validate,
    four_classes,
    information_gain,
    two_classes,
)
from webstrata.evaluation.papers.kohlschuetter_2011_printed import FIGURE_4_21, TABLE_4_8, TABLE_4_9
from webstrata.evaluation.papers.thesis_pages import ThesisPages
from webstrata.evaluation.reports.document import Figure, Part
from webstrata.evaluation.reports.statistics import Interval
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.extraction import EXTRACTORS
from webstrata.page import Page, parse
from webstrata.text import Column
from webstrata.workers.parallel import in_processes

__all__ = ["DATA", "PARTS", "STRATEGIES"]

STRATEGIES = (
    "keep-all",
    "min-words",
    "min-words(minimum=7)",
    "numwords",
    "densitometric",
    "bte",
    "density-cutoff",
    "numwords+largest-content",
    "densitometric+largest-content",
    "numwords+main-content",
    "densitometric+main-content",
    "min-density",
)
_TOLERANCE = 0.02


def _table_4_8(data: ThesisPages) -> Iterator[Part]:
    """Table 4.8: the numbers of blocks, words and tokens of each class."""
    blocks, words, tokens, marked = np.zeros((4, 6))
    for page, classes in data.news:
        shown = np.flatnonzero(~page.blocks.hidden)
        labels = classes[shown]
        blocks += np.bincount(labels, minlength=6)
        words += np.bincount(labels, page.blocks.words[shown], minlength=6)
        own = np.array([len(page.blocks[int(row)].text.split()) for row in shown])
        tokens += np.bincount(labels, own, minlength=6)
        marked += np.bincount(labels, own + 2 * _links(page)[shown], minlength=6)
    totals = (blocks.sum(), words.sum(), tokens.sum(), marked.sum())
    lines: list[tuple[Cell, ...]] = [("total", *map(int, totals), *TABLE_4_8["total"])]
    counts = dict(zip(CLASSES, zip(blocks, words, tokens, marked, strict=True), strict=True))
    counts["any content"] = tuple(np.sum([counts[name] for name in CLASSES[1:]], axis=0))
    for name in ("boilerplate", "any content", *CLASSES[1:]):
        ours = [f"{count / total:.1%}" for count, total in zip(counts[name], totals, strict=True)]
        lines.append((name, *ours, *TABLE_4_8[name]))
    header = ("class", "blocks", "words", "tokens", "with link marks", "thesis: blocks", "words", "tokens")
    yield ReportTable("table-4.8", "Table 4.8: classes in the news pages", header, tuple(lines))
    yield _WHY_48


def _links(page: Page) -> Column:
    """The number of links that begin in each block."""
    rows = page.elements.find("a")
    starts = page.elements.first_block[rows]
    full = starts < page.elements.end_block[rows]
    return np.bincount(starts[full], minlength=len(page.blocks))


_WHY_48 = """The thesis prints 1% of words for user comments and 9% for related content. In the data it is the other way
round: the class of the comments (sel5) has 9% of the words and does hold comments. The two rows of the thesis are taken
to be exchanged. The column *with link marks* adds two tokens for each link: boilerpipe, the program of the thesis, puts
a mark before and after each link to count linked words, and with these the total comes near to the thesis's. What is
left is another parser, which decides what is a block and a word; hidden blocks are not counted here."""

# Number of the experiment, which classes, and whether all blocks of a page are in one fold.
_Job = tuple[int, str, bool]
_PROBLEMS = (("two", False), ("four", False), ("two", True))
# The training data of a worker process: sent once, and not with every job.
_shared: list[Instances] = []


def _share(data: Instances) -> None:
    _shared[:] = [data]


def _validate(job: _Job) -> tuple[_Job, TrialResult]:
    index, problem, by_page = job
    classes = two_classes if problem == "two" else four_classes
    return job, cross_validate(TRIALS[index], _shared[0], classes, by_page=by_page)


def _table_4_9(data: ThesisPages) -> Iterator[Part]:
    """Table 4.9: learners on features, by ten-fold cross-validation."""
    # Slowest first, so that no process is idle at the end.
    jobs = [(i, problem, by_page) for i in range(len(TRIALS)) for problem, by_page in _PROBLEMS][::-1]
    results = in_processes(_validate, jobs, data.setting.jobs, setup=_share, given=(data.instances,))
    done = dict(data.tracked("table 4.9: cross-validation", results, len(jobs)))
    for problem, title in (("two", "boilerplate and content"), ("four", "four classes")):
        lines = tuple(_line_4_9(index, problem, done) for index in range(len(TRIALS)))
        header = ("algorithm", "dim", "precision", "recall", "F1", "FP rate", "ROC AUC", "leaves", "F1, pages apart")
        title = f"Table 4.9: {title} (ours / thesis, %)"
        yield ReportTable(f"table-4.9-{problem}", title, (*header, "> 2 points"), lines)
    yield _WHY_49


def _line_4_9(index: int, problem: str, done: dict[_Job, TrialResult]) -> tuple[Cell, ...]:
    name, result, apart = TRIALS[index].name, done[index, problem, False], done.get((index, problem, True))
    # Trees with eight leaves are compared with the simplified ones of the thesis.
    printed = TABLE_4_9[name.replace("8 leaves", "simplified")][problem]
    ours = (result.precision, result.recall, result.f, result.false_positive_rate, result.auc)
    pairs = list(zip(ours, printed, strict=False))
    return (
        name,
        result.dimensions,
        *(f"{100 * a:.1f} / {'-' if b is None else b}" for a, b in pairs),
        f"{result.leaves or '-'} / {printed[5] or '-'}",
        f"{100 * apart.f:.1f}" if apart else "",
        "off" if any(b is not None and abs(a - b / 100) > _TOLERANCE for a, b in pairs) else "",
    )


_WHY_49 = """What explains the rows that are more than two points off:

- *Four classes*: in the published data headlines and supplemental text have 2.8% of the words, in the thesis 4.6% (63.8
  less 59.2, its first row). These are the classes that are hard to find, and a rule with two leaves cannot find them at
  all: it loses their share, and so more in the thesis than here. The thesis's false-positive rate of 1.0 for "Number
  of Words" is taken for a misprint of 10.
- *Simplified trees*: reduced-error pruning stops here at 20 to 27 leaves, in the thesis at 7 to 12. The two last rows
  are trees held to eight leaves, which are within a point of the thesis on two classes.
- *Only average word length, 1R over all*: the intervals of 1R depend on its least bucket, which the thesis does not
  give; 1,000 words are taken, as for the trees. The part `table-4.9-settings` tries others: none chooses text density.
- *Only average sentence length*: far better here, and unexplained. The thesis counts full stops, question and
  exclamation marks and semicolons by "a simple pattern"; `table-4.9-settings` tries ten such patterns.
- *Element frequency*: the thesis counts texts in a crawl of 254,000 pages that is lost; here in the 621 pages.

Trees that are not simplified have more leaves than the thesis's, because C4.8 prunes by its confidence of 0.25.

"F1, pages apart" is the same with all blocks of a page in one fold: the honest figure for a new page, since shuffled
blocks have their neighbours in the training data."""


def _figure_4_20(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.20: the information gain of each feature about the class, in bits."""
    blocks, lines = data.instances, list[tuple[Cell, ...]]()
    for problem, classes in (("two", two_classes), ("four", four_classes)):
        gain = information_gain(blocks.x, classes(blocks.label), blocks.words)
        order = np.argsort(-gain)
        lines += [(problem, rank, blocks.names[i], float(gain[i])) for rank, i in enumerate(order, start=1)]
        best = {blocks.names[i]: Interval(*[float(gain[i])] * 3) for i in order[:45]}
        title = f"Figure 4.20: information gain of each feature, {problem} classes"
        chart = bar_chart(best, title=title, x="bits", alone=True)
        yield Figure(f"figure-4.20-{problem}", title, chart)
    header = ("problem", "rank", "feature", "bits")
    yield ReportTable("figure-4.20", "Figure 4.20 in numbers: information gain", header, tuple(lines))
    yield _WHY_420


_WHY_420 = """The thesis puts the quotients, the relative position, the number of words and the average word length
first. The number of words of the current block is first here as well. The quotients and the position gain less: they
are cut in 64 intervals of equal weight, where Weka looks for cuts that suit the classes."""


def _strategies_on(task: tuple[bytes, str]) -> list[float]:
    html, gold = task
    page = parse(html, encoding="utf-8")
    extractors = map(EXTRACTORS.make, STRATEGIES)
    return [word_score(gold, extractor(page).text).f for extractor in extractors]


def _figure_4_21(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.21: F1 of each strategy, page by page."""
    sets = {
        "L3S-GN1": [(page.source, labelled_text(page, labels, (FULL_TEXT,))) for page, labels in data.news],
        "CleanEval": [(item.inputs["html"].page().source, item.gold.text or "") for item in data.clean],
    }
    for name, tasks in sets.items():
        rows = in_processes(_strategies_on, tasks, data.setting.jobs)
        found = list(data.tracked(f"figure 4.21: {name}", rows, len(tasks)))
        series, lines = [], list[tuple[Cell, ...]]()
        for strategy, column in zip(STRATEGIES, np.array(found).T, strict=True):
            mean, median = float(column.mean()), float(np.median(column))
            places = np.linspace(0, 100, len(column)).tolist()
            label = f"{strategy}: mean {mean:.1%}, median {median:.1%}"
            series.append(Series(label, places, np.sort(column)[::-1].tolist()))
            lines.append((strategy, mean, median, FIGURE_4_21[name].get(strategy, "")))
        title, file = f"Figure 4.21: {name} ({len(tasks)} pages)", f"figure-4.21-{name.lower()}"
        yield ReportTable(file, title, ("strategy", "mean F1", "median F1", "thesis says"), tuple(lines))
        chart = line_chart(series, title=title, x="pages, ranked (%)", y="F1", low=0, high=1)
        yield Figure(file, f"{title}: F1 of each page, ranked", chart)
    yield _WHY_421


def _readable(task: tuple[bytes, str]) -> list[float]:
    """F1 of Readability, of numwords and of keeping all."""
    html, gold = task
    document, page = PageInput(html, "utf-8"), parse(html, encoding="utf-8")
    texts = [ReadabilityLxml()(document), *(EXTRACTORS.make(name)(page).text for name in ("numwords", "keep-all"))]
    return [word_score(gold, text).f for text in texts]


def _figure_4_21c(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.21c: Readability on the news pages."""
    ReadabilityLxml()  # says which extra is missing
    tasks = [(page.source, labelled_text(page, labels, (FULL_TEXT,))) for page, labels in data.news]
    rows = list(data.tracked("figure 4.21c", in_processes(_readable, tasks, data.setting.jobs), len(tasks)))
    series, lines = [], list[tuple[Cell, ...]]()
    for name, column in zip(("readability-lxml", "numwords", "keep-all"), np.array(rows).T, strict=True):
        mean, median = float(column.mean()), float(np.median(column))
        places = np.linspace(0, 100, len(column)).tolist()
        series.append(Series(f"{name}: mean {mean:.1%}, median {median:.1%}", places, np.sort(column)[::-1].tolist()))
        lines.append((name, mean, median, int((column == 0).sum())))
    title = f"Figure 4.21c: Readability on L3S-GN1 ({len(tasks)} pages)"
    header = ("strategy", "mean F1", "median F1", "pages without a right word")
    yield ReportTable("figure-4.21c", title, header, tuple(lines))
    chart = line_chart(series, title=title, x="pages, ranked (%)", y="F1", low=0, high=1)
    yield Figure("figure-4.21c", f"{title}: F1 of each page, ranked", chart)
    yield (
        "The thesis ran the bookmarklet of 2010 and Safari Reader, which are not available; this is a port of a later"
        " Readability to Python. The thesis calls both surprisingly subpar; the port of today is better than that."
    )


_WHY_421 = """The curves of the thesis are a picture; "thesis says" quotes its text:
one mean, and improvements in per cent over a baseline that this mean implies (95.93 / 1.40 = 68.5). Gold on the news
pages is the full text of the article alone, because only then does the baseline equal the thesis's.

*min-words* is five points better here than in the thesis, whose 0.811 is what a bound of seven words gives here, as the
row *min-words(minimum=7)* shows. We found nothing in its text that explains it. *main-content* needs strings and a
notion of a title that the thesis does not print; ours reaches its mean after *numwords*. On CleanEval the thesis says
that keeping all is marginally worse than the best, BTE, that min-words and numwords are alike, and that both filters
are much worse than the baseline; so it is here. *min-density* is the rule that C4.8 learned on the training pages of
CleanEval: a text density of at least 7 and a link density of at most .35."""


def _figure_4_24(data: ThesisPages) -> Iterator[Part]:
    """Figure 4.24: words by text density and class."""
    words = np.zeros((6, 21))
    for page, labels in data.news:
        shown = ~page.blocks.hidden
        density = np.minimum(np.floor(features.text_density(page.blocks)[shown] + 0.5), 20).astype(int)
        np.add.at(words, (labels[shown], density), page.blocks.words[shown])
    title = "Figure 4.24: words by text density and class"
    layers = dict(zip(CLASSES, words.tolist(), strict=True))
    x = "text density, rounded (20: and more)"
    yield Figure("figure-4.24", title, stacked_chart([str(n) for n in range(21)], layers, title=title, x=x, y="words"))
    lines = tuple((density, *map(int, column)) for density, column in enumerate(words.T))
    yield ReportTable("figure-4.24", "Figure 4.24 in numbers: words", ("density", *CLASSES), lines)
    yield _WHY_424


_WHY_424 = """Boilerplate is sparse and the text of articles is dense, as in the picture of the thesis, and so are the
comments of readers."""


DATA = ThesisPages
#: The tables and figures by name.
PARTS = {
    **kohlschuetter_2011_strata.PARTS,
    "table-4.8": _table_4_8,
    "table-4.9": _table_4_9,
    **kohlschuetter_2011_settings.PARTS,
    "figure-4.20": _figure_4_20,
    "figure-4.21": _figure_4_21,
    "figure-4.21c": _figure_4_21c,
    **kohlschuetter_2011_text.PARTS,
    "figure-4.24": _figure_4_24,
    **kohlschuetter_2011_retrieval.PARTS,
}
