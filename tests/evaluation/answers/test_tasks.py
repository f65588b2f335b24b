"""Whatever happens to a process is an answer, and the others are not disturbed."""

from __future__ import annotations

from pathlib import Path

import pytest
from answering import experiment

from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.runner import run

pytestmark = pytest.mark.slow


def answers(tmp_path: Path, name: str, **options: float) -> dict[str, PageAnswer]:
    made = experiment(tmp_path, name)
    assert run(made, jobs=1, **options) == 5  # type: ignore[arg-type]
    return {answer.page: answer for answer in made.answers[made.specs[0]]}


def test_a_time_out_is_a_row(tmp_path: Path) -> None:
    found = answers(tmp_path, "answering:hang", limit=0.3)
    assert {page: answer.status for page, answer in found.items()} == {
        "article": "ok", "cjk": "ok", "documentation": "ok", "forum": "time-out", "product": "ok",
    }  # fmt: skip
    assert found["forum"].error == "no answer after 0.3 s"
    assert found["forum"].seconds == 0.3


def test_too_much_memory_is_a_row(tmp_path: Path) -> None:
    found = answers(tmp_path, "answering:starve")
    assert [page for page, answer in found.items() if answer.status == "crash"] == ["forum"]
    assert found["forum"].error == "out of memory"


def test_a_crash_in_native_code_is_a_row(tmp_path: Path) -> None:
    found = answers(tmp_path, "answering:die")
    assert [page for page, answer in found.items() if answer.status == "crash"] == ["forum"]
    assert found["forum"].error == "crashed: SIGSEGV"
    assert found["product"].text == "done"


def test_an_exit_is_a_row(tmp_path: Path) -> None:
    made = experiment(tmp_path, "answering:leave", pages=1)
    run(made)
    assert [(a.status, a.error) for a in made.answers[made.specs[0]]] == [("crash", "crashed: exit code 3")]


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        ("answering:fail", "error", "RuntimeError: no such page"),
        ("answering:nonsense", "error", "InputError: an answer is"),
        ("answering:nothing", "empty", ""),
    ],
)
def test_errors_and_empty_answers_are_rows(tmp_path: Path, name: str, status: str, error: str) -> None:
    for answer in answers(tmp_path, name).values():
        assert answer.status == status
        assert answer.error.startswith(error)


def test_two_processes_give_the_answers_of_one(tmp_path: Path) -> None:
    one, two = (
        experiment(tmp_path / "one", "taggap", "answering:texts"),
        experiment(tmp_path / "two", "taggap", "answering:texts"),
    )
    run(one, jobs=1)
    run(two, jobs=2)
    for a, b in zip(one.answers.values(), two.answers.values(), strict=True):
        assert {x.key: x.segments for x in a} == {x.key: x.segments for x in b}
        assert len(a) == 5
