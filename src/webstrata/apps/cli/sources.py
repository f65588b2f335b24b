"""Pages as they are named on the command line: files, folders, patterns, compressed files, addresses, a pipe."""

from __future__ import annotations

import glob
import gzip
import re
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path, PurePosixPath

from webstrata.errors import EncodingError, InputError
from webstrata.page import Page, parse

__all__ = ["Source", "find_sources", "parse_source", "read_source"]

#: What the files of a folder must end in to be read; each may be compressed as well.
ENDINGS = (".html", ".htm", ".xhtml")
# Larger than any page. What a few bytes unfold to must end somewhere.
_MOST_BYTES = 64 * 2**20
_SECONDS = 30
_GZIP = b"\x1f\x8b"
_NOT_IN_NAMES = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A page to read.

    Attributes
    ----------
    name : a file, an address, or "-" for the standard input
    target : where its content goes below a folder of results, without an ending
    """

    name: str
    target: str

    @property
    def is_address(self) -> bool:
        return _is_address(self.name)


def find_sources(names: Iterable[str]) -> Iterator[Source | InputError]:
    """The pages that names stand for, in the order of the names; for a name of nothing, what is wrong with it.

    A folder stands for the HTML files in it and below it, a name with ``*``, ``?`` or ``[`` that is no file for what
    matches it (``**`` for any number of folders). No two pages have the same target.
    """
    taken: set[str] = set()
    for name in names:
        found = list(_expand(name))
        if not found:
            yield InputError(_nothing(name))
        for source in found:
            target, number = source.target, 1
            while target in taken:
                number += 1
                target = f"{source.target}-{number}"
            taken.add(target)
            yield Source(source.name, target)


def _expand(name: str) -> Iterator[Source]:
    if name == "-":
        yield Source(name, "page")
    elif _is_address(name):
        yield Source(name, _target_of_address(name))
    elif Path(name).is_dir():
        yield from _below(Path(name))
    elif not Path(name).exists() and glob.has_magic(name):
        for match in sorted(glob.glob(name, recursive=True)):
            if Path(match).is_file():
                yield Source(match, _stem(Path(match).name))
    else:
        yield Source(name, _stem(Path(name).name))


def _below(folder: Path) -> Iterator[Source]:
    for path in sorted(folder.rglob("*")):
        if path.name.lower().removesuffix(".gz").endswith(ENDINGS) and path.is_file():
            relative = PurePosixPath(path.relative_to(folder).as_posix())
            yield Source(str(path), str(relative.with_name(_stem(relative.name))))


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


def _nothing(name: str) -> str:
    if Path(name).is_dir():
        return f"cannot read {name}: the folder holds no file that ends in {', '.join(ENDINGS)}, or in these and .gz"
    return f"cannot read {name}: no file matches the pattern"


def read_source(source: Source) -> tuple[bytes, str | None, str | None]:
    """The bytes of a page; its address and its encoding where the server tells them."""
    if source.is_address:
        return _fetch(source.name)
    try:
        data = sys.stdin.buffer.read() if source.name == "-" else Path(source.name).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {source.name}: {error.strerror}") from error
    return _unpacked(source.name, data), None, None


def parse_source(source: Source, *, url: str | None = None, encoding: str | None = None) -> Page:
    """The page of a source; what the user says of its address and its encoding counts more than what a server says."""
    data, told_url, told_encoding = read_source(source)
    if encoding is None and told_encoding is not None:
        # A server that names no known encoding says nothing: the page itself is asked.
        with suppress(EncodingError):
            return parse(data, url=url or told_url, encoding=told_encoding)
    return parse(data, url=url or told_url, encoding=encoding)


def _unpacked(name: str, data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    try:
        with gzip.open(BytesIO(data)) as stream:
            unpacked = stream.read(_MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"cannot read {name}: it does not decompress ({error})") from error
    if len(unpacked) > _MOST_BYTES:
        raise InputError(f"cannot read {name}: it decompresses to more than {_MOST_BYTES} bytes")
    return unpacked


def _fetch(url: str) -> tuple[bytes, str | None, str | None]:
    """A page from its server. One request, no cookies, no scripts; for pages that need a browser there is snapshot."""
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    from webstrata import __version__

    headers = {"User-Agent": f"webstrata/{__version__}", "Accept": "text/html, application/xhtml+xml"}
    try:
        with urlopen(Request(url, headers=headers), timeout=_SECONDS) as response:
            kind = response.headers.get_content_type()
            if kind not in ("text/html", "application/xhtml+xml", "text/plain"):
                raise InputError(f"cannot read {url}: it is {kind}, not HTML")
            data = response.read(_MOST_BYTES + 1)
            if len(data) > _MOST_BYTES:
                raise InputError(f"cannot read {url}: it has more than {_MOST_BYTES} bytes")
            return _unpacked(url, data), response.url, response.headers.get_content_charset()
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read {url}: {error}") from error
