"""Sites learnt from crawls: whole, in parts, killed, on Spark; and what segmenting and extracting gain by them."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from webstrata import extract, parse
from webstrata.apps.cli import _group
from webstrata.crawls import find_inputs
from webstrata.crawls.arrow import pyarrow
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.sites.learning import SiteLearner
from webstrata.errors import InputError
from webstrata.sites import Sites
from webstrata.sites.grouping import site_of

pytestmark = pytest.mark.slow

WORDS = "strata are layers of a page and each of them is read with care before any word is kept or left out".split()


def page(number: int, *, site: str = "a") -> str:
    chance = random.Random(f"{site}{number}")
    text = "".join(f"<p>{' '.join(chance.choices(WORDS, k=30))} {number}.</p>" for _ in range(2 + number % 5))
    menu = f"<div id=menu><h4>{site} menu</h4><ul><li><a href=/>Home</a><li><a href=/h>Help me</a></ul></div>"
    notice = "We care for what our readers write, read all about it in our terms of use."
    content = f"<div id=c><h1>Title {number}</h1>{text}</div><div class=n><em>Note</em><div><p>{notice}</div></div>"
    return f"<title>{number}</title>{menu}{content}<table><tr><td>© {site}</table>"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites as JSON lines, one of them small."""
    path = tmp_path_factory.mktemp("crawl") / "crawl.jsonl"
    rows = [{"url": f"http://a.example/{n}", "html": page(n)} for n in range(40)]
    rows += [{"url": f"http://b.example/{n}", "html": page(n, site="b")} for n in range(4)]
    random.Random(2).shuffle(rows)
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def learnt(crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("learnt") / "site"
    learner(crawl, output).learn(Engine(jobs=1))
    return output


def learner(crawl: Path, output: Path) -> SiteLearner:
    return SiteLearner(inputs=tuple(find_inputs([str(crawl)])), output=output, extractor="numwords")


def files_of(output: Path) -> dict[str, bytes]:
    paths = (path for path in output.rglob("*") if path.is_file() and path.name not in ("lock", "plan.json"))
    return {str(path.relative_to(output)): path.read_bytes() for path in paths}


def test_each_host_is_a_site(learnt: Path) -> None:
    sites = Sites(learnt)
    assert sites.names() == {"a.example": 40, "b.example": 4}
    site = sites.of("http://a.example/new")
    assert site is not None
    assert sites.of("http://c.example/") is None
    assert sites.of(None) is None
    [content] = [item for item in site.classes if item.path.endswith("div[id]:2")]
    assert (content.pages, content.segments, content.weight) == (40, 40, 1.0)
    [menu] = [item for item in site.classes if item.path.endswith("div[id] > ul")]
    assert menu.weight == pytest.approx(1 / 40)
    assert len(menu.examples) == 3
    assert not (learnt / "rows").exists()


def test_a_page_that_was_not_learnt_is_matched(learnt: Path) -> None:
    site = Sites(learnt).load("a.example")
    assert site is not None
    found = site.segmenter(parse(page(99)))
    kinds = {item.kind for item in site.classes}
    assert all(item.kind in kinds for item in found.segments)
    assert sum(text.startswith("Title 99") for text in found.texts()) == 1


def test_extraction_leaves_the_template_out(learnt: Path) -> None:
    site = Sites(learnt).load("a.example")
    html = page(99)
    without, found = extract(html, "keep-all"), extract(html, "keep-all", site=site)
    assert "We care for" in without.text
    assert "We care for" not in found.text
    assert "Title 99" in found.text
    assert {found.reasons[number] for number in found.reason.tolist()} >= {"template text of the site"}
    small = Sites(learnt).load("b.example")
    assert extract(parse(""), "keep-all", site=small).text == ""


def test_parts_and_processes_change_no_byte(crawl: Path, learnt: Path, tmp_path: Path) -> None:
    learner(crawl, tmp_path / "site").learn(Engine(jobs=2))
    # The plan of the classes names the folder of the trees, which is another one.
    assert files_of(tmp_path / "site") == files_of(learnt)
    with pytest.raises(InputError, match="holds the results of an earlier run"):
        learner(crawl, tmp_path / "site").learn()


def test_killed_and_resumed(crawl: Path, learnt: Path, tmp_path: Path, kills: int) -> None:
    output = tmp_path / "site"
    code = (
        f"import sys; sys.path[:0] = {sys.path!r}; from pathlib import Path\n"
        f"from webstrata.crawls import find_inputs\nfrom webstrata.crawls.folding.engines import Engine\n"
        f"from webstrata.crawls.jobs.sites.learning import SiteLearner\n"
        f"SiteLearner(inputs=tuple(find_inputs([{str(crawl)!r}])), output=Path({str(output)!r}),"
        f" extractor='numwords').learn(Engine(jobs=1, resume=True))"
    )
    chance = random.Random()
    for _ in range(kills):
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0.2, 3))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    if not (output / "site.json").exists():
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert files_of(output) == files_of(learnt)


