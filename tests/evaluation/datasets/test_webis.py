"""The format of Webis-WebSeg-20: our recordings become it, and it is read again, page by page and by `evaluate`."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from boxed_pages import boxed
from commands import webstrata

from webstrata.errors import InputError
from webstrata.evaluation.datasets.catalogue import find_dataset
from webstrata.evaluation.datasets.webis import GROUND_TRUTH, read_page, shapes_of, write_page
from webstrata.evaluation.scores import read_scores
from webstrata.page import parse
from webstrata.rendering.page import RenderedPage
from webstrata.rendering.recording import About
from webstrata.segmentation import Segment, Segmentation
from webstrata.segmentation.baselines import TagGap

HTML = "<h1>Mud</h1><div><p>Dark in <b>winter</b> and cold<p>Light in summer</div><p>The <a href=/>end</a>"
PROGRAMS = Path(__file__).parents[1] / "answers" / "programs"


@pytest.fixture
def rendered() -> RenderedPage:
    """A page whose texts are below each other."""
    page = parse(HTML)
    boxes = boxed(page).boxes
    rows = np.arange(len(page.blocks), dtype=np.float32)
    text = replace(boxes.text, left=rows * 0 + 10, top=10 + 40 * rows, width=rows * 0 + 200, height=rows * 0 + 20)
    boxes = replace(boxes, text=text, visible=np.ones(len(page.elements), bool))
    return RenderedPage(page, boxes, page.elements.parent.copy(), About())


def test_a_recording_round_trips(rendered: RenderedPage, tmp_path: Path) -> None:
    segments = (Segment(0, 1), Segment(1, 5), Segment(1, 4, 2), Segment(5, 6))
    found = Segmentation(rendered.page, segments, "by hand")
    write_page(tmp_path, "000007", rendered, {"majority-vote": found, "blocks": TagGap()(rendered.page)})
    read = read_page(tmp_path / "000007")
    assert (read.name, read.width, read.height) == ("000007", 210, 230)
    assert read.page.source == rendered.page.source
    assert read.segmentation().segments == segments
    assert len(read.segmentation("blocks")) == 6
    expected = shapes_of(rendered, segments)
    assert [[polygon.tolist() for polygon in shape] for shape in read.outlines().segments] == [
        [polygon.tolist() for polygon in shape] for shape in expected
    ]
    again = replace(rendered, page=read.page)
    write_page(tmp_path / "again", "000007", again, {name: read.segmentation(name) for name in read.segmentations})
    for name in ("dom.html", "nodes.csv", GROUND_TRUTH):
        assert (tmp_path / "again/000007" / name).read_bytes() == (tmp_path / "000007" / name).read_bytes()


def test_texts_of_links_belong_to_the_element_around(rendered: RenderedPage, tmp_path: Path) -> None:
    """A browser has two text nodes in "The <a>end</a>", we have one block."""
    write_page(tmp_path, "p", rendered, {"majority-vote": Segmentation(rendered.page, (Segment(0, 6),), "")})
    nodes = (tmp_path / "p/nodes.csv").read_text().splitlines()
    assert nodes[-1].startswith("/html[1]/body[1]/p[1]/text()[1]")
    nodes[-1:] = [
        "/HTML[1]/BODY[1]/P[1]/text()[1],10,210,60,230,The",
        "/HTML[1]/BODY[1]/P[1]/A[1]/text()[1],60,205,90,230,end",
    ]
    (tmp_path / "p/nodes.csv").write_text("\n".join(nodes))
    assert read_page(tmp_path / "p").boxes[5].tolist() == [10, 205, 90, 230]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (GROUND_TRUTH, "{"),
        (GROUND_TRUTH, "[]"),
        (GROUND_TRUTH, '{"width": 1, "height": 1, "segmentations": {"majority-vote": [[[[1, 2]]]]}}'),
        ("nodes.csv", "xpath,left\n/html,1\n"),
        ("nodes.csv", "xpath,left,top,right,bottom\n/html/text(),x,1,2,3\n"),
    ],
)
def test_damaged_files(rendered: RenderedPage, tmp_path: Path, name: str, text: str) -> None:
    write_page(tmp_path, "p", rendered, {"majority-vote": TagGap()(rendered.page)})
    (tmp_path / "p" / name).write_text(text)
    with pytest.raises(InputError, match="p"):
        read_page(tmp_path / "p")


def test_another_segmentation_has_to_be_there(rendered: RenderedPage, tmp_path: Path) -> None:
    write_page(tmp_path, "p", rendered, {"by-hand": TagGap()(rendered.page)})
    with pytest.raises(InputError, match="it has by-hand"):
        read_page(tmp_path / "p").segmentation()


def test_evaluate_scores_answers_over_pixels(rendered: RenderedPage, tmp_path: Path) -> None:
    pages, out = tmp_path / "pages", tmp_path / "out"
    write_page(pages, "p", rendered, {"majority-vote": TagGap()(rendered.page)}, picture_of(rendered))
    dataset = find_dataset(str(pages))
    assert [item.name for item in dataset.items()] == ["p"]
    algorithms = ["taggap", "containers"]
    options = []
    if shutil.which("node"):
        algorithms.append("white-space")
        options = ["--driver", str(PROGRAMS / "drivers.toml")]
    result = webstrata(
        "evaluate", "--dataset", str(pages), "--algorithm", ",".join(algorithms), "-o", str(out), *options
    )
    assert result.exit_code == 0, result.output
    by = {(row.algorithm, row.metric): row.value for row in read_scores(out)}
    for metric in ("bcubed-pixels", "bcubed-edges-fine", "bcubed-edges-coarse", "bcubed-nodes", "bcubed-characters"):
        assert by["taggap", metric] == 1
        assert by["containers", metric] < 1
    if options:
        assert by["white-space", "fuzzy"] == 1
        assert by["white-space", "bcubed-edges-fine"] > 0.9


def picture_of(rendered: RenderedPage) -> bytes:
    """A picture with stripes for its texts."""
    image = pytest.importorskip("PIL.Image")
    pixels = np.full((240, 230, 3), 255, np.uint8)
    for top in rendered.boxes.text.top.astype(int).tolist():
        pixels[top : top + 20, 10:210:4] = 0
    found = io.BytesIO()
    image.fromarray(pixels).save(found, "PNG")
    return found.getvalue()
