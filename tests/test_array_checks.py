"""Arrays of files: crafted and random damage is refused before native code reads it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from array_damage import FILES, STORES, WRAPPING, attack, attack_facts, attack_file, recorded, rewrite

from webstrata._array_checks import ArrayCheck, check_arrays, indices, offsets
from webstrata.errors import InputError
from webstrata.models.files import load_arrays, save_arrays
from webstrata.rendering.page import RenderedPage

FORMS = {
    "start": offsets("rows", into="cells"),
    "cell": indices("cells", of="rows"),
    "value": ArrayCheck(("f",), ("rows",)),
}
GOOD = {
    "start": np.array([0, 1, 1, 3]),
    "cell": np.array([2, 0, 1], np.uint32),
    "value": np.array([0.5, 1.0, 2.0], np.float32),
}


@pytest.mark.parametrize(
    ("name", "array", "problem"),
    [
        ("start", np.array([0, 2**63 - 1, -(2**63), 3]), "ascend"),
        ("start", np.array([0, 2, 1, 3]), "ascend"),
        ("start", np.array([0, 1, 1, 4]), "ascend"),
        ("start", np.array([], np.int64), "shape"),
        ("start", np.array([0, 1, 1, 3], np.int32), "type"),
        ("start", np.array([0, 1, 1, 3], ">i8"), "type"),
        ("cell", np.array([3, 0, 1], np.uint32), "out of range"),
        ("cell", np.array([[2], [0], [1]], np.uint32), "shape"),
        ("value", np.array([0.5, np.nan, 2], np.float32), "not finite"),
        ("value", np.array([0.5, 1], np.float32), "length"),
    ],
)
def test_arrays_that_differ_from_their_checks_are_refused(name: str, array: np.ndarray, problem: str) -> None:
    check_arrays(GOOD, FORMS, source="x", advice="y")
    with pytest.raises(InputError, match=rf"x is damaged \({name} .*{problem}.*\): y"):
        check_arrays({**GOOD, name: array}, FORMS, source="x", advice="y")
    with pytest.raises(InputError, match="is missing"):
        check_arrays({other: GOOD[other] for other in GOOD if other != name}, FORMS, source="x", advice="y")


@pytest.mark.parametrize(("store", "part", "name", "about"), [
    ("graph", ".", "out_start", "graph.json"),
    ("graph", ".", "in_start", "graph.json"),
    ("index", "shard-00000", "posting_start", "about.json"),
])  # fmt: skip
def test_offsets_whose_differences_wrap_are_refused(
    tmp_path: Path, store: str, part: str, name: str, about: str
) -> None:
    make, use, _ = STORES[store]
    make(tmp_path / "new")
    start = np.load(tmp_path / "new" / part / f"{name}.npy")
    start[1 : 1 + len(WRAPPING) - 1] = WRAPPING[1:]
    rewrite(tmp_path / "new" / part, name, start, about)
    with pytest.raises(InputError, match=rf"new.*is damaged \({name} does not ascend"):
        use(tmp_path / "new")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("store", STORES)
def test_random_damage_is_refused_or_harmless(store: str) -> None:
    assert attack(store, 60, seed=1) > 20


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("store", STORES)
def test_random_damage_to_facts_is_refused_or_harmless(store: str) -> None:
    assert attack_facts(store, 60, seed=1) > 20


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", FILES)
def test_random_damage_to_files_is_refused_or_harmless(kind: str) -> None:
    assert attack_file(kind, 80, seed=1) > 20


def test_a_recording_with_a_number_that_is_no_display_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.rendered"
    recorded(path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    boxes = bytearray(members["boxes"])
    rows = len(boxes) // (17 * 5)
    boxes[12 * 5 * rows] = 200  # the display of the first element, doubled
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in {**members, "boxes": bytes(boxes)}.items():
            archive.writestr(name, data)
    with pytest.raises(InputError, match=r"page\.rendered.*is damaged \(display has values out of range\)"):
        RenderedPage.load(path)


def test_a_model_whose_header_is_cut_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "cut.npz"
    save_arrays(path, {"a": np.zeros(1)})
    # The literal in the header stays open.
    with zipfile.ZipFile(path) as archive:
        data = archive.read("a.npy").replace(b"}", b" ")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.npy", data)
    with pytest.raises(InputError, match=r"cut\.npz"):
        load_arrays(path)
