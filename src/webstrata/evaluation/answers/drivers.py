"""External programs in any language as algorithms (the AlgorithmDriver of Kreuzer 2013 §5.2).

A TOML file has one table for each program::

    [my-blocks]
    command = ["node", "blocks.js"]
    input = "stdin"
    output = "blocks"

``input`` is the way of the page to the program:

- ``stdin``: one process a page, the HTML on its standard input;
- ``file``: one process a page, the path of an HTML file in place of ``{file}`` in the command, or at its end;
- ``lines``: one process for all pages; it reads a JSON line with ``html`` and ``url`` for each, and writes one.

``page`` is what it gets:

- ``html``: the HTML of the data set (the default);
- ``dom``: the document of the browser, from the recording of the page (`webstrata record`);
- ``boxes``: that document and its boxes, as JSON: ``html``, ``url``, ``width``, ``height``, ``elements`` with ``xpath``
  and ``box``, and ``texts`` with ``text`` and ``box``; a box is left, top, right and bottom in pixels;
- ``screenshot``: the picture of the page, as PNG (`webstrata record --screenshots`).

``lines`` is for ``html`` only.

``output`` is the form of the answer:

- ``text``: the standard output is the content (for ``lines``: ``{"text": "..."}``);
- ``blocks``: the standard output is JSON, a list of texts or of ``{"text": ..., "level": ..., "kind": ...}`` (for
  ``lines``: ``{"blocks": [...]}``); in place of ``text``, a block may have an ``xpath``, a ``rectangle`` or a
  ``polygon`` (see `webstrata.evaluation.answers.shapes`);
- ``html``: the standard output is HTML whose segments are marked by ``data-block``, as in Kreuzer 2013 §5.1.

An exit code other than 0 is a crash. A program that exceeds its time is killed with all its child processes.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from webstrata.errors import InputError, WebstrataError
from webstrata.evaluation.answers.page_forms import PageForm, given_page
from webstrata.evaluation.answers.shapes import with_texts
from webstrata.evaluation.datasets.base import PageInput
from webstrata.segmentation.html import from_html

__all__ = ["Driver", "DriverCrash", "DriverTimeOut", "connect", "read_drivers"]

InputForm = Literal["stdin", "file", "lines"]
OutputForm = Literal["text", "blocks", "html"]
#: The largest output for one page.
OUTPUT_BYTES = 64 * 2**20
_END_SECONDS = 5
_Reader = Callable[[Any], dict[str, Any]]


class DriverCrash(WebstrataError):
    """The program ended with an exit code, or before it answered."""


class DriverTimeOut(WebstrataError):
    """The program did not answer in time."""


@dataclass(frozen=True, kw_only=True)
class Driver:
    """How to call a program; relative paths in the command are relative to ``folder``."""

    command: tuple[str, ...]
    input: InputForm = "stdin"
    output: OutputForm = "text"
    page: PageForm = "html"
    folder: str = "."


def read_drivers(path: Path) -> dict[str, Driver]:
    """The programs of a TOML file by name."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read drivers from {path}: {error}") from error
    return {name: _driver(name, table, path.parent) for name, table in tables.items()}


def _driver(name: str, table: Any, folder: Path) -> Driver:
    if not isinstance(table, dict) or not table.get("command"):
        raise InputError(f"driver {name!r} needs a command, as a list of strings")
    if unknown := table.keys() - {"command", "input", "output", "page"}:
        raise InputError(f"driver {name!r}: no key {sorted(unknown)[0]!r}: there are command, input, output and page")
    command = tuple(map(str, table["command"]))
    form, output, page = table.get("input", "stdin"), table.get("output", "text"), table.get("page", "html")
    for key, value, known in (
        ("input", form, get_args(InputForm)),
        ("output", output, get_args(OutputForm)),
        ("page", page, get_args(PageForm)),
    ):
        if value not in known:
            raise InputError(f"driver {name!r}: {key} must be one of {', '.join(known)}, not {value!r}")
    if form == "lines" and output == "html":
        raise InputError(f"driver {name!r}: JSON lines carry text or blocks, not HTML")
    if form == "lines" and page != "html":
        raise InputError(f"driver {name!r}: JSON lines carry HTML; give the {page} by stdin or file")
    if shutil.which(command[0]) is None and not (folder / command[0]).is_file():
        raise InputError(f"driver {name!r}: no program {command[0]!r} on the PATH or beside the TOML file")
    return Driver(command=command, input=form, output=output, page=page, folder=str(folder))


