"""Data folders under attack, shared by servers, and on full disks."""

from __future__ import annotations

import errno
import io
import json
import os
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from web_server import running

from webstrata import files
from webstrata.apps.web.annotation import work
from webstrata.apps.web.annotation.archive import export_zip, import_folder
from webstrata.apps.web.annotation.folder import DataFolder, DerivedFiles, SheetConflict
from webstrata.apps.web.annotation.marks import SegmentMark, Sheet
from webstrata.errors import InputError

_PAGE = b"<div><h1>Strata</h1><p>A page comes</p></div>"
_FILES = DerivedFiles("<p>derived", "{}")


def at_once(function: Callable[..., Any], *arguments: Any) -> Any:
    """The call of a guarded function, in this process."""
    return function(*arguments)


def sheet(who: str, version: int, kind: str = "Title") -> Sheet:
    return Sheet(who, version, (SegmentMark(0, 1, 1, kind, rows=(4,)),))


@contextmanager
def opened(path: Path) -> Iterator[DataFolder]:
    data = DataFolder(path)
    try:
        yield data
    finally:
        data.close()


def packed(files: dict[str, bytes | str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return sink.getvalue()


# One server for a folder


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webstrata.apps.web.annotation.folder._LOCK_SECONDS", 0)
    with opened(tmp_path), pytest.raises(InputError, match="another process is writing"):
        DataFolder(tmp_path)
    with running(data=tmp_path), pytest.raises(InputError, match="another process is writing"):
        DataFolder(tmp_path)
    DataFolder(tmp_path).close()


# Ground truth


def test_a_sheet_that_changed_meanwhile_is_not_chosen(tmp_path: Path) -> None:
    with opened(tmp_path) as data:
        data.add("page", _PAGE)
        for who in ("Ada", "Ben"):
            assert data.save("page", sheet(who, 1), _FILES) == ""
        old = data.sheet("page", "Ben")
        assert data.save("page", sheet("Ben", 2), _FILES) == ""
        with pytest.raises(SheetConflict, match="changing"):
            data.choose("page", old, _FILES)
        assert data.facts("page")["annotator"] == "Ada"


def test_truth_that_is_chosen_while_marks_are_saved_has_the_last_marks(tmp_path: Path) -> None:
    with running(data=tmp_path, jobs=2) as server:
        server.post("/api/annotation/pages?name=page", _PAGE)
        url = "/api/annotation/pages/page"

        def save(who: str, version: int) -> None:
            marks = [{"rows": [4], "level": 1, "kind": f"{who}{version}"}]
            assert server.put(f"{url}/sheets/{who}", {"version": version, "marks": marks}).status == 200

        def choose(who: str) -> None:
            assert server.put(f"{url}/truth/{who}", {}).status in (200, 409)

        calls: list[Callable[[], None]]
        for version in range(6):
            calls = [partial(save, "Ada", version), partial(save, "Ben", version)]
            if version:
                calls += [partial(choose, "Ada"), partial(choose, "Ben")]
            threads = [threading.Thread(target=call) for call in calls]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            truth = json.loads((tmp_path / "page.json").read_text())["annotator"]
            made = json.loads((tmp_path / "page.segments.json").read_text())
            assert (made["annotator"], made["version"]) == (truth, version + 1)
            assert f'data-block-type="{truth}{version}"' in (tmp_path / "page.blocks.html").read_text()


def test_the_truth_of_a_page_is_made_after_a_kill_before_it_was_chosen(tmp_path: Path) -> None:
    with opened(tmp_path) as data:
        data.add("page", _PAGE)
        data.save("page", sheet("Ada", 1), _FILES)
    (tmp_path / "page.json").unlink()
    (tmp_path / "page.segments.json").unlink()
    with running(data=tmp_path):
        assert json.loads((tmp_path / "page.json").read_text()) == {"annotator": "Ada"}
        assert json.loads((tmp_path / "page.segments.json").read_text())["version"] == 1


# A full disk


def test_marks_that_are_saved_on_a_full_disk_are_not_reported_as_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(data=tmp_path) as server:
        server.post("/api/annotation/pages?name=page", _PAGE)
        path = "/api/annotation/pages/page/sheets/Ada"
        change = {"version": 0, "marks": [{"rows": [4], "level": 1}]}

        def is_full(path: str | Path, data: str | bytes) -> None:
            if Path(path).parent.name not in room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            files.write_file(path, data)

        monkeypatch.setattr("webstrata.apps.web.annotation.folder.write_file", is_full)
        room: set[str] = set()
        assert server.put(path, change).status == 422
        assert server.ask(path).json["version"] == 0
        room.add("Ada")
        answer = server.put(path, change)
        assert (answer.status, answer.json["version"]) == (200, 1)
        assert "No space left" in answer.json["warning"]
        room.add(tmp_path.name)
        answer = server.put(path, {**change, "version": 1})
        assert answer.json["warning"] == ""
        assert (tmp_path / "page.blocks.html").exists()


# Folders that hold other or damaged files


def test_a_folder_with_damaged_and_foreign_files_is_served(tmp_path: Path) -> None:
    (tmp_path / "annotators/Ada").mkdir(parents=True)
    (tmp_path / "annotators/%2e%2e").mkdir()
    (tmp_path / "annotators/.git").mkdir()
    for name in ("card", "deep", "good", "sheet", "typed"):
        (tmp_path / f"{name}.html").write_bytes(_PAGE)
    (tmp_path / "deep.json").write_text("[" * 200_000)
    (tmp_path / "typed.json").write_text('{"url": [1], "annotator": {}, "encoding": 5}')
    (tmp_path / "annotators/Ada/sheet.json").write_text("[" * 200_000)
    with running(data=tmp_path) as server:
        rows = {row["name"]: row["error"] for row in server.ask("/api/annotation").json["pages"]}
        assert {name for name, error in rows.items() if error} == {"deep", "sheet"}
        assert set(rows) == {"deep", "good", "sheet", "typed"}
        assert "not JSON" in server.ask("/annotate").text
        for name, status in {"card": 422, "deep": 422, "good": 200, "sheet": 422, "typed": 200}.items():
            assert server.ask(f"/api/annotation/pages/{name}/sheets/Ada").status == status
        assert server.ask("/annotate/page/typed?by=Ben").status == 200


def test_types_that_are_damaged_are_named(tmp_path: Path) -> None:
    for types in ("[1]", '{"x": ["a"]}', '{"1": 5}'):
        (tmp_path / "card.json").write_text(f'{{"types": {types}}}')
        with pytest.raises(InputError, match=r"card\.json"):
            print(DataFolder(tmp_path, bare=True).types)


def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    with running(data=tmp_path) as server:
        server.post("/api/annotation/pages?name=page", _PAGE)
        for name, status in (("語" * 40, 422), ("語" * 26, 200), ("a" * 40, 200)):
            path = f"/api/annotation/pages/page/sheets/{quote(name)}"
            assert server.put(path, {"version": 0, "marks": []}).status == status
            assert server.ask(path).status == status


def test_the_export_has_files_of_the_data_set_only(tmp_path: Path) -> None:
    with opened(tmp_path / "set") as data:
        data.add("page", _PAGE)
        data.save("page", sheet("Ada", 1), _FILES)
        for name in ("secret-key.txt", "notes/diary.html", "annotators/Ada/passwords.json", "page.txt", ".env"):
            path = data.path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("secret")
        os.utime(data.path / "page.html", (0, -(10**9)))
        export_zip(data, tmp_path / "set.zip")
    with zipfile.ZipFile(tmp_path / "set.zip") as archive:
        assert sorted(archive.namelist()) == [
            "set/README.txt", "set/annotators/Ada/page.json", "set/card.json", "set/page.blocks.html", "set/page.html",
            "set/page.json", "set/page.segments.json",
        ]  # fmt: skip


# Import


def test_json_of_an_archive_is_read_in_a_guarded_process(tmp_path: Path) -> None:
    calls: list[Any] = []
    running_now: list[Any] = []
    reads = json.loads

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        calls.append(function)
        running_now.append(function)
        function(*arguments)
        running_now.pop()

    def loads(data: Any, **options: Any) -> Any:
        assert running_now or "from outside" not in str(data)
        return reads(data, **options)

    other = tmp_path / "other"
    other.mkdir()
    (other / "page.html").write_bytes(_PAGE)
    (other / "page.json").write_text('{"url": "from outside"}')
    with opened(tmp_path / "set") as data, pytest.MonkeyPatch.context() as patch:
        patch.setattr(json, "loads", loads)
        assert import_folder(data, other, call) == 1
    assert calls == [work.import_page]


@pytest.mark.parametrize("hostile", ["[" * 200_000, "[" + "0," * 3_000_000 + "0]"], ids=["deep", "large"])
def test_hostile_json_in_an_archive_is_refused(tmp_path: Path, hostile: str) -> None:
    archive = packed({"a.html": _PAGE, "b.html": _PAGE, "b.json": hostile})
    assert len(archive) < 50_000
    with running(data=tmp_path) as server:
        answer = server.post("/api/annotation/import", archive)
        assert answer.status == 422
        assert "nothing was imported" in answer.json["detail"]
        assert server.ask("/api/annotation").json["pages"] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [".webstrata.lock", "annotators", "card.json"]


def test_a_failed_import_leaves_no_page_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path / "other") as other:
        for number in range(5):
            other.add(f"page{number}", _PAGE)
            other.save(f"page{number}", sheet("Ada", 1), _FILES)
    renames = 0
    rename = os.rename

    def failing(old: Path, new: Path) -> None:
        nonlocal renames
        renames += 1
        if renames == 12:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rename(old, new)

    with opened(tmp_path / "set") as data:
        monkeypatch.setattr(os, "rename", failing)
        with pytest.raises(InputError, match="No space left"):
            import_folder(data, tmp_path / "other", at_once)
        assert renames > 12
        assert [path for path in data.path.rglob("*") if "page" in path.name or path.name.endswith(".tmp")] == []
        monkeypatch.undo()
        assert import_folder(data, tmp_path / "other", at_once) == 5
        assert import_folder(data, tmp_path / "other", at_once) == 5
        assert len(data.pages()) == 10
        assert data.card["pages"] == 10
        assert data.sheet("page3-2", "Ada").marks[0].kind == "Title"


def test_the_chosen_truth_is_imported(tmp_path: Path) -> None:
    with opened(tmp_path / "other") as other:
        other.add("page", _PAGE)
        for who in ("Ada", "Ben"):
            other.save("page", sheet(who, 1, who), _FILES)
        other.choose("page", other.sheet("page", "Ben"), _FILES)
    with opened(tmp_path / "set") as data:
        import_folder(data, tmp_path / "other", at_once)
        assert data.facts("page")["annotator"] == "Ben"
        assert 'data-block-type="Ben"' in (data.path / "page.blocks.html").read_text()
        assert list(data.stale()) == []


def test_an_import_counts_the_pages_of_the_folder_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for number in range(20):
        (other / f"page{number}.html").write_bytes(b"<p>x")
    counted: list[Path] = []
    pages = DataFolder.pages

    def counting(data: DataFolder) -> list[str]:
        counted.append(data.path)
        return pages(data)

    with opened(tmp_path / "set") as data:
        monkeypatch.setattr(DataFolder, "pages", counting)
        assert import_folder(data, other, at_once) == 20
        assert counted.count(data.path) == 1
