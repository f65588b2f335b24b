"""Write the tables of states of `webstrata.evaluation.papers.states` into docs/papers.md.

python tools/papers_table.py
"""

from __future__ import annotations

import re
from pathlib import Path

from webstrata.evaluation.papers.states import STATES, states_markdown

GUIDE = Path(__file__).parents[1] / "docs" / "papers.md"


def with_tables(text: str) -> str:
    """The guide with the current tables between their marks."""
    for key in STATES:
        mark = re.compile(rf"(<!-- states: {key} -->\n).*?(<!-- end -->)", re.DOTALL)
        if not mark.search(text):
            raise SystemExit(f"docs/papers.md has no place for the states of {key}: add <!-- states: {key} -->")
        table = "\n".join(states_markdown(key))
        text = mark.sub(lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    GUIDE.write_text(with_tables(GUIDE.read_text(encoding="utf-8")), encoding="utf-8")
