"""Files of a page as part of its HTML: images and fonts as data URLs, style sheets with all that they refer to.

A file is inlined if its media type fits the place: images and fonts where these are shown, CSS as style sheets.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from urllib.parse import urldefrag, urljoin

from webstrata._allowed import style_text
from webstrata.rendering.resources import Resource
from webstrata.urls import clean

__all__ = ["data_url", "decode_css", "freeze_css", "is_css", "join"]

_IMPORTS = 8
_NOTHING = "data:,"
# The media types of images and fonts, and the first bytes of those that servers send under another type.
_EMBEDDED = re.compile(r"(?:image|font)/[\w.+-]+|application/(?:x-)?font-[\w-]+|application/vnd\.ms-fontobject")
_SIGNATURES = {b"\x89PNG": "image/png", b"GIF8": "image/gif", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp",
               b"\0\0\1\0": "image/x-icon", b"wOFF": "font/woff", b"wOF2": "font/woff2", b"OTTO": "font/otf",
               b"\0\1\0\0": "font/ttf"}  # fmt: skip
_EMBEDDED_URL = re.compile(rf"data:(?:{_EMBEDDED.pattern})[;,]", re.IGNORECASE)

_CSS = re.compile(
    r"""/\*.*?(?:\*/|\Z) | (?P<comment><!--)
      | (?P<import>@import\s+)
        (?:url\(\s*(?:"(?P<a>[^"]*)"|'(?P<b>[^']*)'|(?P<c>[^)"'\s]*))\s*\)|"(?P<d>[^"]*)"|'(?P<e>[^']*)')
      | url\(\s*(?:"(?P<f>(?:[^"\\]|\\.)*)"|'(?P<g>(?:[^'\\]|\\.)*)'|(?P<h>[^)"']*?))\s*\)
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_CSS_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)


def freeze_css(css: str, base: str, loaded: Mapping[str, Resource], depth: int = 0) -> str:
    """A style sheet with all files that it refers to inlined.

    >>> freeze_css("a { background: url(x.png) } /* url(y) */", "http://example.org/",
    ...     {"http://example.org/x.png": Resource("", 200, "image/png", b"x")})
    'a { background: url("data:image/png;base64,eA==") } /* url(y) */'
    """

    def change(found: re.Match[str]) -> str:
        # Old pages hide style sheets in comments of HTML.
        if found["comment"]:
            return ""
        reference = next((value for value in found.groupdict().values() if value and value != found["import"]), None)
        if found["import"]:
            inner = _sheet(reference or "", base, loaded, depth + 1)
            return f'@import url("{inner}")'
        if found[0][:3].lower() != "url":
            return found[0]
        return f'url("{data_url(_unescape(reference or ""), base, loaded)}")'

    return style_text(_CSS.sub(change, css))


def _unescape(text: str) -> str:
    return _CSS_ESCAPE.sub(lambda found: chr(min(int(found[1], 16), 0x10FFFF)) if found[1] else found[2], text)


def _sheet(reference: str, base: str, loaded: Mapping[str, Resource], depth: int) -> str:
    """A style sheet that another imports, as a data URL."""
    url = join(base, reference)
    found = loaded.get(url)
    if found is None or depth > _IMPORTS or not is_css(found):
        return "data:text/css,"
    css = freeze_css(decode_css(found), found.url or url, loaded, depth)
    return f"data:text/css;charset=utf-8;base64,{base64.b64encode(css.encode('utf-8', 'replace')).decode()}"


def decode_css(found: Resource) -> str:
    try:
        return found.body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return found.body.decode("windows-1252", "replace")


def data_url(reference: str, base: str, loaded: Mapping[str, Resource]) -> str:
    """An image or font as a data URL; references into the same document stay as they are."""
    reference = clean(reference).replace('"', "%22").replace("\\", "%5C")
    if not reference or reference.startswith("#"):
        return reference
    if reference[:5].lower() == "data:":
        return reference if _EMBEDDED_URL.match(reference) else _NOTHING
    url, fragment = urldefrag(join(base, reference))
    found = loaded.get(url) or loaded.get(join(base, reference))
    kind = _embedded_type(found) if found is not None and found.status < 400 else None
    if found is None or kind is None:
        return _NOTHING
    return f"data:{kind};base64,{base64.b64encode(found.body).decode()}" + (f"#{fragment}" if fragment else "")


def _embedded_type(found: Resource) -> str | None:
    """The type of an image or a font, or None for other files."""
    kind = found.type.partition(";")[0].strip().lower()
    if _EMBEDDED.fullmatch(kind):
        return kind
    return next((kind for start, kind in _SIGNATURES.items() if found.body.startswith(start)), None)


def is_css(found: Resource) -> bool:
    return found.type.partition(";")[0].strip().lower() == "text/css"


def join(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return ""