@pytest.mark.usefixtures("spark")
def test_spark_learns_the_same_rows(crawl: Path, learnt: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    learner(crawl, output).learn(Engine(name="spark", jobs=1))
    for name in ("trees", "fingerprints", "classes"):
        assert rows_of(output / name) == rows_of(learnt / name)
    assert json.loads((output / "site.json").read_text()) == json.loads((learnt / "site.json").read_text())


def damaged_tree(learnt: Path, folder: Path, change: Callable[[dict[str, Any]], None]) -> Sites:
    """The sites with the row of one tree changed."""
    shutil.copytree(learnt, folder)
    parquet = pyarrow("pyarrow.parquet")
    table = parquet.read_table(folder / "trees")
    rows = table.to_pylist()
    for row in rows:
        change(row)
    for path in (folder / "trees").glob("*.parquet"):
        path.unlink()
    parquet.write_table(pyarrow().Table.from_pylist(rows, schema=table.schema), folder / "trees/part-00000.parquet")
    return Sites(folder)


def _cycle(row: dict[str, Any]) -> None:
    # The first two nodes are one another's parents.
    row["parent"][:2] = row["label"][1::-1]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_cycle, "a parent is not above its child"),
        (lambda row: row["depth"].pop(), "depth has the wrong length"),
        (lambda row: row["label"].reverse(), "label does not ascend"),
        (lambda row: row["texts"].pop(), "texts has the wrong length"),
        (lambda row: row.update(parent=None), "damaged"),
    ],
)
def test_damaged_trees_are_refused(
    learnt: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], problem: str
) -> None:
    with pytest.raises(InputError, match=rf"{problem}.*site learn"):
        damaged_tree(learnt, tmp_path / "site", change).load("a.example")


@pytest.mark.parametrize("cut", [0, 3, 100])
def test_cut_files_are_refused_by_name(learnt: Path, tmp_path: Path, cut: int) -> None:
    shutil.copytree(learnt, tmp_path / "site")
    for path in (tmp_path / "site/trees").glob("*.parquet"):
        path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(InputError, match=r"site is damaged .*site learn"):
        Sites(tmp_path / "site").names()
    with pytest.raises(InputError, match=r"site is damaged .*site learn"):
        Sites(tmp_path / "site").load("a.example")


def rows_of(folder: Path) -> list[str]:
    return sorted(repr(row) for row in pyarrow("pyarrow.parquet").read_table(folder, partitioning=None).to_pylist())


def test_commands(crawl: Path, learnt: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    shown = run(_group, ["site", "classes", str(learnt)])
    assert shown.exit_code == 0
    assert "a.example: 40 pages" in shown.output
    report = tmp_path / "report.html"
    assert run(_group, ["site", "classes", str(learnt), "--name", "b.example", "-o", str(report)]).exit_code == 0
    assert "http://b.example/0" in report.read_text(encoding="utf-8")
    html = tmp_path / "page.html"
    html.write_text(page(7), encoding="utf-8")
    options = [str(html), "--site", str(learnt), "--url", "http://a.example/7"]
    assert "by som" in run(_group, ["segment", *options]).output
    assert "We care for" not in run(_group, ["extract", *options, "--algorithm", "keep-all"]).output
    assert "has several sites" in run(_group, ["extract", *options[:3]]).output
    assert "does not know the site" in run(_group, ["extract", *options[:3], "--url", "http://x/"]).output
    assert "holds no learned site" in run(_group, ["site", "classes", str(tmp_path)]).output
    command = ["run", "extract", str(crawl), "-o", str(tmp_path / "out"), "--site", str(learnt), "-j", "1"]
    done = run(_group, [*command, "--algorithm", "keep-all", "--format", "jsonl"])
    assert done.exit_code == 0
    rows = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("*.jsonl"))
    assert "We care for" not in rows
    assert rows.count("Title") >= 44


def test_small_sites_are_told(crawl: Path, tmp_path: Path) -> None:
    out = CliRunner().invoke(
        _group, ["site", "learn", str(crawl), "-o", str(tmp_path / "s"), "--no-extraction", "-j", "1"]
    )
    assert out.exit_code == 0
    assert "2 sites of 44 pages" in out.output
    assert "fewer than 8 pages" in out.output


@pytest.mark.parametrize(
    ("url", "host", "domain"),
    [
        ("http://www.example.org/", "www.example.org", "example.org"),
        ("https://a.b.example.co.uk:8080/x", "a.b.example.co.uk", "example.co.uk"),
        ("https://www.police.govt.nz/", "www.police.govt.nz", "police.govt.nz"),
        ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
        ("http://[::1", "", ""),
        (None, "", ""),
    ],
)
def test_sites_by_address(url: str | None, host: str, domain: str) -> None:
    assert site_of(url, "host") == host
    assert site_of(url, "registered-domain") == domain
    assert site_of(url, "all") == "all"
