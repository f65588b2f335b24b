"""Where commands that read pages write: the standard output, one file, or a file for each page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from webstrata.apps.cli.inputs import NamedPage
from webstrata.apps.cli.terminal import echo
from webstrata.errors import InputError

__all__ = ["WritePage", "new_directory", "page_output"]

#: Writes the result of a page.
WritePage = Callable[[NamedPage, str], None]
#: The line before the result of a page, by its name and by whether it is the first one.
Separator = Callable[[str, bool], str]


def new_directory(path: Path) -> Path:
    """The folder, which is made if it does not exist."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
    return path


@contextmanager
def page_output(
    output: Path | None, pages: list[NamedPage], *, ending: str, separator: Separator | None = None
) -> Iterator[WritePage]:
    """A function that writes the results of pages; at the end, a line on standard error counts them.

    Parameters
    ----------
    output : the file for a single page, or the folder for several pages; None for the standard output
    ending : the ending of the files in a folder
    separator : separates the pages on the standard output, if there are several
    """
    if output is None:
        yield _standard_output(separator if len(pages) > 1 else None)
        return
    in_folder = output.is_dir() or len(pages) != 1 or pages[0].is_listed
    written = 0

    def write(page: NamedPage, text: str) -> None:
        nonlocal written
        _write_file(output / f"{page.target}{ending}" if in_folder else output, page, text)
        written += 1

    yield write
    echo(f"{written} page{'' if written == 1 else 's'} -> {output}", err=True)


def _standard_output(separator: Separator | None) -> WritePage:
    first = True

    def write(page: NamedPage, text: str) -> None:
        nonlocal first
        if separator is not None:
            echo(separator(page.name, first), nl=False)
            first = False
        echo(text, nl=False)

    return write


def _write_file(path: Path, page: NamedPage, text: str) -> None:
    try:
        if not page.is_address and path.exists() and path.samefile(page.name):
            raise InputError(f"{path} would overwrite the page itself: choose another --output")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from error
