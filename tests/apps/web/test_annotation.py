"""The data set that is marked, over its JSON interface and as files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import numpy as np
import pytest
from web_kills import kill_while_saving
from web_server import Running, running

from webstrata import registry
from webstrata.apps.web.annotation.archive import import_kreuzer
from webstrata.apps.web.annotation.folder import DataFolder, name_of
from webstrata.apps.web.annotation.marks import SegmentMark, Sheet, marks_of, segmentation, settled
from webstrata.apps.web.settings import TYPES
from webstrata.evaluation.datasets import kreuzer
from webstrata.evaluation.datasets.folder import folder_dataset
from webstrata.page import parse
from webstrata.segmentation import SEGMENTERS, Segmentation
from webstrata.segmentation.html import from_html
from webstrata.segmentation.learned.model import KINDS

_PAGE = b"<div><h1>Strata</h1><p>A page comes</p><p>in layers.</p></div><img src=x><footer>The end</footer>"


def add(server: Running, html: bytes = _PAGE, name: str = "page") -> str:
    answer = server.post(f"/api/annotation/pages?name={name}", html)
    assert answer.status == 201
    found: str = answer.json["name"]
    return found


def save(server: Running, name: str, who: str, version: int, *marks: dict[str, object], **more: object) -> int:
    path = f"/api/annotation/pages/{name}/sheets/{quote(who)}"
    return server.put(path, {"version": version, "marks": list(marks), **more}).status


def test_what_is_marked_is_a_data_set_at_once(server: Running) -> None:
    assert server.data is not None
    name = add(server)
    rows = {element.tag: element.row for element in parse(_PAGE).elements}
    marks = [
        {"rows": [rows["div"]], "level": 1, "kind": "Content"},
        {"rows": [rows["h1"]], "level": 2, "kind": "Title"},
        {"rows": [rows["img"]], "level": 2, "kind": "Image"},
    ]
    assert save(server, name, "Ada", 0, *marks, notes="as it is", done=True) == 200
    truth = from_html((server.data / f"{name}.blocks.html").read_bytes())
    assert [(item.level, item.kind) for item in truth.segments] == [(1, "Content"), (2, "Title"), (2, "Image")]
    assert truth.texts() == ["Strata\nA page comes\nin layers.", "Strata", ""]
    as_json = (server.data / f"{name}.segments.json").read_text()
    assert Segmentation.from_json(parse(_PAGE), as_json).segments == truth.segments
    (item,) = [item for item in folder_dataset(server.data).items() if item.name == name]
    assert item.gold.segmentation is not None
    assert item.gold.segmentation.segments == truth.segments
    sheet = server.ask(f"/api/annotation/pages/{name}/sheets/Ada").json
    assert (sheet["notes"], sheet["done"], sheet["marks"][1]["text"]) == ("as it is", True, "Strata")
    assert sheet["marks"][0]["lines"] == [1, 1]


def test_two_tabs_of_one_person_do_not_overwrite_each_other(server: Running) -> None:
    name = add(server)
    assert save(server, name, "Ada", 0, {"rows": [4], "level": 1}) == 200
    assert save(server, name, "Ada", 0, {"rows": [5], "level": 1}) == 409
    assert server.ask(f"/api/annotation/pages/{name}/sheets/Ada").json["marks"][0]["rows"] == [4]
    assert save(server, name, "Ada", 1) == 200
    assert server.data is not None
    assert not (server.data / f"{name}.blocks.html").exists()


def test_the_marks_of_the_first_count_until_another_is_chosen(server: Running) -> None:
    assert server.data is not None
    name = add(server)
    assert save(server, name, "Ada", 0, {"rows": [4], "level": 1, "kind": "Title"}) == 200
    assert save(server, name, "Zoë O'Neill", 0, {"rows": [4], "level": 1, "kind": "Logo"}) == 200
    assert 'data-block-type="Title"' in (server.data / f"{name}.blocks.html").read_text()
    assert server.put(f"/api/annotation/pages/{name}/truth/Zo%C3%AB%20O'Neill", {}).status == 200
    assert 'data-block-type="Logo"' in (server.data / f"{name}.blocks.html").read_text()
    assert server.put(f"/api/annotation/pages/{name}/truth/Nobody", {}).status == 422


def test_an_algorithm_is_somewhere_to_start(server: Running) -> None:
    name = add(server)
    marks = server.ask(f"/api/annotation/pages/{name}/start?algorithm=taggap").json
    assert [mark["text"] for mark in marks] == ["Strata", "A page comes", "in layers.", "The end"]
    assert save(server, name, "Ada", 0, *marks) == 200


@pytest.mark.parametrize("algorithm", ["bf-rulebased", "pagesegmenter", "taggap", "wordwrap"])
@pytest.mark.parametrize("page", ["article", "forum"])
def test_segments_become_marks_and_segments_again(algorithm: str, page: str) -> None:
    demo = Path(__file__).parents[3] / "src" / "webstrata" / "demo" / f"{page}.html"
    found = SEGMENTERS.make(algorithm)(parse(demo.read_bytes()))
    marks = marks_of(found)
    assert segmentation(found.page, settled(found.page, marks), "x").segments == found.segments


def test_types_are_a_setting(server: Running) -> None:
    types = server.ask("/api/annotation").json["types"]
    assert sum(map(len, types.values())) == 15
    assert server.put("/api/annotation/types", {"types": {"1": ["Head", "Body"], "2": ["Part"]}}).status == 200
    page = server.ask(f"/annotate/page/{add(server)}?by=Ada").text
    assert 'data-type="Body"' in page
    assert 'data-type="Sidebar"' not in page
    assert server.put("/api/annotation/types", {"types": types}).status == 200


def test_a_data_set_goes_out_and_comes_in(server: Running, tmp_path: Path) -> None:
    name = add(server, name="travelling")
    assert save(server, name, "Ada", 0, {"rows": [4], "level": 1, "kind": "Title"}, notes="far") == 200
    assert save(server, name, "Ben", 0, {"rows": [5], "level": 2, "kind": "Article"}) == 200
    archive = server.ask("/api/annotation/export").body
    names = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert {f"pages/{name}.html", f"pages/{name}.blocks.html", "pages/card.json", "pages/README.txt"} <= set(names)
    with running(data=tmp_path / "other") as other:
        assert other.post("/api/annotation/import", archive).status == 200
        sheets = [other.ask(f"/api/annotation/pages/{name}/sheets/{who}").json for who in ("Ada", "Ben")]
        assert [sheet["marks"][0]["kind"] for sheet in sheets] == ["Title", "Article"]
        assert sheets[0]["notes"] == "far"


def test_block_html_of_others_comes_in(server: Running) -> None:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("theirs.html", "<p>as it was sent</p>")
        archive.writestr("theirs.blocks.html", '<div data-block="1" data-block-type="Content"><p>as seen</p></div>')
    assert server.post("/api/annotation/import", sink.getvalue()).json == {"pages": 1}
    assert server.data is not None
    assert (server.data / "theirs.dom.html").read_text() == "<p>as seen</p>"
    sheet = server.ask("/api/annotation/pages/theirs/sheets/imported").json
    assert [(mark["kind"], mark["text"]) for mark in sheet["marks"]] == [("Content", "as seen")]


def test_the_rows_of_the_original_are_kept_beside() -> None:
    page = parse("<p>one<p>two")
    (mark,) = settled(page, [SegmentMark(0, 0, 1, rows=(4,))], source_row=np.arange(len(page.elements)) + 10)
    assert mark.source_rows == (14,)


def test_what_the_last_server_did_not_write_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    with running(data=folder) as server:
        name = add(server)
        assert save(server, name, "Ada", 0, {"rows": [4], "level": 1, "kind": "Title"}) == 200
    # As if it had died between the sheet and the files that are made from it.
    path = folder / "annotators" / "Ada" / f"{name}.json"
    sheet = json.loads(path.read_text())
    path.write_text(json.dumps({**sheet, "version": 2, "marks": [{**sheet["marks"][0], "kind": "Logo"}]}))
    (folder / ".webstrata-0123456789abcdef.tmp").write_text("half a file")
    with running(data=folder):
        assert 'data-block-type="Logo"' in (folder / f"{name}.blocks.html").read_text()
        assert not (folder / ".webstrata-0123456789abcdef.tmp").exists()


@pytest.mark.slow
def test_no_confirmed_mark_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    assert kill_while_saving(tmp_path / "pages", 2) > 0


@pytest.mark.slow
def test_the_data_of_the_thesis_comes_in(
    dataset_dir: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(islice(kreuzer.read("random", folder=dataset_dir("kreuzer")), 2))
    monkeypatch.setattr(kreuzer, "read", lambda folder: iter(expected))
    data = DataFolder(tmp_path / "pages")
    assert import_kreuzer(data, tmp_path) == 2
    for item in expected:
        name, truth = name_of(item.name), item.gold.segmentation
        assert truth is not None
        assert len(data.sheet(name, "Kreuzer").marks) == len(truth)
        marked = from_html((data.path / f"{name}.blocks.html").read_bytes())
        assert sorted(marked.segments) == sorted(truth.segments)


def test_files_of_the_owner_survive_the_start_of_the_server(tmp_path: Path) -> None:
    (tmp_path / ".env.template").write_text("SECRET=")
    (tmp_path / "annotators/ann").mkdir(parents=True)
    (tmp_path / "annotators/ann/.notes.textfile").write_text("mine")
    DataFolder(tmp_path)
    assert (tmp_path / ".env.template").read_text() == "SECRET="
    assert (tmp_path / "annotators/ann/.notes.textfile").read_text() == "mine"


def test_older_data_sets_with_link_list_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    (folder / "annotators" / "Ada").mkdir(parents=True)
    (folder / "card.json").write_text(json.dumps({"types": {"1": ["Content"], "2": ["Link-list", "Menu"]}}))
    (folder / "page.html").write_bytes(_PAGE)
    (folder / "page.blocks.html").write_text('<div data-block="1" data-block-type="Link-list">Strata</div>')
    sheet = Sheet("Ada", 1, (SegmentMark(0, 1, 2, "Link-list", rows=(4,)),))
    (folder / "annotators" / "Ada" / "page.json").write_text(sheet.json())
    data = DataFolder(folder)
    assert data.types == {1: ("Content",), 2: ("LinkList", "Menu")}
    assert [mark.kind for mark in data.sheet("page", "Ada").marks] == ["LinkList"]
    marked = from_html((folder / "page.blocks.html").read_bytes())
    assert [mark.kind for mark in marks_of(marked)] == ["LinkList"]


def test_types_are_those_of_the_learned_segmenter() -> None:
    assert [*TYPES[1], *TYPES[2]] == KINDS


def test_segmenters_of_other_packages_are_offered(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    location = SEGMENTERS.entries()["taggap"].location
    point = SimpleNamespace(name="halves", value=location, dist=SimpleNamespace(name="strata-plugin"))
    points = SimpleNamespace(select=lambda group: [point] if group == SEGMENTERS.group else [])
    monkeypatch.setattr(registry, "_entry_points", lambda: points)
    registry._installed.cache_clear()
    try:
        html = server.ask(f"/annotate/page/{add(server)}?by=Ada").text
    finally:
        registry._installed.cache_clear()
    assert "<option>halves</option>" in html
    assert "<option>vips</option>" not in html
