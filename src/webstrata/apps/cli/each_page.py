"""A task for each page that a command reads: in this process or in several, with its results in one place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

from webstrata.apps.cli.inputs import NamedPage, find_pages
from webstrata.apps.cli.outputs import Separator, page_output
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError, WebstrataError

__all__ = ["PageOutput", "PageTask", "find_pages_or_report", "write_each"]


class PageOutput(NamedTuple):
    """The text to write for a page and a line for the standard error, or an error message."""

    text: str = ""
    note: str = ""
    error: str = ""


#: Reads a page and gives what to write; pickled for worker processes. What it raises is the error of its page.
PageTask = Callable[[NamedPage], PageOutput]


def find_pages_or_report(files: Iterable[str]) -> tuple[list[NamedPage], bool]:
    """The pages of the arguments, and whether all arguments have some; those without are reported."""
    found = list(find_pages(files))
    errors = [error for error in found if isinstance(error, InputError)]
    for error in errors:
        _report(str(error))
    return [page for page in found if isinstance(page, NamedPage)], not errors


def write_each(
    task: PageTask,
    pages: list[NamedPage],
    *,
    output: Path | None,
    ending: str,
    jobs: int,
    separator: Separator | None = None,
    complete: bool = True,
) -> None:
    """Write the result of each page, in order; the process ends with code 2 if there were errors.

    Parameters
    ----------
    output, ending, separator : as for `webstrata.apps.cli.outputs.page_output`
    jobs : processes to share the pages
    complete : whether every argument of the command has pages
    """
    with page_output(output, pages, ending=ending, separator=separator) as write:
        for page, found in _with_progress(_outputs(task, pages, jobs), len(pages), shown=output is not None):
            if found.error:
                _report(found.error)
                complete = False
                continue
            write(page, found.text)
            if found.note:
                echo(found.note, err=True)
    if not complete:
        sys.exit(2)


def _report(error: str) -> None:
    echo(f"webstrata: {error}", err=True)


def _outputs(task: PageTask, pages: list[NamedPage], jobs: int) -> Iterator[tuple[NamedPage, PageOutput]]:
    """The output of each page, in order: from this process, or with several jobs from guarded ones."""
    if jobs == 1 or len(pages) < 2:
        for page in pages:
            yield page, _answer(task, page)
        return
    from webstrata.workers.limits import Limits
    from webstrata.workers.pool import Failure, Pool

    if any(page.name == "-" for page in pages):
        raise InputError("the standard input cannot be shared by several jobs: leave out --jobs")
    pool = Pool[NamedPage, PageOutput](start=partial(_start, task), limits=Limits(), jobs=min(jobs, len(pages)))
    with closing(pool([page] for page in pages)) as results:
        for (page,), (answer,) in results:
            if isinstance(answer, Failure):
                answer = PageOutput(error=f"cannot read {page.name}: {answer.reason} ({answer.detail})")
            yield page, answer


def _answer(task: PageTask, page: NamedPage) -> PageOutput:
    try:
        return task(page)
    except WebstrataError as error:
        return PageOutput(error=str(error))


def _start(task: PageTask) -> PageTask:
    return partial(_answer, task)


def _with_progress(
    outputs: Iterable[tuple[NamedPage, PageOutput]], total: int, *, shown: bool
) -> Iterator[tuple[NamedPage, PageOutput]]:
    """The outputs as they come, with a progress bar on a terminal if ``shown``."""
    if not shown or total < 2 or not sys.stderr.isatty():
        yield from outputs
        return
    from webstrata.apps.cli.bars import bar, progress_bars

    with progress_bars() as bars:
        update = bar(bars, "reading pages")
        for done, output in enumerate(outputs, 1):
            yield output
            update(done, total)
