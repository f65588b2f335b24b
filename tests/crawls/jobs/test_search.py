"""From pages to an index by a step and a fold, and the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import webstrata

from webstrata.crawls import Job, find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.search import SearchRows, SearchShards, fold_shards, read_shards, write_search_index
from webstrata.errors import InputError
from webstrata.page import parse
from webstrata.search import Analyser, Documenter, Index

pytest.importorskip("pyarrow")

_MENU = "<nav><a href=/clay>Clay</a> <a href=/sand>Sand</a></nav>"
_TEXT = "<p>All about {0}: {0} is found where rivers slow down and leave behind what they have carried so far."


def page(name: str, more: str = "") -> str:
    return f"<title>{name}</title>{_MENU}<h1>On {name}</h1>{_TEXT.format(name)} {more}"


PAGES = {
    "http://a.org/clay": page("clay", "Softer than <a href=/sand>grains of quartz</a> are, at any rate, in the hand."),
    "http://a.org/sand": page("sand"),
    "http://a.org/silt": page("silt"),
}


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run of the step wrote."""
    folder = tmp_path_factory.mktemp("search")
    lines = (json.dumps({"url": url, "html": html}) for url, html in PAGES.items())
    (folder / "pages.jsonl").write_text("\n".join(lines), encoding="utf-8")
    step = SearchRows(algorithm="keep-all")
    Job(inputs=tuple(find_inputs([str(folder / "pages.jsonl")])), step=step, output=folder / "rows").run(jobs=1)
    return folder / "rows"


def test_an_index_of_rows_answers_as_one_of_pages(rows: Path, tmp_path: Path) -> None:
    documenter = Documenter(extractor="keep-all")
    direct = Index.build([documenter(parse(html, url=url)) for url, html in PAGES.items()], tmp_path / "direct")
    fold_shards(rows, tmp_path / "folded", SearchShards(shards=5), engine=Engine(jobs=1))
    assert sorted(url for shard in read_shards(tmp_path / "folded") for url in shard.urls) == sorted(PAGES)
    index = write_search_index(tmp_path / "folded", tmp_path / "index", analyser=Analyser(), rankings=["segment-aware"])
    assert (index.pages, len(index.shards)) == (3, 3)
    for query in ("clay", "quartz", "rivers slow down", "anchor:quartz"):
        for ranking in ("segment-aware", "bm25f"):
            found, expected = (
                {answer.url: round(answer.score, 5) for answer in one.query(query, ranking=ranking).answers}
                for one in (index, direct)
            )
            assert found == expected
    # The text of the link counts for the page that it leads to.
    assert [answer.url for answer in index.query("anchor:quartz", ranking="bm25f").answers] == ["http://a.org/sand"]


def test_other_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        fold_shards(tmp_path, tmp_path / "folded", SearchShards())


def test_commands_from_rows_to_answers(rows: Path, tmp_path: Path) -> None:
    index = str(tmp_path / "index")
    built = webstrata("search", "index", str(rows), "-o", index, "-j", "1", "--ranking", "bm25")
    assert built.exit_code == 0, built.output
    assert "3 pages" in built.output
    again = webstrata("search", "index", str(rows), "-o", index)
    assert again.exit_code == 2
    assert "exists already" in again.output
    added = webstrata("search", "index", str(rows), "-o", index, "-j", "1", "--add")
    assert "3 pages" in added.output, added.output
    found = webstrata("search", "query", index, "clay", "--json")
    answer = json.loads(found.output.splitlines()[0])
    assert answer["url"] == "http://a.org/clay"
    assert answer["snippet"]["stratum"] == "content"
    shown = webstrata("search", "query", index, "clay", "-k", "1")
    assert "*clay*" in shown.output
    assert "3 pages matched" in shown.output
    empty = webstrata("search", "query", index, "?!")
    assert empty.exit_code == 0
    assert "no letters and no digits" in empty.output
    _measure_and_export(index, tmp_path)


def _measure_and_export(index: str, tmp_path: Path) -> None:
    queries = tmp_path / "queries.jsonl"
    asked = [{"query": url.rpartition("/")[2], "relevant": {url: 1}} for url in PAGES]
    queries.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    measured = webstrata("search", "evaluate", index, str(queries), "--ranking", "bm25", "--ranking", "bm25f")
    assert measured.exit_code == 0, measured.output
    assert measured.output.splitlines()[-1].split()[:5] == ["bm25f", "0.100", "1.000", "1.000", "1.000"]
    exported = webstrata("search", "export", index, "-o", str(tmp_path / "vectors.jsonl"))
    assert exported.exit_code == 0, exported.output
    lines = (tmp_path / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["url"] for line in lines} == set(PAGES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["query", "{0}", "clay"], "no search index"),
        (["query", "{0}/missing", "clay"], "no search index"),
        (["index", "{0}", "-o", "{0}/new", "--ranking", "bm26"], "did you mean bm25"),
        (["index", "{0}", "-o", "{0}/new", "--ranks", "{0}"], "--graph"),
        (["index", "{0}", "-o", "{0}/new", "--stemmer", "klingon"], "no stemmer"),
        (["evaluate", "{0}", "{0}/none.jsonl"], "no search index"),
    ],
)
def test_commands_say_what_is_wrong(tmp_path: Path, arguments: list[str], words: str) -> None:
    result = webstrata("search", *(item.format(tmp_path) for item in arguments))
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
