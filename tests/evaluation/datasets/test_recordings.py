"""Visual algorithms in the evaluation: on recordings that are found by the sum of the HTML."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from boxed_pages import boxed

from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import Spec, make_algorithm
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.datasets import recordings
from webstrata.evaluation.datasets.base import Gold, PageInput
from webstrata.evaluation.datasets.recordings import RECORDINGS, recorded, recording_path
from webstrata.evaluation.judge import Judge, Submission
from webstrata.evaluation.measures import METRICS
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import SUFFIX, About, source_digest
from webstrata.segmentation.html import from_html

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
    page = RenderedPage(given.page, boxes, given.page.elements.parent.copy(), About())
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
