"""Damage: small archives cut at every byte, and what must hold for each.

Intact records come out once and in order; damaged ones are counted. ``python tests/kits/damage.py --seconds 60`` cuts
and garbles at random for longer; `make fuzz` does so.
"""

from __future__ import annotations

import argparse
import io
import random
import time
from collections.abc import Iterator
from typing import Any

from warcs import PACKINGS, page_record

from webstrata.crawls.reading.warc import read_warc

__all__ = ["cuts_at_the_end", "cuts_in_the_middle", "garble", "problem"]

NAMES = "abc"
LIMIT = 10_000


def records(packing: str) -> list[bytes]:
    pages = {name: f"<p>Page {name}.".encode() for name in NAMES}
    return [PACKINGS[packing](page_record(f"http://{name}/", html)) for name, html in pages.items()]


def cuts_in_the_middle(packing: str) -> Iterator[tuple[bytes, str]]:
    """The archive with its first record cut after each byte; the other two are whole."""
    first, second, third = records(packing)
    for stop in range(1, len(first)):
        yield first[:stop] + second + third, "bc"


def cuts_at_the_end(packing: str) -> Iterator[tuple[bytes, str]]:
    """The archive cut after each byte of its last record."""
    first, second, third = records(packing)
    for stop in range(1, len(third)):
        yield first + second + third[:stop], "ab"


def problem(data: bytes, whole: str, *, counted: bool = True) -> str | None:
    """What is wrong with the rows of an archive that holds these records whole, and others not; None if nothing is."""
    rows: list[dict[str, Any]] = list(read_warc(io.BytesIO(data), limit=LIMIT))
    out = [row["url"].split("/")[2] for row in rows if not row.get("reason")]
    if [name for name in out if name in whole] != list(whole):
        return f"{out} came out instead of {list(whole)}"
    # A cut may leave all of a record but its last line end, and then it is whole; it may come out once.
    if len(set(out)) != len(out):
        return f"{out}: a record came out twice"
    if counted and len(rows) == len(whole):
        return "the damage was not counted"
    if len(rows) > len(whole) + 2:
        return f"one damage was counted {len(rows) - len(whole)} times"
    return None


def garble(chance: random.Random) -> bytes:
    """An archive with one to three pieces removed, repeated or replaced."""
    data = b"".join(records(chance.choice([".warc", ".warc.gz"])) * chance.randint(1, 3))
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(data))
        stop = min(len(data), start + chance.choice([1, 4, 50, 300]))
        put = chance.choice([b"", data[start:stop] * 2, chance.randbytes(stop - start), b"\r\n"])
        data = data[:start] + put + data[stop:]
    return data


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    options = parser.parse_args()
    chance, tried = random.Random(options.seed), 0
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        rows = list(read_warc(io.BytesIO(garble(chance)), limit=LIMIT))
        offsets = [row["offset"] for row in rows]
        assert offsets == sorted(offsets), f"seed {options.seed}, archive {tried}: rows out of order"
        tried += 1
    print(f"{tried} damaged archives, every one read to its end (seed {options.seed})")


if __name__ == "__main__":
    main()
