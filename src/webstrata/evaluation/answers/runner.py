"""The first stage: run every algorithm on every page, and write the answers to files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm
from webstrata.evaluation.answers.files import AnswerFile, file_name
from webstrata.evaluation.answers.tasks import Task, run_tasks
from webstrata.evaluation.datasets.base import Dataset
from webstrata.workers.limits import LENIENT_LIMITS

__all__ = ["TIME_LIMIT", "Experiment", "Progress", "run", "silent"]

#: Seconds for a page.
TIME_LIMIT = LENIENT_LIMITS.seconds

#: A progress callback: called with the amount done and the total.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """A progress callback that does nothing."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """Algorithms, pages and inputs, and the folder of the files.

    Attributes
    ----------
    dataset, specs : the pages and the algorithms
    folder : for outputs, scores and report
    inputs : the names of the inputs to use
    pages : use only the first pages; all by default
    """

    dataset: Dataset
    specs: tuple[Spec, ...]
    folder: Path
    inputs: tuple[str, ...]
    pages: int | None = None

    def __post_init__(self) -> None:
        if unknown := set(self.inputs) - set(self.dataset.inputs):
            have = ", ".join(self.dataset.inputs)
            raise InputError(f"data set {self.dataset.name!r} has the input {have}, not {', '.join(sorted(unknown))}")

    @property
    def total(self) -> int:
        """The number of answers of a complete run."""
        return self.dataset.size(self.pages) * len(self.inputs) * len(self.specs)

    @once
    def reprs(self) -> dict[Spec, str]:
        """The ``repr`` of each algorithm, with all parameters."""
        return {spec: repr(make_algorithm(spec)) for spec in self.specs}

    @once
    def answers(self) -> dict[Spec, AnswerFile]:
        """The answers of each algorithm so far."""
        folder = self.folder / "outputs" / file_name(self.dataset.name)
        return {spec: AnswerFile(folder / f"{file_name(spec.name)}.jsonl") for spec in self.specs}

    def tasks(self, *, retry: bool) -> Iterator[Task | None]:
        """All tasks in the order of the pages; None for those that have an answer."""
        for item in self.dataset.items(self.pages):
            for name in self.inputs:
                document = item.inputs[name]
                for spec in self.specs:
                    key = item.name, name
                    answered = self.answers[spec].has(key, self.reprs[spec], document.digest)
                    failed = self.answers[spec].status(key) not in ("ok", "empty")
                    if answered and not (retry and failed):
                        yield None
                    else:
                        yield Task(spec, self.reprs[spec], item.name, name, document)


def run(
    experiment: Experiment,
    *,
    jobs: int = 1,
    limit: float = TIME_LIMIT,
    retry: bool = False,
    fresh: bool = False,
    progress: Progress = silent,
) -> int:
    """Run all tasks that have no answer yet, and return the number of new answers.

    Each answer is in its file before the process starts its next task, so an interrupted run continues where it
    stopped.

    Parameters
    ----------
    experiment : the tasks
    jobs : processes
    limit : seconds for a page, as in `webstrata.workers.limits.Limits`; for drivers, seconds of the clock
    retry : run failed tasks again
    fresh : delete old answers, such as after a change of an algorithm that its ``repr`` does not show
    progress : progress callback
    """
    if fresh:
        for file in experiment.answers.values():
            file.clear()
    total, done, new = experiment.total, 0, 0

    def open_tasks() -> Iterator[Task]:
        nonlocal done
        for task in experiment.tasks(retry=retry):
            if task is None:
                done += 1
                progress(done, total)
            else:
                yield task

    for task, answer in run_tasks(open_tasks(), jobs=jobs, limits=replace(LENIENT_LIMITS, seconds=limit)):
        experiment.answers[task.spec].append(answer)
        done, new = done + 1, new + 1
        progress(done, total)
    return new
