"""What the scripts of this folder share: arguments, processes, tables and plots in a report folder."""

from __future__ import annotations

import argparse
import csv
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

# Before scikit-learn is loaded: its threads would fight the processes over the same cores.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import matplotlib
from matplotlib import pyplot

from pages import progress

T = TypeVar("T")
R = TypeVar("R")

matplotlib.use("Agg")
# The same plot is the same file: no random ids, no date.
matplotlib.rcParams.update({"svg.hashsalt": "webstrata", "figure.constrained_layout.use": True, "font.size": 9})


def arguments(description: str | None, out: str) -> argparse.Namespace:
    """The options of every script: where the report goes and how many pages to read."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(out), help=f"report folder (default: {out})")
    parser.add_argument("--pages", type=int, help="read only so many pages of each data set, for a quick look")
    parser.add_argument("--jobs", type=int, default=2, help="processes where nothing is timed (default: 2)")
    return parser.parse_args()


def in_processes(function: Callable[[T], R], items: Sequence[T], description: str, jobs: int) -> list[R]:
    """The function of each item, in order, in some processes."""
    if jobs <= 1:
        return [function(item) for item in progress(items, description, len(items))]
    # Forked, so that what was read before is there without being sent.
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
        results = pool.map(function, items, chunksize=max(1, len(items) // (jobs * 32)))
        return list(progress(results, description, len(items)))


class Report:
    """A folder with one Markdown file, and the tables (CSV) and plots (SVG) that it shows."""

    def __init__(self, folder: Path, title: str) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self._parts = [f"# {title}"]

    def say(self, text: str) -> None:
        """Add a paragraph."""
        self._parts.append(text)

    def table(self, name: str, title: str, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        """Add a table, and write it as ``name.csv``."""
        with (self.folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        lines = [" | ".join(header), " | ".join("---" for _ in header), *(" | ".join(map(_cell, row)) for row in rows)]
        self._parts.append(f"## {title}\n\n" + "\n".join(f"| {line} |" for line in lines))

    def figure(self, name: str, title: str, figure: Any) -> None:
        """Add a plot, and write it as ``name.svg``."""
        figure.savefig(self.folder / f"{name}.svg", metadata={"Date": None})
        pyplot.close(figure)
        self._parts.append(f"## {title}\n\n![{title}]({name}.svg)")

    def write(self) -> None:
        """Write ``report.md``."""
        path = self.folder / "report.md"
        path.write_text("\n\n".join(self._parts) + "\n")
        print(f"written: {path}")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
