"""Programs in other languages, from HTML to scores."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from answering import experiment
from gates import HANG_SECONDS

from webstrata.errors import InputError
from webstrata.evaluation.answers.algorithms import reply
from webstrata.evaluation.answers.drivers import Driver, DriverCrash, InputForm, connect, read_drivers
from webstrata.evaluation.answers.files import PageAnswer
from webstrata.evaluation.answers.runner import run
from webstrata.evaluation.datasets.folder import tiny_dataset
from webstrata.evaluation.scoring import score

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "programs"
needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
needs_shell = pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")


def only(tmp_path: Path, driver: Driver, **options: float) -> list[PageAnswer]:
    made = experiment(tmp_path, "program", drivers={"program": driver})
    run(made, jobs=1, **options)  # type: ignore[arg-type]
    return list(made.answers[made.specs[0]])


@needs_perl
def test_a_perl_program_end_to_end(tmp_path: Path) -> None:
    """Blocks come back as texts, are found on the page, and score like our segmenter that does the same."""
    drivers = read_drivers(PROGRAMS / "drivers.toml")
    made = experiment(tmp_path, "perl-blocks", "taggap", drivers=drivers)
    assert run(made, jobs=2) == 10
    rows = score(made)
    own = {(row.page, row.metric): row for row in rows if row.algorithm == "perl-blocks"}
    ours = {(row.page, row.metric): row for row in rows if row.algorithm == "taggap"}
    assert own.keys() == ours.keys()
    assert {row.status for row in own.values()} == {"ok"}
    for key, row in own.items():
        assert row.unmapped == 0, key
        assert 0 <= row.value <= 1
    # Both cut at every tag but links, so nearly all their segments are the same.
    for metric in ("exact", "fuzzy", "adjusted-rand"):
        for page in ("article", "forum"):
            assert own[page, metric].value == pytest.approx(ours[page, metric].value, abs=0.1)
    assert sum(own[page, "exact"].hits for page in ("article", "forum", "product")) >= 5


@needs_node
def test_a_node_program_for_all_pages(tmp_path: Path) -> None:
    made = experiment(tmp_path, "node-lines", drivers=read_drivers(PROGRAMS / "drivers.toml"))
    run(made, jobs=1)
    answers = {answer.page: answer for answer in made.answers[made.specs[0]]}
    assert {answer.status for answer in answers.values()} == {"ok"}
    assert "Höhenlinien" in (answers["product"].text or "")
    # The program numbers its answers: one process gave all of them.
    assert sorted((answer.text or "").split()[0] for answer in answers.values()) == ["1", "2", "3", "4", "5"]
    rows = [row for row in score(made) if row.metric == "words"]
    assert len(rows) == 5
    assert min(row.value for row in rows) > 0.5


@needs_node
def test_a_program_for_all_pages_is_started_again_after_a_crash(tmp_path: Path) -> None:
    code = """
    require('readline').createInterface({input: process.stdin}).on('line', line => {
      const {html} = JSON.parse(line);
      if (html.includes('Bread Board')) process.exit(7);
      if (html.includes('Kartenhaus')) { for (;;); }
      console.log(JSON.stringify({blocks: ['x']}));
    });"""
    driver = Driver(command=("node", "-e", code), input="lines", output="blocks")
    found = {answer.page: answer for answer in only(tmp_path, driver, limit=6)}
    assert found["article"].status == found["documentation"].status == "ok"
    assert (found["forum"].status, found["forum"].error) == ("crash", "the program ended with exit code 7")
    assert found["product"].status == "time-out"


@needs_shell
@pytest.mark.parametrize(
    ("command", "status", "error"),
    [
        (("sh", "-c", "echo oh >&2; exit 3"), "crash", "exit code 3: oh"),
        (("sh", "-c", "kill -9 $$"), "crash", "exit code -9"),
        (("sh", "-c", "cat >/dev/null"), "empty", ""),
        (("./no-such-program",), "crash", "cannot start ./no-such-program"),
    ],
)
def test_failures_of_programs(tmp_path: Path, command: tuple[str, ...], status: str, error: str) -> None:
    for answer in only(tmp_path, Driver(command=command)):
        assert answer.status == status
        assert answer.error.startswith(error)


@needs_shell
def test_a_program_that_hangs_is_ended_with_its_children(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    driver = Driver(command=("sh", "-c", f"sleep 3600 & echo $! > {mark}; wait"))
    made = experiment(tmp_path, "program", drivers={"program": driver}, pages=1)
    run(made, limit=3)
    (answer,) = made.answers[made.specs[0]]
    assert (answer.status, answer.error) == ("time-out", "no answer after 3 s")
    status = Path(f"/proc/{int(mark.read_text())}/stat")
    # Dead, even if nobody has asked for its exit code yet.
    assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


@needs_shell
def test_ways_in_and_out(tmp_path: Path) -> None:
    by_path = only(tmp_path, Driver(command=("cat", "{file}"), input="file", output="html"))
    assert {answer.status for answer in by_path} == {"empty"}
    marked = "printf '<div data-block=1 data-block-type=Menu>One</div><p data-block=2>Two'"
    made = experiment(
        tmp_path / "html", "p", drivers={"p": Driver(command=("sh", "-c", marked), output="html")}, pages=1
    )
    run(made)
    (answer,) = made.answers[made.specs[0]]
    assert answer.segments == [
        {"text": "One", "level": 1, "kind": "Menu"}, {"text": "Two", "level": 2, "kind": ""},
    ]  # fmt: skip
    made = experiment(tmp_path / "json", "p", drivers={"p": Driver(command=("echo", "[1"), output="blocks")}, pages=1)
    run(made)
    (answer,) = made.answers[made.specs[0]]
    assert answer.status == "error"
    assert "not JSON" in answer.error


@needs_shell
@pytest.mark.parametrize("form", ["stdin", "lines"])
def test_a_program_that_prints_for_ever_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: InputForm
) -> None:
    monkeypatch.setattr("webstrata.evaluation.answers.drivers.OUTPUT_BYTES", 2**20)
    algorithm = connect(Driver(command=("sh", "-c", "while :; do printf %065536d 0; done"), input=form), reply)
    document = next(iter(tiny_dataset().items(1))).inputs["html"]
    with pytest.raises(DriverCrash, match="more than 1048576 bytes"):
        algorithm(document, HANG_SECONDS)


@pytest.mark.parametrize(
    "table",
    ["x = 1", "[x]", "[x]\ncommand = ['sh']\nspeed = 1", "[x]\ncommand = ['sh']\ninput = 'mail'",
     "[x]\ncommand = ['no-such-program']", "[x]\ncommand = ['sh']\ninput = 'lines'\noutput = 'html'", "["],
)  # fmt: skip
def test_tables_that_make_no_driver(tmp_path: Path, table: str) -> None:
    path = tmp_path / "drivers.toml"
    path.write_text(table)
    with pytest.raises(InputError):
        read_drivers(path)
