"""Progress bars of the commands that take long."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["bar", "progress_bars"]


class _Rate(ProgressColumn):
    """How many a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.1f}/s" if task.speed else "")


def progress_bars() -> Progress:
    """Bars on the standard error stream, with rate and time left."""
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def bar(bars: Progress, description: str) -> Callable[[int, int], None]:
    """A bar, as something that is told how far it is."""
    task = bars.add_task(description, total=None)

    def tell(done: int, total: int) -> None:
        bars.update(task, completed=done, total=total)

    return tell
