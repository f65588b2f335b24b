"""The papers by key: each can be listed, and its parts are made where its data are."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.errors import InputError
from webstrata.evaluation.papers.catalogue import PAPERS, Setting, find_paper, reproduce
from webstrata.evaluation.papers.fernandes_2011 import RULES
from webstrata.evaluation.papers.kohlschuetter_nejdl_2008 import TABLE_1

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[3] / "docs" / "papers.md"


def test_the_command_lists_papers_and_parts() -> None:
    output = webstrata("reproduce").output
    for paper in PAPERS.values():
        assert f"{paper.key}: {paper.citation}" in output
        assert ", ".join(paper.parts) in output


def test_the_guide_has_every_paper_and_part() -> None:
    guide = DOCS.read_text(encoding="utf-8")
    for paper in PAPERS.values():
        assert f"`webstrata reproduce {paper.key}`" in guide
        assert f"`webstrata.evaluation.papers.{paper.key.replace('-', '_')}`" in guide
        for part in paper.parts:
            assert f"`{part}`" in guide, part


def test_mistakes_raise(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose one of kohlschuetter-nejdl-2008"):
        find_paper("nobody-1999")
    result = webstrata("reproduce", "kreuzer-2013", "--only", "table-99", "-o", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert "choose some of tables-7, table-8.1" in result.output
    assert not (tmp_path / "x").exists()


_IN_EACH_REPORT = {"states.csv", "times.csv"}


def made(key: str, folder: Path, *only: str, pages: int = 3) -> set[str]:
    path, missing = reproduce(find_paper(key), Setting(folder=folder, pages=pages), only)
    assert (path, missing) == (folder / "report.html", [])
    return {file.name for file in folder.iterdir() if file.suffix in (".csv", ".svg")} - _IN_EACH_REPORT


def test_kohlschuetter_nejdl_2008(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("kreuzer")
    files = made("kohlschuetter-nejdl-2008", tmp_path, "table-1", "figure-6", "figure-2")
    assert files == {"table-1.csv", "table-2.csv", "figure-6.svg", "appendix-a.csv", "figure-2.csv", "figure-2.svg"}
    with (tmp_path / "appendix-a.csv").open() as file:
        assert all(abs(float(line[2]) - float(line[3])) < 1e-4 for line in list(csv.reader(file))[1:])
    with (tmp_path / "table-1.csv").open() as file:
        _, *lines = csv.reader(file)
    assert [line[0] for line in lines] == list(TABLE_1)
    assert [tuple(map(float, line[4:])) for line in lines] == list(TABLE_1.values())
    assert all(0 < float(line[2]) <= 1 and float(line[3]) >= 1 for line in lines)


def test_sweeps_of_kohlschuetter_nejdl_2008_have_numbers(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("kreuzer")
    files = made("kohlschuetter-nejdl-2008", tmp_path, "figure-5", "figure-7", pages=2)
    assert files == {"figure-5.csv", "figure-5.svg", "figure-7.csv", "figure-7.svg"}
    for name in ("figure-5", "figure-7"):
        with (tmp_path / f"{name}.csv").open() as file:
            lines = list(csv.reader(file))[1:]
        assert [line[0].split(",")[0] for line in lines] == ["bf-plain", "bf-smoothed", "bf-rulebased", "paper"]
        # The best of a sweep is no worse than the parameter of the paper, and the end no worse than single blocks.
        assert all(float(line[2]) >= float(line[3]) for line in lines[:-1])


def test_weninger_hsu_2008(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("cleaneval")
    dataset_dir("l3s-gn1")
    files = made("weninger-hsu-2008", tmp_path, "table-1", "figure-6", pages=2)
    assert files == {"table-1-cleaneval.csv", "table-1-l3s-gn1.csv", "figure-6.csv", "figure-6.svg"}


def test_fernandes_2011(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("wpcd")
    files = made("fernandes-2011", tmp_path, pages=40)
    assert files == {"table-1.csv", "table-2.csv", "samples.csv", "groups.csv", "figure-8.csv", "figure-8-wpcd.svg"}
    with (tmp_path / "figure-8.csv").open() as file:
        values = [(line[1], float(line[2])) for line in csv.reader(file) if line[0].startswith("wpcd")]
    assert [name for name, _ in values] == [
        *(f"SOM tree, {name}" for name in RULES),
        "Rule-based Block Fusion",
    ]
    assert values[0][1] > values[3][1]


def test_a_site_without_known_regions_is_told(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("wpcd")
    setting = Setting(folder=tmp_path / "report", sites=(tmp_path,))
    path, missing = reproduce(find_paper("fernandes-2011"), setting, ["samples"])
    assert [part.name for part in missing] == ["samples"]
    assert "regions of" in missing[0].reason
    assert '<p class="missing"><strong>Not run: samples.</strong>' in path.read_text()
    result = webstrata(
        "reproduce", "fernandes-2011", "--only", "samples", "--site", str(tmp_path), "-o", str(tmp_path / "again")
    )
    assert result.exit_code == 1
    assert "not run: samples" in result.output


def test_kohlschuetter_2011(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("cleaneval")
    dataset_dir("l3s-gn1")
    files = made("kohlschuetter-2011", tmp_path, "table-4.8", "figure-4.20", "figure-4.21", "figure-4.24")
    assert {"table-4.8.csv", "figure-4.20-two.svg", "figure-4.21-cleaneval.csv", "figure-4.24.svg"} <= files
    with (tmp_path / "figure-4.24.csv").open() as file:
        words = sum(int(cell) for line in list(csv.reader(file))[1:] for cell in line[1:])
    with (tmp_path / "table-4.8.csv").open() as file:
        assert words == int(list(csv.reader(file))[1][2])


def test_kreuzer_2013(tmp_path: Path, dataset_dir: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    dataset_dir("kreuzer")
    monkeypatch.setenv("WEBSTRATA_RECORDINGS", str(tmp_path / "none"))
    _, missing = reproduce(find_paper("kreuzer-2013"), Setting(folder=tmp_path, pages=3))
    # Without recordings, the visual segmenters have no scores of zero: they are not run.
    assert [part.name for part in missing] == ["VIPS and WebTerrain"]
    assert "webstrata record" in missing[0].reason
    assert "vips" not in (tmp_path / "thesis-7-1.csv").read_text()
    files = {file.name for file in tmp_path.iterdir() if file.suffix == ".csv"} - _IN_EACH_REPORT
    assert files == {
        *(f"thesis-7-{number}.csv" for number in range(1, 9)),
        "thesis-8-1.csv",
        "thesis-8-1-all.csv",
        "thesis-8-1-gains.csv",
    }
    assert "Tables of papers" in (tmp_path / "evaluation" / "report.html").read_text()


def test_kohlschuetter_2011_links(tmp_path: Path, dataset_dir: Callable[[str], Path]) -> None:
    dataset_dir("wpcd")
    files = made("kohlschuetter-2011-links", tmp_path, "tables-3", "figure-3.6")
    assert files == {
        "tables-3.1-and-3.2.csv", "figure-3.2.svg", "figure-3.3.svg", "figure-3.4.svg", "figure-3.5.svg",
        "figure-3.6.svg", "figure-3.6.csv",
    }  # fmt: skip
