"""Progress bars for commands that take long."""

from __future__ import annotations

from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

__all__ = ["bar", "progress_bars", "share_bar"]


class _Rate(ProgressColumn):
    """Items per second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.1f}/s" if task.speed else "")


def progress_bars() -> Progress:
    """Progress bars on standard error, with rate and time left."""
    columns = (TextColumn("{task.description:<28}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True))


def bar(bars: Progress, description: str) -> Callable[[int, int], None]:
    """Add a bar; returns its progress callback, which takes the number done and the total."""
    task = bars.add_task(description, total=None)

    def update(done: int, total: int) -> None:
        bars.update(task, completed=done, total=total)

    return update


def share_bar(bars: Progress, description: str) -> Callable[[float], None]:
    """Add a bar; returns its progress callback, which takes the share done."""
    update = bar(bars, description)
    return lambda share: update(int(100 * share), 100)
