"""Engines: they run maps and folds on the processes of this machine, or on Spark."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webstrata._locks import locked
from webstrata.crawls.folding.folds import Fold, FoldJob
from webstrata.crawls.running.job import Job, Progress, Summary
from webstrata.errors import InputError
from webstrata.files import read_json, write_json

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
    resume : whether to resume an earlier run in the folder

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
        """Run a job."""
        if self.name == "local":
            return job.run(jobs=self.jobs, resume=self.resume, progress=progress)
        from webstrata.crawls.running.spark import run_job

        return run_job(job, jobs=self.jobs)

    def fold(self, job: FoldJob, *, progress: Callable[[float], None] = lambda share: None) -> None:
        """Run a fold. Resuming a fold that has not begun starts it."""
        if self.name == "local":
            job.run(jobs=self.jobs, resume=self.resume, progress=progress)
            return
        from webstrata.crawls.folding.spark import run_fold

        run_fold(job, jobs=self.jobs)

    def map_and_fold(
        self,
        job: Job,
        folds: Mapping[str, Fold],
        *,
        progress: Progress | None = None,
        on_fold: Callable[[str], None] = lambda name: None,
    ) -> Summary:
        """Run a job, and then folds of its rows, unless no row was written.

        Parameters
        ----------
        job : its output is a folder inside the one that the folds are written to
        folds : by the names of their folders, in order; a fold may read the results of an earlier one
        progress : progress callback of the job
        on_fold : called with the name of each fold when it begins
        """
        rows = Path(job.output)
        summary = self.map(job, progress=progress)
        for name, fold in folds.items() if summary.written else ():
            on_fold(name)
            self.fold(FoldJob(rows=rows, fold=fold, output=rows.parent / name))
        return summary

    def once(
        self,
        output: Path,
        name: str,
        plan: str,
        work: Callable[[], tuple[Summary, dict[str, Any]]],
        *,
        rows: Sequence[str] = ("rows",),
    ) -> Summary:
        """Do the work for a folder, one process at a time, unless an earlier run has finished it.

        Parameters
        ----------
        output, name : the folder, and the JSON file in it that is written when the work is finished
        plan : what must be the same for a run to resume an earlier one
        work : gives the summary, and facts for the file
        rows : folders in the folder that are needed no longer when the work is finished
        """
        done = output / name
        with locked(output / ".webstrata.lock"):
            if not done.exists():
                summary, facts = work()
                write_json(done, {**facts, "plan": plan, **summary.as_dict()})
            elif not self.resume:
                raise InputError(f"{output} holds the results of an earlier run: name a new folder")
            else:
                about = read_json(done, f"{done} is damaged: run again into a new folder")
                if about.get("plan") != plan:
                    raise InputError(f"{output} holds the results of a run with other options: name a new folder")
                summary = Summary(about["records"], about["written"], about["rejected"], earlier=True)
            for leftover in rows:
                shutil.rmtree(output / leftover, ignore_errors=True)
        return summary


#: All cores of this machine, without resuming.
LOCAL = Engine()
