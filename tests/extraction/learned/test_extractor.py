"""The learned extractor: its model fits the code, and it finds content on pages of our own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.extraction import extract
from webstrata.extraction.base import Kind
from webstrata.extraction.learned.decision import REASONS, STEPS, decide
from webstrata.extraction.learned.extractor import LearnedExtractor
from webstrata.extraction.learned.first_pass import features
from webstrata.extraction.learned.influences import path_sums
from webstrata.extraction.learned.model import ExtractorModel, add_context, columns, describe, shipped
from webstrata.extraction.learned.reading import read_page
from webstrata.extraction.learned.second_pass import context
from webstrata.models.trees import Trees
from webstrata.page import parse

WITH_REPEATS = [step for step in STEPS if step != "drop_repeats"]
SENTENCE = "The river carries sand and clay to the sea, where they settle slowly in layers on the floor of the bay. "
PARAGRAPHS = [f"{SENTENCE * 3}This is layer number {i}, and it took a hundred years to grow." for i in range(6)]
ARTICLE = (
    "<html><head><title>How strata form | The Geology Post</title></head><body>"
    "<nav class=menu><ul>"
    + "".join(f"<li><a href=/{name}>{name}</a></li>" for name in ("Home", "News", "Shop", "Contact"))
    + "</ul></nav><main><article class=post-content><h1>How strata form</h1>"
    + "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
    + "</article></main><aside class=sidebar><h3>Related posts</h3><ul>"
    + "".join(f"<li><a href=/{i}>Ten stones you must see {i}</a></li>" for i in range(6))
    + "</ul></aside><footer class=footer><p>© 2024 The Geology Post. All rights reserved.</p>"
    "<a href=/privacy>Privacy</a> <a href=/terms>Terms of use</a></footer></body></html>"
)


def test_the_shipped_model_fits_the_code() -> None:
    model = shipped()
    assert tuple(model.arrays["columns"].tolist()) == columns().names
    assert max(model.arrays[f"{name}_feature"].max() for name in ("start", "first")) < columns().first
    assert model.arrays["second_feature"].max() < len(columns().names)


LONG = "".join(f"<h2>Layer {i}</h2>{'<p>one two three' * (i % 5)}<p>{PARAGRAPHS[i % 6]}" for i in range(4000))


@pytest.mark.parametrize("html", [ARTICLE, LONG], ids=["a page", "a page that is read in parts"])
def test_scores_are_those_of_the_passes_one_by_one(html: str) -> None:
    """The native score against its parts; a paragraph that the start is sure of is not looked at again."""
    model, paragraphs = shipped(), read_page(parse(html))
    start, first, second = (
        Trees(**{part: model.arrays[f"{name}_{part}"] for part in ("feature", "threshold", "tree", "leaves", "value")})
        for name in ("start", "first", "second")
    )
    matrix = describe(paragraphs)
    model.weigh(paragraphs, matrix)
    log_odds = start.sums(matrix)
    log_odds = np.where(log_odds > -1.6, log_odds + first.sums(matrix), 2.5 * log_odds)
    chance = 1 / (1 + np.exp(-log_odds))
    add_context(paragraphs, chance, matrix)
    bounded = np.clip(chance, 0.01, 0.99)
    log_odds = 0.7 * np.log(bounded / (1 - bounded)) + np.where(chance > 0.047, second.sums(matrix), 0)
    np.testing.assert_allclose(model.score(paragraphs), 1 / (1 + np.exp(-log_odds)), atol=1e-9)


def test_what_was_said_before_is_left_out() -> None:
    copy = f"<div><p>{PARAGRAPHS[1]}</p></div><p>{PARAGRAPHS[2]}"
    once, twice = extract(ARTICLE), extract(ARTICLE.replace(f"<p>{PARAGRAPHS[2]}", copy))
    assert once.text.count(PARAGRAPHS[1]) == twice.text.count(PARAGRAPHS[1]) == 1
    assert "said before" in {twice.reasons[i] for i in twice.reason}


def test_repeats_are_of_kept_and_long_paragraphs() -> None:
    long, short = "one two three four five six seven eight", "one two three"
    texts = (long, short, long, short, long.upper(), long)
    paragraphs = read_page(parse("".join(f"<div><p>{text}</div>" for text in texts)))
    score = np.array([0.0, 1, 1, 1, 1, 1])
    kind, _ = decide(paragraphs, score, score, 0.5)
    assert kind.tolist() == [0, 1, 1, 1, 0, 0]
    kind, _ = decide(paragraphs, score, score, 0.5, steps=WITH_REPEATS)
    assert kind.tolist() == [0, 1, 1, 1, 1, 1]


def test_what_is_said_again_beside_itself_is_meant() -> None:
    """Siblings of the same kind are; those of another class, and what stands elsewhere, are copies."""
    text = "one two three four five six seven eight"
    paragraphs = read_page(parse(f"<div><p>{text}<p>nine<p>{text}<p class=note>{text}</div><div><p>{text}</div>"))
    kind, _ = decide(paragraphs, np.ones(5), np.ones(5), 0.5)
    assert kind.tolist() == [1, 1, 1, 0, 0]


def test_prose_like_what_is_kept_stays() -> None:
    """Half of the prose of one look is kept: so is the rest. Prose of another look needs scores of its own."""
    prose = "<p>" + "word " * 30
    paragraphs = read_page(parse(f"<div>{prose * 6}<p>short</div><div class=note>{prose}</div>"))
    score = np.array([1, 1, 1, 1, 0, 0, 0, 0.0])
    kind, reason = decide(paragraphs, score, score, 0.5, steps=WITH_REPEATS)
    assert kind.tolist() == [1, 1, 1, 1, 1, 1, 0, 0]
    assert REASONS[reason[4]] == "prose like what is kept"
    few = np.array([1, 1, 0, 0, 0, 0, 0, 0.0])
    assert decide(paragraphs, few, few, 0.5, steps=WITH_REPEATS)[0].tolist() == [1, 1, 0, 0, 0, 0, 0, 0]


def test_the_lead_is_kept() -> None:
    """Prose between the title and the text is, a byline is not."""
    title, lead = "The ferryman of the northern lakes", "lead " * 20
    body = f"<h1>{title}</h1><span class=by>By somebody, in the year of the great frost on the lake</span>"
    html = f"<title>{title}</title>{body}<div class=teaser>{lead}</div><p>{'text ' * 40}<p>{'text ' * 40}"
    paragraphs = read_page(parse(html))
    score = np.array([0, 0, 0, 1, 1.0])
    kind, reason = decide(paragraphs, score, score, 0.5, steps=WITH_REPEATS)
    assert kind.tolist() == [2, 0, 1, 1, 1]
    assert REASONS[reason[2]] == "between the title and the text"


@pytest.mark.parametrize(("type_is_known", "kept"), [(False, 4), (True, 12)])
def test_a_page_that_says_what_it_is_may_be_a_list(type_is_known: bool, kept: int) -> None:
    links = "".join(f"<li><a href=/{i}>a page about this and that</a>" for i in range(8))
    paragraphs = read_page(parse(f"<div>{('<p>' + 'word ' * 15) * 4}</div><ul>{links}</ul>"))
    kind, _ = decide(paragraphs, np.ones(12), np.ones(12), 0.5, type_is_known=type_is_known, steps=WITH_REPEATS)
    assert kind.sum() == kept


def test_names_of_features_are_as_many_as_their_values() -> None:
    """Every column is written and nothing beyond: the matrix has marks where the features end."""
    paragraphs = read_page(parse(ARTICLE))
    parts = columns()
    assert len(set(parts.names)) == len(parts.names)
    matrix = np.full((len(paragraphs), len(parts.features) + 1), np.nan, np.float32)
    features(paragraphs, matrix, len(parts.features))
    assert not np.isnan(matrix[:, :-1]).any()
    assert np.isnan(matrix[:, -1]).all()
    matrix = np.full((len(paragraphs), len(parts.context) + 1), np.nan, np.float32)
    context(paragraphs, np.linspace(0, 1, len(paragraphs)), matrix, 0, len(parts.context))
    assert not np.isnan(matrix[:, :-1]).any()
    assert np.isnan(matrix[:, -1]).all()


def test_a_matrix_that_is_too_small_is_refused() -> None:
    paragraphs = read_page(parse(ARTICLE))
    small = np.zeros((len(paragraphs), 3), np.float32)
    with pytest.raises(ValueError, match="not"):
        features(paragraphs, small, len(columns().features))
    with pytest.raises(ValueError, match="columns"):
        context(paragraphs, np.zeros(len(paragraphs)), small, 0, len(columns().context))
    with pytest.raises(ValueError, match="paragraphs"):
        decide(paragraphs, np.zeros(1), np.zeros(1), 0.5)


def test_some_features_by_hand() -> None:
    paragraphs = read_page(parse("<title>Rock</title><nav><a>Home page</a></nav><p>Rock is <b>hard</b>, we say."))
    row = dict(zip(columns().names, describe(paragraphs)[1].tolist(), strict=True))
    assert row["words"] == 5
    assert row["link density"] == 0
    assert row["page words"] == 7
    assert row["page link density"] == pytest.approx(2 / 7)
    assert row["link density of previous"] == 1
    assert row["commas a word"] == pytest.approx(1 / 5)
    assert row["of title"] == 1
    assert row["p of tags above"] == 1
    assert row["nav of tags above"] == 0


def test_an_article_without_its_surroundings() -> None:
    text = extract(ARTICLE).text
    assert all(paragraph in " ".join(text.split()) for paragraph in PARAGRAPHS)
    assert "Related posts" not in text
    assert "Privacy" not in text


def test_scores_and_reasons_agree_with_the_decision() -> None:
    extraction = extract(ARTICLE)
    assert ((extraction.score >= 0) & (extraction.score <= 1)).all()
    content, boilerplate = extraction.kind == Kind.CONTENT, extraction.kind == Kind.BOILERPLATE
    assert all(extraction.reasons[i].startswith("content") for i in extraction.reason[content])
    assert all(extraction.reasons[i].startswith("boilerplate") for i in extraction.reason[boilerplate])
    assert (extraction.keep == ~boilerplate).all()


def test_favours_are_nested() -> None:
    page = parse(ARTICLE)
    kept = [LearnedExtractor(favour=favour)(page).keep for favour in ("precision", "balanced", "recall")]
    assert (kept[0] <= kept[1]).all()
    assert (kept[1] <= kept[2]).all()


COMMENTS = "".join(f"<div class=comment><p>{SENTENCE}Reader {i} says so.</p></div>" for i in range(4))
COMMENTED = ARTICLE.replace("</article>", f"<section id=user-comments>{COMMENTS}</section></article>")


def test_comments_are_had_apart() -> None:
    apart, together = LearnedExtractor()(parse(COMMENTED)), LearnedExtractor(comments=True)(parse(COMMENTED))
    assert "Reader" not in apart.text
    assert apart.comments == together.comments
    assert all(f"Reader {i} says so." in apart.comments for i in range(4))
    assert all(paragraph in " ".join(together.text.split()) for paragraph in PARAGRAPHS)
    assert all(f"Reader {i} says so." in together.text for i in range(4))


def test_posts_are_the_content_where_there_is_nothing_else() -> None:
    posts = "".join(f"<div class=comment><p>{SENTENCE * 2}Post {i}.</p></div>" for i in range(6))
    found = extract(f"<title>Thread</title><h1>Thread</h1><div id=posts>{posts}</div>")
    assert all(f"Post {i}." in found.text for i in range(6))
    assert found.comments == ""


def test_unknown_favour() -> None:
    with pytest.raises(InputError, match="balanced"):
        LearnedExtractor(favour="luck")  # type: ignore[arg-type]


def test_repr_rebuilds_it() -> None:
    algorithm = LearnedExtractor(favour="recall")
    assert eval(repr(algorithm)) == algorithm


@pytest.mark.parametrize(
    "html", ["", "<p>", "<script>x</script>", "word", "<a>", "<table><td>1", "\0", "<p>" * 600 + "x"]
)
def test_pages_with_little_on_them(html: str) -> None:
    extraction = extract(html)
    assert len(extraction.keep) == len(extraction.page.blocks)


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from([*"<>/ax é漢", "<p>", "<div class='a b'>", "</div>", "<h2>", "<li>", "<!--"]), max_size=60)
)
def test_any_page(parts: list[str]) -> None:
    score = extract("".join(parts)).score
    assert np.isfinite(score).all()


@pytest.mark.parametrize(
    "part", ["<p>x", "<li>x<ul>", "<meta property=og:type content=article>", "<h1>x</h1>", "<a>x</a>"]
)
def test_time_grows_with_the_page_only(part: str) -> None:
    def seconds(count: int) -> float:
        page = parse(part * count + "<p>end")
        start = time.perf_counter()
        LearnedExtractor()(page)
        return time.perf_counter() - start

    small = min(seconds(5_000) for _ in range(3))
    assert min(seconds(40_000) for _ in range(2)) < 8 * 4 * small + 0.2


def test_same_text_on_many_threads() -> None:
    pages = [ARTICLE.replace("river", f"river{i}") for i in range(24)]
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda page: extract(page).text, pages))
    assert many == [extract(page).text for page in pages]


def test_model_survives_its_file(tmp_path: Path) -> None:
    shipped().save(tmp_path / "model.npz")
    again = LearnedExtractor(model=str(tmp_path / "model.npz"))(parse(ARTICLE))
    assert (again.score == extract(ARTICLE).score).all()


def test_other_models_are_refused(tmp_path: Path) -> None:
    arrays = dict(shipped().arrays)
    with pytest.raises(InputError, match="other features"):
        ExtractorModel({**arrays, "columns": arrays["columns"][:-1]})
    with pytest.raises(InputError, match="version"):
        ExtractorModel({**arrays, "version": np.array(99)})
    (tmp_path / "model.npz").write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot read"):
        ExtractorModel.load(tmp_path / "model.npz")


DAMAGES: dict[str, Callable[..., Any]] = {
    "left out": lambda array, random: None,
    "of another rank": lambda array, random: array[None],
    "a scalar": lambda array, random: np.array(1),
    "cut": lambda array, random: array[: len(array) // 2],
    "empty": lambda array, random: array[:0],
    "not finite": lambda array, random: np.full(array.shape, np.nan),
    "of another type": lambda array, random: array.astype("U4"),
    "too large": lambda array, random: (array + 60_000).astype(array.dtype),
    "random": lambda array, random: random.integers(0, 2**8, array.shape).astype(array.dtype),
    "shuffled": lambda array, random: random.permutation(array),
}


def refused(make: Callable[[], ExtractorModel]) -> str:
    """What is said against a model; nothing where it scores a page, however wrongly."""
    paragraphs = read_page(parse(ARTICLE))
    try:
        assert len(make().score(paragraphs)) == len(paragraphs)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("part", sorted(set(shipped().arrays) - {"version", "columns"}))
def test_damaged_models_are_refused_or_harmless(part: str, damage: str) -> None:
    """A model whose numbers are wrong may score anything; one that does not fit is told."""
    array = DAMAGES[damage](shipped().arrays[part], np.random.default_rng(1))
    arrays = {name: known for name, known in shipped().arrays.items() if name != part}
    refusal = refused(lambda: ExtractorModel(arrays if array is None else {**arrays, part: array}))
    assert refusal == "" or "webstrata train" in refusal


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    shipped().save(tmp_path / "model.npz")
    whole = (tmp_path / "model.npz").read_bytes()
    random = np.random.default_rng(2)
    for number in range(120):
        damaged = bytearray(whole[: int(random.integers(len(whole)))] if number % 2 else whole)
        for place in random.integers(0, max(len(damaged), 1), 8).tolist() if damaged else ():
            damaged[place] = int(random.integers(256))
        (tmp_path / "damaged.npz").write_bytes(damaged)
        refusal = refused(lambda: ExtractorModel.load(tmp_path / "damaged.npz"))
        assert refusal == "" or "model" in refusal


def test_a_model_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "bomb.npz", version=np.zeros(200 << 20, np.uint8))
    with pytest.raises(InputError, match="is the most"):
        ExtractorModel.load(tmp_path / "bomb.npz")


def test_influences_add_up_to_the_trees() -> None:
    """What each column adds, with what the trees give on no knowledge, is the sum of the trees."""
    model, paragraphs = shipped(), read_page(parse(ARTICLE))
    matrix = describe(paragraphs)
    model.weigh(paragraphs, matrix)
    add_context(paragraphs, model.scorer.passes(paragraphs)[0], matrix)
    for name in ("start", "first", "second"):
        parts = {part: model.arrays[f"{name}_{part}"] for part in ("feature", "threshold", "tree", "leaves", "value")}
        rest = Trees(**parts).sums(matrix) - path_sums(model.arrays, name, matrix).sum(axis=1)
        assert np.ptp(rest) < 1e-5


def test_every_block_has_an_explanation() -> None:
    found = extract(ARTICLE)
    assert len(found.explanations) == len(found.page.blocks)
    for row, why in enumerate(found.explanations):
        reason = found.reasons[found.reason[row]]
        assert why.startswith((f"{reason}: ", f"{reason}, although "))
        assert not re.search(r"[0-9<_]", why)
        assert [cause.numbers.count(", such as ") for cause in found.causes[row]] == [1, 1, 1]
    navigation = next(
        why for why, block in zip(found.explanations, found.page.blocks, strict=True) if block.text == "Home"
    )
    assert "in a navigation" in navigation
    assert extract(ARTICLE, "keep-all").explanations == ("content",) * len(found.page.blocks)
