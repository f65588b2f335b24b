"""The answers of algorithms, one JSON line a page: ``outputs/<dataset>/<algorithm>.jsonl``.

A line that a kill cut off is deleted when the file is opened again, and the task is run once more.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from webstrata.errors import InputError

__all__ = ["AnswerFile", "Key", "PageAnswer", "Status", "file_name"]

#: "empty": an empty answer; "error": an exception; "crash": the process ended; "missing": the task was never run.
Status = Literal["ok", "empty", "error", "crash", "time-out", "missing"]
#: The name of a page and of one of its inputs.
Key = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class PageAnswer:
    """The answer of one algorithm for one input of one page.

    Attributes
    ----------
    page, input : the names of the page and of its input
    algorithm : the ``repr`` of the algorithm
    source : a sum of the HTML, to notice when it changes
    status, error : "ok" or the kind of failure, and its message
    seconds : from HTML to answer
    text : the content, from an extractor
    keep : the ranges of blocks that an extractor kept
    segments : the segments, each with ``text``, ``level`` and ``kind``; with ``start`` and ``stop`` if the algorithm
        works on our blocks; with ``marked``, all character data, if it works on a rendered page
    blocks : the number of blocks of the page, if ``keep`` or ``segments`` refer to them
    fields : metadata by name, such as ``title``; None for a field that was not found
    """

    page: str
    input: str
    algorithm: str
    source: str = ""
    status: Status = "ok"
    error: str = ""
    seconds: float = 0.0
    text: str | None = None
    keep: list[list[int]] | None = None
    segments: list[dict[str, Any]] | None = None
    blocks: int | None = None
    fields: dict[str, str | None] | None = None

    @property
    def key(self) -> Key:
        """Its key among the answers of the algorithm."""
        return self.page, self.input

    def line(self) -> str:
        """The answer as a JSON line."""
        return json.dumps(
            {name: value for name, value in asdict(self).items() if value is not None}, ensure_ascii=False
        )

    @classmethod
    def from_line(cls, line: str | bytes) -> PageAnswer:
        """Parse a line written by `line`.

        >>> answer = PageAnswer(page="p", input="html", algorithm="a", text="Strata")
        >>> PageAnswer.from_line(answer.line()) == answer
        True
        """
        try:
            answer = cls(**json.loads(line))
        except (TypeError, ValueError) as error:
            raise InputError(f"this line is not an answer of an algorithm: {error}") from error
        if answer.status not in get_args(Status):
            raise InputError(f"no status is called {answer.status!r}")
        return answer


@dataclass(frozen=True)
class _Place:
    offset: int
    algorithm: str
    source: str
    status: Status


class AnswerFile:
    """The answers of one algorithm on one data set, found by page and input; the newest of a page counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[Key, _Place] = {}
        #: The kinds of answers in the file: "text", "segments", "fields".
        self.kinds: set[str] = set()
        if path.is_file():
            self._index()

    def _index(self) -> None:
        with self.path.open("rb+") as file:
            start = 0
            for line in file:
                if not line.endswith(b"\n"):
                    file.truncate(start)
                    break
                self._note(PageAnswer.from_line(line), start)
                start += len(line)

    def _note(self, answer: PageAnswer, offset: int) -> None:
        # Interned: all answers of an algorithm repeat its name.
        self._places[answer.key] = _Place(offset, sys.intern(answer.algorithm), answer.source, answer.status)
        self.kinds |= {kind for kind in ("text", "segments", "fields") if getattr(answer, kind) is not None}

    def has(self, key: Key, algorithm: str, source: str) -> bool:
        """Whether there is an answer by the same algorithm for the same HTML."""
        place = self._places.get(key)
        return place is not None and (place.algorithm, place.source) == (algorithm, source)

    def status(self, key: Key) -> Status:
        """The status of the answer for a page."""
        return self._places[key].status if key in self._places else "missing"

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[PageAnswer]:
        for key in self._places:
            yield self[key]

    def __getitem__(self, key: Key) -> PageAnswer:
        with self.path.open("rb") as file:
            file.seek(self._places[key].offset)
            return PageAnswer.from_line(file.readline())

    def clear(self) -> None:
        """Delete all answers."""
        self.path.unlink(missing_ok=True)
        self._places.clear()
        self.kinds.clear()

    def append(self, answer: PageAnswer) -> None:
        """Append an answer to the file."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            self._note(answer, file.tell())
            # The answers of programs may have lone surrogates, which are kept.
            file.write(answer.line().encode("utf-8", "surrogatepass") + b"\n")


def file_name(name: str) -> str:
    """A name as part of a path; special characters are replaced, and a hash keeps such names distinct.

    >>> file_name("bf-plain"), file_name("numwords+main-content")
    ('bf-plain', 'numwords+main-content')
    >>> file_name("bf-plain(theta=0.5)")
    'bf-plain_theta=0.5_-2cef02'
    """
    plain = re.sub(r"[^\w.+=-]+", "_", name, flags=re.ASCII)
    if plain == name and not name.startswith("."):
        return name
    return f"{plain[:80].lstrip('.')}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
