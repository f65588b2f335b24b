"""Pages made to be hard: the share of the wanted words that ours and two peers keep, and of the unwanted.

    python bench/hard_pages.py

The pages are those of tests/stress.py; the tests hold ours to floors.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import click
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/kits"))

from stress import cases, share

from webstrata.evaluation.answers.peers import Resiliparse, Trafilatura
from webstrata.evaluation.datasets.base import PageInput
from webstrata.extraction import extract


@click.command(help=__doc__)
def main() -> None:
    systems: dict[str, Callable[[str], str]] = {
        "webstrata": lambda html: extract(html).text,
        "trafilatura": lambda html: Trafilatura()(PageInput(html.encode())),
        "resiliparse": lambda html: Resiliparse()(PageInput(html.encode())),
    }
    table = Table(title="share of the wanted words kept (and of the unwanted)")
    table.add_column("page")
    rows: dict[str, dict[str, list[tuple[float, float | None]]]] = defaultdict(lambda: defaultdict(list))
    for case in cases():
        name = f"{case.kind}: {case.name}" if case.kind in ("long", "fragment", "hole") else case.kind
        for system, run in systems.items():
            text = run(case.html) or ""
            rows[name][system].append((share(case.wanted, text), share(case.unwanted, text) if case.unwanted else None))
    for system in systems:
        table.add_column(system, justify="right")
    for name, found in rows.items():
        cells = []
        for system in systems:
            unwanted = [value for _, value in found[system] if value is not None]
            cells.append(
                f"{fmean(kept for kept, _ in found[system]):.2f}" + (f" ({fmean(unwanted):.2f})" if unwanted else "")
            )
        table.add_row(name, *cells)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
