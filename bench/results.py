"""Results of benches: stored in docs/benchmarks.json, and written into the pages of docs/ that have a place for them.

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
STORE = DOCS / "benchmarks.json"


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


_PLACE = re.compile(r"(<!-- results: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def with_results(text: str, results: Mapping[str, Result]) -> str:
    """The page with the stored tables between their marks."""
    if unknown := sorted({found[2] for found in _PLACE.finditer(text)} - results.keys()):
        raise SystemExit(f"nothing is stored as {unknown[0]}: run its bench with --store")
    return _PLACE.sub(lambda found: f"{found[1]}\n{results[found[2]].markdown()}\n\n{found[3]}", text)


def pages_with_results(docs: Path = DOCS) -> dict[Path, list[str]]:
    """The pages that have places for results, and the names of these."""
    names = {page: _PLACE.findall(page.read_text(encoding="utf-8")) for page in sorted(docs.rglob("*.md"))}
    return {page: [name for _, name, _ in found] for page, found in names.items() if found}


def main() -> None:
    results, pages = read_results(), pages_with_results()
    if missing := sorted(results.keys() - {name for names in pages.values() for name in names}):
        raise SystemExit(f"no page has a place for {missing[0]}: add <!-- results: {missing[0]} --> and <!-- end -->")
    for page in pages:
        page.write_text(with_results(page.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    main()
