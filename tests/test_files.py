from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_disk import small_disk

from webstrata._array_checks import ArrayCheck
from webstrata.errors import InputError
from webstrata.files import (
    ArrayFormat,
    NewFile,
    files_below,
    full_disk,
    new_folder,
    open_regular,
    read_json,
    remove_temporary,
    write_file,
    write_json,
)
from webstrata.text import Column

FORMAT = ArrayFormat(name="box of stones", kind="box", version=3, command="webstrata stones")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_file(path, "one")
    with pytest.raises(TypeError), NewFile(path) as file:
        print(file.stream.write(b"half of tw"), path.read_text() + 2)  # type: ignore[operator]
    assert path.read_text() == "one"
    write_file(path, b"two")
    assert path.read_text() == "two"
    assert [item.name for item in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_can_be_committed_early_or_discarded(tmp_path: Path) -> None:
    with NewFile(tmp_path / "kept") as file:
        file.stream.write(b"x")
        file.commit()
    with NewFile(tmp_path / "dropped") as file:
        file.stream.write(b"x")
        file.discard()
    assert [item.name for item in tmp_path.iterdir()] == ["kept"]


def test_bytes_and_names_are_on_disk_before_a_write_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def logged(name: str, function: Any) -> Any:
        return lambda *arguments: [calls.append(name), function(*arguments)]  # type: ignore[func-returns-value]

    for name in ("fsync", "replace", "rename"):
        monkeypatch.setattr(os, name, logged(name, getattr(os, name)))
    write_file(tmp_path / "a", b"x")
    assert calls == ["fsync", "replace", "fsync"]
    calls.clear()
    with new_folder(tmp_path / "b") as folder:
        (folder / "c").write_bytes(b"x")
    assert calls == ["fsync", "fsync", "rename", "fsync"]


def test_files_have_the_permissions_of_open(tmp_path: Path) -> None:
    (tmp_path / "plain").open("w").close()
    write_file(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_lone_surrogates_survive_in_json_alone(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"x": "é", "y": "\ud800"})
    assert json.loads((tmp_path / "a.json").read_text("utf-8")) == {"x": "é", "y": "\ud800"}
    write_file(tmp_path / "a.txt", "é\ud800")
    assert (tmp_path / "a.txt").read_text("utf-8") == "é?"


def test_a_folder_appears_as_a_whole(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"), new_folder(tmp_path / "deep/out") as folder:
        (folder / "a").rename(folder / "nowhere")
    assert list((tmp_path / "deep").iterdir()) == []
    with new_folder(str(tmp_path / "deep/out")) as folder:
        (folder / "inner").mkdir()
        (folder / "inner/a").write_text("x")
        assert not (tmp_path / "deep/out").exists()
    assert (tmp_path / "deep/out/inner/a").read_text() == "x"
    with pytest.raises(InputError, match="there already"), new_folder(tmp_path / "deep/out"):
        pass


def test_only_temporary_files_are_removed(tmp_path: Path) -> None:
    theirs = [".env.template", ".a.12345678", ".x.tmp", "a.tmp", ".webstrata-notes"]
    for name in theirs:
        (tmp_path / name).write_text("mine")
    (tmp_path / "inner").mkdir()
    NewFile(tmp_path / "inner/killed").stream.close()
    (tmp_path / ".webstrata-0123456789abcdef.tmp").mkdir()
    (tmp_path / ".webstrata-0123456789abcdef.tmp/a").write_text("x")
    remove_temporary(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == sorted([*theirs, "inner"])


def test_arrays_survive_their_folder(tmp_path: Path) -> None:
    arrays: dict[str, Column] = {"a": np.arange(5, dtype=np.uint32), "b": np.zeros(0)}
    with new_folder(tmp_path / "box") as folder:
        FORMAT.write(folder, arrays, {"owner": "é"})
    facts = FORMAT.read_facts(tmp_path / "box")
    checks = {"a": ArrayCheck(("uint32",), (5,)), "b": ArrayCheck(("f",), (None,))}
    found = FORMAT.read_arrays(tmp_path / "box", facts, checks)
    assert facts["owner"] == "é"
    assert found["a"].tolist() == [0, 1, 2, 3, 4]
    assert found["a"].dtype == np.uint32
    assert isinstance(found["a"].base, np.memmap)
    assert len(found["b"]) == 0


@pytest.mark.parametrize(
    ("about", "message"),
    [
        (None, "is no box of stones: make one with `webstrata stones`"),
        ("[]", "is no box of stones"),
        ("7", "is no box of stones"),
        ('{"version": 3, "kind": "cat", "files": {}}', "is no box of stones"),
        ('{"version": 3, "kind": "box"}', "is no box of stones"),
        ('{"version": 2}', "has version 2 .* reads version 3"),
    ],
)
def test_other_folders_are_refused(tmp_path: Path, about: str | None, message: str) -> None:
    if about is not None:
        (tmp_path / "about.json").write_text(about)
    with pytest.raises(InputError, match=message):
        FORMAT.read_facts(tmp_path)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(bytes(path.stat().st_size)),
        lambda path: np.save(path, np.arange(5, dtype=np.float32)),
        lambda path: np.save(path, np.arange(5, dtype=np.uint32).reshape(5, 1)),
    ],
)
def test_damaged_arrays_are_refused(tmp_path: Path, damage: object) -> None:
    FORMAT.write(tmp_path, {"a": np.arange(5, dtype=np.uint32)}, {})
    damage(tmp_path / "a.npy")  # type: ignore[operator]
    with pytest.raises(InputError, match=r"is damaged.*`webstrata stones`"):
        FORMAT.read_arrays(tmp_path, FORMAT.read_facts(tmp_path), {"a": ArrayCheck(("uint32",), (None,))})


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 65_536) as disk:
        with pytest.raises(OSError, match="No space left") as raised:
            write_file(disk / "a", bytes(100_000))
        assert "the disk is full" in str(full_disk(raised.value))
        assert list(disk.iterdir()) == []
        with pytest.raises(InputError, match="the disk is full"), new_folder(disk / "b") as folder:
            FORMAT.write(folder, {"sizes": np.zeros(100_000)}, {})
        assert list(disk.iterdir()) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_the_buffer_of_a_file_on_a_full_disk_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match=re.escape(os.strerror(number))) as raised:
        write_file(tmp_path / "a", b"x")
    assert isinstance(full_disk(raised.value), InputError)
    assert list(tmp_path.iterdir()) == []
    assert full_disk(PermissionError(errno.EACCES, "no")) is None


