"""The learnt site of a page, for ``extract --site`` and ``segment --site``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.apps.cli import inputs

MENU = "<div><ul><li><a href=/>Home of the site</a><li><a href=/b>About the site</a></ul></div>"


@pytest.fixture
def learnt(tmp_path: Path) -> Path:
    """A folder with two sites."""
    pytest.importorskip("pyarrow")
    pages = [
        {
            "url": f"http://{host}.example/{i}",
            "html": f"{MENU}<div><p>Page {i} of {host} has words of its own.</p></div>",
        }
        for host in "ab"
        for i in range(12)
    ]
    (tmp_path / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages), encoding="utf-8")
    folder = tmp_path / "site"
    result = webstrata("site", "learn", str(tmp_path / "pages.jsonl"), "-o", str(folder), "--no-extraction", "-j", "1")
    assert result.exit_code == 0, result.output
    return folder


@pytest.mark.parametrize("command", ["extract", "segment"])
def test_the_address_of_a_fetched_page_tells_its_site(
    command: str, learnt: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = f"{MENU}<div><p>Page 3 of a has words of its own.</p></div>".encode()
    monkeypatch.setattr(inputs, "_fetch", lambda url: (html, url, None))
    result = webstrata(command, "http://a.example/3", "--site", str(learnt))
    assert result.exit_code == 0, result.output
    assert "Page 3 of a" in result.output
    result = webstrata(command, "http://c.example/3", "--site", str(learnt))
    assert result.exit_code == 2
    assert "does not know the site of http://c.example/3: it knows a.example, b.example" in result.stderr


@pytest.mark.parametrize("command", ["extract", "segment"])
def test_a_file_needs_its_address_when_there_are_several_sites(command: str, learnt: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"{MENU}<p>A page.", encoding="utf-8")
    result = webstrata(command, str(page), "--site", str(learnt))
    assert result.exit_code == 2
    assert "several sites: give the address of the page with --url" in result.stderr
    assert webstrata(command, str(page), "--site", str(learnt), "--url", "http://b.example/").exit_code == 0


def test_the_report_shows_texts_of_each_class(learnt: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = webstrata("site", "classes", str(learnt), "--name", "a.example", "-o", str(path))
    assert result.exit_code == 0, result.output
    report = path.read_text()
    assert report.count("<li>Page ") == 3
    assert "<li>Home of the site About the site" in report


def test_alpha_and_beta_are_options(learnt: Path, tmp_path: Path) -> None:
    arguments = ("site", "learn", str(tmp_path / "pages.jsonl"), "-o", str(tmp_path / "other"), "--no-extraction")
    result = webstrata(*arguments, "--paper", "--alpha", "3", "--beta", "5", "-j", "1")
    assert result.exit_code == 0, result.output
    rules = json.loads((tmp_path / "other" / "site.json").read_text())["rules"]
    assert (rules["alpha"], rules["beta"], rules["outermost"]) == (3, 5, False)
