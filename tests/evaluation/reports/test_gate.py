"""Floors: the means of algorithms on the tiny, golden and real pages; and the gate itself."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import webstrata
from floors import FLOORS, GUARDED

from webstrata.errors import InputError
from webstrata.evaluation.datasets.folder import tiny_dataset
from webstrata.evaluation.reports.gate import check_floors, pin_floors
from webstrata.evaluation.scores import Row

CARD = tiny_dataset().card


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gate")


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[Row]:
    """The scores of every algorithm that has a floor."""
    return GUARDED["tiny"].measured(folder)


@pytest.mark.slow
def test_no_algorithm_is_worse_on_the_tiny_pages(rows: list[Row]) -> None:
    """After a change for the better: ``python tests/kits/floors.py --pin``."""
    assert list(map(str, GUARDED["tiny"].falls(rows))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GUARDED if name != "tiny"])
def test_no_algorithm_is_worse_on_real_pages(name: str, tmp_path: Path) -> None:
    guarded = GUARDED[name]
    try:
        guarded.find()
    except InputError as missing:
        pytest.skip(str(missing))
    assert list(map(str, guarded.falls(guarded.measured(tmp_path)))) == []


@pytest.mark.parametrize("name", GUARDED)
def test_every_algorithm_has_a_floor(name: str) -> None:
    pinned = {floor.split(" | ")[0] for floor in json.loads(FLOORS.read_text())[name]["floors"]}
    assert pinned == set(GUARDED[name].algorithms), "run python tests/kits/floors.py --pin"


def test_the_gate_sees_a_fall(rows: list[Row]) -> None:
    worse = [replace(row, value=row.value - 0.01) if row.algorithm == "bf-plain" else row for row in rows]
    falls = check_floors(FLOORS, [CARD], worse)
    assert {fall.name.split(" | ")[0] for fall in falls} == {"bf-plain"}
    assert "is below" in str(falls[0])


def test_floors_rise_by_themselves_and_fall_only_with_lower(tmp_path: Path, rows: list[Row]) -> None:
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


def test_means_within_the_tolerance_do_not_lower_a_floor(tmp_path: Path, rows: list[Row]) -> None:
    path = tmp_path / "floors.json"
    pin_floors(path, [CARD], rows)
    pinned = path.read_text()
    worse = [replace(row, value=row.value - 0.001) for row in rows]
    assert check_floors(path, [CARD], worse)
    assert check_floors(path, [CARD], worse, tolerance=0.002) == []
    assert pin_floors(path, [CARD], worse, tolerance=0.002) == []
    assert path.read_text() == pinned


def test_floors_of_other_pages_are_not_discarded_silently(tmp_path: Path, rows: list[Row]) -> None:
    path = tmp_path / "floors.json"
    pin_floors(path, [CARD], rows)
    pinned = path.read_text()
    changed, some = replace(CARD, files={"x": "y"}), [row for row in rows if row.page != "cjk"]
    worse = [replace(row, value=row.value / 2) for row in rows]
    for card, scores in ((changed, worse), (CARD, some)):
        with pytest.raises(InputError, match=r"other pages.*--replace"):
            pin_floors(path, [card], scores)
        assert path.read_text() == pinned
    assert pin_floors(path, [changed], worse, replace=True) == []
    assert check_floors(path, [changed], worse) == []


def test_floors_belong_to_their_pages_and_algorithms(tmp_path: Path, rows: list[Row]) -> None:
    with pytest.raises(InputError, match="of other pages"):
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

    assert gate("--lower")[0] == gate("--replace")[0] == 2
    assert gate("--pin")[0] == 0
    assert gate() == (0, f"all at or above their floors: {path}\n")
    floors = json.loads(path.read_text())
    floors["tiny"]["floors"]["taggap | html | fuzzy"] = 0.99
    path.write_text(json.dumps(floors))
    code, output = gate()
    assert code == 1
    assert "taggap | html | fuzzy on tiny" in output
    assert gate("--pin")[0] == 1
    assert json.loads(path.read_text())["tiny"]["floors"]["taggap | html | fuzzy"] == 0.99
    assert gate("--pin", "--lower")[0] == 0
    assert gate()[0] == 0
