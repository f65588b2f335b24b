"""Results of benches: stored in docs/benchmarks.json, and written into docs/benchmarks.md.

python bench/parse_speed.py --store
python bench/results.py
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
STORE, GUIDE = DOCS / "benchmarks.json", DOCS / "benchmarks.md"


class Result(NamedTuple):
    """A table of a bench: the line above it, its headings and its rows, all as they are printed."""

    about: str
    headings: list[str]
    rows: list[list[str]]

    def markdown(self) -> str:
        """The table; all columns but the first are aligned to the right."""
        ruler = ["---", *("---:" for _ in self.headings[1:])]
        lines = ["| " + " | ".join(cells) + " |" for cells in (self.headings, ruler, *self.rows)]
        return "\n".join([f"{self.about}.", "", *lines])


def read_results(file: Path = STORE) -> dict[str, Result]:
    """All stored results, by name."""
    stored = json.loads(file.read_text(encoding="utf-8"))
    return {name: Result(**values) for name, values in stored.items()}


def store(name: str, about: str, headings: Sequence[str], rows: Iterable[Sequence[str]], file: Path = STORE) -> None:
    """Replace the stored result of this name."""
    found = read_results(file) if file.exists() else {}
    found[name] = Result(about, list(headings), [list(row) for row in rows])
    values = {key: found[key]._asdict() for key in sorted(found)}
    file.write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"stored as {name}: python bench/results.py writes it into the documentation", file=sys.stderr)


def with_results(text: str, results: Mapping[str, Result]) -> str:
    """The page with the stored tables between their marks."""
    for name, result in results.items():
        mark = re.compile(rf"(<!-- results: {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not mark.search(text):
            raise SystemExit(
                f"docs/benchmarks.md has no place for {name}: add <!-- results: {name} --> and <!-- end -->"
            )
        table = result.markdown()
        text = mark.sub(lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    GUIDE.write_text(with_results(GUIDE.read_text(encoding="utf-8"), read_results()), encoding="utf-8")
