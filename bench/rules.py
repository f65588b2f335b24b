"""The effect of each step after the scores: the F that is lost when it is left out, on every data set of main content.

    python bench/rules.py [--folds out/folds] [--only wcxb,reader] [--store]

The steps are the rules of `webstrata.extraction.learned.decision`. Pages, switches, models and metrics are those of
bench/flagship.py: where the model was trained on a data set, each page is read by the model that has not seen its host.
A positive number says that the step helps there. Steps that decide about the kinds alone have no row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import fmean

import click
from rich.console import Console
from rich.table import Table

from flagship import CASES, ROOT, Case, need_folds
from pages import progress
from results import store
from webstrata.evaluation.answers.ours import fold_models
from webstrata.evaluation.datasets.base import Gold
from webstrata.evaluation.metrics.words import characters_or_tokens, snippets, word_score
from webstrata.extraction.learned.decision import STEPS
from webstrata.extraction.learned.extractor import LearnedExtractor
from webstrata.training.samples import SWITCHES

#: The steps that may be left out; without the first there is no decision.
RULES = tuple(step for step in STEPS if step not in ("keep_by_score", "mark_lost_prose", "separate_title"))


def readers(case: Case, folds: Path) -> dict[int | None, LearnedExtractor]:
    """The extractors of a data set by the fold of the page; None where the shipped model reads all."""
    if "{folds}" in case.ours:
        switches = SWITCHES.get(case.dataset, {})
        title, captions = switches.get("title", True), switches.get("captions", True)
        make = partial(LearnedExtractor, title=title, captions=captions, comments=switches.get("comments", False))
        return {fold: make(model=str(file)) for fold, file in fold_models(folds).items()}
    return {None: LearnedExtractor(comments="comments=True" in case.ours)}


def f_of(metric: str, gold: Gold, text: str) -> float:
    """F of a page."""
    if metric == "snippets":
        return snippets(text, gold.wanted, gold.unwanted).score.f
    if metric == "characters":
        return word_score(gold.text or "", text, tokenise=characters_or_tokens).f
    return word_score(gold.text or "", text).f


def scores(case: Case, folds: Path) -> Iterator[tuple[str, float]]:
    """For each page F with all steps, named by the empty string, and F without each."""
    extractors, dataset = readers(case, folds), case.open()
    for item in progress(dataset.items(), case.dataset, dataset.card.pages):
        document = item.inputs["html"]
        page, extractor = document.page(), extractors[document.fold if None not in extractors else None]
        full = extractor(page)
        best = f_of(case.metric, item.gold, full.text)
        yield "", best
        for rule in RULES:
            found = extractor.with_steps(page, tuple(step for step in STEPS if step != rule))
            same = bool((found.keep == full.keep).all())
            yield rule, best if same else f_of(case.metric, item.gold, found.text)


def measure(case: Case, folds: Path) -> dict[str, float]:
    """The mean of F with all steps, and what it loses without each."""
    values: dict[str, list[float]] = defaultdict(list)
    for rule, value in scores(case, folds):
        values[rule].append(value)
    means = {rule: fmean(found) for rule, found in values.items()}
    return {rule: means[""] - mean if rule else mean for rule, mean in means.items()}


@click.command(help=__doc__)
@click.option("--folds", type=click.Path(path_type=Path), default=ROOT / "out/folds", help="Models without a fold.")
@click.option("--only", default="", help="Some of the data sets.")
@click.option("--store", "stored", is_flag=True, help="Store the results for docs/benchmarks.md.")
def main(folds: Path, only: str, stored: bool) -> None:
    need_folds(folds)
    wanted = [case for case in CASES if not only or case.dataset in only.split(",")]
    found = {case.dataset: measure(case, folds) for case in wanted}
    table = Table("step", *found, title="F lost without a step, in thousandths; the first line is F")
    table.add_row("(all steps)", *(f"{values['']:.3f}" for values in found.values()))
    rows = [(rule, *(f"{1000 * values[rule]:+.1f}" for values in found.values())) for rule in RULES]
    for row in rows:
        table.add_row(*row)
    Console(width=180).print(table)
    if stored:
        about = "F lost when a step after the scores is left out, in thousandths; out of fold where trained"
        store("rules", about, ("step", *found), rows)


if __name__ == "__main__":
    main()
