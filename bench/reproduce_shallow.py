"""Kohlschütter 2011 §4.4 on its own data: tables 4.8 and 4.9, figures 4.20, 4.21 and 4.24.

    python bench/reproduce_shallow.py --out out/shallow

Needs L3S-GN1 and CleanEval (WEBSTRATA_DATA) and the extra "eval". About four minutes on two cores.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from matplotlib import pyplot

from common import Report, arguments, in_processes
from pages import progress
from paper_shallow import PAPER_48, PAPER_49, PAPER_421
from webstrata import features
from webstrata.evaluation.datasets.cleaneval import cleaneval_pages
from webstrata.evaluation.datasets.l3s_gn1 import CLASSES, FULL_TEXT, NewsPage, news_pages
from webstrata.evaluation.metrics import word_score
from webstrata.evaluation.papers.experiments import (
    EXPERIMENTS,
    Instances,
    Result,
    cross_validate,
    four_classes,
    information_gain,
    instances,
    two_classes,
)
from webstrata.extraction.base import EXTRACTORS
from webstrata.page import Page, parse

STRATEGIES = (
    "keep-all",
    "min-words",
    "min-words of 7",
    "numwords",
    "densitometric",
    "bte",
    "density-cutoff",
    "numwords+largest-content",
    "densitometric+largest-content",
    "numwords+main-content",
    "densitometric+main-content",
)
TOLERANCE = 0.02


def table_4_8(report: Report, pages: list[NewsPage]) -> None:
    blocks, words, tokens = np.zeros(6), np.zeros(6), np.zeros(6)
    for each in pages:
        shown = np.flatnonzero(~each.page.blocks.hidden)
        labels = each.labels[shown]
        blocks += np.bincount(labels, minlength=6)
        words += np.bincount(labels, each.page.blocks.words[shown], minlength=6)
        tokens += np.bincount(labels, [len(each.page.blocks[int(row)].text.split()) for row in shown], minlength=6)
    rows: list[list[Any]] = [["total", int(blocks.sum()), int(words.sum()), int(tokens.sum()), *PAPER_48["total"]]]
    counts = dict(zip(CLASSES, zip(blocks, words, tokens, strict=True), strict=True))
    counts["any content"] = tuple(np.sum([counts[name] for name in CLASSES[1:]], axis=0))
    totals = (blocks.sum(), words.sum(), tokens.sum())
    for name in ("boilerplate", "any content", *CLASSES[1:]):
        ours = [f"{count / total:.1%}" for count, total in zip(counts[name], totals, strict=True)]
        rows.append([name, *ours, *PAPER_48[name]])
    header = ["class", "blocks", "words", "tokens", "blocks (paper)", "words (paper)", "tokens (paper)"]
    report.table("table_4_8", "Table 4.8: classes in the news pages", header, rows)
    report.say(
        "The thesis prints 1% of words for user comments and 9% for related content. In the data it is the other way "
        "round: the class of the comments (sel5) has 9% of the words and does hold comments. The two rows of the "
        "thesis are taken to be exchanged. Totals differ because another parser decides what is a block and a word; "
        "hidden blocks are not counted here."
    )


def _validate(job: tuple[int, str, bool]) -> tuple[int, str, bool, Result]:
    index, problem, by_page = job
    classes = two_classes if problem == "two" else four_classes
    return index, problem, by_page, cross_validate(EXPERIMENTS[index], _data[0], classes, by_page=by_page)


_data: list[Instances] = []  # what the processes of `_validate` share, so that it is not sent with every job


def table_4_9(report: Report, data: Instances, jobs: int) -> None:
    _data.append(data)
    # The slowest first, so that no process waits at the end.
    work = [(i, problem, by_page) for i in range(len(EXPERIMENTS)) for problem, by_page in _PROBLEMS][::-1]
    done = {(i, p, b): result for i, p, b, result in in_processes(_validate, work, "table 4.9: cross-validation", jobs)}
    for problem, title in (("two", "boilerplate and content"), ("four", "four classes")):
        rows = []
        for i, experiment in enumerate(EXPERIMENTS):
            result, paper = done[i, problem, False], PAPER_49[experiment.name][problem]
            ours = [result.precision, result.recall, result.f, result.false_positive_rate, result.auc]
            cells = [f"{100 * a:.1f} / {'-' if b is None else b}" for a, b in zip(ours, paper, strict=False)]
            off = [abs(a - b / 100) > TOLERANCE for a, b in zip(ours, paper, strict=False) if b is not None]
            apart = done.get((i, problem, True))
            rows.append(
                [
                    experiment.name,
                    result.dimensions,
                    *cells,
                    f"{result.leaves or '-'} / {paper[5] or '-'}",
                    f"{100 * apart.f:.1f}" if apart else "",
                    "off" if any(off) else "",
                ]
            )
        header = ["algorithm", "dim", "precision", "recall", "F1", "FP rate", "ROC AUC", "leaves", "F1, pages apart"]
        report.table(f"table_4_9_{problem}", f"Table 4.9: {title} (ours / thesis, %)", [*header, "> 2 points"], rows)
    report.say(_WHY_49)


_PROBLEMS = (("two", False), ("four", False), ("two", True))
_WHY_49 = """What explains the rows that are more than two points off:

