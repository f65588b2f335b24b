"""The third stage: scores as tables, which `webstrata.evaluation.reports.formats` renders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, isnan
from statistics import fmean, median

from webstrata.evaluation.metrics import Score
from webstrata.evaluation.reports.statistics import Interval, bootstrap_mean, compare_all
from webstrata.evaluation.scores import Row

__all__ = [
    "Cell",
    "ReportTable",
    "ScoreSeries",
    "comparison_tables",
    "group_tables",
    "mean_of",
    "mean_tables",
    "pooled_score",
    "pooled_tables",
    "series",
    "status_table",
    "time_table",
]

Cell = str | int | float | Interval | None


@dataclass(frozen=True)
class ReportTable:
    """A table: its file name, title, header and lines. Cells stay numbers until they are rendered."""

    name: str
    title: str
    header: tuple[str, ...]
    lines: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class ScoreSeries:
    """The rows of each algorithm by one metric on one input of one data set, the best algorithm first."""

    dataset: str
    input: str
    metric: str
    rows: dict[str, list[Row]]

    @property
    def name(self) -> str:
        """Its name in file names."""
        return f"{self.dataset}-{self.input}-{self.metric}"

    def values(self, algorithm: str) -> list[float]:
        """The values of an algorithm, page by page."""
        return [row.value for row in self.rows[algorithm]]


def series(rows: Iterable[Row]) -> list[ScoreSeries]:
    """The rows grouped by data set, input and metric, in the order in which these occur."""
    found: dict[tuple[str, str, str], dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        found[row.dataset, row.input, row.metric][row.algorithm].append(row)
    return [
        ScoreSeries(
            *key, dict(sorted(algorithms.items(), key=lambda item: (-fmean(row.value for row in item[1]), item[0])))
        )
        for key, algorithms in found.items()
    ]


def mean_of(values: Sequence[float]) -> Interval | float:
    """The mean with its interval; of one page the value alone, because one page says nothing about others."""
    return bootstrap_mean(values) if len(values) > 1 else values[0]


def mean_tables(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """For each series: means over pages with the interval of the value, best first."""
    for item in series(rows):
        parts = not isnan(fmean(row.precision for found in item.rows.values() for row in found))
        counts = not isnan(fmean(row.relevant for found in item.rows.values() for row in found))
        header: tuple[str, ...] = ("algorithm", "mean (95%)", "median")
        header += ("precision", "recall") if parts else ()
        header += ("retrieved", "hits", "relevant") if counts else ()
        lines: list[tuple[Cell, ...]] = []
        for name, found in item.rows.items():
            line: tuple[Cell, ...] = name, mean_of(item.values(name)), median(item.values(name))
            for column in header[3:]:
                line += (fmean(getattr(row, column) for row in found),)
            lines.append((*line, len(found), sum(row.status not in ("ok", "empty") for row in found)))
        title = f"{item.dataset}, {item.input}: {item.metric}"
        yield ReportTable(f"mean-{item.name}", title, (*header, "pages", "failures"), tuple(lines))


def pooled_score(rows: Iterable[Row]) -> Score:
    """The score of the summed counts of all pages (micro-average)."""
    found = list(rows)
    hits, retrieved, relevant = (
        fsum(getattr(row, name) for row in found) for name in ("hits", "retrieved", "relevant")
    )
    return Score.from_counts(hits, retrieved=retrieved, relevant=relevant)


def pooled_tables(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """For each series of snippets, whose authors sum them over all pages: precision, recall and F of the sums."""
    for item in series(rows):
        if item.metric != "snippets":
            continue
        scores = {name: pooled_score(found) for name, found in item.rows.items()}
        lines: list[tuple[Cell, ...]] = [
            (name, score.precision, score.recall, score.f)
            for name, score in sorted(scores.items(), key=lambda pair: -pair[1].f)
        ]
        title = f"{item.dataset}, {item.input}: {item.metric} of all pages together"
        yield ReportTable(f"pooled-{item.name}", title, ("algorithm", "precision", "recall", "F"), tuple(lines))


def group_tables(rows: Sequence[Row]) -> Iterator[ReportTable]:
    """For each series with several types of pages: the mean of each type."""
    for item in series(rows):
        counts = Counter(row.group for row in next(iter(item.rows.values())))
        groups = [name for name, _ in counts.most_common()]
        if len(groups) < 2:
            continue
        lines: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *(fmean(row.value for row in found if row.group == group) for group in groups))
            for name, found in item.rows.items()
        )
        header = ("algorithm", *(f"{group or 'other'} ({counts[group]})" for group in groups))
        yield ReportTable(
            f"group-{item.name}", f"{item.dataset}, {item.input}: {item.metric} by type of page", header, lines
        )


def comparison_tables(rows: Sequence[Row], *, best: int = 8) -> Iterator[ReportTable]:
    """For each series: the best algorithms pair by pair."""
    for item in series(rows):
        names = list(item.rows)[:best]
        if len(names) < 2 or len({len(item.rows[name]) for name in names}) > 1:
            continue
        lines = tuple(
            (
                pair.first,
                pair.second,
                pair.difference,
                _p(pair.p),
                _p(pair.p_holm),
                "yes" if pair.p_holm < 0.05 else "no",
            )
            for pair in compare_all({name: item.values(name) for name in names})
        )
        header = ("better", "than", "difference (95%)", "p", "p (Holm)", "significant")
        yield ReportTable(
            f"pairs-{item.name}", f"{item.dataset}, {item.input}: {item.metric}, paired tests", header, lines
        )


def _p(value: float) -> str:
    return f"{value:.4f}"


def time_table(rows: Sequence[Row]) -> ReportTable:
    """Milliseconds a page, from HTML to answer."""
    seconds: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        seconds[row.dataset, row.input, row.algorithm][row.page] = row.seconds * 1000
    lines = []
    for key, pages in sorted(seconds.items(), key=lambda item: (item[0][:2], fmean(item[1].values()))):
        times = sorted(pages.values())
        slow = times[min(int(len(times) * 0.95), len(times) - 1)]
        lines.append((*key, median(times), fmean(times), slow, times[-1], len(times)))
    header = ("data set", "input", "algorithm", "median ms", "mean ms", "95% ms", "max ms", "pages")
    return ReportTable("time", "Time a page", header, tuple(lines))


def status_table(rows: Sequence[Row]) -> ReportTable:
    """The number of answers by status, and of texts that were not found in the page."""
    found: dict[tuple[str, str], dict[tuple[str, str], Row]] = defaultdict(dict)
    for row in rows:
        page = row.page, row.input
        known = found[row.dataset, row.algorithm].get(page)
        if known is None or row.unmapped > known.unmapped:
            found[row.dataset, row.algorithm][page] = row
    names = ("ok", "empty", "error", "crash", "time-out", "missing")
    lines: list[tuple[Cell, ...]] = []
    for key, pages in sorted(found.items()):
        counts = Counter(row.status for row in pages.values())
        lines.append((*key, *(counts[name] for name in names), sum(row.unmapped for row in pages.values())))
    return ReportTable("status", "Answers", ("data set", "algorithm", *names, "unmapped texts"), tuple(lines))
