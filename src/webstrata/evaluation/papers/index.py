"""One page for all papers: the state of every table and figure, with links to the reports that were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from webstrata.evaluation.papers.catalogue import PAPERS, Paper
from webstrata.evaluation.papers.states import MEANINGS, STATES, states_table
from webstrata.evaluation.reports.document import NotRun, Part, write_document
from webstrata.evaluation.reports.tables import Cell, ReportTable
from webstrata.files import read_json

__all__ = ["write_index"]


def write_index(folder: Path) -> tuple[Path, list[NotRun]]:
    """Write the index of the reports in the folders ``folder/KEY`` as ``folder/report.html``.

    Returns its path, and what was not run: papers without a report, and parts that their reports name.
    """
    made = {
        key: read_json(path, "make the report again")
        for key in PAPERS
        if (path := folder / key / "parts.json").exists()
    }
    return write_document(folder, "Tables and figures of five papers", _parts(made))


def _parts(made: dict[str, dict[str, Any]]) -> Iterator[Part]:
    yield (
        "webstrata implements five research papers; the PhD thesis has two reports. This page lists every numbered"
        " table and figure of them, and what became of it here. Numbers are in the reports, with those of the papers"
        " beside ours and an explanation of each difference."
    )
    yield "\n".join(f"- *{state}*: {meaning}" for state, meaning in MEANINGS.items())
    yield _counts()
    for key, paper in PAPERS.items():
        yield f"## {paper.title} ({paper.citation})"
        yield from _of_paper(paper, made.get(key))
        yield replace(states_table(key), name=f"states-{key}")
    seconds: tuple[tuple[Cell, ...], ...] = tuple(
        (key, float(sum(found["seconds"].values()))) for key, found in made.items()
    )
    if seconds:
        total = ("all", float(sum(cell for _, cell in seconds if isinstance(cell, float))))
        yield "## Time"
        yield ReportTable("times", "Processor seconds of the reports", ("report", "seconds"), (*seconds, total))


def _counts() -> ReportTable:
    """How many lines of the tables have each state."""
    lines: tuple[tuple[Cell, ...], ...] = tuple(
        (
            PAPERS[key].citation if key in PAPERS else key,
            *(sum(item.state == state for item in items) for state in MEANINGS),
        )
        for key, items in STATES.items()
    )
    return ReportTable("counts", "States, counted by line", ("paper", *MEANINGS), lines)


def _of_paper(paper: Paper, found: dict[str, Any] | None) -> Iterator[Part]:
    if found is None:
        yield NotRun(paper.key, f"There is no report: run `webstrata reproduce {paper.key}`.")
        return
    yield f"[Report with all tables and figures]({paper.key}/report.html)"
    for name, reason in found["not run"].items():
        yield NotRun(f"{paper.key}, {name}", reason)
    for name in paper.parts:
        if name not in found["seconds"]:
            yield NotRun(f"{paper.key}, {name}", "The report was made without it, by `--only`.")
