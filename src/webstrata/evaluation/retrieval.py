"""Retrieval experiments: files of judged queries, rankings of an index, tables with intervals and tests.

A file of queries has one JSON object a line: ``{"query": "...", "relevant": {"URL": 1, ...}, "kind": "anchor"}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from webstrata.errors import InputError, from_extra
from webstrata.evaluation.metrics.retrieval import RETRIEVAL, score_gains
from webstrata.evaluation.reports.statistics import Interval, bootstrap_mean, compare_all
from webstrata.search._impacts import best
from webstrata.search.index import Index
from webstrata.search.rankings import RANKINGS
from webstrata.text import Column

__all__ = [
    "JudgedQuery",
    "RankingRow",
    "evaluate_rankings",
    "read_queries",
    "run_queries",
    "table",
    "wilcoxon",
    "write_queries",
]

# The number of answers that are scored: a relevant page beyond them counts as not found.
_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query, the gain of each relevant URL, and the kind of the query."""

    query: str
    relevant: dict[str, float]
    kind: str = ""


def read_queries(path: Path) -> list[JudgedQuery]:
    """The queries of a file."""
    found = []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            relevant = {str(url): float(gain) for url, gain in row["relevant"].items()}
            found.append(JudgedQuery(str(row["query"]), relevant, str(row.get("kind", ""))))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(
                f'{path}, line {number} is no query: write {{"query": "...", "relevant": {{"URL": 1}}}} on each line'
            ) from error
    if not found:
        raise InputError(f"{path} holds no query")
    return found


def write_queries(path: Path, queries: Iterable[JudgedQuery]) -> None:
    """Write queries to a file, one a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = ({"query": item.query, "relevant": item.relevant, "kind": item.kind} for item in queries)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def run_queries(index: Index, queries: Sequence[JudgedQuery], ranking: str) -> dict[str, Column]:
    """The measures of a ranking: a column for each measure, with a value for each query."""
    recipe = RANKINGS.make(ranking)
    index = index.holding(ranking)
    # Of several pages with one URL only the last has a score.
    number = {url: page for page, url in enumerate(url for shard in index.shards for url in shard.urls)}
    gain = np.zeros(len(index.model.alive))
    rows = []
    for item in queries:
        relevant = [(number[url], grade) for url, grade in item.relevant.items() if url in number]
        for page, grade in relevant:
            gain[page] = grade
        pages, _, _ = best(index.scores(index.read(item.query, recipe), recipe), _DEPTH)
        gains = gain[pages]
        # Answers after the last relevant one change no measure.
        gains = gains[: int(np.flatnonzero(gains).max(initial=-1)) + 1]
        rows.append(score_gains(gains.tolist(), list(item.relevant.values())))
        gain[[page for page, _ in relevant]] = 0.0
    return {name: np.array([row[name] for row in rows]) for name in RETRIEVAL}


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A ranking: its means by measure, and for one measure the interval and the difference to the first ranking.

    ``p_randomisation`` and ``p_wilcoxon`` are the probabilities of such a difference between equally good rankings;
    both are 1 for the first ranking.
    """

    ranking: str
    means: dict[str, float]
    interval: Interval
    difference: Interval
    p_randomisation: float
    p_wilcoxon: float


def evaluate_rankings(
    index: Index,
    queries: Sequence[JudgedQuery],
    rankings: Sequence[str],
    *,
    measure: str = "MRR",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[RankingRow]:
    """Rankings on the same queries, each compared with the first."""
    if measure not in RETRIEVAL:
        raise InputError(f"no measure is called {measure!r}: choose one of {', '.join(RETRIEVAL)}")
    found: dict[str, dict[str, Column]] = {}
    total = len(queries) * len(rankings)
    for number, ranking in enumerate(rankings):
        progress(number * len(queries), total)
        found[ranking] = run_queries(index, queries, ranking)
    progress(total, total)
    first = found[rankings[0]][measure]
    rows = []
    for ranking, columns in found.items():
        means = {name: float(column.mean()) for name, column in columns.items()}
        gap = columns[measure] - first
        same = ranking == rankings[0]
        chance = 1.0 if same else compare_all({"a": columns[measure].tolist(), "b": first.tolist()})[0].p
        rows.append(
            RankingRow(ranking, means, bootstrap_mean(columns[measure]), bootstrap_mean(gap), chance, wilcoxon(gap))
        )
    return rows


def wilcoxon(difference: Column) -> float:
    """The p-value of Wilcoxon's signed-rank test; 1 if all differences are 0."""
    with from_extra("eval", "scipy"):
        from scipy.stats import wilcoxon
    decided = difference[difference != 0]
    return float(wilcoxon(decided).pvalue) if len(decided) else 1.0


def table(rows: Sequence[RankingRow], measure: str = "MRR") -> Iterator[str]:
    """The rows as lines of text."""
    width = max([len(row.ranking) for row in rows] + [7])
    yield (
        f"{'ranking':{width}} "
        + " ".join(f"{name:>10}" for name in RETRIEVAL)
        + f"  ({measure} from to)  less the first"
    )
    for row in rows:
        means = " ".join(f"{row.means[name]:10.3f}" for name in RETRIEVAL)
        gap = row.difference
        sure = f"p {row.p_randomisation:.4f}, Wilcoxon {row.p_wilcoxon:.4f}"
        own = f"{row.interval.low:.3f} to {row.interval.high:.3f}"
        yield f"{row.ranking:{width}} {means}  ({own})  {gap.mean:+.3f} ({gap.low:+.3f} to {gap.high:+.3f}) {sure}"
