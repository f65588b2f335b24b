"""Chains: the commands of a page of the documentation, run in order, each with what the last ones wrote."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
from commands import webstrata
from site_pages import same
from small_crawl import write_crawl

from webstrata.apps.cli import _group

__all__ = ["DOCS", "CrawlFolder", "Step", "contents", "equal", "kind_of", "named_kinds", "steps_of", "table_of"]

DOCS = Path(__file__).parents[2] / "docs"

#: What the pages of the documentation call their input.
_CRAWL, _FOLDERS = ("crawl.warc.gz", "crawl/*.warc.gz"), ("docs", "pages")
_FENCE = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TABLE = "| command | reads | writes |\n| --- | --- | --- |\n"
# The origin of a record is that of its file.
_ORIGIN = ("file", "record", "offset", "digest", "crawled")
# The files and columns by which what commands write is known.
_FILES = {
    "graph.json": "graph", "ranks.json": "ranks", "site.json": "site", "duplicates.json": "duplicates",
    "statistics.json": "link statistics", "about.json": "index", "figures.json": "sweep", "data": "statistics",
    "scores": "scores",
}  # fmt: skip
_COLUMNS = {
    "links": "rows of links", "link_text": "rows for search", "segments": "rows of segments", "text": "rows of text",
}  # fmt: skip
_QUERIES = ("river clay", "title:sand", "valley water spring")


@dataclass(frozen=True)
class Step:
    """A command of a page.

    Attributes
    ----------
    name : such as ``run extract``
    words : of the command line, without ``webstrata``
    target : the file that its output goes to, if any
    """

    name: str
    words: tuple[str, ...]
    target: str | None

    @property
    def output(self) -> str | None:
        """What it writes: a folder, a file, or nothing."""
        given = [after for word, after in zip(self.words, self.words[1:], strict=False) if word == "-o"]
        return given[0] if given else self.target

    @property
    def takes(self) -> set[str]:
        """The names of its options."""
        return {option for parameter in _command(self.words)[1].params for option in parameter.opts}


def steps_of(page: Path) -> list[Step]:
    """The commands in the shell blocks of a page."""
    lines = "\n".join(_FENCE.findall(page.read_text(encoding="utf-8"))).replace("\\\n", " ").splitlines()
    found = [re.sub(r"\s+#.*", "", line) for line in lines if line.startswith("webstrata ")]
    steps = []
    for line in found:
        command, _, target = line.partition(" > ")
        words = tuple(shlex.split(command)[1:])
        steps.append(Step(_command(words)[0], words, target.strip() or None))
    return steps


def _command(words: tuple[str, ...]) -> tuple[str, click.Command]:
    command: click.Command = _group
    context, rest = click.Context(command), list(words)
    name: list[str] = []
    while isinstance(command, click.Group):
        named = rest[0]
        word, inner, rest = command.resolve_command(context, rest)
        assert inner is not None
        # Some groups have a command that need not be named.
        command, name = inner, [*name, named] if word == named else name
        context = click.Context(command, parent=context)
    return " ".join(name), command


def table_of(page: Path) -> dict[tuple[str, str], set[str]]:
    """What each command writes, by its name and by what it reads."""
    rows: dict[tuple[str, str], set[str]] = {}
    for line in page.read_text(encoding="utf-8").partition(_TABLE)[2].splitlines():
        command, reads, writes = (cell.strip() for cell in line.strip("|").split("|"))
        rows.setdefault((command.strip("`"), reads), set()).add(writes)
    return rows


def named_kinds(steps: list[Step], table: dict[tuple[str, str], set[str]]) -> Iterator[tuple[Step, str, str]]:
    """Each command with the kinds of what it reads and of what it writes, by the table."""
    kinds: dict[str, str] = {}
    for step in steps:
        given = [word for word in step.words if word != step.output]
        reads = ", ".join(kinds.get(word, "pages") for word in given if word in kinds or _is_pages(word))
        known = table.get((step.name, reads), set())
        writes = next((kind for kind in known if bool(kind) == bool(step.output)), None)
        assert writes is not None, f"the table has no `{step.name}` that reads {reads!r}"
        if step.output:
            kinds[step.output] = writes
        yield step, reads, writes


def _is_pages(word: str) -> bool:
    return word in _CRAWL or word.split("/")[0] in _FOLDERS


@dataclass(frozen=True)
class CrawlFolder:
    """A folder with a crawl of three hosts, in which the commands of pages are run.

    Attributes
    ----------
    folder : the working directory of the commands
    kind : of `small_crawl.KINDS`
    engine : local or spark
    """

    folder: Path
    kind: str = "warc"
    engine: str = "local"

    def write(self) -> CrawlFolder:
        """Write the crawl, and the folders of HTML that the documentation names."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_crawl(self.folder, self.kind, mirror=True)
        if not (self.folder / "pages").exists():
            write_crawl(self.folder, "folder")
        host = self.folder / "pages/a.example.org"
        shutil.copytree(host, self.folder / "docs")
        (self.folder / "docs/page1.html").rename(self.folder / "docs/page.html")
        return self

    def run(self, step: Step) -> str:
        """Run a command in the folder, which must be the working directory; returns what it prints."""
        words = [part for word in step.words for part in self._input(word)]
        for option, value in (("--engine", self.engine), ("--jobs", "1")):
            if option in step.takes and not (option == "--jobs" and self.engine == "spark"):
                words += [option, value]
        done = webstrata(*words)
        assert done.exit_code == 0, f"{step.words}: {done.output}"
        if step.target:
            Path(step.target).write_text(done.stdout, encoding="utf-8")
        return str(done.stdout)

    def _input(self, word: str) -> list[str]:
        """What a word of the documentation stands for."""
        if word not in _CRAWL:
            return ["pages/a.example.org/page1.html" if word == "pages/page.html" else word]
        names = {"warc": "crawl.warc.gz", "folder": "pages", "jsonl": "crawl.jsonl", "parquet": "crawl.parquet"}
        return [names[self.kind], *(["--url-from", "http://{page}"] if self.kind == "folder" else [])]


