"""Other forms of words, and typing errors."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.links.strings import Strings
from webstrata.search import RANKINGS, Analyser, Document, Index
from webstrata.search._near import near

_LETTERS = "abcéл漢"


def _edits(one: str, other: str) -> int:
    """The edits between two words, where a letter is swapped at most once."""
    table = {(row, 0): row for row in range(len(one) + 1)} | {(0, row): row for row in range(len(other) + 1)}
    for row in range(1, len(one) + 1):
        for place in range(1, len(other) + 1):
            least = min(table[row - 1, place], table[row, place - 1]) + 1
            least = min(least, table[row - 1, place - 1] + (one[row - 1] != other[place - 1]))
            if row > 1 and place > 1 and one[row - 1] == other[place - 2] and one[row - 2] == other[place - 1]:
                least = min(least, table[row - 2, place - 2] + 1)
            table[row, place] = least
    return table[len(one), len(other)]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(_LETTERS, min_size=1, max_size=7), max_size=40, unique=True),
    st.text(_LETTERS, min_size=1, max_size=7),
    st.integers(0, 2),
)
def test_near_terms_are_those_of_a_slow_count(words: list[str], word: str, most: int) -> None:
    words = sorted(words, key=str.encode)
    strings = Strings.of(words)
    places, edits = near(strings.data, strings.start, word, most)
    expected = [(place, _edits(other, word)) for place, other in enumerate(words) if _edits(other, word) <= most]
    assert list(zip(places.tolist(), edits.tolist(), strict=True)) == expected


def test_words_that_are_too_long_have_no_near_terms_and_damage_is_refused() -> None:
    strings = Strings.of(["a" * 64, "a" * 65])
    assert near(strings.data, strings.start, "a" * 64, 1)[0].tolist() == [0, 1]
    assert near(strings.data, strings.start, "a" * 65, 1)[0].tolist() == []
    with pytest.raises(InputError):
        near(strings.data, strings.start + 10, "a", 1)


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Pages in two languages, with a form of a word each, and many with the same word."""
    texts = {
        "en": ["walk", "walks", "walking home", "walnut", "recieve", *["receive"] * 120],
        "de": ["Häuser", "Hauses", "Haube", *["und"] * 30],
    }
    pages = [
        Document.of_text(f"http://a.org/{language}/{number}", "", text, language=language)
        for language, own in texts.items()
        for number, text in enumerate(own)
    ]
    folder: Path = tmp_path_factory.mktemp("widening")
    return Index.build(pages, folder / "index")


def _terms(index: Index, text: str, ranking: str = "strata") -> set[str]:
    return set(index.query(text, ranking=ranking).terms)


def test_words_stand_for_their_other_forms_in_the_languages_of_the_pages(index: Index) -> None:
    assert _terms(index, "walk") == {"walk", "walks", "walking"}
    assert _terms(index, "hauses") == {"hauses", "hauser"}
    assert _terms(index, "walk", "bm25") == {"walk"}
    assert _terms(index, "walk", "strata(forms=0.0)") == {"walk"}


def test_a_word_counts_more_than_its_forms(index: Index) -> None:
    found = index.query("walking")
    assert found[0].url == "http://a.org/en/2"
    assert {answer.url for answer in found} == {f"http://a.org/en/{number}" for number in range(3)}
    assert found[1].snippet is not None
    assert found[1].snippet.html.startswith("<mark>walk")


def test_a_title_in_another_form_is_nearly_the_query(tmp_path: Path) -> None:
    pages = [
        Document.of_text("http://a.org/other", "Foreign notes", "keys keys foreign", language="en"),
        Document.of_text("http://a.org/key", "Foreign key", "All about it.", language="en"),
        *(Document.of_text(f"http://a.org/{number}", "Notes", "Other notes", language="en") for number in range(9)),
    ]
    index = Index.build(pages, tmp_path / "index")
    assert index.query("foreign keys", k=1)[0].url == "http://a.org/key"
    assert index.query("foreign keys", k=1, ranking="strata(forms=0.0)")[0].url == "http://a.org/other"


def test_an_index_of_stems_and_phrases_have_no_other_forms(index: Index, tmp_path: Path) -> None:
    stems = Index.build(
        [Document.of_text("http://a.org/", "", "walks", language="en")],
        tmp_path / "index",
        analyser=Analyser(stemmer="english"),
    )
    assert _terms(stems, "walking") == {"walk"}
    assert [answer.url for answer in index.query('"walking home"')] == ["http://a.org/en/2"]
    assert index.query('"walk home"').matched == 0


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("wlaking", "walking"),
        ("WALKIGN, walnutt", "walking, walnut"),
        ("recieve", "receive"),
        ("xyz", ""),
        ("walk", ""),
        ("wal", ""),
        ("walknig -recieve site:wlaking.org", "walking -recieve site:wlaking.org"),
    ],
)
def test_suggestions(index: Index, text: str, meant: str) -> None:
    found = index.query(text)
    assert found.suggestion == meant


def test_a_word_that_no_page_has_finds_what_was_meant_and_a_rare_word_itself(index: Index) -> None:
    assert next(answer.url for answer in index.query("wlaking")) == "http://a.org/en/2"
    assert [answer.url for answer in index.query("recieve", k=1)] == ["http://a.org/en/4"]
    assert index.read("wlaking").words == ("walking",)
    assert index.read("recieve").words == ("recieve",)


def test_most_errors_of_one_letter_are_corrected(index: Index) -> None:
    draw, good = random.Random(3), 0
    for _ in range(100):
        place = draw.randrange(1, 6)
        wrong = "receive"[:place] + draw.choice("bdfg") + "receive"[place + 1 :]
        good += index.query(wrong).suggestion == "receive"
    assert good == 100


def test_identifiers_are_found_by_their_parts(tmp_path: Path) -> None:
    texts = (
        "class QPainter", "an HTMLParserError", "use camelCase", "the painter", "a snake_case and dotted.name",
        "IOError", "plain HTTPS", "QPaint\u00e9r ÉcoleParser", "drawTextOn",
    )  # fmt: skip
    pages = [Document.of_text(f"http://a.org/{number}", "", text) for number, text in enumerate(texts)]
    index = Index.build(pages[:4], tmp_path / "index").add(pages[4:])

    def found(text: str) -> list[int]:
        return [int(answer.url.rpartition("/")[2]) for answer in index.query(text)]

    assert list(index.shards[0].parts) == [
        "camel camelcase", "case camelcase", "error htmlparsererror", "html htmlparsererror", "painter qpainter",
        "parser htmlparsererror",
    ]  # fmt: skip
    assert found("painter") == [3, 0, 7]
    assert sorted(found("qpainter")) == [0, 7]
    assert found("html") == [1]
    assert sorted(found("parser")) == [1, 7]
    assert found("case") == [4, 2]
    assert found("name") == [4]
    assert sorted(found("error")) == [1, 5]
    assert found("text") == [8]
    assert list(index.shards[1].parts) == [
        "draw drawtexton", "ecole ecoleparser", "error ioerror", "painter qpainter", "parser ecoleparser",
        "text drawtexton",
    ]  # fmt: skip
    merged = index.merged()
    assert sorted(merged.shards[0].parts) == sorted({line for shard in index.shards for line in shard.parts})


def test_forms_are_a_parameter_of_the_ranking() -> None:
    plain = RANKINGS.make("strata(forms=0.0)")
    assert not plain.forms
    assert RANKINGS.make("strata").forms
    assert not RANKINGS.make("bm25").forms
    assert plain.matching == RANKINGS.make("strata").matching
