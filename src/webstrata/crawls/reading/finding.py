"""Inputs by name: files, folders, addresses, lists of archives, the standard input."""

from __future__ import annotations

import glob
import gzip
import io
import zlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from webstrata.crawls.reading.addresses import LIST, listed_urls, url_of
from webstrata.crawls.reading.inputs import KINDS, Input, kind_of
from webstrata.crawls.reading.stores import archive_at, files_at, is_remote, open_input
from webstrata.errors import InputError, need
from webstrata.files import files_below

__all__ = ["find_inputs"]

_LISTS = (".paths", ".paths.gz")
# The lists of Common Crawl have 15 MB.
_LONGEST_LIST = 2**28


class _File(NamedTuple):
    kind: str
    name: str
    url: str = ""


def find_inputs(names: Sequence[str], *, url_from: str = "") -> list[Input]:
    """The inputs of these names. Consecutive HTML files are one input, and so is a folder of them.

    Parameters
    ----------
    names : paths or addresses of files and folders, patterns of files such as ``crawl/*.warc.gz``, lists of archives
        (``warc.paths.gz``), or ``-``
    url_from : the pattern of the URLs of HTML files (`webstrata.crawls.reading.addresses.url_of`); without it, a list
        ``urls.csv`` in a folder has their URLs

    >>> find_inputs(["a.warc.gz", "-"])
    [Input(kind='warc', files=('a.warc.gz',), urls=()), Input(kind='stdin', files=('-',), urls=())]
    """
    need("scale", "pyarrow")
    files = [file for name in names for file in _expand(name, url_from)]
    inputs: list[Input] = []
    for kind, group in groupby(files, key=lambda file: file.kind):
        members = list(group)
        if kind == "html":
            urls = tuple(file.url for file in members)
            inputs.append(Input(kind, tuple(file.name for file in members), urls if any(urls) else ()))
        else:
            inputs += [Input(kind, (file.name,)) for file in members]
    if sum(item.kind == "stdin" for item in inputs) > 1:
        raise InputError("the standard input can be read once: name - once")
    if any(item.kind in ("warc", "cdx") for item in inputs):
        need("scale", "fastwarc")
    if url_from and not any(item.kind == "html" for item in inputs):
        raise InputError("--base-url and --url-from give addresses to files of HTML, and there are none in the input")
    return inputs


def _expand(name: str, url_from: str) -> Iterator[_File]:
    if name == "-":
        yield _File("stdin", name)
    elif name.lower().endswith(_LISTS):
        for listed in _listed_archives(name):
            yield from _expand(listed, url_from)
    elif is_remote(name):
        yield from _remote(name)
    elif Path(name).is_dir():
        yield from _in_folder(Path(name), url_from)
    elif glob.has_magic(name) and not Path(name).exists():
        found = sorted(match for match in glob.glob(name, recursive=True) if Path(match).is_file())
        if not found:
            raise InputError(f"cannot read {name}: no file matches the pattern")
        for match in found:
            yield from _expand(match, url_from)
    else:
        url = url_of(url_from, Path(name).name) if url_from else ""
        yield _File(_known_kind(name), name, url)


def _remote(name: str) -> Iterator[_File]:
    if kind_of(name) is None and (found := files_at(name)):
        yield from (_File(kind_of(file) or "html", file) for file in found)
    else:
        yield _File(_known_kind(name), name)


def _in_folder(folder: Path, url_from: str) -> Iterator[_File]:
    """The files of a folder. Each is a record: files that are neither archives nor tables are read as HTML, or rejected
    for their first bytes."""
    files = files_below(folder)
    if not files:
        raise InputError(f"{folder} is an empty folder")
    urls = {} if url_from or folder / LIST not in files else listed_urls(folder / LIST)
    for file in files:
        path = file.relative_to(folder).as_posix()
        if path != LIST:
            url = url_of(url_from, path) if url_from else urls.get(path, "")
            yield _File(kind_of(file.name) or "html", str(file), url)


def _known_kind(name: str) -> str:
    kind = kind_of(name)
    if kind is None:
        endings = ", ".join(ending for group in KINDS.values() for ending in group)
        raise InputError(f"the kind of {name} is not clear from its name: known endings are {endings}")
    return kind


def _listed_archives(name: str) -> list[str]:
    """The archives of a list such as ``warc.paths.gz`` of Common Crawl."""
    with open_input(name) as stream:
        data = stream.read(_LONGEST_LIST + 1)
        try:
            if data.startswith(b"\x1f\x8b"):
                data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(_LONGEST_LIST + 1)
            text = data.decode()
        except (OSError, EOFError, ValueError, zlib.error) as error:
            raise InputError(f"{name} is no list of paths: {error}") from error
    if len(data) > _LONGEST_LIST:
        raise InputError(f"{name} is no list of paths: it has more than {_LONGEST_LIST:,} bytes")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{name} lists no paths")
    return [archive_at(line, name) for line in lines]
