"""The commands from pages to a report, and the report in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from commands import webstrata

from webstrata.evaluation.reports.overlays import ranked_pages
from webstrata.evaluation.reports.report import write_report
from webstrata.evaluation.scores import read_scores, write_scores

BROWSER = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
           "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr",
           "--host-resolver-rules=MAP * ~NOTFOUND")  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of segmenters, extractors and a failure."""
    path = tmp_path_factory.mktemp("evaluation")
    names = "bf-rulebased,bf-plain(theta=0.5),numwords,keep-all,answering:fail"
    result = webstrata("evaluate", "--dataset", "tiny", "--algorithm", names, "--jobs", "2", "-o", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.strip().endswith("report.html")
    return path


def test_all_stages_leave_their_files(folder: Path) -> None:
    rows = read_scores(folder)
    assert {row.algorithm for row in rows} == {
        "bf-rulebased", "bf-plain(theta=0.5)", "numwords", "keep-all", "answering:fail",
    }  # fmt: skip
    assert len(list((folder / "outputs" / "tiny").glob("*.jsonl"))) == 5
    markdown = (folder / "report.md").read_text()
    assert "### tiny, html: fuzzy" in markdown
    assert "5 of them failures, which score zero" in markdown
    assert {path.suffix for path in (folder / "tables").iterdir()} == {".csv", ".tex"}


def test_the_report_is_self_contained(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    links = re.findall(r"""(?:href|src)="([^"#][^"]*)""", html)
    assert links
    for link in links:
        if link != "data:,":
            assert (folder / unquote(link)).is_file(), link
    assert not re.search(r"(?:url\(|@import|<script|https?://(?!www\.w3\.org))", html)
    assert html.count("<svg") == 3 * html.count('<section id="s-')


def test_the_report_begins_with_a_leaderboard(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    assert html.index('id="leaderboard-tiny-html-content"') < html.index("<nav>") < html.index('<section id="s-')
    board = (folder / "tables" / "leaderboard-tiny-html-content.csv").read_text().splitlines()
    assert board[0] == "algorithm,words (95%),words (95%) low,words (95%) high,snippets,ms a page,failures"
    means = [float(line.split(",")[1]) for line in board[1:]]
    assert means == sorted(means, reverse=True)
    assert "leaderboard-tiny-html-segments.csv" in {path.name for path in (folder / "tables").iterdir()}
    # Variants of the measures wait in a part that is closed.
    closed = html.split('<section id="more">')[1]
    assert 'id="s-tiny-html-fuzzy-greedy"' in closed
    assert 'id="s-tiny-html-fuzzy"' not in closed


def test_one_page_has_no_interval(folder: Path, tmp_path: Path) -> None:
    rows = [row for row in read_scores(folder) if row.algorithm == "numwords"]
    write_scores([row for row in rows if row.page == rows[0].page], tmp_path, "tiny", "numwords")
    report = write_report(tmp_path).read_text()
    assert "<strong>tiny has one page: means have no interval.</strong>" in report
    board = (tmp_path / "tables" / "leaderboard-tiny-html-content.csv").read_text()
    assert board.startswith("algorithm,words (95%),snippets,")


def test_the_worst_and_the_best_pages_have_the_gold_beside_the_answer(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    for title in ("Worst pages", "Best pages"):
        table = html.split(f"<figcaption>{title}</figcaption>")[1].split("</table>")[0]
        link = re.search(r'href="([^"]+)">beside each other', table)
        assert link
        page = folder / unquote(link[1])
        frames = re.findall(r'<figcaption>([^<]+)</figcaption><iframe src="([^"]+)"', page.read_text())
        assert frames[0][0] == "gold"
        assert len(frames) == 2
        assert all("webstrata-legend" in (page.parent / unquote(path)).read_text() for _, path in frames)


def test_pages_are_ranked_by_the_mean_of_all_algorithms(folder: Path) -> None:
    rows = [row for row in read_scores(folder) if row.metric == "fuzzy"]
    worst, best = ranked_pages(rows, most=9), ranked_pages(rows, best=True, most=9)
    assert [page.mean for page in worst] == sorted(page.mean for page in worst)
    assert [page.mean for page in best] == sorted((page.mean for page in worst), reverse=True)
    assert worst[0].mean < best[0].mean


def test_drawing_again_changes_nothing(folder: Path) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    result = webstrata("report", str(folder))
    assert result.exit_code == 0, result.output
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.slow
def test_a_browser_opens_it_without_complaint(folder: Path, tmp_path: Path) -> None:
    def log(page: Path) -> tuple[str, Path]:
        shot = tmp_path / f"{page.stem}.png"
        command = ["chromium", *BROWSER, f"--user-data-dir={tmp_path}/profile", "--window-size=1200,2000"]
        done = subprocess.run(
            [*command, f"--screenshot={shot}", page.as_uri()], capture_output=True, text=True, timeout=120
        )
        return done.stderr, shot

    output, shot = log(folder / "report.html")
    assert "CONSOLE" not in output
    # A page of one colour is a few kilobytes as PNG.
    assert shot.stat().st_size > 50_000
    noisy = tmp_path / "noisy.html"
    noisy.write_text("<script>console.error('seen')</script>")
    assert "CONSOLE" in log(noisy)[0]


def test_data_sets_are_listed() -> None:
    result = webstrata("datasets")
    assert result.exit_code == 0
    assert "tiny: Pages that ship with webstrata" in result.output
    assert "CC-BY-4.0" in result.output


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        (("--dataset", "none", "--algorithm", "taggap"), "no data set is called 'none'"),
        (("--dataset", "tiny", "--algorithm", "none"), "no algorithm is called 'none'"),
        (("--dataset", "tiny", "--algorithm", "taggap", "--input", "dom"), "has the input html"),
        (("--dataset", "tiny", "--algorithm", "taggap", "--driver", "none.toml"), "cannot read drivers"),
        (("--dataset", "tiny", "--algorithm", "taggap", "--metric", "f2"), "no metric is called 'f2'"),
    ],
)
def test_mistakes_raise(tmp_path: Path, arguments: tuple[str, ...], output: str) -> None:
    result = webstrata("evaluate", *arguments, "-o", str(tmp_path / "x"))
    assert result.exit_code == 2
    assert output in result.output
    assert not (tmp_path / "x").exists()


def test_a_folder_without_scores_raises(tmp_path: Path) -> None:
    result = webstrata("report", str(tmp_path))
    assert result.exit_code == 2
    assert "run webstrata evaluate first" in result.output


def test_the_name_of_a_data_set_is_written_as_text(folder: Path, tmp_path: Path) -> None:
    name = '../"><script>alert(1)</script>'
    rows = [replace(row, dataset=name) for row in read_scores(folder)]
    for algorithm in {row.algorithm for row in rows}:
        write_scores([row for row in rows if row.algorithm == algorithm], tmp_path / "run", name, algorithm)
    report = write_report(tmp_path / "run").read_text()
    assert "<script" not in report
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
