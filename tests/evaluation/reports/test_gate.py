"""Floors: every algorithm on the tiny data set, now and always; and the gate itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import parse_spec
from webstrata.evaluation.answers.runner import Experiment, run
from webstrata.evaluation.datasets.folder import tiny_dataset
from webstrata.evaluation.reports.gate import check_floors, pin_floors
from webstrata.evaluation.scores import Row
from webstrata.evaluation.scoring import score
from webstrata.extraction import EXTRACTORS
from webstrata.segmentation import SEGMENTERS

FLOORS = Path(__file__).parent / "floors.json"
CARD = tiny_dataset().card


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[Row]:
    """The scores of every algorithm that has a floor."""
    pinned = json.loads(FLOORS.read_text())["tiny"]["floors"]
    names = sorted({name.split(" | ")[0] for name in pinned})
    experiment = Experiment(tiny_dataset(), tuple(map(parse_spec, names)), folder, ("html",))
    # Only what is answered counts here: on a busy machine the import of a large package takes long.
    run(experiment, limit=600)
    return score(experiment)


@pytest.mark.slow
def test_no_algorithm_is_worse_than_it_was(rows: list[Row]) -> None:
    """After a change for the better: ``webstrata gate DIR --floors tests/evaluation/reports/floors.json --pin``."""
    assert [str(fall) for fall in check_floors(FLOORS, [CARD], rows)] == []


def test_every_algorithm_that_needs_a_page_alone_has_a_floor() -> None:
    pinned = {name.split(" | ")[0] for name in json.loads(FLOORS.read_text())["tiny"]["floors"]}
    for registry in (SEGMENTERS, EXTRACTORS):
        own = {
            name for name, entry in registry.entries().items() if not entry.needs or entry.needs == "webstrata[eval]"
        }
        assert own <= pinned, "pin a floor for what is new"


def test_the_gate_sees_a_fall(rows: list[Row]) -> None:
    worse = [replace(row, value=row.value - 0.01) if row.algorithm == "bf-plain" else row for row in rows]
    falls = check_floors(FLOORS, [CARD], worse)
    assert {fall.name.split(" | ")[0] for fall in falls} == {"bf-plain"}
    assert "is below" in str(falls[0])


def test_floors_rise_by_themselves_and_fall_only_by_a_word(tmp_path: Path, rows: list[Row]) -> None:
    path = tmp_path / "floors.json"
    assert pin_floors(path, [CARD], rows) == []
    pinned = path.read_text()
    worse = [replace(row, value=row.value / 2) for row in rows]
    better = [replace(row, value=row.value + 0.01) for row in rows]
    assert pin_floors(path, [CARD], worse)
    assert path.read_text() == pinned
    assert pin_floors(path, [CARD], better) == []
    assert path.read_text() != pinned
    assert check_floors(path, [CARD], rows)
    assert pin_floors(path, [CARD], worse, lower=True)
    assert check_floors(path, [CARD], worse) == []


def test_floors_belong_to_their_pages_and_algorithms(tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(InputError, match="is not the one"):
        check_floors(FLOORS, [replace(CARD, files={"x": "y"})], rows)
    with pytest.raises(InputError, match="and no score"):
        check_floors(FLOORS, [CARD], [row for row in rows if row.algorithm != "taggap"])
    with pytest.raises(InputError, match="has no floors"):
        check_floors(FLOORS, [replace(CARD, name="other")], rows)
    with pytest.raises(InputError, match="cannot read floors"):
        check_floors(tmp_path / "none.json", [CARD], rows)


def test_the_command(tmp_path: Path, folder: Path, rows: list[Row]) -> None:
    path = tmp_path / "floors.json"

    def gate(*options: str) -> tuple[int, str]:
        result = webstrata("gate", str(folder), "--floors", str(path), *options)
        return result.exit_code, result.output

    assert gate("--lower")[0] == 2
    assert gate("--pin")[0] == 0
    assert gate() == (0, f"all at or above their floors: {path}\n")
    floors = json.loads(path.read_text())
    floors["tiny"]["floors"]["taggap | html | fuzzy"] = 0.99
    path.write_text(json.dumps(floors))
    code, told = gate()
    assert code == 1
    assert "taggap | html | fuzzy on tiny" in told
    assert gate("--pin")[0] == 1
    assert json.loads(path.read_text())["tiny"]["floors"]["taggap | html | fuzzy"] == 0.99
    assert gate("--pin", "--lower")[0] == 0
    assert gate()[0] == 0
