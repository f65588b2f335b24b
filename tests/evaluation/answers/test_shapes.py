"""Answers that are places: by XPath, rectangle and polygon; and a program that sees a picture alone."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from boxed_pages import boxed

from webstrata._recordings_folder import RECORDINGS
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import reply
from webstrata.evaluation.answers.drivers import connect, read_drivers
from webstrata.evaluation.answers.page_forms import boxes_json, xpaths
from webstrata.evaluation.answers.shapes import element_at, with_texts
from webstrata.evaluation.datasets.base import PageInput
from webstrata.evaluation.datasets.recordings import recording_path
from webstrata.page import parse
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import About

PROGRAMS = Path(__file__).parent / "programs"
HTML = b"<h1>Mud</h1><p>Dark in <b>winter</b><p>Light in summer"


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageInput:
    """A page with a recording: its texts are below each other, 100 pixels wide and 40 high, 60 apart."""
    monkeypatch.setenv(RECORDINGS, str(tmp_path))
    found = PageInput(HTML, "utf-8")
    page = found.page()
    boxes = boxed(page).boxes
    for row in range(len(page.blocks)):
        for name, value in (("left", 10), ("top", 10 + 60 * row), ("width", 100), ("height", 40)):
            getattr(boxes.text, name)[row] = value
    boxes.visible[:] = True
    RenderedPage(page, boxes, page.elements.parent.copy(), About()).save(recording_path(found))
    return found


def test_rectangles_and_polygons_have_the_texts_inside(document: PageInput) -> None:
    given = [
        {"rectangle": [0, 0, 200, 60], "kind": "Title"},
        {"polygon": [[0, 65], [200, 65], [200, 300], [0, 300]], "level": 2},
        {"rectangle": [500, 0, 600, 60]},
        {"text": "Dark"},
    ]
    found = with_texts(given, document)
    assert [item["text"] for item in found] == ["Mud", "Dark in\nwinter\nLight in summer", "", "Dark"]
    assert found[0]["kind"] == "Title"
    assert found[1]["level"] == 2
    assert reply(found)["segments"][0]["polygon"] == [[0, 0], [200, 0], [200, 60], [0, 60]]


def test_nodes_by_xpath(document: PageInput) -> None:
    page = document.page()
    assert [element_at(page, path) for path in xpaths(page)] == list(range(len(page.elements)))
    assert with_texts([{"xpath": "/HTML/BODY/P[1]"}, {"xpath": "/html/body/div"}], document) == [
        {"text": "Dark in\nwinter"},
        {"text": ""},
    ]
    with pytest.raises(InputError, match="cannot read the XPath"):
        element_at(page, "//p[last()]")


@pytest.mark.parametrize(
    "shape", [{"rectangle": [1, 2, 3]}, {"polygon": [[1, 2]]}, {"polygon": [[0, 0], [1, "x"], [2]]}]
)
def test_shapes_that_are_none(document: PageInput, shape: dict[str, object]) -> None:
    with pytest.raises(InputError, match="polygon"):
        with_texts([shape], document)


def test_boxes_as_json(document: PageInput) -> None:
    page = document.page()
    value = json.loads(boxes_json(RenderedPage.load(recording_path(document))))
    assert [item["text"] for item in value["texts"]] == [block.text for block in page.blocks]
    assert value["texts"][0] == {"text": "Mud", "element": "/html[1]/body[1]/h1[1]", "box": [10, 10, 110, 50]}
    assert {item["xpath"] for item in value["elements"]} <= set(xpaths(page))


def test_a_page_without_a_picture(document: PageInput) -> None:
    driver = read_drivers(PROGRAMS / "drivers.toml")["white-space"]
    with pytest.raises(InputError, match="--screenshots"):
        connect(driver, reply)(document, 10)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node")
def test_a_program_that_sees_the_picture_alone(document: PageInput) -> None:
    """It finds the heading, and each paragraph below the other."""
    image = pytest.importorskip("PIL.Image")
    pixels = np.full((220, 300, 3), 255, np.uint8)
    for row in range(len(document.page().blocks)):
        pixels[10 + 60 * row : 50 + 60 * row : 3, 10:110:2] = 40
    picture = io.BytesIO()
    image.fromarray(pixels).save(picture, "PNG")
    recording_path(document).with_suffix(".png").write_bytes(picture.getvalue())
    driver = read_drivers(PROGRAMS / "drivers.toml")["white-space"]
    found = connect(driver, reply)(document, 20)["segments"]
    assert [(item["text"], item["level"]) for item in found] == [
        (text, 1) for text in ("Mud", "Dark in", "winter", "Light in summer")
    ]


def test_answers_of_other_forms_stay_as_they_are(document: PageInput) -> None:
    for value in ("text", ["one", "two"], None, [{"text": "one"}], {"text": "x"}):
        assert with_texts(value, document) == value
    assert len(parse(HTML).blocks) == 4
