"""Many pages from a Python program, on processes that can be killed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import webstrata as command
from hostile import HostileExtractor

import webstrata
from webstrata.crawls import Extract, Limits
from webstrata.errors import InputError

PAGE = """<html lang=en><title>Strata | Rocks</title><meta name=author content="Ada Stone">
<meta name=keywords content="silt,clay"><h1>Strata</h1><p>A page comes in <b>layers</b>."""


def test_order_and_what_is_handed_on() -> None:
    pages = [{"html": f"<p>page {i}", "url": f"http://example.org/{i}", "id": i} for i in range(40)]
    found = list(webstrata.extract_many(iter(pages), "keep-all", jobs=2))
    assert [record["text"] for record in found] == [f"page {i}" for i in range(40)]
    assert [(record["record"], record["id"], record["url"]) for record in found] == [
        (i, i, f"http://example.org/{i}") for i in range(40)
    ]
    loose = list(webstrata.extract_many(pages, "keep-all", jobs=2, ordered=False))
    assert sorted(loose, key=lambda record: record["record"]) == found


def test_a_reason_of_the_caller_does_not_make_a_good_record_look_rejected() -> None:
    pages = [{"html": html, "reason": "crawled again", "detail": "by hand"} for html in ("<p>one", "")]
    found = webstrata.extract_many(pages, "keep-all", jobs=1)
    assert [(record["text"], record["reason"], record["detail"]) for record in found] == [
        ("one", None, None),
        (None, "empty", ""),
    ]


def test_the_fields_are_those_of_extract_and_run(tmp_path: Path) -> None:
    """One page through every way there is: the same names, the same values."""
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    [many] = webstrata.extract_many([{"html": PAGE, "file": str(path)}], "keep-all", jobs=1)
    single = webstrata.extract(PAGE, "keep-all").as_dict(with_blocks=False, with_posts=False)
    assert {**single, "record": 0, "file": str(path), "reason": None, "detail": None} == {
        **many,
        "algorithm": "KeepAll()",
    }
    told = command("extract", str(path), "--algorithm", "keep-all", "--format", "json", "--with-metadata")
    line = json.loads(told.stdout)
    assert {name: line[name] for name in single} == single
    run = command(
        "run", "extract", str(path), "-o", str(tmp_path / "out"), "--algorithm", "keep-all", "--files", "json"
    )
    assert run.exit_code == 0, run.stderr
    [row] = [json.loads(text) for text in next((tmp_path / "out").glob("*.jsonl")).read_text().splitlines()]
    assert {name: row[name] for name in single if name != "algorithm"} == {
        name: value for name, value in single.items() if name != "algorithm"
    }
    assert row["tags"] == ["silt", "clay"]


def test_a_page_that_kills_is_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = ["<p>one", "<p>@SEGV@", "<p>@SPIN@", "<p>two"]
    monkeypatch.setattr("webstrata.crawls.jobs.extract_many.named_extractor", lambda *_, **__: HostileExtractor())
    found = list(webstrata.extract_many(pages, jobs=1, limits=Limits(seconds=0.5)))
    assert [record["reason"] for record in found] == [None, "crashed", "timed out", None]
    assert found[1]["text"] is None


def test_formats() -> None:
    [found] = webstrata.extract_many([PAGE], "keep-all", jobs=1, formats=("tei", "markdown", "html"))
    single = webstrata.extract(PAGE, "keep-all")
    assert {name: found[name] for name in ("text", "markdown", "html", "tei")} == {
        "text": single.text, "markdown": single.markdown, "html": single.html, "tei": single.tei,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("<p>one",), {}, "an iterable of pages"),
        (([3],), {"jobs": 1}, "page 0 must be bytes, str, or a mapping with html, not int"),
        (([{"url": "http://a/"}],), {"jobs": 1}, "a mapping with html"),
        (([], "no-such"), {}, "no extractor is called 'no-such'"),
        (([],), {"jobs": 0}, "at least 1"),
        (([],), {"favor_recall": True}, 'write favour="recall"'),
        (([],), {"formats": ["md"]}, "no format is called 'md'"),
    ],
)
def test_what_is_wrong_is_told(arguments: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(webstrata.extract_many(*arguments, **options))


def test_the_step_knows_its_formats() -> None:
    step = Extract(formats=("markdown", "markdown"))
    assert step.formats == ("text", "markdown")
    assert step.schema.names[-3:] == ["text", "markdown", "confidence"]
    with pytest.raises(InputError, match="did you mean markdown"):
        Extract(formats=("markdwn",))