def test_a_folder_made_by_another_process_is_kept(tmp_path: Path) -> None:
    def write() -> None:
        with new_folder(tmp_path / "a"):
            (tmp_path / "a" / "theirs").mkdir(parents=True)

    with pytest.raises(InputError, match="was made in the meantime"):
        write()
    assert [path.name for path in tmp_path.rglob("*")] == ["a", "theirs"]


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(InputError, match="it is a pipe or a device"):
            open_regular(path)
    with pytest.raises(IsADirectoryError):
        open_regular(tmp_path)
    (tmp_path / "file").write_bytes(b"x")
    with open_regular(tmp_path / "file") as stream:
        assert stream.read() == b"x"


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    for path in (outside / "secret", folder / "below" / "file"):
        path.parent.mkdir(parents=True)
        path.touch()
    os.mkfifo(folder / "pipe")
    for name, target in {
        "file": outside / "secret",
        "up": outside,
        "inner": folder / "below/file",
        "gone": Path("x"),
    }.items():
        (folder / name).symlink_to(target)
    assert files_below(folder) == [folder / "below/file", folder / "inner"]


@pytest.mark.parametrize("text", ["", "[]", "{", "\xff", "[" * 100_000])
def test_damaged_json_gets_the_message(tmp_path: Path, text: str) -> None:
    (tmp_path / "a").write_text(text, encoding="latin-1")
    with pytest.raises(InputError, match="make it again"):
        read_json(tmp_path / "a", "make it again")
