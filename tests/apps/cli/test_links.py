"""``webstrata links``, as a user meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import webstrata

pytest.importorskip("pyarrow")


@pytest.mark.parametrize(("option", "sites"), [((), 1), (("--by", "directory"), 2), (("--site", "directory"), 2)])
def test_what_counts_as_a_site_is_an_option(option: tuple[str, ...], sites: int, tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(
        '{"url": "http://a.example/one/x", "html": "<p>One <a href=/two/y>two</a>"}\n'
        '{"url": "http://a.example/two/y", "html": "<p>Two <a href=/one/x>one</a>"}\n',
        encoding="utf-8",
    )
    graph = str(tmp_path / "graph")
    result = webstrata("links", "build", str(tmp_path / "pages.jsonl"), "-o", graph, "-j", "1", *option)
    assert result.exit_code == 0, result.output
    assert f"2 pages of {sites} sites, 2 links" in result.output
    assert "--site" not in webstrata("links", "build", "--help").output
