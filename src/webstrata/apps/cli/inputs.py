"""Pages named on the command line: files, folders, patterns, compressed files, addresses, standard input."""

from __future__ import annotations

import glob
import gzip
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from webstrata._first_bytes import other_kind
from webstrata.errors import InputError
from webstrata.files import files_below, open_regular
from webstrata.page import Page, parse

if TYPE_CHECKING:
    from webstrata.rendering.page import RenderedPage

__all__ = ["NamedPage", "every_page", "find_pages", "names_or_pipe", "read_recording"]

#: Endings of the files to read in a folder; .gz may follow.
ENDINGS = (".html", ".htm", ".xhtml")
# Larger than any page: a limit for devices and pipes that never end, and for what compressed bytes expand to.
_MOST_BYTES = 64 * 2**20
_SECONDS = 30
_GZIP = b"\x1f\x8b"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page to read.

    Attributes
    ----------
    name : a file, an address, or "-" for the standard input
    target : path for its results in an output folder, without an ending
    is_listed : whether a folder or a pattern stands for it
    """

    name: str
    target: str = "page"
    is_listed: bool = False

    @property
    def is_address(self) -> bool:
        return _is_address(self.name)

    def read(self) -> tuple[bytes, str | None, str | None]:
        """The bytes of the page, and its address and its Content-Type header if a server sent it."""
        if self.is_address:
            return _fetch(self.name)
        try:
            data = _read(self.name)
        except OSError as error:
            raise InputError(f"cannot read {self.name}: {error.strerror}") from error
        return _checked(self.name, _decompressed(self.name, data)), None, None

    def parse(self, *, url: str | None = None, encoding: str | None = None) -> Page:
        """The parsed page. ``url`` and ``encoding`` override those of the server."""
        data, final_url, header = self.read()
        return parse(data, url=url or final_url, encoding=encoding, header=header)


def find_pages(names: Iterable[str]) -> Iterator[NamedPage | InputError]:
    """The pages of the arguments, in their order; an error for an argument without pages.

    A folder stands for all HTML files below it. A name with ``*``, ``?`` or ``[`` that is not a file is a pattern, with
    ``**`` for any number of folders. All targets are different.
    """
    taken: set[str] = set()
    for name in names:
        found = list(_expand(name))
        if not found:
            yield InputError(_no_pages(name))
        for page in found:
            target, number = page.target, 1
            while target in taken:
                number += 1
                target = f"{page.target}-{number}"
            taken.add(target)
            yield replace(page, target=target)


def every_page(names: Iterable[str]) -> list[NamedPage]:
    """The pages of the arguments; the error of an argument without pages is raised."""
    pages = []
    for found in find_pages(names):
        if isinstance(found, InputError):
            raise found
        pages.append(found)
    return pages


def names_or_pipe(names: tuple[str, ...]) -> tuple[str, ...]:
    """The arguments, or the standard input if there are none and something is piped."""
    if names or not _is_piped():
        return names
    return ("-",)


def _is_piped() -> bool:
    """Whether the standard input is a pipe, a socket or a file, and no terminal or device."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or replaced by a stream without a file
        return sys.stdin is not None and not sys.stdin.closed
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def read_recording(name: str) -> RenderedPage | None:
    """The rendered page in a file; None if the file is not a recording."""
    if name == "-":
        return None
    with suppress(OSError), open_regular(name) as stream:  # a missing file is reported when it is read as HTML
        if stream.read(2) != b"PK":  # recordings are zip archives; their reader is imported only for these
            return None
    from webstrata.rendering.page import RenderedPage
    from webstrata.rendering.recording import is_recording

    return RenderedPage.load(name) if is_recording(name) else None


def _expand(name: str) -> Iterator[NamedPage]:
    if name == "-":
        yield NamedPage(name)
    elif _is_address(name):
        yield NamedPage(name, _target_of_address(name))
    elif Path(name).is_dir():
        yield from _below(Path(name))
    elif not Path(name).exists() and glob.has_magic(name):
        for match in sorted(glob.glob(name, recursive=True)):
            if Path(match).is_file():
                yield NamedPage(match, _stem(Path(match).name), is_listed=True)
    else:
        yield NamedPage(name, _stem(Path(name).name))


def _below(folder: Path) -> Iterator[NamedPage]:
    for path in files_below(folder):
        if path.name.lower().removesuffix(".gz").endswith(ENDINGS):
            relative = PurePosixPath(path.relative_to(folder).as_posix())
            yield NamedPage(str(path), str(relative.with_name(_stem(relative.name))), is_listed=True)


def _stem(name: str) -> str:
    """A file name without the endings of HTML.

    >>> _stem("page.html.gz"), _stem("v1.2"), _stem(".html")
    ('page', 'v1.2', '.html')
    """
    for ending in (".gz", *ENDINGS):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name


def _is_address(name: str) -> bool:
    return name.startswith(("http://", "https://"))


def _target_of_address(url: str) -> str:
    """A file name for an address.

    >>> _target_of_address("https://example.org/a/b.html?c=../d")
    'example.org_a_b.html_c_.._d'
    """
    return _NOT_IN_NAMES.sub("_", url.partition("://")[2]).strip("_.")[:150] or "page"


def _no_pages(name: str) -> str:
    if Path(name).is_dir():
        return f"cannot read {name}: the folder has no file that ends in {', '.join(ENDINGS)}, or in these and .gz"
    return f"cannot read {name}: no file matches the pattern"


def _read(name: str) -> bytes:
    with nullcontext(sys.stdin.buffer) if name == "-" else open_regular(name) as stream:
        data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        _checked(name, data)
        raise InputError(f"cannot read {name}: it has more than {_MOST_BYTES} bytes")
    return data


def _checked(name: str, data: bytes) -> bytes:
    """The bytes, unless they begin as a file of another kind than HTML."""
    kind = other_kind(data)
    if kind in ("WARC", "Parquet"):
        raise InputError(f"{name} is a {kind} file with many pages: use `webstrata run extract {name} -o OUT`")
    if kind is not None:
        raise InputError(f"cannot read {name}: it is not HTML, but {kind}")
    return data


def _decompressed(name: str, data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        with gzip.open(BytesIO(data)) as stream:
            decompressed = stream.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {name}: it does not decompress ({error})") from error
    if len(decompressed) > _MOST_BYTES:
        _checked(name, decompressed)
        raise InputError(f"cannot read {name}: it decompresses to more than {_MOST_BYTES} bytes")
    return decompressed


def _fetch(url: str) -> tuple[bytes, str | None, str | None]:
    """Fetch a page in one request, without cookies and scripts; `webstrata snapshot` uses a browser."""
    from webstrata.apps.fetching import Fetcher

    try:
        found = Fetcher(size=_MOST_BYTES, seconds=_SECONDS, ports=None, named=True, plain=True)(url)
    except InputError as error:
        raise InputError(f"cannot read {url}: {error}") from error
    return _checked(url, _decompressed(url, found.html)), found.url, found.header
