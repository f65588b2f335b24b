"""Reports on near-duplicates, each one HTML file: the clusters of a crawl, and the shared text of two pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from webstrata._escaping import html, link
from webstrata.duplicates.comparison import TextComparison, TextRun

__all__ = ["clusters_report", "side_by_side", "summary_of"]

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2733; --soft: #5b6b7b; --line: #d8dfe6; --mark: #d9f0e3; --paper: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6ebf0; --soft: #9fb0bf; --line: #33404c; --mark: #1f4a36;
  --paper: #141a20; } }
body { margin: 2rem auto; max-width: 80rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.4rem; margin: 0; } p.note { color: var(--soft); max-width: 46rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 2rem; }
h2 { font-size: 1rem; overflow-wrap: anywhere; border-bottom: 1px solid var(--line); padding-bottom: .3rem; }
.text { white-space: pre-line; overflow-wrap: anywhere; color: var(--soft); }
mark { background: var(--mark); color: var(--ink); border-radius: 2px; }
table { border-collapse: collapse; width: 100%; } td { padding: .25rem .6rem .25rem 0; vertical-align: top;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
td.number { text-align: right; white-space: nowrap; color: var(--soft); width: 6rem; }
td small { display: block; color: var(--soft); }
"""
# What the report of a large crawl shows; clusters.parquet has all of it.
_CLUSTERS, _PAGES = 200, 20


def clusters_report(rows: Iterable[Mapping[str, Any]], about: Mapping[str, Any]) -> str:
    """The clusters of a crawl as a single HTML file: the largest first, and in each the page that is kept first.

    Parameters
    ----------
    rows : those of ``clusters.parquet``, in its order
    about : the content of ``duplicates.json``
    """
    groups = groupby(rows, key=itemgetter("cluster"))
    sections = "".join(_cluster(number, members) for number, members in islice(groups, _CLUSTERS))
    rest = about["clusters"] - _CLUSTERS
    more = f"<p class=note>{rest} more clusters are in clusters.parquet.</p>" if rest > 0 else ""
    none = "<p>No two pages are near-duplicates.</p>" if not about["clusters"] else ""
    summary = (
        f"{about['written']} pages compared by {about['by']}: {about['members']} of them are in {about['clusters']}"
        f" clusters, and {about['dropped']} can be dropped. The percentage is the estimated share of text that a page"
        " has in common with the page that is kept. To see the shared text of two pages, give their names to"
        " webstrata duplicates show."
    )
    return _document("Near-duplicates", summary, f"{sections}{more}{none}")


def _cluster(number: int, members: Iterable[Mapping[str, Any]]) -> str:
    rows = iter(members)
    shown = list(islice(rows, _PAGES))
    rest = sum(1 for _ in rows)
    more = f"<p class=note>and {rest} more</p>" if rest else ""
    title = shown[0]["title"] or "Without a title"
    table = "".join(map(_member, shown))
    return f"<h2>{number}. {html(title)} ({len(shown) + rest} pages)</h2><table>{table}</table>{more}"


def _member(row: Mapping[str, Any]) -> str:
    share = "kept" if row["keeper"] else f"{row['shared']:.0%}"
    name = f"{row['file']}#{row['record']}"
    page = f"{link(row['url'])}<small>{html(name)}</small>" if row["url"] else html(name)
    return f"<tr><td class=number>{share}<td class=number>{row['words']} words<td>{page}</tr>"


def side_by_side(comparison: TextComparison, names: tuple[str, str], by: str) -> str:
    """The report as a single HTML file.

    Parameters
    ----------
    names : of the two pages
    by : which part of them is compared
    """
    summary = f"{summary_of(comparison)}. Compared by {by}. Shared text is marked."
    sides = "".join(
        f"<section><h2>{html(name)}</h2><div class=text>{_text(comparison.runs(side))}</div></section>"
        for side, name in zip("ab", names, strict=True)
    )
    return _document("Shared text of two pages", summary, f"<div class=sides>{sides}</div>")


def _document(title: str, note: str, body: str) -> str:
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{_STYLE}</style></head><body>
<h1>{title}</h1>
<p class=note>{html(note)}</p>
{body}</body></html>
"""


def summary_of(comparison: TextComparison) -> str:
    """The similarity in a sentence."""
    return (
        f"{comparison.shared} of {comparison.either} runs of {comparison.length} words are on both pages:"
        f" {comparison.similarity:.1%}"
    )


def _text(runs: list[TextRun]) -> str:
    return "".join(f"<mark>{html(run.text)}</mark>" if run.shared else html(run.text) for run in runs)