- *Four classes*: in the published data headlines and supplemental text have 2.8% of the words, in the thesis 4.6% (63.8
  less 59.2, its first row). These are the classes that are hard to find, and a rule with two leaves cannot find them at
  all: it loses their share, and so more in the thesis than here. The thesis's false-positive rate of 1.0 for "Number
  of Words" is taken for a misprint of 10.
- *Simplified trees*: reduced-error pruning stops here at 20 to 27 leaves, in the thesis at 7 to 12. The two last rows
  are trees held to eight leaves, which are within a point of the thesis on two classes.
- *Only average word or sentence length, 1R over all*: how 1R cuts hangs on its least bucket, which the thesis does not
  give; 1,000 words are taken, as for the trees. What ends a sentence is not printed either, and with ours its length
  tells far more than the 68 of the thesis.
- *Element frequency*: the thesis counts texts in a crawl of 254,000 pages that is lost; here in the 621 pages.

Trees that are not simplified have more leaves than the thesis's, because C4.8 prunes by its confidence of 0.25.

"F1, pages apart" is the same with all blocks of a page in one fold: the honest figure for a new page, since shuffled
blocks have their neighbours in the training data."""


def figure_4_20(report: Report, data: Instances) -> None:
    rows = []
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 10))
    for axis, problem, classes in zip(axes, ("two", "four"), (two_classes, four_classes), strict=True):
        gain = information_gain(data.x, classes(data.label), data.words)
        order = np.argsort(-gain)
        rows += [[problem, rank + 1, data.names[i], float(gain[i])] for rank, i in enumerate(order)]
        top = order[:45][::-1]
        axis.barh([data.names[i] for i in top], gain[top], color="#4c78a8")
        axis.set(xlabel="information gain (bits)", title=f"{problem} classes")
        axis.tick_params(axis="y", labelsize=7)
        axis.margins(y=0.01)
    report.figure("figure_4_20", "Figure 4.20: information gain per feature", figure)
    header = ["problem", "rank", "feature", "bits"]
    report.table("figure_4_20", "Figure 4.20 in numbers: information gain", header, rows)
    report.say(_WHY_420)


_WHY_420 = """The thesis puts the quotients, the relative position, the number of words and the average word length
first. The number of words of the current block is first here as well. The quotients and the position tell less: they
are cut in 64 intervals of equal weight, where Weka looks for cuts that suit the classes."""


def figure_4_24(report: Report, pages: list[NewsPage]) -> None:
    words = np.zeros((6, 21))
    for each in pages:
        shown = ~each.page.blocks.hidden
        density = np.minimum(np.floor(features.text_density(each.page.blocks)[shown] + 0.5), 20).astype(int)
        np.add.at(words, (each.labels[shown], density), each.page.blocks.words[shown])
    figure, axis = pyplot.subplots(figsize=(8, 4))
    bottom = np.zeros(21)
    for name, row in zip(CLASSES, words, strict=True):
        axis.bar(range(21), row, bottom=bottom, label=name, width=0.9)
        bottom += row
    axis.set(xlabel="text density, rounded (20: and more)", ylabel="words", xticks=range(0, 21, 2))
    axis.legend()
    report.figure("figure_4_24", "Figure 4.24: words by text density and class", figure)
    rows = [[density, *map(int, column)] for density, column in enumerate(words.T)]
    report.table("figure_4_24", "Figure 4.24 in numbers: words", ["density", *CLASSES], rows)


def _strategies_on(task: tuple[bytes | Page, str | None, str]) -> list[float | None]:
    html, encoding, gold = task
    page = html if isinstance(html, Page) else parse(html, encoding=encoding)
    return [_f(page, gold, name) for name in STRATEGIES]


def _f(page: Page, gold: str, name: str) -> float | None:
    try:
        extractor = EXTRACTORS.make("min-words", minimum=7) if name == "min-words of 7" else EXTRACTORS.make(name)
        return word_score(gold, extractor(page).text).f
    except ModuleNotFoundError:
        return None  # this strategy's segmenter is not installed


def figure_4_21(report: Report, news: list[NewsPage], clean: list[Any], jobs: int) -> None:
    sets = {
        "L3S-GN1": [(each.page.source, "utf-8", each.gold((FULL_TEXT,))) for each in news],
        "CleanEval": [(each.page.source, "utf-8", each.gold) for each in clean],
    }
    figure, axes = pyplot.subplots(1, 2, figsize=(12, 5), sharey=True)
    for axis, (data_set, tasks) in zip(axes, sets.items(), strict=True):
        scores = np.array(in_processes(_strategies_on, tasks, f"figure 4.21: {data_set}", jobs), float)
        rows = []
        for name, column in zip(STRATEGIES, scores.T, strict=True):
            if np.isnan(column).any():
                continue
            mean, median = float(column.mean()), float(np.median(column))
            axis.plot(
                np.linspace(0, 100, len(column)), np.sort(column)[::-1], label=f"{name}  μ={mean:.1%} m={median:.1%}"
            )
            rows.append([name, mean, median, PAPER_421[data_set].get(name, "")])
        axis.set(title=f"{data_set} ({len(tasks)} pages)", xlabel="pages, ranked (%)", ylabel="F1")
        axis.legend(fontsize=7, loc="lower left")
        title = f"Figure 4.21: {data_set}"
        report.table(
            f"figure_4_21_{data_set.lower()}", title, ["strategy", "mean F1", "median F1", "thesis says"], rows
        )
    report.figure("figure_4_21", "Figure 4.21: F1 per page, ranked", figure)
    report.say(_WHY_421)


_WHY_421 = """The curves of the thesis are a picture that the text of our copy does not have; "thesis says" is what its
text gives: one mean, and improvements in per cent over a baseline that this mean implies (95.93 / 1.40 = 68.5). Gold on
the news pages is the full text of the article alone, for with it the baseline is the thesis's.

*min-words* is five points better here than in the thesis, whose 0.811 is what a bound of seven words gives here, as the
row *min-words of 7* shows. We found nothing in its text that explains it.
*main-content* needs strings and a notion of a title that the thesis does not print; ours reaches its mean after
*numwords*. On CleanEval the thesis says that keeping all is marginally worse than the best, BTE, that min-words and
numwords are alike, and that both filters are much worse than the baseline; so it is here."""


def main() -> None:
    options = arguments(__doc__, "out/shallow")
    report = Report(options.out, "Boilerplate detection with shallow text features (Kohlschütter 2011 §4.4)")
    news = list(progress(news_pages(), "reading L3S-GN1", options.pages or 621))
    clean = list(islice(cleaneval_pages(), options.pages))
    report.say(f"{len(news)} pages of L3S-GN1, {len(clean)} of CleanEval. Ours beside the thesis.")
    table_4_8(report, news)
    data = instances(news)
    table_4_9(report, data, options.jobs)
    figure_4_20(report, data)
    figure_4_21(report, news, clean, options.jobs)
    figure_4_24(report, news)
    report.write()


if __name__ == "__main__":
    main()
