"""The second stage: compare answers with gold data. No algorithm is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan

from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.runner import Experiment, Progress, silent
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import Metric, known_metrics, metrics_for
from webstrata.evaluation.metrics import Score
from webstrata.evaluation.scores import Row, write_scores
from webstrata.workers.parallel import in_processes

__all__ = ["score", "score_answer"]


@dataclass(frozen=True, eq=False)
class _PageTask:
    """A page with the answers of all algorithms, so that its gold data is prepared once."""

    dataset: str
    item: Item
    answers: list[tuple[str, PageAnswer, set[str]]]
    metrics: tuple[str, ...] | None


def score(
    experiment: Experiment, *, metrics: tuple[str, ...] | None = None, jobs: int = 1, progress: Progress = silent
) -> list[Row]:
    """Score every answer, write the rows to files, and return them.

    A page without an answer for its current HTML gets a row with the status "missing" that scores zero.

    Parameters
    ----------
    experiment : the algorithms and pages
    metrics : names of metrics; by default all that fit the data set and the answers
    jobs : processes
    progress : progress callback
    """
    known_metrics(metrics or ())
    total = experiment.dataset.size(experiment.pages)
    rows: list[Row] = []
    for done, found in enumerate(in_processes(_score_item, _tasks(experiment, metrics), jobs), start=1):
        rows += found
        progress(done, total)
    unfit = []
    for spec in experiment.specs:
        own = [row for row in rows if row.algorithm == spec.name]
        if own:
            write_scores(own, experiment.folder, experiment.dataset.name, spec.name)
        else:
            kinds = " and ".join(sorted(experiment.answers[spec].kinds)) or "no answer"
            unfit.append(f"{spec.name!r} gives {kinds}")
    if unfit:
        raise InputError(f"{'; '.join(unfit)}: no metric compares that with data set {experiment.dataset.name!r}")
    return rows


def _tasks(experiment: Experiment, metrics: tuple[str, ...] | None) -> Iterator[_PageTask]:
    for item in experiment.dataset.items(experiment.pages):
        answers = []
        for spec in experiment.specs:
            file = experiment.answers[spec]
            for name in experiment.inputs:
                key, source = (item.name, name), item.inputs[name].digest
                if file.has(key, experiment.reprs[spec], source):
                    answer = file[key]
                else:
                    answer = PageAnswer(page=item.name, input=name, algorithm=experiment.reprs[spec], status="missing")
                answers.append((spec.name, answer, file.kinds))
        yield _PageTask(experiment.dataset.name, item, answers, metrics)


def _score_item(task: _PageTask) -> list[Row]:
    judges = {name: Judge(task.item.gold, document) for name, document in task.item.inputs.items()}
    rows = []
    for algorithm, answer, kinds in task.answers:
        given = Submission(judges[answer.input], answer)
        for metric in metrics_for(task.item.gold, kinds, task.metrics):
            found, unmapped = score_answer(given, metric)
            rows.append(
                Row(
                    task.dataset, task.item.name, task.item.group, answer.input, algorithm, metric.name,
                    found.f, found.precision, found.recall, _number(found.hits), _number(found.retrieved),
                    _number(found.relevant), answer.status, answer.seconds, unmapped,
                )
            )  # fmt: skip
    return rows


def score_answer(given: Submission, metric: Metric) -> tuple[Score, int]:
    """The score of one answer by one metric, and how many of its texts were not found in the page.

    A failure or an empty answer scores zero, and its relevant items still count. Only if nothing was to be found, an
    empty answer is right.
    """
    if given.answer.status == "ok":
        return _as_score(*metric.measure(given))
    nothing = replace(given.answer, text="", segments=[], keep=[], fields={}, blocks=len(given.judge.page.blocks))
    found, _ = _as_score(*metric.measure(Submission(given.judge, nothing)))
    if given.answer.status == "empty" and not _has_relevant(given.judge, metric):
        return found, 0
    return replace(found, precision=0.0, recall=0.0, f=0.0), 0


def _has_relevant(judge: Judge, metric: Metric) -> bool:
    """Whether there was anything to find."""
    gold = judge.gold
    if metric.gold in ("segmentation", "shapes"):
        return bool(judge.truth.truth.segments)
    if metric.answer == "fields":
        return True
    return bool((gold.text or "").strip()) if gold.text is not None else bool(gold.wanted)


def _as_score(found: Score | float, unmapped: int) -> tuple[Score, int]:
    if isinstance(found, Score):
        return found, unmapped
    return Score(precision=nan, recall=nan, f=float(found)), unmapped


def _number(value: float | None) -> float:
    return nan if value is None else float(value)
