"""Static files for a browser: what they hold, and what Node makes of them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from webstrata.errors import InputError
from webstrata.search import Analyser, Document, Index, publishing
from webstrata.search.publishing import publish

_RANKING = "bm25f"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")

# Runs a query for each line of the input, with files instead of a server, and reports which files were read.
_RUN = """
import { readFileSync } from "node:fs";
import { Search, terms } from "./search.js";
const read = [];
const file = async (name) => { read.push(name); return JSON.parse(readFileSync(name, "utf8")); };
const search = await Search.open("./", file);
for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  read.length = 0;
  console.log(JSON.stringify({ terms: terms(text), ...(await search.query(text, 10)), read: [...read] }));
}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    words = [f"w{number}" for number in range(60)]
    pages = [
        Document.of_text(f"http://a.org/{n}", f"{words[n]} title", f"{' '.join(words[n : n + 9])} <b>bold</b> w{n % 7}")
        for n in range(50)
    ]
    pages.append(Document.of_text("javascript:alert(1)", "Straße", "欢迎光临 Café ".ljust(9000, "x") + " unseen"))
    folder: Path = tmp_path_factory.mktemp("publishing")
    return Index.build(pages, folder / "index").delete(["http://a.org/7"])


@pytest.fixture(scope="module")
def published(index: Index, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("published") / "search"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "_FILE", 300)
        publish(index, folder, ranking=_RANKING)
    (folder / "run.mjs").write_text(_RUN, encoding="utf-8")
    return folder


def _asked(folder: Path, texts: list[str]) -> list[dict[str, Any]]:
    done = subprocess.run(["node", "run.mjs"], cwd=folder, input=json.dumps(texts), text=True, capture_output=True,
                          check=True, timeout=60)  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_files_have_every_living_page_and_every_term_once(index: Index, published: Path) -> None:
    about = json.loads((published / "index.json").read_text(encoding="utf-8"))
    files = sorted((published / "terms").iterdir(), key=lambda path: int(path.stem))
    assert about["pages"] == 50
    assert len(about["first"]) == len(files) > 5
    found = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    assert [next(iter(own)) for own in found] == about["first"]
    names = [term for own in found for term in own]
    assert len(names) == len(set(names))
    assert {"w3", "title", "欢迎", "strasse"} <= set(names)
    assert len(list((published / "pages").iterdir())) == 50
    assert not (published / "pages" / "7.json").exists()
    url, title, text = json.loads((published / "pages" / "50.json").read_text(encoding="utf-8"))
    assert (url, title, len(text)) == ("javascript:alert(1)", "Straße", 8000)


def test_a_folder_that_is_there_is_refused(index: Index, published: Path) -> None:
    with pytest.raises(InputError, match="there already"):
        publish(index, published)


@needs_node
def test_a_browser_finds_what_the_index_finds(index: Index, published: Path) -> None:
    texts = ["w3 ", "w20 w21 w22 ", "title w5 ", "bold ", "欢迎 ", "STRASSE ", "w7 w8 ", "absent "]
    for text, found in zip(texts, _asked(published, texts), strict=True):
        expected = index.query(text, ranking=_RANKING, k=50)
        assert found["matched"] == expected.matched, text
        scores = {answer.url: answer.score for answer in expected}
        # Impacts are rounded, so pages that are nearly equal may change places.
        own = [scores[answer["url"]] for answer in found["answers"]]
        best = sorted(scores.values(), reverse=True)[: len(own)]
        assert own == pytest.approx(best, abs=0.02 * max(best, default=0)), text


@needs_node
def test_a_query_reads_few_files(published: Path) -> None:
    (found,) = _asked(published, ["w20 w21 "])
    assert sum(name.startswith("./terms/") for name in found["read"]) <= 2
    assert sum(name.startswith("./pages/") for name in found["read"]) == len(found["answers"]) == 10
    assert len(found["read"]) <= 12


@needs_node
def test_the_last_word_may_be_incomplete_and_snippets_mark_words(published: Path) -> None:
    (found,) = _asked(published, ["bol"])
    assert found["matched"] == 49
    pieces = found["answers"][0]["snippet"]
    assert ["bold", True] in pieces
    assert "".join(text for text, _ in pieces).startswith("w")
    assert "</b>" in pieces[-1][0]


@needs_node
def test_terms_are_those_of_the_analyser(published: Path) -> None:
    texts = [
        "Café ÉTÉ", "Straße, ﬁne", "os.path_join(a-b)", "欢迎光临", "山 web网", "한국어 हिन्दी", "co\u00adoperate",
        "e\u0301t",
        "ＡＢＣ １２", "x2 ½ don't", "Ελλάς ΣΊΣΥΦΟΣ", "",
    ]  # fmt: skip
    analyser = Analyser()
    for text, found in zip(texts, _asked(published, texts), strict=True):
        assert found["terms"] == [term for term, _, _ in analyser(text)], text
