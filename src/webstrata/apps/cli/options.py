"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

__all__ = [
    "FOLDER",
    "algorithm",
    "encoding",
    "engine_options",
    "extractor",
    "input_arguments",
    "jobs",
    "limited_pages",
    "optional_output",
    "options",
    "output",
    "output_folder",
    "page_arguments",
    "page_jobs",
    "processes",
    "recordings",
    "segmenters",
    "site",
    "tabs",
    "url",
]

Decorator = Callable[[Any], Any]


class _LocalPath(click.Path):
    """A path of this machine."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if "://" in str(value):
            self.fail(f"{value} is an address, and this command writes and reads folders of this machine", param, ctx)
        return super().convert(value, param, ctx)


#: The type of options that name a folder or a file.
FOLDER = _LocalPath(path_type=Path)

jobs = click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Worker processes.  [default: all cores]")
page_jobs = click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", default=1, show_default=True, help="Worker processes."
)
encoding = click.option("--encoding", metavar="LABEL", help="Encoding of the page; overrides its own declaration.")
url = click.option("--url", metavar="URL", help="Address of the page, to resolve its links.")
site = click.option(
    "--site", metavar="SITE", help="Folder of `webstrata site learn`: use what was learnt about the page's site."
)
extractor = click.option("--algorithm", metavar="NAME", help="Extractor that separates content from template.")
recordings = click.option(
    "--recordings",
    type=FOLDER,
    help="Folder of `webstrata record` for visual algorithms.  [default: WEBSTRATA_RECORDINGS, or out/recordings]",
)
limited_pages = click.option("--pages", type=click.IntRange(1), help="Use only this many pages of each data set.")


def options(*decorators: Decorator) -> Decorator:
    """Several options as one decorator; ``--help`` lists them in this order."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def page_arguments(function: Any) -> Any:
    """FILE..., --encoding and --url, for commands that read pages. Without FILE, a page that is piped is read."""

    @wraps(function)
    def command(*, files: tuple[str, ...], **arguments: Any) -> Any:
        from webstrata.apps.cli.inputs import names_or_pipe

        names = names_or_pipe(files)
        if not names:
            raise click.UsageError("name a FILE, a folder, a pattern or an address, or pipe a page")
        return function(files=names, **arguments)

    return options(click.argument("files", nargs=-1, metavar="[FILE]..."), encoding, url)(command)


def input_arguments(function: Any) -> Any:
    """INPUT..., --base-url and --url-from, as one ``url_from``. Without INPUT, one that is piped is read."""

    @wraps(function)
    def command(*, inputs: tuple[str, ...], base_url: str | None, url_from: str | None, **arguments: Any) -> Any:
        from webstrata.apps.cli.inputs import names_or_pipe
        from webstrata.crawls.reading.addresses import pattern_of

        names = names_or_pipe(inputs)
        if not names:
            raise click.UsageError("name an INPUT: a file, a folder, a pattern or an address, or pipe one")
        return function(inputs=names, url_from=pattern_of(base_url, url_from), **arguments)

    return options(
        click.argument("inputs", nargs=-1, metavar="[INPUT]..."),
        click.option("--base-url", metavar="URL", help="Address of the folder INPUT, for the URLs of its files."),
        click.option("--url-from", metavar="PATTERN",
                     help="URLs of files from their paths in the folder, as in 'https://{path}'; also {page}, without "
                     "a last index.html, {stem}, without the ending, and {name}."),
    )(command)  # fmt: skip


def output(help: str, *, default: str | None = None, **attributes: Any) -> Decorator:  # noqa: A002
    """-o or --output for a file or a folder; required if it has no default."""
    given = {"required": True} if default is None else {"default": default, "show_default": True}
    return click.option("-o", "--output", **{"type": FOLDER, "help": help, **given, **attributes})


def optional_output(help: str) -> Decorator:  # noqa: A002
    """-o or --output for a file or a folder; without it, the standard output."""
    return click.option("-o", "--output", type=FOLDER, metavar="PATH", help=help)


def output_folder(default: str) -> Decorator:
    """-o or --output for the folder of results."""
    return output("Folder for the results.", default=default)


def algorithm(default: str, help: str) -> Decorator:  # noqa: A002
    """--algorithm with a default."""
    return click.option("--algorithm", default=default, show_default=True, metavar="NAME", help=help)


def segmenters(default: str) -> Decorator:
    """--algorithm for one or several segmenters; the command gets it as ``names``."""
    return click.option(
        "--algorithm",
        "names",
        default=default,
        show_default=True,
        metavar="NAME[,NAME]",
        help="Segmenters, as in bf-plain(theta=0.5); `webstrata algorithms` lists them.",
    )


def processes(help: str = "Worker processes.") -> Decorator:  # noqa: A002
    """--jobs with the number of cores as default."""
    return click.option(
        "-j", "--jobs", default=_cores, type=click.IntRange(1), metavar="N", help=f"{help}  [default: all cores]"
    )


def tabs(default: int) -> Decorator:
    """--jobs of commands that render: tabs of one browser."""
    return click.option(
        "-j",
        "--jobs",
        default=default,
        show_default=True,
        type=click.IntRange(1, 16),
        metavar="N",
        help="Pages to render at once, up to 16.",
    )


def _cores() -> int:
    from webstrata.workers.cores import cores

    return cores()


def engine_options(function: Any) -> Any:
    """--jobs, --engine and --resume; the command gets them as one ``engine``."""

    @wraps(function)
    def command(*, jobs: int | None, engine: str, resume: bool, **arguments: Any) -> Any:
        from webstrata.crawls.folding.engines import Engine
        from webstrata.errors import need

        need("scale", "pyarrow")
        if engine == "spark":
            need("spark", "pyspark")
        return function(engine=Engine(name=engine, jobs=jobs, resume=resume), **arguments)

    return options(
        jobs,
        click.option(
            "--engine",
            type=click.Choice(["local", "spark"]),
            default="local",
            show_default=True,
            help="Run on processes of this machine, or on Spark.",
        ),
        click.option("--resume", is_flag=True, help="Continue an earlier run in the same output folder."),
    )(command)
