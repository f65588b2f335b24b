"""What is counted of pages, against plain counting, and the thesis's questions on texts made for them."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.crawls import find_inputs
from webstrata.crawls.folding.engines import Engine
from webstrata.crawls.jobs.statistics import Surveyor
from webstrata.features import text_density
from webstrata.page import parse
from webstrata.segmentation.base import SEGMENTERS
from webstrata.statistics.analyses import (
    crossing,
    cut_off,
    density_against_words,
    full_stop,
    quotients,
    rank_curves,
    strata,
    token_lengths,
    typical_terms,
    writer,
)
from webstrata.statistics.densities import TwoBetas
from webstrata.statistics.plain import page_of_text
from webstrata.statistics.surveys import ALL, MEASURES, Survey, survey_page
from webstrata.statistics.surveys import survey as survey_of
from webstrata.text import words

pytest.importorskip("scipy", reason="scipy is not installed: pip install 'webstrata[stats]'")


def made_page(chance: random.Random) -> str:
    """A menu of short texts without full stops, and paragraphs of sentences."""
    menu = "".join(f"<li>{' '.join(['menu'] * chance.choice([1, 1, 1, 2, 2, 3]))}" for _ in range(30))
    sentences = (chance.choices(["rain", "a", "stratum", "of", "pages"], k=chance.randrange(30, 90)) for _ in range(6))
    body = "".join(f"<p>{' '.join(sentence)}." for sentence in sentences)
    return f"<ul>{menu}</ul>{body}<p>Copyright by nobody"


@pytest.fixture(scope="module")
def survey() -> Survey:
    chance = random.Random(1)
    pages = [parse(made_page(chance)) for _ in range(40)]
    labels = [["content" if block.words > 10 else "boilerplate" for block in page.blocks] for page in pages]
    return Survey.of(survey_page(page, classes=own) for page, own in zip(pages, labels, strict=True))


TEXT = st.text(st.sampled_from("ab. |\n"), max_size=60)


@given(st.lists(TEXT, max_size=6))
def test_counts_are_those_of_plain_counting(texts: list[str]) -> None:
    page = parse("".join(f"<p>{text}" for text in texts))
    found = Survey.of([survey_page(page)])
    blocks = [block for block in page.blocks if block.words]
    assert found.tokens == sum(block.words for block in blocks)
    density = np.floor(text_density(page.blocks) + 0.5).astype(int)
    expected = np.bincount(density, page.blocks.words) if len(density) else np.zeros(1)
    assert found.histogram("tokens by density").sum() == expected.sum()
    assert found.histogram("units by words").sum() == len(blocks)
    lengths = [len(word) for block in blocks for word in words(block.text)]
    assert (
        found.histogram("tokens by length").tolist() == np.bincount(lengths or [0], minlength=1).tolist() or not lengths
    )
    stops = sum(bool(re.search(r"(?<![ab])[ab]{2,}\.(\s|$)", block.text)) for block in blocks)
    assert found.histogram("stopped units by density").sum() == stops
    assert {measure for measure, _, _ in found.counts} <= set(MEASURES)


def test_a_survey_of_pages_is_that_of_a_crawl(tmp_path: Path) -> None:
    chance = random.Random(3)
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.html").write_text(made_page(chance) + f"<p>word{number}")
    (folder / "empty.html").write_text("")
    job = Surveyor(inputs=tuple(find_inputs([str(folder)])), output=tmp_path / "out", extractor="numwords")
    job.run(Engine(jobs=1))
    found = survey_of(sorted(folder.iterdir()), extractor="numwords")
    assert found == job.survey()
    assert found.classes == ("boilerplate", "content")
    assert "word1" not in found.terms
    assert repr(found).startswith("<Survey: 5 documents, ")


@given(st.lists(TEXT, min_size=2, max_size=6), st.integers(1, 5))
def test_surveys_add_up_whatever_the_parts(texts: list[str], cut: int) -> None:
    pages = [survey_page(parse(f"<p>{text}<p>x")) for text in texts]
    whole = Survey.of(pages)
    again = Survey.of(pages[cut:] + pages[:cut])
    assert whole.counts == again.counts
    assert whole.terms == again.terms
    assert whole.repeats == again.repeats
    assert whole.documents == len(pages)


def test_hidden_text_is_not_counted() -> None:
    assert not survey_page(parse("<script>one two</script><p hidden>three")).counts


def test_abbreviations_end_no_sentence() -> None:
    def stopped(text: str) -> int:
        return int(Survey.of([survey_page(parse(f"<p>{text}"))]).histogram("stopped units by density").sum())

    assert [stopped(text) for text in ("It rained.", "Strata Inc.", "on 3 Jan. 2011", "v. 2.0", "e.g.")] == [
        1,
        0,
        0,
        0,
        0,
    ]


def test_segments_can_be_the_units() -> None:
    page = parse("<p>one two<p>three four<h1>five</h1>")
    found = Survey.of([survey_page(page, segmenter=SEGMENTERS.make("justrules"))])
    assert found.histogram("units by words").tolist() == [0, 1, 0, 0, 1]


def test_two_strata_are_found_with_their_boundary(survey: Survey) -> None:
    found = strata(survey)
    assert found.two
    assert found.boundary is not None
    assert 3 < found.boundary < 12
    menus = 40 * 30
    assert menus <= found.below <= 3 * menus
    assert found.below + found.above == survey.tokens


@pytest.mark.slow
def test_one_stratum_is_not_taken_for_two() -> None:
    chance = random.Random(2)
    text = " ".join(chance.choice(["rain", "stratum", "of", "longest"]) for _ in range(4000))
    pages = [survey_page(parse(f"<p>{text[start : start + 900]}")) for start in range(0, 18_000, 900)]
    assert not strata(Survey.of(pages)).two


def test_the_full_stop_tells_the_strata_apart(survey: Survey) -> None:
    found = full_stop(survey)
    # A fifth of the paragraphs end with a single letter, which is no full stop.
    assert found.accuracy > 0.95
    assert found.gain > 0.4
    assert 3 <= found.threshold <= 14
    assert int(found.with_stop.sum() + found.without.sum()) == survey.tokens


def test_information_gain_is_that_of_the_definition() -> None:
    page = parse("<p>one two<p>three four<p>It rained. We slept<p>all day")
    found = full_stop(Survey.of([survey_page(page)]))
    assert found.gain == pytest.approx(-(0.25 * np.log2(0.25) + 0.75 * np.log2(0.75)))
    assert found.accuracy == 1.0


def test_terms_are_typical_of_where_they_stand(survey: Survey) -> None:
    terms = typical_terms(survey, least=2)
    assert terms[0].term in ("menu", "copyright", "by", "nobody")
    assert {term.term for term in terms[-5:]} == {"rain", "a", "stratum", "of", "pages"}
    assert terms[-1].typicality == pytest.approx(1.0)
    assert all(-1 <= term.typicality <= 1 for term in terms)


def test_writers_of_short_and_long_text(survey: Survey) -> None:
    found = writer(survey)
    assert found.one is not None
    assert found.two is not None
    assert found.two.goodness.r2 >= found.one.goodness.r2 - 1e-9
    assert found.two.model.p_short > found.two.model.p_long
    by_words, by_density = density_against_words(survey)
    assert 0 < by_density <= survey.tokens
    assert 0 < by_words <= survey.tokens


def test_templates_are_found_by_cut_off_and_by_repetition(survey: Survey) -> None:
    found = cut_off(survey)
    assert found.tokens == survey.tokens
    assert found.both <= min(found.sparse, found.frequent)
    # Menus and the line about copyright come back on every page, paragraphs do not.
    assert found.frequent == found.sparse == found.both


def test_small_surveys_have_answers_without_fits() -> None:
    small = Survey.of([survey_page(parse("<p>one"))])
    assert strata(small).fits["two betas"] is None
    assert writer(small).two is None
    assert quotients(small) is None
    assert token_lengths(small)[0] == 3
    assert rank_curves(small)["text density"][2] is None
    empty = Survey.of([])
    assert (empty.documents, empty.tokens, empty.classes) == (0, 0, ())
    assert strata(empty).below == full_stop(empty).gain == 0
    assert empty.histogram("tokens by density", ALL).tolist() == [0]


def test_distributions_that_do_not_cross_have_no_boundary() -> None:
    assert crossing(TwoBetas(20.0, (1.0, 0.0001), (3.0, 3.1), (17.0, 17.0))) is None


def test_plain_texts_are_pages() -> None:
    page = parse(page_of_text("One <b> two.\r\n\r\n\r\nthree\rfour\n"))
    assert [block.text for block in page.blocks] == ["One <b> two.", "three four"]
