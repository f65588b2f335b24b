"""Outputs as files: complete lines, the newest counts, names that cannot clash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstrata.errors import InputError
from webstrata.evaluation.answers.files import AnswerFile, PageAnswer, file_name


def answer(page: str, text: str = "x", algorithm: str = "a", source: str = "s") -> PageAnswer:
    return PageAnswer(page=page, input="html", algorithm=algorithm, source=source, text=text)


def test_answers_come_back_and_the_newest_counts(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "new" / "a.jsonl")
    for item in (answer("p"), answer("q"), answer("p", "again")):
        file.append(item)
    again = AnswerFile(file.path)
    assert len(again) == 2
    assert again["p", "html"].text == "again"
    assert {item.page for item in again} == {"p", "q"}
    assert again.kinds == {"text"}


def test_an_answer_counts_for_its_algorithm_and_its_html_only(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "a.jsonl")
    file.append(answer("p"))
    assert file.has(("p", "html"), "a", "s")
    assert not file.has(("p", "html"), "a(theta=1)", "s")
    assert not file.has(("p", "html"), "a", "other")
    assert not file.has(("p", "dom"), "a", "s")
    assert file.status(("p", "dom")) == "missing"


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path, cut: int) -> None:
    file = AnswerFile(tmp_path / "a.jsonl")
    file.append(answer("p"))
    whole = file.path.read_bytes()
    file.append(answer("q"))
    file.path.write_bytes(file.path.read_bytes()[:-cut])
    again = AnswerFile(file.path)
    assert file.path.read_bytes() == whole
    again.append(answer("r"))
    assert [item.page for item in AnswerFile(file.path)] == ["p", "r"]


def test_invalid_lines_raise(tmp_path: Path) -> None:
    for line in ("[]", "{", '{"page": "p"}', '{"page": "p", "input": "i", "algorithm": "a", "status": "fine"}'):
        with pytest.raises(InputError):
            PageAnswer.from_line(line)


def test_half_a_surrogate_pair_is_kept(tmp_path: Path) -> None:
    file = AnswerFile(tmp_path / "a.jsonl")
    file.append(answer("p", "\ud800 x"))
    assert AnswerFile(file.path)["p", "html"].text == "\ud800 x"


@given(st.lists(st.text(min_size=1, max_size=30), min_size=2, max_size=2, unique=True))
def test_names_of_files_are_plain_and_differ(names: list[str]) -> None:
    one, other = map(file_name, names)
    assert one != other
    assert "/" not in one
    assert not one.startswith(".")
    assert one.isascii()
