"""Sources of pages to render: HTML, a file, or a URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from webstrata._connections import Target
from webstrata.errors import InputError, RenderError
from webstrata.page import Page, parse
from webstrata.rendering.resources import FILE_HOST, Folder, Nothing, ResourceLoader, Web

__all__ = ["LoadedPage", "PageSource", "find_source"]

_WEB = re.compile(r"https?://", re.IGNORECASE)
_HTML_TYPES = frozenset(["text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml", ""])


@dataclass(frozen=True, eq=False)
class LoadedPage:
    """A page before it goes to the browser: parsed, with its address in the browser, and the loader of its files."""

    page: Page
    address: str
    resources: ResourceLoader


@dataclass(frozen=True, kw_only=True)
class PageSource:
    """A page to render: one of ``html``, ``path`` and ``url``, or ``html`` with its ``url``.

    A file may load files of ``folder``, and a page from the web from ``hosts`` besides its own host. Anybody may have
    chosen the URL of given HTML, so such a page may load from private addresses of ``hosts`` only.
    """

    html: bytes | str | None = None
    path: Path | None = None
    url: str | None = None
    folder: Path | None = None
    hosts: frozenset[str] = frozenset()
    any_host: bool = False

    def __str__(self) -> str:
        return str(self.path) if self.path is not None else self.url or "the page"

    def open(self, seconds: float) -> LoadedPage:
        """Read the page; a page from the web must load within these seconds."""
        if self.path is not None:
            return self._file(self.path)
        if self.html is not None:
            address = self.url or f"http://{FILE_HOST}/"
            resources = self._web(address, own=False) if self.url else Folder(self.folder) if self.folder else Nothing()
            return LoadedPage(parse(self.html, url=self.url), address, resources)
        return self._from_web(self.url or "", seconds)

    def _file(self, path: Path) -> LoadedPage:
        root = self.folder or path.parent
        try:
            root = root.resolve()
            inside = path.resolve().relative_to(root)
            html = path.read_bytes()
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror}") from error
        except RuntimeError as error:
            raise InputError(f"cannot read {path}: its symbolic links form a loop") from error
        except ValueError as error:
            raise InputError(f"{path} is not in the folder {root}: name a folder that holds it") from error
        return LoadedPage(parse(html), f"http://{FILE_HOST}/{quote(str(inside))}", Folder(root))

    def _web(self, url: str, *, own: bool = True) -> Web:
        Target.of(url)  # raises InputError for a broken URL
        return Web(url, frozenset(map(str.lower, self.hosts)), self.any_host, own)

    def _from_web(self, url: str, seconds: float) -> LoadedPage:
        web = self._web(url)
        found = web.page(url, seconds)
        kind = _content_type(found.type)
        if kind not in _HTML_TYPES:
            raise RenderError(f"{url} is not an HTML page: its media type is {kind}")
        return LoadedPage(parse(found.body, url=found.url, header=found.type), found.url, web)


def _content_type(value: str) -> str:
    """
    >>> _content_type("Text/HTML; charset=UTF-8")
    'text/html'
    """
    return value.partition(";")[0].strip().lower()


def find_source(
    page: str | bytes | Path,
    *,
    url: str | None = None,
    folder: str | Path | None = None,
    hosts: frozenset[str] = frozenset(),
    any_host: bool = False,
) -> PageSource:
    """The source: bytes and strings with a ``<`` are HTML, strings that begin with http are URLs, others paths.

    >>> find_source("<p>x").html, find_source("http://example.org/").url
    ('<p>x', 'http://example.org/')
    """
    options = {"folder": None if folder is None else Path(folder), "hosts": hosts, "any_host": any_host}
    if url is not None and not _WEB.match(url):
        raise InputError(f"a URL begins with http:// or https://, unlike {url!r}")
    if isinstance(page, bytes) or (isinstance(page, str) and "<" in page):
        return PageSource(html=page, url=url, **options)  # type: ignore[arg-type]
    if url is not None:
        raise InputError("url= is for HTML only: leave it out for a file or a URL")
    if isinstance(page, str) and _WEB.match(page):
        return PageSource(url=page, **options)  # type: ignore[arg-type]
    if isinstance(page, str | Path):
        path = Path(page)
        if not path.is_file():
            raise InputError(f"there is no file {path}: give HTML, a file, or a URL that begins with http")
        return PageSource(path=path, **options)  # type: ignore[arg-type]
    raise InputError(f"a page is HTML, a path or a URL, not {type(page).__name__}")