def kind_of(path: Path) -> str:
    """What a command wrote."""
    if path.suffix in (".svg", ".html"):
        return {".svg": "picture", ".html": "report"}[path.suffix]
    if path.is_file():
        fields = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
        return "vectors" if "vector" in fields else "results"
    for name, kind in _FILES.items():
        if (path / name).exists():
            return kind
    if pages := list(path.rglob("*.html")):
        assert all("data-block" in page.read_text(encoding="utf-8") for page in pages)
        return "marked pages"
    columns = _table(path).column_names
    return next(kind for column, kind in _COLUMNS.items() if column in columns)


def _table(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    return pa.concat_tables([pq.ParquetFile(file).read() for file in sorted(path.glob("*.parquet"))])


def contents(path: Path) -> Any:
    """What a folder holds, whatever the input and the engine that made it."""
    from webstrata.crawls.jobs.duplicates.clusters import Duplicates
    from webstrata.links import LinkGraph
    from webstrata.links.ranks import Ranks
    from webstrata.search.index import Index
    from webstrata.sites import Sites

    kind = kind_of(path)
    if kind.startswith("rows"):
        table = _table(path)
        return sorted(table.drop_columns(list(_ORIGIN)).to_pylist(), key=lambda row: row["url"])
    if kind == "graph":
        graph = LinkGraph.open(path)
        source = np.repeat(np.arange(graph.pages), np.diff(graph.out_start))
        ends = zip(source.tolist(), graph.out_target.tolist(), graph.out_content.tolist(), strict=True)
        return [(graph.urls[a], graph.urls[b], mark) for a, b, mark in ends], dict(graph.counts)
    if kind == "ranks":
        return Ranks.open(path).unbiased
    if kind == "site":
        sites = Sites(path)
        return [sites.load(name) for name in sorted(sites.names())]
    if kind == "index":
        asked = (Index.open(path).query(query).answers for query in _QUERIES)
        return [[(answer.url, round(answer.score, 5)) for answer in answers] for answers in asked]
    if kind == "duplicates":
        return Duplicates(path).table.select(["cluster", "keeper", "url", "words", "shared"]).to_pylist()
    return {file.name: file.read_text(encoding="utf-8") for file in path.rglob("*.csv")}


def equal(one: Any, other: Any) -> bool:
    """Whether the contents of two folders are the same."""
    if isinstance(one, np.ndarray):
        # Engines sweep in other orders, and stop when a sweep changes less than this.
        return one.shape == other.shape and np.allclose(one, other, rtol=0, atol=1e-9)
    if isinstance(one, list) and one and hasattr(one[0], "tree"):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)
