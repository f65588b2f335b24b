"""``webstrata run`` as a user meets it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import Result
from commands import webstrata
from gates import HANG_SECONDS
from warcs import PACKINGS, page_record

from webstrata.apps.cli import _group
from webstrata.apps.cli.run import STEPS, StepCommand

pytestmark = pytest.mark.slow

# These pages are too short for the default extractor to find content in them.
KEEP_ALL = ("--algorithm", "keep-all")


def run(*arguments: str) -> Result:
    return webstrata("run", *arguments)


@pytest.fixture
def crawl(tmp_path: Path) -> str:
    path = tmp_path / "crawl.warc.gz"
    pages = [page_record(f"http://a/{i}", f"<html lang=en><title>T{i}</title><p>Page {i}.".encode()) for i in range(50)]
    path.write_bytes(b"".join(map(PACKINGS[".warc.gz"], [*pages, page_record("http://a/", b"")])))
    return str(path)


def test_extract_to_parquet(crawl: str, tmp_path: Path) -> None:
    result = run("extract", crawl, "-o", str(tmp_path / "out"), "--spans", "--jobs", "1", *KEEP_ALL)
    assert result.exit_code == 0, result.output
    assert "51 records read, 50 written" in result.stdout
    assert "1 empty" in result.stdout
    assert "51 records" in result.stderr
    row = pq.read_table(tmp_path / "out").to_pylist()[7]
    assert (row["url"], row["title"], row["language"], row["text"]) == ("http://a/7", "T7", "en", "Page 7.")
    assert (row["file"], row["record"], row["crawled"]) == (crawl, 7, "2026-01-02T03:04:05Z")
    assert row["spans"]
    assert row["digest"].startswith("sha1:")
    assert result.exit_code == 0
    again = run("extract", crawl, "-o", str(tmp_path / "out"), "--spans", "--resume", *KEEP_ALL)
    assert "51 records read, 50 written" in again.stdout


def test_the_options_of_extract_are_those_of_run(tmp_path: Path) -> None:
    words = "Silt settles on the floor of the lake in summer, and in winter a thin dark layer of mud covers it. "
    table = "<table><tr><th>Layer<th>mm<tr><td>one<td>31.5<tr><td>two<td>30</table>"
    html = (
        f"<title>T</title><article><h1>T</h1><p>{words * 2}<a href=/x>More</a></p>{table}<p>{words}Done.</p></article>"
    )
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"url": "http://a/", "html": html}), encoding="utf-8")

    def text(*options: str) -> str:
        out = tmp_path / "-".join(("out", *options))
        result = run("extract", str(path), "-o", str(out), "--jobs", "1", *options)
        assert result.exit_code == 0, result.output
        form = options[1] if options[0] == "--format" else "text"
        return str(pq.read_table(out).to_pylist()[0][form])

    assert "| Layer | mm |" in text("--format", "markdown")
    assert "[More](http://a/x)" not in text("--format", "markdown", "--no-links")
    assert "31.5" not in text("--no-tables")
    assert text("--format", "html").startswith("<article>")


def test_a_pipe_to_json_lines(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "webstrata",
        "run",
        "blocks",
        "-",
        "-o",
        str(tmp_path / "out"),
        "--format",
        "jsonl",
    ]
    subprocess.run(command, input=b'{"html": "<p>one<p>two"}\n', check=True, capture_output=True)
    [row] = [json.loads(line) for line in next((tmp_path / "out").glob("*.jsonl")).read_text("utf-8").splitlines()]
    assert [block["text"] for block in row["blocks"]] == ["one", "two"]


def test_an_archive_through_a_pipe(crawl: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "webstrata", "run", "extract", "-", "-o", str(tmp_path / "out"), "--format", "txt"]
    command += KEEP_ALL
    result = subprocess.run(command, input=Path(crawl).read_bytes(), check=True, capture_output=True)
    assert b"51 records read, 50 written" in result.stdout
    assert (tmp_path / "out/part-00000-00000.txt").read_text("utf-8").startswith("Page 0.\n\f\nPage 1.\n\f\n")


def test_limits_are_set(crawl: str, tmp_path: Path) -> None:
    result = run("extract", crawl, "-o", str(tmp_path / "out"), "--limit", "bytes=0.01K", "-j", "1")
    assert "50 too large" in result.stdout


def test_control_c_leaves_a_resumable_state(tmp_path: Path) -> None:
    lines = b"".join(b'{"html": "<p>Page %d."}\n' % i for i in range(600))
    output = tmp_path / "out"
    command = [sys.executable, "-m", "webstrata", "run", "extract", "-", "-o", str(output)]
    command += ["--shard-records", "20", "-j", "1", *KEEP_ALL]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stderr=pipe, start_new_session=True)
    assert process.stdin is not None
    # As long as this end of the pipe is open, the job cannot come to its end.
    process.stdin.write(lines)
    process.stdin.flush()
    deadline = time.monotonic() + HANG_SECONDS
    while not list(output.glob("*.parquet")):
        assert process.poll() is None, "the job ended before it wrote anything"
        assert time.monotonic() < deadline, "the job never wrote anything"
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    process.wait(timeout=HANG_SECONDS)
    _, told = process.communicate(timeout=HANG_SECONDS)
    errors = told.decode()
    assert process.returncode == 130, errors
    assert "add --resume to continue" in errors
    assert "Traceback" not in errors
    assert not list(output.rglob(".webstrata-*.tmp"))
    result = subprocess.run([*command, "--resume"], input=lines, capture_output=True, check=True)
    assert b"600 records read, 600 written" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["extract", "a.pdf", "-o", "out"], "not clear from its name"),
        (["extract", "a.warc", "-o", "out", "--limit", "size=3"], "--limit size=3 cannot be read: write NAME=VALUE"),
        (
            ["extract", "a.warc", "-o", "out", "--limit", "bytes=no"],
            "--limit bytes=no cannot be read: write NAME=VALUE",
        ),
        (["extract", "a.warc"], "Missing option '-o'"),
        (["extract", "a.warc", "-o", "out", "--engine", "spark", "--resume"], "leave out --resume"),
    ],
)
def test_errors_are_one_clear_line(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize("row", STEPS, ids=[row.name for row in STEPS])
def test_every_step_has_help_with_an_example(row: StepCommand) -> None:
    result = run(row.name, "--help")
    assert f"Example:  webstrata run {row.name}" in result.output
    step = _group.get_command(None, "run").get_command(None, row.name)  # type: ignore[arg-type, union-attr]
    step.make_context(row.name, row.example.split()[3:])


@pytest.mark.parametrize("row", STEPS, ids=[row.name for row in STEPS])
def test_every_step_runs_with_its_defaults(row: StepCommand, tmp_path: Path) -> None:
    words = "Silt settles on the floor of the lake in summer, and in winter a thin dark layer of mud covers it. "
    html = f"<html lang=en><title>T</title><nav><a href=/x>More</a></nav><article><h1>T</h1><p>{words * 3}</article>"
    path = tmp_path / "crawl.warc"
    path.write_bytes(b"".join(page_record(f"http://a/{number}", html.encode()) for number in range(3)))
    result = run(row.name, str(path), "-o", str(tmp_path / "out"), "-j", "1")
    assert result.exit_code == 0, result.output
    assert "3 records read, 3 written" in result.stdout
    assert pq.read_table(tmp_path / "out").column("url").to_pylist() == ["http://a/0", "http://a/1", "http://a/2"]


def test_an_unknown_algorithm_is_told_at_once(crawl: str, tmp_path: Path) -> None:
    result = run("extract", crawl, "-o", str(tmp_path / "out"), "--algorithm", "no-such")
    assert result.exit_code == 2
    assert "no extractor is called 'no-such'" in result.stderr


def test_a_recipe_and_parameters_are_spelled_as_everywhere(crawl: str, tmp_path: Path) -> None:
    recipe = "min-words(minimum=1)+largest-content(max_distance=99)"
    for step, algorithm in (("extract", recipe), ("segment", "bf-plain(theta=0.5)")):
        assert run(step, crawl, "-o", str(tmp_path / step), "--algorithm", algorithm).exit_code == 0
    wrong = run("segment", crawl, "-o", str(tmp_path / "wrong"), "--algorithm", "bf-plain(thta=0.5)")
    assert wrong.exit_code == 2
    assert "bf-plain has no parameter 'thta': it takes theta=0.38" in wrong.stderr


def test_a_terminal_gets_a_bar(crawl: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "webstrata", "run", "extract", crawl, "-o", str(tmp_path / "out"), "-j", "1"]
    command += KEEP_ALL
    master, slave = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "150"}
    process = subprocess.Popen(command, stderr=slave, stdout=subprocess.DEVNULL, env=environment)
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 4096):
            shown += part
    except OSError:
        # This is how the end of a terminal reads.
        pass
    os.close(master)
    assert process.wait() == 0
    assert b"51 records" in shown
    assert b"50 written, 1 rejected" in shown
    assert b"100%" in shown
    assert "━".encode() in shown


def test_the_commands_of_the_guide_exist() -> None:
    guide = (Path(__file__).parents[3] / "docs/crawls.md").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [
        line.strip().partition("webstrata run ")[2].split() for line in guide.splitlines() if "webstrata run " in line
    ]
    commands = [line for line in lines if line and line[0] in {row.name for row in STEPS}]
    assert len(commands) >= 5
    for name, *arguments in commands:
        step = _group.get_command(None, "run").get_command(None, name)  # type: ignore[arg-type, union-attr]
        step.make_context(name, [argument for argument in arguments if argument != "..."])