def connect(driver: Driver, read: _Reader) -> _Once | _Lines:
    """The program as an algorithm; ``read`` converts its output to the fields of an answer."""
    return _Lines(driver, read) if driver.input == "lines" else _Once(driver, read)


@dataclass(frozen=True)
class _Once:
    """One process for each page."""

    driver: Driver
    read: _Reader

    def __repr__(self) -> str:
        return repr(self.driver)

    def __call__(self, document: PageInput, limit: float) -> dict[str, Any]:
        given, ending = given_page(document, self.driver.page)
        if self.driver.input == "stdin":
            return self._answer(_run(self.driver, self.driver.command, given, limit), document)
        with tempfile.NamedTemporaryFile(suffix=ending) as file:
            file.write(given)
            file.flush()
            placed = tuple(part.replace("{file}", file.name) for part in self.driver.command)
            command = placed if placed != self.driver.command else (*placed, file.name)
            return self._answer(_run(self.driver, command, b"", limit), document)

    def _answer(self, output: bytes, document: PageInput) -> dict[str, Any]:
        if self.driver.output == "html":
            found = from_html(output, url=document.url, encoding="utf-8")
            # Marked HTML is another page than the input, so its texts count and not its block numbers.
            blocks = [{"text": found.text(item), "level": item.level, "kind": item.kind} for item in found.segments]
            return self.read({"blocks": blocks})
        text = output.decode("utf-8", "replace")
        if self.driver.output == "text":
            return self.read({"text": text})
        return self.read({"blocks": with_texts(_blocks(text), document, is_recorded=self.driver.page != "html")})


