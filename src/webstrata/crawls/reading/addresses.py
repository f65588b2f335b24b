"""The URLs of files: from a list beside them, or from their paths."""

from __future__ import annotations

import csv
from pathlib import Path, PurePosixPath
from urllib.parse import quote

from webstrata.errors import InputError
from webstrata.files import open_regular

__all__ = ["LIST", "check_pattern", "listed_urls", "pattern_of", "url_of"]

#: The name of the list in a folder: columns ``file`` and ``url``.
LIST = "urls.csv"

_FIELDS = ("path", "page", "stem", "name")
_INDEX = ("index.html", "index.htm", "index.xhtml")


def pattern_of(base_url: str | None, pattern: str | None) -> str:
    """The pattern for a base URL, or the pattern itself; empty if neither is given.

    >>> pattern_of("https://example.org/docs", None)
    'https://example.org/docs/{path}'
    """
    if base_url and pattern:
        raise InputError("give one of --base-url and --url-from")
    if base_url:
        pattern = base_url.replace("{", "%7B").replace("}", "%7D").rstrip("/") + "/{path}"
    if pattern:
        check_pattern(pattern)
    return pattern or ""


def check_pattern(pattern: str) -> None:
    """Raise `InputError` unless a pattern makes URLs."""
    try:
        made = url_of(pattern, "a/b.html")
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise InputError(
            f"{pattern!r} is no pattern of URLs: write it as in https://example.org/{{path}}, with fields of"
            f" {', '.join(_FIELDS)}"
        ) from error
    if not made.startswith(("http://", "https://")):
        raise InputError(f"{pattern!r} makes URLs such as {made!r}: they must begin with http:// or https://")


def url_of(pattern: str, path: str) -> str:
    """The URL of a file by its path in its folder.

    ``{path}`` is the path, ``{page}`` the path without a last ``index.html``, ``{stem}`` the path without its ending,
    ``{name}`` the name of the file alone.

    >>> url_of("https://{page}", "example.org/strata/index.html"), url_of("http://a.org/{stem}", "silt.html")
    ('https://example.org/strata/', 'http://a.org/silt')
    """
    pure = PurePosixPath(path)
    page = path[: -len(pure.name)] if pure.name.lower() in _INDEX else path
    fields = {"path": path, "page": page, "stem": str(pure.with_suffix("")), "name": pure.name}
    return pattern.format_map({name: quote(value, safe="/~") for name, value in fields.items()})


def listed_urls(path: Path) -> dict[str, str]:
    """The URLs of a list, by the paths of files in the folder of the list."""
    try:
        with open_regular(path) as stream:
            lines = stream.read().decode("utf-8-sig", "replace").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from error
    rows = csv.DictReader(lines)
    try:
        if not {"file", "url"} <= set(rows.fieldnames or ()):
            raise InputError(f"{path} must have a first line with the columns file and url")
        return {str(PurePosixPath(row["file"])): row["url"].strip() for row in rows if row["file"] and row["url"]}
    except csv.Error as error:
        raise InputError(f"{path} has a line that cannot be read: {error}") from error
