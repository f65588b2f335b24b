"""Archives that are cut anywhere lose what is cut, and nothing else."""

from __future__ import annotations

import io
import random
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from damage import cuts_at_the_end, cuts_in_the_middle, garble, problem
from warcs import PACKINGS, page_record

from webstrata.crawls.reading.inputs import Input, Place
from webstrata.crawls.reading.warc import DAMAGE, read_warc


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("cuts", [cuts_in_the_middle, cuts_at_the_end])
def test_every_cut(packing: str, cuts: Callable[[str], Iterator[tuple[bytes, str]]]) -> None:
    found = {
        f"{number}: {told}" for number, (data, whole) in enumerate(cuts(packing)) if (told := problem(data, whole))
    }
    assert found == set()


@pytest.mark.parametrize("packing", [".warc", ".warc.gz"])
def test_a_damaged_file_reads_the_same_from_any_record_on(tmp_path: Path, packing: str) -> None:
    chance = random.Random(1)
    cut = [data for cuts in (cuts_in_the_middle, cuts_at_the_end) for data, _ in list(cuts(packing))[::9]]
    path = tmp_path / f"a{packing}"
    source = Input("warc", (str(path),))
    for data in [*cut, *(garble(chance) for _ in range(50))]:
        path.write_bytes(data)
        rows = list(source.rows(limit=10_000))
        for number, row in enumerate(rows):
            damaged = any(before.get("reason") in DAMAGE for before in rows[: number + 1])
            place = Place(number, row["offset"], row.get("url"), row.get("crawled"), damaged)
            assert list(source.rows(limit=10_000, after=place)) == rows[number + 1 :], data


@pytest.mark.parametrize("digits", [19, 20, 25, 5000])
@pytest.mark.parametrize("packing", PACKINGS)
def test_a_length_of_many_digits_costs_one_record(packing: str, digits: int) -> None:
    good = page_record("http://a/", b"<p>one")
    header, _, rest = page_record("http://b/", b"<p>two").partition(b"Content-Length: ")
    bad = header + b"Content-Length: " + b"9" * digits + b"\r\n" + rest.partition(b"\r\n")[2]
    pack = PACKINGS[packing]
    rows = list(read_warc(io.BytesIO(pack(good) + pack(bad) + pack(good)), limit=1000))
    assert [row.get("reason") for row in rows] == [None, "broken record", None]


def seconds(data: bytes, rows: int) -> float:
    start = time.process_time()
    found = list(read_warc(io.BytesIO(data), limit=10_000))
    assert len(found) == rows
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("packing", [".warc", ".warc.gz"])
def test_wrong_lengths_take_linear_time(packing: str) -> None:
    pack = PACKINGS[packing]
    good, bad = (pack(page_record("http://a/", b"<p>word " * 50, longer=longer)) for longer in (0, 10**9))
    few, many = seconds((bad + good) * 250, 500), seconds((bad + good) * 1000, 2000)
    assert many < 6 * few + 0.5


class CountingStream(io.BytesIO):
    """A file that counts what is read from it: calls, and bytes."""

    calls = total = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.calls += 1
        self.total += len(data)
        return data


def nested_member(text: bytes) -> bytes:
    """A member whose stored block ends in the next member, so that each seems to reach to the end of the file."""
    size = 10 + len(text)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff\0" + struct.pack("<HH", size, size ^ 0xFFFF) + text


def nested_frame(text: bytes) -> bytes:
    """The same with Zstandard."""
    return b"\x28\xb5\x2f\xfd\0\x58" + ((6 + len(text)) << 3).to_bytes(3, "little") + text


@pytest.mark.parametrize("nested", [nested_member, nested_frame])
def test_nested_members_are_read_in_linear_time(
    nested: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webstrata.crawls.reading.archive._FREE_WORK", 0)
    work = []
    for count in (1000, 4000):
        stream = CountingStream(nested(b"WARC/1.0\r\nX: y\r\n") * count)
        assert len(list(read_warc(stream, limit=1000))) >= count
        work.append((stream.calls, stream.total))
    (calls, total), (more_calls, more) = work
    # Four times the file takes four times the work; before there was a limit it took sixteen times.
    assert more_calls < 6 * calls
    assert more < 6 * total
