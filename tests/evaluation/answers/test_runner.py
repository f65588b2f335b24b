"""A run that is killed continues, and ends with the tables of an uninterrupted one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from answering import experiment
from gates import HANG_SECONDS, Gate

from webstrata.evaluation.answers.files import AnswerFile, Key, PageAnswer
from webstrata.evaluation.answers.runner import run
from webstrata.evaluation.reports.report import quality_tables
from webstrata.evaluation.scores import read_scores
from webstrata.evaluation.scoring import score
from webstrata.page import Page
from webstrata.segmentation import Segmentation
from webstrata.segmentation.baselines import TagGap

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[2] / "kits"


def evaluate(folder: Path, gate: Gate) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "webstrata", "evaluate", "--dataset", "tiny", "--jobs", "1", "-o", str(folder)]
    command += ["--algorithm", "answering:gated,taggap,numwords"]
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    environment = {**os.environ, "PYTHONPATH": path, "WEBSTRATA_TEST_GATE": str(gate.folder)}
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


# Tables with seconds; what else pages.csv says is compared as scores.
_TIMED = ("time", "pages", "leaderboard")


def quality_files(folder: Path) -> dict[str, bytes]:
    """All tables but those with times, which no two runs share."""
    return {path.name: path.read_bytes() for path in (folder / "tables").iterdir() if not path.stem.startswith(_TIMED)}


def stopped(folder: Path, gate: Gate, how: signal.Signals, answers: int) -> dict[Key, PageAnswer]:
    """Begin a run, stop it once it has so many answers of the algorithm at the gate, and give those."""
    before = len(gated_answers(folder))
    process = evaluate(folder, gate)
    gate.open(answers - before)
    gate.wait(answers - before)
    # The answer is on its way to its file, and the run waits at the gate with the next one.
    deadline = time.monotonic() + HANG_SECONDS
    while len(gated_answers(folder)) < answers:
        assert time.monotonic() < deadline, "the answer never came"
        assert process.poll() is None, "the run was over before it could be stopped"
        time.sleep(0.01)
    # The whole session for a kill, as when a machine goes down; the one process for Ctrl-C.
    if how == signal.SIGKILL:
        os.killpg(process.pid, how)
    else:
        process.send_signal(how)
    _, output = process.communicate(timeout=HANG_SECONDS)
    assert process.returncode != 0
    if how == signal.SIGINT:
        assert b"repeat the command to continue" in output
    return gated_answers(folder)


def gated_answers(folder: Path) -> dict[Key, PageAnswer]:
    """The answers that are whole."""
    files = [path.read_bytes() for path in folder.glob("outputs/tiny/answering_gated*.jsonl")]
    lines = b"".join(files).splitlines(keepends=True)
    return {answer.key: answer for answer in map(PageAnswer.from_line, lines[: len(lines) - _cut(lines)])}


def _cut(lines: list[bytes]) -> bool:
    return bool(lines) and not lines[-1].endswith(b"\n")


def test_a_run_that_is_stopped_goes_on(tmp_path: Path) -> None:
    broken, whole, gate = tmp_path / "broken", tmp_path / "whole", Gate(tmp_path / "gate")
    first = stopped(broken, gate, signal.SIGINT, 1)
    assert len(first) == 1
    second = stopped(broken, gate, signal.SIGKILL, 3)
    assert len(second) == 3
    gate.open(2 + 5)
    for folder in (broken, whole):
        process = evaluate(folder, gate)
        _, output = process.communicate(timeout=HANG_SECONDS)
        assert process.returncode == 0, output.decode()
    gate.close()
    (path,) = broken.glob("outputs/tiny/answering_gated*.jsonl")
    last = {answer.key: answer for answer in AnswerFile(path)}
    assert len(last) == path.read_bytes().count(b"\n") == 5
    # What was answered before was not asked again: its times are the same.
    assert all(last[key] == answer for key, answer in {**first, **second}.items())
    assert quality_files(broken) == quality_files(whole)
    assert quality_tables(read_scores(broken)) == quality_tables(read_scores(whole))


def test_answered_tasks_are_not_run_again(tmp_path: Path) -> None:
    made = experiment(tmp_path, "taggap", "answering:fail")
    assert run(made) == 10
    assert run(made) == 0
    assert run(made, retry=True) == 5
    # Another parameter is another algorithm, though it has the same name and file.
    path = made.answers[made.specs[0]].path
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({**row, "algorithm": "TagGap(old=True)"}) + "\n" for row in rows[:2]))
    assert run(experiment(tmp_path, "taggap", "answering:fail")) == 5


def test_scoring_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = experiment(tmp_path, "taggap")
    run(made)
    first = score(made)

    def never(self: TagGap, page: Page) -> Segmentation:
        raise AssertionError("an algorithm was run")

    monkeypatch.setattr(TagGap, "__call__", never)
    assert repr(score(experiment(tmp_path, "taggap"))) == repr(first)


def test_scores_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    made = experiment(tmp_path, "taggap")
    run(made)
    assert repr(score(made, jobs=2)) == repr(score(made))
