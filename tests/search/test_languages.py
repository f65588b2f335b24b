"""Languages and days of pages: read from the page, kept in shards, through merges."""

from __future__ import annotations

from pathlib import Path

import pytest

from webstrata.page import parse
from webstrata.search import Document, Documenter, Index
from webstrata.search.languages import STEMMERS, language_number, page_language
from webstrata.search.shard import day_number


@pytest.mark.parametrize(
    ("declared", "text", "code"),
    [
        ("en-GB", "Der Ton und die Steine sind das, was auf der Erde liegt.", "en"),
        (None, "Der Ton ist auf der Erde, und die Steine sind nicht das.", "de"),
        ("", "L'argile est dans les rivières, et le sable est pour les enfants que nous sommes.", "fr"),
        ("x-klingon", "", ""),
        ("<script>", "clay", ""),
        (None, "1 2 3 \ud800 " + "x" * 100_000, ""),
    ],
)
def test_a_page_has_the_language_that_it_declares_or_that_of_its_words(
    declared: str | None, text: str, code: str
) -> None:
    assert page_language(declared, text) == code


def test_every_stemmer_is_one_of_snowball() -> None:
    stemmer = pytest.importorskip("Stemmer")
    assert set(STEMMERS.values()) <= set(stemmer.algorithms())


def test_shards_keep_languages_and_days(tmp_path: Path) -> None:
    html = '<html lang="de"><meta property="article:published_time" content="2024-05-17"><title>Ton</title><p>Vom Ton.'
    found = Documenter(extractor="keep-all")(parse(html, url="http://a.org/ton"))
    assert (found.language, found.date) == ("de", "2024-05-17")
    index = Index.build([found], tmp_path / "index").add([Document.of_text("http://a.org/b", "B", "b", date="soon")])
    for one in (index, index.merged()):
        days = [day for shard in one.shards for day in shard.page_day.tolist()]
        languages = [number for shard in one.shards for number in shard.page_language.tolist()]
        assert (days, languages) == ([day_number("2024-05-17"), 0], [language_number("de"), 0])
