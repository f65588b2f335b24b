"""The command line, as a user meets it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from pathlib import Path

import click
import pytest
from commands import webstrata

from webstrata.apps import cli
from webstrata.apps.cli import _COMMANDS
from webstrata.extraction import extract
from webstrata.segmentation import segment

PAGE = "<title>Strata</title><nav><a href=/>Home</a></nav><p>A page comes in layers.<p hidden>secret"


@pytest.fixture
def page(tmp_path: Path) -> str:
    path = tmp_path / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", _COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = webstrata(name, "--help")
    assert result.exit_code == 0
    assert f"webstrata {name}" in result.output
    assert "Example" in result.output


def test_help_lists_the_commands() -> None:
    result = webstrata("--help")
    assert all(name in result.output for name in _COMMANDS)


@pytest.mark.parametrize("group", ["", "datasets", "duplicates", "links", "run", "search", "site"])
def test_lists_of_commands_have_whole_sentences(group: str) -> None:
    lines = webstrata(*filter(None, [group]), "--help").stdout.splitlines()
    listed = [line for line in lines if re.match(r"  [a-z]+ {2,}[A-Z]", line)]
    assert len(listed) >= 1
    assert [line for line in listed if not line.endswith(".") or line.endswith("...")] == []


def _commands() -> Iterator[tuple[str, click.Command]]:
    for name in _COMMANDS:
        found = import_module(f"webstrata.apps.cli.{name}").command
        yield name, found
        if isinstance(found, click.Group):
            yield from ((f"{name} {inner.name}", inner) for inner in found.commands.values())


def test_options_for_output_and_processes_have_one_name_each() -> None:
    for name, found in _commands():
        names = [set(item.opts) for item in found.params if isinstance(item, click.Option)]
        assert all({"-o", "--output"} <= each for each in names if each & {"-o", "--output"}), name
        assert all(each == {"-j", "--jobs"} for each in names if each & {"-j", "--jobs"}), name
        assert not set().union(*names) & {"--threads", "--tabs", "--workers", "--processes"}, name


@pytest.mark.parametrize("name", ["extract", "explain", "segment", "blocks", "densitogram"])
def test_commands_for_pages_share_their_inputs_and_options(name: str, tmp_path: Path) -> None:
    for word in ("silt", "mud"):
        (tmp_path / f"{word}.html").write_text(f"<h1>{word}</h1><p>Pale {word} comes with the flood of spring.")
    (tmp_path / "bad.html").write_bytes(b"%PDF-1.7")
    results = []
    for number, jobs in enumerate(((), ("-j", "2"))):
        out = tmp_path / f"out{number}"
        result = webstrata(name, str(tmp_path / "*.html"), str(tmp_path / "none.html"), "-o", str(out), *jobs)
        assert result.exit_code == 2
        assert "bad.html: it is not HTML, but PDF" in result.stderr
        assert "none.html: No such file" in result.stderr
        assert f"2 pages -> {out}" in result.stderr
        results.append({path.name: path.read_bytes() for path in out.iterdir()})
        assert sorted(path.name.partition(".")[0] for path in out.iterdir()) == ["mud", "silt"]
    assert results[0] == results[1]


@pytest.mark.parametrize("name", _COMMANDS)
def test_the_list_of_commands_says_what_each_command_says(name: str) -> None:
    command = import_module(f"webstrata.apps.cli.{name}").command
    assert command.get_short_help_str(1000) == _COMMANDS[name]


@pytest.mark.parametrize(
    ("name", "function"),
    [("extract", extract), ("explain", extract), ("segment", segment)],
    ids=["extract", "explain", "segment"],
)
def test_the_default_algorithm_is_that_of_python(name: str, function: Callable[..., object]) -> None:
    command = import_module(f"webstrata.apps.cli.{name}").command
    (option,) = (item for item in command.params if "--algorithm" in item.opts)
    assert option.default == signature(function).parameters["algorithm"].default


IMPORTED = """
import sys
from webstrata.apps.cli import _group
_group.main(sys.argv[1:], standalone_mode=False)
print(*sys.modules)
"""


# What takes long to import, and all commands but the one that is called.
HEAVY = {"importlib.metadata", "rich", "pyarrow", "json", "webstrata.extraction.metadata", "webstrata.crawls"}


@pytest.mark.parametrize("command", ["--help", "extract", "segment"])
def test_a_command_imports_what_it_needs_alone(command: str, tmp_path: Path) -> None:
    article = Path(cli.__file__).parents[2] / "demo" / "article.html"
    arguments = [command] if command == "--help" else [command, str(article)]
    # In a folder without recordings, whose reading would need more.
    result = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    imported = set(result.stdout.splitlines()[-1].split())
    assert "webstrata.apps.cli" in imported
    assert imported & HEAVY == set()
    assert imported & {f"webstrata.apps.cli.{name}" for name in _COMMANDS} <= {f"webstrata.apps.cli.{command}"}


def test_version() -> None:
    assert webstrata("--version").output.startswith("webstrata, version ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blocks", "no-such-file.html"], "cannot read no-such-file.html: No such file or directory"),
        (["blocks", "tests/kits"], "cannot read tests/kits: the folder has no file that ends in .html"),
        (["blocks", "--encoding", "utf-9", "-"], "unknown encoding label 'utf-9'"),
        (["no-such-command"], "there is no command 'no-such-command'"),
        (["extrat", "page.html"], "there is no command 'extrat': did you mean extract?"),
    ],
)
def test_errors_are_one_clear_line(arguments: list[str], message: str) -> None:
    result = webstrata(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_a_page_is_read_from_a_pipe_if_none_is_named() -> None:
    command = [sys.executable, "-m", "webstrata", "extract", "--algorithm", "keep-all"]
    piped = subprocess.run(command, input=b"<p>Pale silt.", capture_output=True, check=True)
    assert piped.stdout == b"Pale silt.\n"
    without = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert without.returncode == 2
    assert b"name a FILE, a folder, a pattern or an address, or pipe a page" in without.stderr


@pytest.mark.parametrize("command", ["extract", "segment", "explain", "densitogram"])
def test_output_is_a_file_for_one_page_and_a_folder_for_several(command: str, tmp_path: Path) -> None:
    folder = tmp_path / "pages" / "below"
    folder.mkdir(parents=True)
    for name in ("one", "two"):
        (folder / f"{name}.html").write_text(f"<h1>Strata</h1><p>Page {name} is about pale silt.", encoding="utf-8")
    single = webstrata(command, str(folder / "one.html"), "-o", str(tmp_path / "one.svg"))
    assert single.exit_code == 0, single.output
    assert single.stderr.endswith(f"1 page -> {tmp_path / 'one.svg'}\n")
    assert (tmp_path / "one.svg").is_file()
    several = webstrata(command, str(tmp_path / "pages"), "-o", str(tmp_path / "out"))
    assert several.exit_code == 0, several.output
    assert several.stderr.endswith(f"2 pages -> {tmp_path / 'out'}\n")
    assert [path.name.partition(".")[0] for path in sorted((tmp_path / "out" / "below").iterdir())] == ["one", "two"]


def test_a_closed_pipe_is_silent(tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text("<p>paragraph" * 50_000, encoding="utf-8")
    command = f"{sys.executable} -m webstrata blocks --json {path} | head -n 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["text"] == "paragraph"
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("command", "package", "extra"),
    [
        ("evaluate --dataset tiny --algorithm bf-plain -o OUT", "scipy", "eval"),
        ("evaluate --dataset tiny --algorithm bf-plain -o OUT", "pyarrow", "eval"),
        ("reproduce kreuzer-2013 -o OUT", "sklearn", "eval"),
        ("report .", "pyarrow", "eval"),
        ("train . -o OUT/model.npz", "lightgbm", "train"),
        ("run extract page.html -o OUT", "pyarrow", "scale"),
        ("run extract crawl.warc -o OUT", "fastwarc", "scale"),
        ("run extract page.html -o OUT --engine spark", "pyspark", "spark"),
        ("run extract page.html -o OUT --language en", "py3langid", "language"),
        ("site learn page.html -o OUT --engine spark", "pyspark", "spark"),
        ("links build page.html -o OUT", "pyarrow", "scale"),
        ("render page.html -o OUT", "playwright", "render"),
        ("extract page.html --language en --output-dir OUT", "py3langid", "language"),
    ],
)
def test_it_is_told_before_any_work(
    command: str, package: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("page.html", "crawl.warc"):
        Path(name).write_text("<p>one", encoding="utf-8")
    monkeypatch.setitem(sys.modules, package, None)
    result = webstrata(*command.split())
    assert result.exit_code == 2, result.output
    assert f"is not installed: run pip install 'webstrata[{extra}]'" in result.stderr
    assert result.stdout == ""
    assert not Path("OUT").exists()


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("ex", {"plain,explain", "plain,extract"}),
        ("extract --fav", {"plain,--favour"}),
        ("extract --favour r", {"plain,recall"}),
    ],
)
def test_the_shell_completes(typed: str, expected: set[str]) -> None:
    environment = {**os.environ, "_WEBSTRATA_COMPLETE": "bash_complete", "COMP_WORDS": f"webstrata {typed}"}
    environment["COMP_CWORD"] = str(len(typed.split()))
    code = "import sys; from webstrata.apps.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == expected


def test_help_and_completion_load_no_numpy() -> None:
    code = (
        "import sys; from webstrata.apps.cli import _group; from click import Context;"
        "_group.shell_complete(Context(_group), ''); _group.get_help(Context(_group)); print('numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
