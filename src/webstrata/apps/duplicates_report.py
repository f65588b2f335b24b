"""A report on two pages: one HTML file with both side by side, and their shared text marked."""

from __future__ import annotations

from webstrata._escaping import html
from webstrata.duplicates.comparison import TextComparison, TextRun

__all__ = ["side_by_side", "summary_of"]

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
"""


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
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Shared text of two pages</title><style>{_STYLE}</style></head><body>
<h1>Shared text of two pages</h1>
<p class=note>{html(summary)}</p>
<div class=sides>{sides}</div></body></html>
"""


def summary_of(comparison: TextComparison) -> str:
    """The similarity in a sentence."""
    return (
        f"{comparison.shared} of {comparison.either} runs of {comparison.length} words are on both pages:"
        f" {comparison.similarity:.1%}"
    )


def _text(runs: list[TextRun]) -> str:
    return "".join(f"<mark>{html(run.text)}</mark>" if run.shared else html(run.text) for run in runs)
