"""What every registered segmenter must do, whatever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from boxed_pages import Boxed, boxed
from generated_pages import HOSTILE, pages
from hypothesis import given, settings

import webstrata
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS, Segmentation, segment
from webstrata.segmentation.base import RENDERED
from webstrata.segmentation.html import from_html, to_html

ALGORITHMS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in SEGMENTERS] + [
    ("bf-plain", {"inner": 0.1}),
    ("bf-smoothed", {"inner": 0.1, "improved": True, "width": 20}),
    ("bf-rulebased", {"inner": 0.3}),
    ("learned", {"granularity": 1.0}),
    ("learned", {"cover": False}),
    ("wordwrap", {"width": 20}),
    ("vips", {"pdoc": 10}),
    ("webterrain", {"levels": 3}),
]
#: The segmenters that see a page as a browser shows it.
VISUAL = {name for name, entry in SEGMENTERS.entries().items() if entry.needs == RENDERED}


def given_page(name: str, page: Page) -> Page | Boxed:
    """What a segmenter takes."""
    return boxed(page) if name in VISUAL else page


def segmentations(page: Page) -> list[Segmentation]:
    found = [segment(given_page(name, page), name, **parameters) for name, parameters in ALGORITHMS]
    return [*found, segment(boxed(page), "learned", granularity=1.0)]


def check(found: Segmentation) -> None:
    blocks = found.page.blocks
    visual = found.algorithm.split("(")[0].lower() in VISUAL
    for level in found.levels:
        covered = np.zeros(len(blocks), int)
        for item in found.at(level):
            if visual and item.start == item.stop:
                # Only who sees a page knows of pictures that stand alone.
                assert item.kind == "Image"
                continue
            assert item.start < item.stop
            # Hidden text is in segments only where the page shows no word.
            assert not item.hidden or not blocks.words[~blocks.hidden].any()
            assert item.hidden or not blocks.hidden[item.start]
            assert item.hidden or not blocks.hidden[item.stop - 1]
            covered[item.start : item.stop] += 1
        assert covered.max(initial=0) <= 1
        assert list(found.at(level)) == sorted(found.at(level))
    assert Segmentation.from_json(found.page, found.json()) == found
    back = from_html(to_html(found))
    assert found.segments == back.segments or not found.segments
    if found.segments:
        assert back.page.source == found.page.source


@pytest.mark.parametrize("name", HOSTILE)
def test_survives_hostile_pages(name: str) -> None:
    for found in segmentations(webstrata.parse(HOSTILE[name])):
        check(found)


@settings(max_examples=300)
@given(pages())
def test_holds_on_any_page(html: str) -> None:
    for found in segmentations(webstrata.parse(html)):
        check(found)


@settings(max_examples=50)
@given(pages())
def test_inner_segments_divide_the_outer_ones(html: str) -> None:
    page = webstrata.parse(html)
    for name in ("bf-plain", "bf-smoothed", "bf-rulebased"):
        found = segment(page, name, inner=0.1)
        outer = found.labels(1)
        for item in found.at(2):
            assert len({int(x) for x in outer[item.start : item.stop] if x >= 0}) == 1
        assert ((found.labels(2) >= 0) == (outer >= 0)).all()


@pytest.mark.parametrize(("name", "parameters"), ALGORITHMS)
def test_is_deterministic_and_says_what_it_is(name: str, parameters: dict[str, Any]) -> None:
    page = webstrata.parse(HOSTILE["misnested"])
    algorithm: Any = SEGMENTERS.make(name, **parameters)
    given = given_page(name, page)
    assert algorithm(given) == algorithm(given) == segment(given, name, **parameters)
    assert repr(algorithm) == algorithm(given).algorithm
    module = __import__(type(algorithm).__module__, fromlist=["_"])
    assert eval(repr(algorithm), vars(module)) == algorithm


@pytest.mark.parametrize("name", sorted(VISUAL))
def test_visual_segmenters_name_the_rendering_extra(name: str) -> None:
    with pytest.raises(InputError, match=f"{name} needs a rendered page.*webstrata\\[render\\].*recorded"):
        segment("<p>one", name)


def test_other_segmenters_take_rendered_pages() -> None:
    page = webstrata.parse("<h1>one</h1><p>two")
    assert segment(boxed(page), "taggap") == segment(page, "taggap")


def test_unknown_names_and_parameters_are_told() -> None:
    with pytest.raises(InputError, match="choose one of"):
        segment("x", "nothing")
    with pytest.raises(InputError, match="taggap has no parameter 'theta': it takes no parameters"):
        segment("x", "taggap", theta=1)
