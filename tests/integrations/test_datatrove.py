"""datatrove: a whole pipeline, from JSON lines to JSON lines."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from sample_pages import ARTICLE, EMPTY

from webstrata import extract
from webstrata.errors import InputError
from webstrata.integrations.datatrove import Webstrata


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_pipeline(tmp_path: Path, form: str) -> None:
    (tmp_path / "in").mkdir()
    lines = [{"id": str(i), "text": html} for i, html in enumerate([ARTICLE, EMPTY, ARTICLE, "<p"])]
    (tmp_path / "in/pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    executor = LocalPipelineExecutor(
        pipeline=[
            JsonlReader(str(tmp_path / "in")),
            Webstrata(favour="recall", format=form, timeout=60),
            JsonlWriter(str(tmp_path / "out")),
        ],
        tasks=1,
        logging_dir=str(tmp_path / "logs"),
    )
    stats = executor.run()
    [path] = (tmp_path / "out").iterdir()
    found = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    assert [row["id"] for row in found] == ["0", "2"]
    assert found[0]["text"] == getattr(extract(ARTICLE, favour="recall"), form)
    counts = stats.stats[1].stats
    assert (counts["total"].total, counts["dropped"].total) == (4, 2)


def test_wrong_options_are_told_at_once() -> None:
    with pytest.raises(InputError, match="no format is called 'pdf'"):
        Webstrata(format="pdf")
    with pytest.raises(InputError, match="no parameter 'favor'"):
        Webstrata(favor="recall")
