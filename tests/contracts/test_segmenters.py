"""What every registered segmenter must do, whatever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import webstrata
from generated_pages import HOSTILE, pages
from webstrata.errors import InputError
from webstrata.page import Page
from webstrata.segmentation import SEGMENTERS, Segmentation, segment
from webstrata.segmentation.html import from_html, to_html

ALGORITHMS: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in SEGMENTERS] + [
    ("bf-plain", {"inner": 0.1}),
    ("bf-smoothed", {"inner": 0.1, "improved": True, "width": 20}),
    ("bf-rulebased", {"inner": 0.3}),
    ("wordwrap", {"width": 20}),
]


def segmentations(page: Page) -> list[Segmentation]:
    return [segment(page, name, **parameters) for name, parameters in ALGORITHMS]


def check(found: Segmentation) -> None:
    blocks = found.page.blocks
    for level in found.levels:
        covered = np.zeros(len(blocks), int)
        for item in found.at(level):
            assert item.start < item.stop
            assert not blocks.hidden[item.start]
            assert not blocks.hidden[item.stop - 1]
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
    algorithm = SEGMENTERS.make(name, **parameters)
    assert algorithm(page) == algorithm(page) == segment(page, name, **parameters)
    assert repr(algorithm) == algorithm(page).algorithm
    module = __import__(type(algorithm).__module__, fromlist=["_"])
    assert eval(repr(algorithm), vars(module)) == algorithm


def test_unknown_names_and_parameters_are_told() -> None:
    with pytest.raises(InputError, match="choose one of"):
        segment("x", "nothing")
    with pytest.raises(InputError, match="taggap has no parameter 'theta': it takes no parameters"):
        segment("x", "taggap", theta=1)
