"""The leaderboards of a report: for each data set the algorithms, the best first, by the measures that matter most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean

from webstrata.evaluation.reports.tables import Cell, ReportTable, ScoreSeries, mean_of, series
from webstrata.evaluation.scores import Row

__all__ = ["LEADING", "leaderboards"]

# What is compared, and its measures; the algorithms are ordered by the first of them that was taken.
_BOARDS = {
    "content": ("words", "snippets"),
    "segments": ("fuzzy", "exact", "adjusted-rand"),
    "metadata": ("title", "author", "date"),
    "labels": ("labels",),
}
#: The measures of leaderboards.
LEADING = frozenset(metric for metrics in _BOARDS.values() for metric in metrics)


def leaderboards(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """A table for each data set, input and kind of answers; only the first measure has its interval."""
    found: dict[tuple[str, str], dict[str, ScoreSeries]] = {}
    for item in series(rows):
        found.setdefault((item.dataset, item.input), {})[item.metric] = item
    for (dataset, source), by_metric in found.items():
        for board, metrics in _BOARDS.items():
            taken = [by_metric[name] for name in metrics if name in by_metric]
            if taken:
                title = f"{dataset}, {source}: {board}"
                yield ReportTable(f"leaderboard-{dataset}-{source}-{board}", title, _header(taken), _lines(taken))


def _header(taken: Sequence[ScoreSeries]) -> tuple[str, ...]:
    first, *others = (item.metric for item in taken)
    return ("algorithm", f"{first} (95%)", *others, "ms a page", "failures")


def _lines(taken: Sequence[ScoreSeries]) -> tuple[tuple[Cell, ...], ...]:
    first, *others = taken
    lines: list[tuple[Cell, ...]] = []
    for name, rows in first.rows.items():
        also = [fmean(item.values(name)) if name in item.rows else None for item in others]
        time = 1000 * fmean(row.seconds for row in rows)
        failures = sum(row.status not in ("ok", "empty") for row in rows)
        lines.append((name, mean_of(first.values(name)), *also, time, failures))
    return tuple(lines)