def _blocks(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InputError(f"the program's output is not JSON: {error}") from error
    return value["blocks"] if isinstance(value, dict) and "blocks" in value else value


def _start(driver: Driver, command: tuple[str, ...], stderr: Any) -> subprocess.Popen[bytes]:
    """The process in a new session, so that it can be killed with its child processes."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=stderr,
            cwd=driver.folder,
            start_new_session=True,
            preexec_fn=_own_memory,
        )
    except OSError as error:
        raise DriverCrash(f"cannot start {command[0]}: {error.strerror}") from error


def _own_memory() -> None:
    """Lift the memory limit of the worker for the program: node and Java reserve far more memory than they use.

    This runs between fork and exec, which is safe in a worker because it has one thread.
    """
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):
                stream.close()


def _run(driver: Driver, command: tuple[str, ...], given: bytes, limit: float) -> bytes:
    with tempfile.TemporaryFile() as errors:
        process = _start(driver, command, errors)
        try:
            output = _read_all(process, given, time.monotonic() + limit, limit)
        finally:
            _end(process)
        if process.returncode:
            errors.seek(max(0, errors.seek(0, os.SEEK_END) - 1000))
            message = errors.read().decode("utf-8", "replace").strip()[-300:]
            raise DriverCrash(f"exit code {process.returncode}{': ' if message else ''}{message}")
    return output


def _read_all(process: subprocess.Popen[bytes], given: bytes, deadline: float, limit: float) -> bytes:
    """The output of a program until it ends."""
    output = bytearray()
    with contextlib.suppress(_Closed):
        for piece in _talk(process, given, deadline, limit):
            output += piece
            if len(output) > OUTPUT_BYTES:
                raise DriverCrash(f"more than {OUTPUT_BYTES} bytes of output")
    try:
        process.wait(max(deadline - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired as error:
        raise _late(limit) from error
    return bytes(output)


def _ended(process: subprocess.Popen[bytes]) -> str:
    """A message about a program that has closed its output. It may take a moment to end, or never end."""
    try:
        return f"the program ended with exit code {process.wait(_END_SECONDS)}"
    except subprocess.TimeoutExpired:
        return "the program closed its output and did not end"


class _Closed(Exception):
    """The program has closed its standard output."""


def _late(limit: float) -> DriverTimeOut:
    return DriverTimeOut(f"no answer after {limit:g} s")


def _talk(process: subprocess.Popen[bytes], given: bytes, deadline: float, limit: float, *, more: bool = False) -> Any:
    """Write input and yield output in turns, because a program may start to answer before it has read everything.

    With ``more``, the program's standard input stays open afterwards.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    os.set_blocking(process.stdin.fileno(), False)
    rest = memoryview(given)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        selector.register(process.stdin, selectors.EVENT_WRITE)
        while True:
            ready = selector.select(max(deadline - time.monotonic(), 0))
            if not ready or time.monotonic() > deadline:
                raise _late(limit)
            for key, _ in ready:
                if key.fileobj is process.stdout:
                    piece = os.read(process.stdout.fileno(), 1 << 16)
                    if not piece:
                        raise _Closed
                    yield piece
                    continue
                with contextlib.suppress(BlockingIOError):
                    rest = _write(process, rest)
                if not rest:
                    selector.unregister(process.stdin)
                    if not more:
                        with contextlib.suppress(BrokenPipeError):
                            process.stdin.close()


def _write(process: subprocess.Popen[bytes], rest: memoryview) -> memoryview:
    """Write a piece, and return the rest: nothing if the program closed its input."""
    assert process.stdin is not None
    try:
        return rest[os.write(process.stdin.fileno(), rest[: 1 << 16]) :]
    except BrokenPipeError:
        return rest[:0]


@dataclass
class _Lines:
    """One process for many pages; after a crash or a time-out, the next page starts a new one."""

    driver: Driver
    read: _Reader
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    _rest: bytearray = field(default_factory=bytearray, repr=False)

    def __repr__(self) -> str:
        return repr(self.driver)

    def __call__(self, document: PageInput, limit: float) -> dict[str, Any]:
        deadline = time.monotonic() + limit
        html = document.page().source.decode()
        try:
            if self._process is None:
                self._process = _start(self.driver, self.driver.command, subprocess.DEVNULL)
                self._rest = bytearray()
            request = json.dumps({"html": html, "url": document.url}).encode() + b"\n"
            line = self._exchange(self._process, request, deadline, limit)
        except BaseException:
            self.close()
            raise
        try:
            value = json.loads(line)
        except ValueError as error:
            raise InputError(f"the answer of the program is not JSON: {error}") from error
        if isinstance(value, dict) and "error" in value:
            raise InputError(str(value["error"]))
        if isinstance(value, dict) and "blocks" in value:
            value = {**value, "blocks": with_texts(value["blocks"], document)}
        return self.read(value)

    def _exchange(self, process: subprocess.Popen[bytes], request: bytes, deadline: float, limit: float) -> bytes:
        """Send a line, and wait for the answer."""
        try:
            for piece in _talk(process, request, deadline, limit, more=True):
                self._rest += piece
                if b"\n" in piece:
                    break
                if len(self._rest) > OUTPUT_BYTES:
                    raise DriverCrash(f"a line of more than {OUTPUT_BYTES} bytes")
        except _Closed as error:
            raise DriverCrash(_ended(process)) from error
        line, _, rest = bytes(self._rest).partition(b"\n")
        self._rest = bytearray(rest)
        return line

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            _end(self._process)
            self._process = None
