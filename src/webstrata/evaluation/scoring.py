"""The second stage: compare what algorithms said with what is true. Nothing is run again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import nan

from webstrata.errors import InputError
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.runner import Experiment, Progress, silent
from webstrata.evaluation.datasets.base import Item
from webstrata.evaluation.judge import Judge, Metric, Submission, known_metrics, metrics_for
from webstrata.evaluation.metrics import Score
from webstrata.evaluation.scores import Row, write_scores
from webstrata.workers.parallel import in_processes

__all__ = ["score", "score_answer"]


@dataclass(frozen=True, eq=False)
class _Task:
    """A page with the answers of all algorithms, so that what all need is made once."""

    dataset: str
    item: Item
    answers: list[tuple[str, PageAnswer, set[str]]]
    metrics: tuple[str, ...] | None


def score(
    experiment: Experiment, *, metrics: tuple[str, ...] | None = None, jobs: int = 1, progress: Progress = silent
) -> list[Row]:
    """Score every answer, write the rows, and give them.

    A page that an algorithm did not answer, or not for this HTML, is a row with the status "missing" and scores zero.

    Parameters
    ----------
    experiment : whose answers
    metrics : names of metrics; by default all that suit the data set and the answers
    jobs : processes
    progress : is told how far it is
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
        raise InputError(
            f"{'; '.join(unfit)}: no wanted metric compares that with data set {experiment.dataset.name!r}"
        )
    return rows


def _tasks(experiment: Experiment, metrics: tuple[str, ...] | None) -> Iterator[_Task]:
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
        yield _Task(experiment.dataset.name, item, answers, metrics)


def _score_item(task: _Task) -> list[Row]:
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
    """The score of one answer by one metric, and how many of its texts could not be placed.

    An answer that is none scores zero, and what was relevant stays counted. Only where nothing was wanted, an empty
    answer is right.
    """
    if given.answer.status == "ok":
        return _as_score(*metric.measure(given))
    nothing = replace(given.answer, text="", segments=[], keep=[], fields={}, blocks=len(given.judge.page.blocks))
    found, _ = _as_score(*metric.measure(Submission(given.judge, nothing)))
    if given.answer.status == "empty" and not _wanted(given.judge, metric):
        return found, 0
    return replace(found, precision=0.0, recall=0.0, f=0.0), 0


def _wanted(judge: Judge, metric: Metric) -> bool:
    """Whether there was anything to find."""
    gold = judge.gold
    if metric.gold == "segmentation":
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
