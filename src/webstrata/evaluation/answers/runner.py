"""The first stage: ask every algorithm about every page, and write down what it said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from webstrata._once import once
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm
from webstrata.evaluation.answers.files import AnswerFile, file_name
from webstrata.evaluation.answers.questions import Question, answer_all
from webstrata.evaluation.datasets.base import Dataset
from webstrata.workers.limits import LENIENT_LIMITS

__all__ = ["TIME_LIMIT", "Experiment", "Progress", "run", "silent"]

#: Seconds for a page.
TIME_LIMIT = LENIENT_LIMITS.seconds

#: Called with how much is done, such as the number of answers that are there, and how much there is to do.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """A progress that is shown nowhere."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """Which algorithms see which inputs of which pages, and where the files are.

    Attributes
    ----------
    dataset, specs : the pages and the algorithms
    folder : outputs, scores and report are below it
    inputs : those of the data set's inputs that are used
    pages : how many pages, the first ones; all by default
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
        """How many answers there will be."""
        return self.dataset.size(self.pages) * len(self.inputs) * len(self.specs)

    @once
    def reprs(self) -> dict[Spec, str]:
        """What each algorithm is, parameters and all."""
        return {spec: repr(make_algorithm(spec)) for spec in self.specs}

    @once
    def answers(self) -> dict[Spec, AnswerFile]:
        """What each algorithm said so far."""
        folder = self.folder / "outputs" / file_name(self.dataset.name)
        return {spec: AnswerFile(folder / f"{file_name(spec.name)}.jsonl") for spec in self.specs}

    def questions(self, *, retry: bool) -> Iterator[Question | None]:
        """All questions in the order of the pages; None for those that were answered."""
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
                        yield Question(spec, self.reprs[spec], item.name, name, document)


def run(
    experiment: Experiment,
    *,
    jobs: int = 1,
    limit: float = TIME_LIMIT,
    retry: bool = False,
    fresh: bool = False,
    progress: Progress = silent,
) -> int:
    """Ask what was not asked before, and give the number of new answers.

    Each answer is in its file before the next one of its process: a run that ends early goes on where it was.

    Parameters
    ----------
    experiment : what to ask
    jobs : processes
    limit : seconds for a page, as in `webstrata.workers.limits.Limits`; a driver's program has so many by the clock
    retry : ask again where it went wrong before
    fresh : forget what was answered before, such as after a change of an algorithm that its ``repr`` does not tell
    progress : is told how far it is
    """
    if fresh:
        for file in experiment.answers.values():
            file.clear()
    total, done, new = experiment.total, 0, 0

    def open_questions() -> Iterator[Question]:
        nonlocal done
        for question in experiment.questions(retry=retry):
            if question is None:
                done += 1
                progress(done, total)
            else:
                yield question

    for question, answer in answer_all(open_questions(), jobs=jobs, limits=replace(LENIENT_LIMITS, seconds=limit)):
        experiment.answers[question.spec].append(answer)
        done, new = done + 1, new + 1
        progress(done, total)
    return new
