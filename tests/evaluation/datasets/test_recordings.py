"""Visual algorithms in the evaluation: on recordings that are found by the sum of the HTML."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from boxed_pages import boxed

from webstrata._recordings_folder import RECORDINGS
from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.datasets import recordings
from webstrata.evaluation.datasets.base import Gold, PageInput
from webstrata.evaluation.datasets.recordings import recorded, recording_if_any, recording_path, segmented_as_recorded
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import METRICS
from webstrata.page import Page
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX, About, source_digest
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.html import from_html
from webstrata.segmentation.learned.segmenter import LearnedSegmenter

HTML = b"<div><p>one</p><script>hidden()</script></div><div><p>two</p><p>three</p></div>"


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageInput:
    """A document whose recording has a box for everything."""
    monkeypatch.setenv(RECORDINGS, str(tmp_path))
    found = PageInput(HTML, "utf-8")
    given = boxed(found.page())
    rows, texts = given.boxes.left * 0, given.boxes.text.left * 0
    text = replace(given.boxes.text, left=texts + 1, top=texts + 1, width=texts + 10, height=texts + 10)
    boxes = replace(given.boxes, left=rows, top=rows, width=rows + 10, height=rows + 10, visible=rows == 0, text=text)
    rows_of_source = np.arange(len(given.page.elements), dtype=np.int32)
    page = RenderedPage(given.page, boxes, rows_of_source, About())
    page.save(recording_path(found))
    return found


def test_a_visual_algorithm_answers_with_texts(document: PageInput) -> None:
    reply = make_algorithm(Spec("webterrain(dominant=2.0, levels=1)"))(document, 10)
    assert "blocks" not in reply
    assert [row["text"] for row in reply["segments"]] == ["one", "two\nthree"]
    # All character data of the elements, as the thesis takes it.
    assert [row["marked"] for row in reply["segments"]] == ["onehidden()", "twothree"]


def test_its_answer_is_judged_by_its_own_page_and_by_its_texts(document: PageInput) -> None:
    reply = make_algorithm(Spec("webterrain(dominant=2.0, levels=1)"))(document, 10)
    answer = PageAnswer(page="p", input="html", algorithm="webterrain", **reply)
    marked = HTML.replace(b"<div>", b'<div data-block="1">')
    given = Submission(Judge(Gold(segmentation=from_html(marked.decode()), marked=marked), document), answer)
    for name in ("exact-thesis", "exact-mapped", "exact"):
        score, _ = METRICS[name].measure(given)
        assert getattr(score, "f", score) == 1, name


def test_boxes_count_wherever_a_recording_is_there(document: PageInput) -> None:
    class Boxed:
        sees_boxes = True

        def __call__(self, page: Page | RenderedPage) -> Segmentation:
            if isinstance(page, Page):
                return Segmentation(page, (Segment(0, 3),), "boxed")
            return Segmentation(page.page, (Segment(1, 3),), "boxed")

    other = PageInput(HTML + b"<p>four", "utf-8")
    assert segmented_as_recorded(document, Boxed()).texts() == ["two\nthree"]
    assert segmented_as_recorded(document, Boxed()).page.source == HTML
    assert segmented_as_recorded(other, Boxed()).texts() == ["one\ntwo\nthree"]
    assert recording_if_any(other) is None
    found = recording_if_any(document)
    assert found is not None
    assert found.page.source == HTML


def test_the_learned_segmenter_sees_the_recording(document: PageInput, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    call = LearnedSegmenter.__call__

    def watched(self: LearnedSegmenter, page: Page | RenderedPage) -> Segmentation:
        seen.append(type(page))
        return call(self, page)

    monkeypatch.setattr(LearnedSegmenter, "__call__", watched)
    algorithm = make_algorithm(Spec("learned", segments=True))
    reply = algorithm(document, 10)
    assert (reply["blocks"], reply["segments"][0]["text"]) == (3, "one")
    algorithm(PageInput(b"<p>another"), 10)
    assert seen == [RenderedPage, Page]


def test_a_recording_is_found_by_any_name(document: PageInput) -> None:
    path = recording_path(document)
    found = RenderedPage.load(path)
    path.unlink()
    with pytest.raises(InputError, match="not recorded"):
        recorded(document)
    about = replace(found.about, source=source_digest(document.page().source))
    recordings._by_source.cache_clear()
    replace(found, about=about).save(path.with_name(f"home{SUFFIX}"))
    assert recorded(document).about == about


def test_a_missing_recording_raises(document: PageInput) -> None:
    with pytest.raises(InputError, match=r"not recorded in .*webstrata record.*WEBSTRATA_RECORDINGS"):
        make_algorithm(Spec("vips"))(PageInput(b"<p>another"), 10)
