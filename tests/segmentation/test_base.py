"""Segmentations: labels, texts, JSON, sequence, reprs, and the function `segment`."""

from __future__ import annotations

import json

import pytest

import webstrata
from webstrata.errors import InputError
from webstrata.segmentation import Segment, Segmentation

PAGE = webstrata.parse("<p>one two<p hidden>no<p>three<p>four five six")


def found(*segments: Segment) -> Segmentation:
    return Segmentation(PAGE, segments, "an annotator")


def test_hidden_blocks_have_no_label_and_no_text() -> None:
    both = found(Segment(0, 3), Segment(3, 4))
    assert both.labels().tolist() == [0, -1, 0, 1]
    assert both.labels(per="token").tolist() == [0, 0, -1, 0, 1, 1, 1]
    assert both.labels(per="char").tolist() == [0] * 7 + [-1] * 2 + [0] * 5 + [1] * 13
    assert both.texts() == ["one two\nthree", "four five six"]
    assert found(Segment(1, 2)).texts() == [""]


def test_labels_of_levels() -> None:
    nested = found(Segment(0, 1, 2), Segment(0, 4), Segment(0, 3, 2, "inner"))
    assert nested.labels(1).tolist() == [1, -1, 1, 1]
    assert nested.labels(2).tolist() == [0, -1, 2, -1]
    assert nested.labels().tolist() == [0, -1, 2, 1]
    assert nested.levels == (1, 2)
    assert nested.at(2) == (Segment(0, 1, 2), Segment(0, 3, 2, "inner"))
    assert nested.texts(1) == ["one two\nthree\nfour five six"]


def test_no_segments() -> None:
    assert found().labels().tolist() == [-1] * 4
    assert Segmentation.from_json(PAGE, found().json()) == found()
    assert Segmentation(webstrata.parse(b""), (Segment(0, 0),), "").texts() == [""]


@pytest.mark.parametrize("segment", [Segment(0, 5), Segment(-1, 2), Segment(3, 2), Segment(0, 1, 0)])
def test_ranges_are_checked(segment: Segment) -> None:
    with pytest.raises(InputError, match="a segment is a range within the page's 4 blocks"):
        found(segment)


def test_json_is_for_people_too() -> None:
    value = json.loads(found(Segment(3, 4, kind="Menu")).json())
    assert value["segments"] == [
        {
            "start": 3,
            "stop": 4,
            "level": 1,
            "kind": "Menu",
            "score": None,
            "chance": None,
            "hidden": False,
            "extra": False,
            "text": "four five six",
        }
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"blocks": 4, "segments": [{}], "algorithm": ""}'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not the JSON of a segmentation"):
        Segmentation.from_json(PAGE, text)


def test_json_of_another_page_is_refused() -> None:
    with pytest.raises(InputError, match="another page"):
        Segmentation.from_json(webstrata.parse("x"), found().json())


def test_front_door() -> None:
    assert webstrata.segment("<h1>a</h1>b", "bf-rulebased").texts() == ["a", "b"]
    assert webstrata.segment("<h1>a</h1>b").algorithm == "LearnedSegmenter(cover=True, granularity=0.5, model=None)"
    assert repr(found(Segment(0, 1))) == "<Segmentation of '' by an annotator: 1 segments, levels [1]>"


def test_a_segmentation_is_a_sequence_of_segments() -> None:
    segments = (Segment(0, 1), Segment(1, 3), Segment(3, 4))
    both = found(*segments)
    assert (tuple(both), len(both), both[-1], both[1:]) == (segments, 3, segments[2], segments[1:])
    assert segments[1] in both
    assert both.index(segments[1]) == 1


def test_html_has_a_url_and_an_encoding() -> None:
    page = "<p>Ünder".encode("latin-1")
    segmentation = webstrata.segment(page, "taggap", url="http://a.org/x", encoding="latin1")
    assert (segmentation.page.url, segmentation.texts()) == ("http://a.org/x", ["Ünder"])
    assert repr(segmentation) == "<Segmentation of http://a.org/x by TagGap(): 1 segments, levels [1]>"
    for given in ({"url": "http://a.org/"}, {"encoding": "utf-8"}):
        with pytest.raises(InputError, match=r"webstrata\.parse"):
            webstrata.segment(PAGE, "taggap", **given)


_ATTACK = "</td><script>alert(1)</script><img src=x onerror=alert(1)>"


def test_a_notebook_shows_segments_in_colours_and_runs_nothing() -> None:
    text = _ATTACK.replace("<", "&lt;")
    page = webstrata.parse(f"<title>{text}</title><p>one {text}<p>two", url=f"http://a.org/{_ATTACK}")
    shown = Segmentation(page, (Segment(0, 1, kind=_ATTACK), Segment(1, 2)), _ATTACK)._repr_html_()
    assert "one &lt;/td&gt;&lt;script&gt;" in shown
    assert shown.count("background:#") == 2
    for piece in (shown, page._repr_html_()):
        assert "<script" not in piece
        assert "<img" not in piece


def test_what_a_notebook_shows_is_bounded() -> None:
    page = webstrata.parse("".join(f"<p>{'word ' * 500}{number}" for number in range(1000)))
    everything = Segmentation(page, tuple(Segment(0, 1000, number + 1) for number in range(1000)), "nested")
    assert len(everything._repr_html_()) < 200_000
    assert len(page._repr_html_()) < 200_000
    assert webstrata.parse("")._repr_html_().startswith("<table>")
