"""Where maps and folds run: on the processes of this machine, or on Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from webstrata.crawls.folding.folds import Fold, FoldJob
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.errors import InputError

__all__ = ["ENGINES", "LOCAL", "Engine"]

#: The engines by name.
ENGINES = ("local", "spark")


@dataclass(frozen=True, kw_only=True)
class Engine:
    """Runs maps and folds to their end.

    Parameters
    ----------
    name : one of `ENGINES`
    jobs : processes; all cores by default
    resume : go on with what an earlier run left in the folder

    >>> Engine(name="spark", jobs=2)
    Engine(name='spark', jobs=2, resume=False)
    """

    name: str = "local"
    jobs: int | None = None
    resume: bool = False

    def __post_init__(self) -> None:
        if self.name not in ENGINES:
            raise InputError(f"no engine is called {self.name!r}: choose one of {', '.join(ENGINES)}")
        if self.resume and self.name == "spark":
            raise InputError("Spark repeats lost tasks by itself and has nothing to resume: leave out --resume")

    def map(self, job: Job, *, progress: Progress | None = None) -> Summary:
        """Run the step of a job over its inputs."""
        if self.name == "local":
            return job.run(jobs=self.jobs, resume=self.resume, progress=progress)
        from webstrata.crawls.running.spark import run_job

        return run_job(job, jobs=self.jobs)

    def fold(self, job: FoldJob, *, tell: Callable[[float], None] = lambda share: None) -> None:
        """Fold the rows of a job. A fold that was not begun has nothing to resume, which is no mistake."""
        if self.name == "local":
            job.run(jobs=self.jobs, resume=self.resume, tell=tell)
            return
        from webstrata.crawls.folding.spark import run_fold

        run_fold(job, jobs=self.jobs)

    def map_and_fold(
        self,
        job: Job,
        folds: Mapping[str, Fold],
        *,
        progress: Progress | None = None,
        tell: Callable[[str], None] = lambda stage: None,
    ) -> Summary:
        """Run a job, and fold its rows into folders beside them, by the names of the folds. No page, no folds.

        Parameters
        ----------
        job : whose output is a folder within the one that the folds are written to
        folds : one after the other; a later one may read what an earlier one has written
        progress : is told of the pages as they are read
        tell : is told of each fold when it begins
        """
        rows = Path(job.output)
        summary = self.map(job, progress=progress)
        for name, fold in folds.items() if summary.written else ():
            tell(name)
            self.fold(FoldJob(rows=rows, fold=fold, output=rows.parent / name))
        return summary


#: All cores of this machine, from the beginning.
LOCAL = Engine()
