"""The learned segmenter: its candidates against slow ones, its decoding, its model file, and what it says."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from boxed_pages import boxed
from generated_pages import pages
from hypothesis import example, given, settings
from hypothesis import strategies as st

import webstrata
from webstrata.errors import InputError
from webstrata.page import TAGS, Page, parse
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.learned.candidates import Candidates
from webstrata.segmentation.learned.decoding import select
from webstrata.segmentation.learned.features import features
from webstrata.segmentation.learned.model import (
    ALL_KINDS,
    DescribedPage,
    SegmenterModel,
    columns,
    part_columns,
    shipped,
)
from webstrata.segmentation.learned.segmenter import LearnedSegmenter

NEWS = """<html><body><div id=header><h1>The Daily Layer</h1></div>
<ul class=menu><li><a href=/>Home</a><li><a href=/w>World</a><li><a href=/s>Sport</a><li><a href=/c>Culture</a></ul>
<div id=content><h2>A lake of mud</h2><p>The river carries sand and clay to the sea, where they settle in layers.</p>
<p>Nobody saw it, and yet everybody knew how long it must have taken, because the layers can be counted.</p></div>
<div id=footer>Copyright 2013 The Daily Layer. <a href=/i>Imprint</a> <a href=/p>Privacy</a></div></body></html>"""


def slow_candidates(page: Page) -> list[tuple[int, int]]:
    """The ranges of shown blocks of all elements in document order, each once; links within a block are none."""
    shown = np.flatnonzero(~page.blocks.hidden).tolist()
    whole = {
        row
        for row, start, stop in zip(*(column.tolist() for column in page.link_spans), strict=True)
        if (inside := page.elements[row].blocks)
        and start <= page.blocks.text_start[inside.start]
        and stop >= page.blocks.text_stop[inside.stop - 1]
    }
    found = []
    for row in range(len(page.elements)):
        own = [block for block in shown if block in page.elements[row].blocks]
        if own and (TAGS[page.elements.tag[row]] != "a" or row in whole):
            found.append((own[0], own[-1] + 1))
    return list(dict.fromkeys(found))


@settings(max_examples=200)
@example("one<a><b>one<a>one")
@given(pages())
def test_candidates_are_the_different_ranges_of_the_elements(html: str) -> None:
    page = parse(html)
    found = Candidates(page)
    assert [tuple(pair) for pair in found.ranges().tolist()] == slow_candidates(page)
    top, low = found.elements_of().T if len(found) else (np.zeros(0, int), np.zeros(0, int))
    assert (top <= low).all()


def slow_take(ranges: list[tuple[int, int]], size: list[int], score: list[float], cut: float) -> list[int]:
    """By falling score, without what shares more than two thirds of the longer with one that was taken.

    The threshold follows the mean log-odds of the first eight by four fifths, down to -1.5; the first is always taken,
    with what scores as it does. What has more than 98 % of the text is left out where the best of the others has such
    log-odds.
    """
    total = np.concatenate(([0], np.cumsum(size)))
    taken: list[int] = []
    by_score = sorted(range(len(ranges)), key=lambda i: (-score[i], i))
    whole = max((int(total[stop] - total[start]) for start, stop in ranges), default=0)
    parts = [i for i in by_score if 100 * (total[ranges[i][1]] - total[ranges[i][0]]) <= 98 * whole]
    for i in parts if parts and score[parts[0]] >= 1 / (1 + math.exp(1.5)) else by_score:
        start, stop = (int(total[edge]) for edge in ranges[i])
        others = [tuple(int(total[edge]) for edge in ranges[j]) for j in taken]
        doubles = [
            3 * (min(stop, last) - max(start, first)) > 2 * max(stop - start, last - first) for first, last in others
        ]
        if not any(doubles):
            taken.append(i)
    best = [math.log(score[i] / (1 - score[i])) for i in taken[:8]]
    log_odds = cut + 0.8 * max(sum(best) / max(len(best), 1), -1.5)
    threshold = min(1 / (1 + math.exp(-log_odds)), max((score[i] for i in taken), default=1))
    return sorted(i for i in taken if score[i] >= threshold)


@settings(max_examples=100)
@given(pages(), st.integers(0, 1000), st.floats(-3, 3))
def test_decoding_takes_what_a_plain_loop_takes(html: str, number: int, cut: float) -> None:
    page = parse(html)
    found = Candidates(page)
    random = np.random.default_rng(number)
    score = random.integers(1, random.choice([5, 20, 100]), len(found)) / 100
    size = np.where(page.blocks.hidden, 0, page.blocks.chars).tolist()
    rows, levels = select(found, score, cut)
    assert rows.tolist() == slow_take([tuple(r) for r in found.ranges().tolist()], size, score.tolist(), cut)
    ranges = found.ranges()[rows].tolist()
    for (start, stop), level in zip(ranges, levels.tolist(), strict=True):
        around = sum(first <= start and stop <= last for first, last in ranges)
        assert level == around


@pytest.mark.parametrize("chance", [0.0, 1e-300, 1.0])
def test_chances_without_doubt_are_no_trouble(chance: float) -> None:
    found = Candidates(parse(NEWS))
    rows, _ = select(found, np.full(len(found), chance), 0.5)
    assert len(rows)


def test_a_long_list_is_one_segment() -> None:
    assert len(LearnedSegmenter()(parse("<ul>" + "<li>item one two" * 1000 + "</ul>"))) == 1


def test_a_finer_cut_has_all_segments_of_a_coarser_one() -> None:
    page = parse(NEWS)
    cuts = [LearnedSegmenter(cover=False, granularity=value)(page) for value in (0.0, 0.25, 0.5, 0.75, 1.0)]
    ranges = [{(item.start, item.stop) for item in found.segments} for found in cuts]
    for coarse, fine in pairwise(ranges):
        assert coarse <= fine
    assert len(ranges[0]) < len(ranges[-1])


def test_segments_say_what_they_are() -> None:
    found, chances = LearnedSegmenter().explain(parse(NEWS))
    assert len(found) >= 3
    by_text = {found.text(item).splitlines()[0]: item for item in found.segments}
    footer = next(item for text, item in by_text.items() if text.startswith("Copyright"))
    assert footer.kind == "Footer"
    for item, kinds in zip(found.segments, chances, strict=True):
        assert item.score is None or 0 < item.score < 1
        assert set(kinds) <= set(ALL_KINDS)
        assert sum(kinds.values()) == pytest.approx(1, abs=1e-2)
        assert item.kind in ("", max(kinds, key=lambda kind: kinds[kind]))
        assert (item.chance is None) == (not item.kind)


def test_boxes_count_where_there_are_any() -> None:
    page = parse(NEWS)
    plain, rendered = DescribedPage.of(page), DescribedPage.of(boxed(page))
    assert (plain.mode, rendered.mode) == ("plain", "boxes")
    rows = np.arange(len(plain.candidates), dtype=np.int32)
    assert (rendered.matrix(rows)[:, : len(columns("plain"))] == plain.matrix(rows)).all()
    assert webstrata.segment(boxed(page), "learned").page is page


@settings(max_examples=50)
@given(pages())
def test_features_are_finite_and_do_not_depend_on_the_rows_around(html: str) -> None:
    page = DescribedPage.of(boxed(parse(html)))
    rows = np.arange(len(page.candidates), dtype=np.int32)
    whole = page.matrix(rows, parts=True)
    assert whole.shape[1] == len(part_columns("boxes"))
    assert np.isfinite(whole).all()
    assert (page.matrix(rows[::-1].copy(), parts=True)[::-1] == whole).all()
    assert (page.matrix(rows) == whole[:, : len(columns("boxes"))]).all()


def test_parts_see_landmarks_names_and_titles() -> None:
    page = DescribedPage.of(parse("<nav class=pager><a href=/>Home</a></nav><main><h1>Mud</h1><p>It settles.</main>"))
    rows = np.arange(len(page.candidates), dtype=np.int32)
    texts = Segmentation(page.page, tuple(Segment(*pair) for pair in page.candidates.ranges().tolist()), "").texts()
    own = len(columns("plain"))
    seen = {
        text: {name for name, value in zip(part_columns("plain")[own:], row[own:].tolist(), strict=True) if value}
        for text, row in zip(texts, page.matrix(rows, parts=True), strict=True)
    }
    assert {"nav of its tags", "pages of its names", "Menu of its cues"} <= seen["Home"]
    assert {"is the title", "h1 of its tags", "Content of the part around"} <= seen["Mud"]
    assert "is the title" not in seen["It settles."]
    assert {"is after the title", "follows a heading"} <= seen["It settles."]


def test_the_presence_of_an_attribute_says_nothing() -> None:
    """The tool that marked the pages of Kreuzer 2013 left empty classes behind."""
    html = NEWS.replace(" class=menu", "")
    bare = DescribedPage.of(parse(html))
    empty = DescribedPage.of(parse(html.replace("<p>", '<p class="">').replace("<li>", "<li id>")))
    rows = np.arange(len(bare.candidates), dtype=np.int32)
    assert (bare.matrix(rows) == empty.matrix(rows)).all()


@settings(max_examples=50)
@given(pages())
def test_only_small_candidates_without_others_inside_are_not_looked_at(html: str) -> None:
    page = parse(html)
    found = Candidates(page)
    ranges = found.ranges().tolist()
    size = np.concatenate(([0], np.cumsum(np.where(page.blocks.hidden, 0, page.blocks.chars))))
    whole = max((size[stop] - size[start] for start, stop in ranges), default=0)
    looked_at = set(found.sizeable().tolist())
    for number, (start, stop) in enumerate(ranges):
        inside = any(start <= first and last <= stop for first, last in ranges[number + 1 :])
        if number not in looked_at:
            assert not inside
            assert 1000 * (size[stop] - size[start]) < 3 * whole
            assert not page.blocks.heading[start]
        elif not inside and not page.blocks.heading[start]:
            assert 1000 * (size[stop] - size[start]) >= 3 * whole


def test_the_small_parts_of_a_long_page_are_told_by_their_size() -> None:
    page = DescribedPage.of(parse(f"<h1>One</h1><p>{'long ' * 1000}</p><ul><li>a<li>b</ul>"))
    texts = Segmentation(page.page, tuple(Segment(*pair) for pair in page.candidates.ranges().tolist()), "").texts()
    looked_at = [texts[row] for row in page.candidates.sizeable().tolist()]
    assert "One" in looked_at
    assert "a" not in looked_at
    assert "a\nb" in looked_at


def test_names_are_words() -> None:
    def named(value: str) -> set[str]:
        page = DescribedPage.of(parse(f"<p>x</p><div class='{value}'><p>one<p>two</div>"))
        row = page.matrix(np.array([2], np.int32))[0]
        names = columns("plain")
        return {name.removesuffix(" of its names") for name, said in zip(names, row, strict=False)
                if name.endswith(" of its names") and said}  # fmt: skip

    assert named("mainNav") == {"content", "menu"}
    assert named("head") == {"head"}
    assert named("shadow") == set()
    assert named("top-ad") == {"head", "advertisement"}
    assert named("x" * 500 + " menu") == set()


def test_rows_and_matrices_that_do_not_fit_are_refused() -> None:
    found = Candidates(parse(NEWS))
    width = len(columns("plain"))
    with pytest.raises(ValueError, match="the matrix is 1 by 3"):
        features(found, np.zeros(1, np.int32), np.zeros((1, 3), np.float32), width)
    with pytest.raises(ValueError, match="there is no candidate 99"):
        features(found, np.array([99], np.int32), np.zeros((1, width), np.float32), width)
    with pytest.raises(ValueError, match="candidates and 2 scores"):
        select(found, np.zeros(2), 0.5)


def test_granularity_is_checked() -> None:
    with pytest.raises(InputError, match="from 0 \\(coarse\\) to 1 \\(fine\\)"):
        LearnedSegmenter(granularity=1.5)


def test_the_model_is_written_and_read(tmp_path: Path) -> None:
    shipped().save(tmp_path / "model.npz")
    page = parse(NEWS)
    assert LearnedSegmenter(model=str(tmp_path / "model.npz"))(page).segments == LearnedSegmenter()(page).segments


def _without_last_tree(arrays: dict[str, np.ndarray], name: str) -> dict[str, np.ndarray]:
    kept = arrays[f"{name}_tree"] < len(arrays[f"{name}_value"]) - 1
    parts = {f"{name}_{part}": arrays[f"{name}_{part}"][kept] for part in ("feature", "threshold", "tree", "leaves")}
    return parts | {f"{name}_value": arrays[f"{name}_value"][:-1]}


def test_damaged_models_are_refused(tmp_path: Path) -> None:
    arrays = dict(shipped().arrays)
    with pytest.raises(InputError, match="no segmenter of version"):
        SegmenterModel({**arrays, "version": np.array(99)})
    with pytest.raises(InputError, match="other features"):
        SegmenterModel({**arrays, "columns": arrays["columns"][:-1]})
    with pytest.raises(InputError, match="plain_cut is missing"):
        SegmenterModel({name: array for name, array in arrays.items() if name != "plain_cut"})
    far = np.full_like(arrays["plain_segment_feature"], len(columns("boxes")))
    page = DescribedPage.of(parse(NEWS))
    with pytest.raises(InputError, match="damaged"):
        SegmenterModel({**arrays, "plain_segment_feature": far}).scores(page)
    with pytest.raises(InputError, match="cannot be divided into 19 classes"):
        SegmenterModel({**arrays, **_without_last_tree(arrays, "plain_parts")}).judge(page)
    (tmp_path / "model.npz").write_bytes(b"PK no model")
    with pytest.raises(InputError, match="cannot read the model"):
        SegmenterModel.load(tmp_path / "model.npz")


def test_kinds_and_scores_go_through_json_and_html() -> None:
    from webstrata.segmentation.html import from_html, to_html
    from webstrata.segmentation.picture import overlay

    found = LearnedSegmenter(granularity=1.0)(parse(NEWS))
    assert Segmentation.from_json(found.page, found.json()) == found
    assert from_html(to_html(found)).segments == found.segments
    html = overlay(found)
    named = [item for item in found.segments if item.kind]
    assert named
    assert all(f'content:"{item.kind}\\20 {item.score:.2f}"'.replace(".", "\\2e ") in html for item in named)
