"""The table of states: every numbered table and figure of the papers is in it, with a part or a reason."""

from __future__ import annotations

import re

import pytest

from papers_table import GUIDE, with_tables
from webstrata.evaluation.papers.catalogue import PAPERS
from webstrata.evaluation.papers.states import ILLUSTRATION, LOST, MEANINGS, STATES, PaperItem

#: The numbered tables and figures of each paper.
NUMBERED = {
    "kohlschuetter-nejdl-2008": [*(f"Figure {n}" for n in range(1, 11)), "Table 1", "Table 2", "Table 3"],
    "kohlschuetter-2011": [
        *(f"Figure 4.{n}" for n in range(1, 28)), *(f"Table 4.{n}" for n in range(1, 10)), "Algorithm 4.1",
        "Algorithm 4.2", "Algorithm 4.3",
    ],
    "weninger-hsu-2008": [*(f"Figure {n}" for n in range(1, 7)), "Table 1", "Table 2"],
    "kreuzer-2013": [
        "Table 4.1", "Figure 5.1", "Figure 5.2", *(f"Algorithm 6.{n}" for n in range(1, 6)),
        *(f"Table 7.{n}" for n in range(1, 9)), "Table 8.1",
    ],
    "fernandes-2011": [*(f"Figure {n}" for n in range(1, 9)), "Table 1", "Table 2"],
    "kohlschuetter-2011-links": [
        "Figure 2.1", *(f"Figure 3.{n}" for n in range(1, 9)), "Table 3.1", "Table 3.2", "Table 3.3",
        "Figure 5.1", "Figure 5.2", "Figure 5.3",
    ],
}  # fmt: skip


def names_of(item: PaperItem) -> list[str]:
    """The numbers that a line of the table covers.

    >>> names_of(PaperItem("Figures 3.1 to 3.3 and 3.5", "", "", ""))
    ['Figure 3.1', 'Figure 3.2', 'Figure 3.3', 'Figure 3.5']
    """
    found = re.match(r"(Table|Figure|Algorithm)s? (.*)", item.name)
    if found is None:
        return []
    names: list[str] = []
    for first, last in re.findall(r"([\d.]*\d)(?: to ([\d.]*\d))?", found[2].split(" (")[0]):
        chapter, _, number = first.rpartition(".")
        stop = int((last or first).rpartition(".")[2])
        names += [f"{found[1]} {chapter}{'.' if chapter else ''}{n}" for n in range(int(number), stop + 1)]
    return names


def test_every_paper_has_its_states() -> None:
    assert set(STATES) == set(PAPERS) == set(NUMBERED)


@pytest.mark.parametrize("key", STATES)
def test_no_table_or_figure_is_missing(key: str) -> None:
    names = [name for item in STATES[key] for name in names_of(item)]
    assert sorted({name for name in NUMBERED[key] if name not in names}) == []
    assert len(names) == len(set(names))


@pytest.mark.parametrize("key", STATES)
def test_every_state_is_explained_and_every_part_exists(key: str) -> None:
    parts = PAPERS[key].parts
    for item in STATES[key]:
        assert item.state in MEANINGS
        assert item.reason, item.name
        if item.state in (LOST, ILLUSTRATION):
            assert item.part not in parts, item.name
        assert not item.part or item.part in parts or item.part.startswith("webstrata "), item.name
    made = {item.part for item in STATES[key]}
    assert set(parts) <= made


def test_the_guide_has_the_table_of_states() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert text == with_tables(text), "run python tools/papers_table.py"


def test_names() -> None:
    assert names_of(PaperItem("Figures 3.1 to 3.3 and 3.5", "", "", "")) == [
        "Figure 3.1", "Figure 3.2", "Figure 3.3", "Figure 3.5"
    ]  # fmt: skip
    assert names_of(PaperItem("Table 8.1", "", "", "")) == ["Table 8.1"]
    assert names_of(PaperItem("§5.3, samples", "", "", "")) == []


def test_the_heading_of_a_part_names_its_table_or_figure() -> None:
    for paper in PAPERS.values():
        for name, part in paper.parts.items():
            assert re.match(r"(Tables?|Figures?|Equations?|Algorithm|§)", part.__doc__ or ""), name
