"""``webstrata record``: each input of each page once, again only if it is missing, and failures that are told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import webstrata

from webstrata._recordings_folder import RECORDINGS
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.recorder import page_versions
from webstrata.evaluation.datasets.recordings import recorded
from webstrata.rendering.tab import BROWSERS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the recordings."""
    monkeypatch.setenv(RECORDINGS, str(tmp_path / "recordings"))
    return tmp_path / "recordings"


def write_page(folder: Path, name: str, html: str) -> None:
    (folder / f"{name}.html").write_text(html)
    (folder / f"{name}.txt").write_text(name)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A data set of two pages."""
    found = tmp_path / "pages"
    found.mkdir()
    for name in ("mud", "silt"):
        write_page(found, name, f"<h1>{name}</h1><p>Dark {name} in winter.")
    return found


def test_versions_are_the_inputs_of_each_page(pages: Path, tmp_path: Path) -> None:
    dataset = find_dataset(str(pages))
    found = list(page_versions(dataset, tmp_path / "files"))
    assert [(version.page, version.name, version.path) for version in found] == [
        (item.name, name, None) for item in dataset.items() for name in dataset.inputs
    ]


def test_nothing_is_told_without_a_data_set(folder: Path) -> None:
    result = webstrata("record", "no-such-data")
    assert result.exit_code == 2
    assert "no data set is called" in result.output
    assert not folder.exists()


@pytest.mark.slow
def test_a_second_run_records_what_is_missing(pages: Path, folder: Path) -> None:
    pytest.importorskip("playwright")
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip("no chromium")
    result = webstrata("record", str(pages))
    assert result.exit_code == 0, result.output
    files = sorted(folder.iterdir())
    assert f"{len(files)} pages recorded, 0 were recorded before" in result.output
    document = next(find_dataset(str(pages)).items()).inputs["html"]
    assert recorded(document).page.blocks[0].text == "mud"
    files[0].unlink()
    result = webstrata("record", str(pages))
    assert f"1 pages recorded, {len(files) - 1} were recorded before" in result.output
    assert sorted(folder.iterdir()) == files
    write_page(pages, "ash", "<p>" + "<b>x</b>" * 120_000)
    result = webstrata("record", str(pages))
    assert result.exit_code == 1
    assert "not recorded: ash" in result.output
