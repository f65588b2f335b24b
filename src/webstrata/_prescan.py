"""The encoding that a page declares: the HTML standard's "prescan a byte stream to determine its encoding"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata._legacy import lookup

__all__ = ["PRESCAN_BYTES", "declarations", "prescan", "says_only_utf8"]

#: Bytes of a page that the standard reads.
PRESCAN_BYTES = 1024
# A part of every declaration, and the usual forms of it.
_DECLARING = (b"charset", b"encoding")
_DECLARING_UTF8 = tuple(b"%b=%butf-8" % (word, quote) for word in _DECLARING for quote in (b"", b'"', b"'"))

# White space is that of HTML, which bytes.isspace() and \s exceed by a vertical tab.
_META = re.compile(rb"<meta[\t\n\f\r /]", re.IGNORECASE)
_TAG = re.compile(rb"</?[a-z][^\t\n\f\r >]*", re.IGNORECASE)
_BEFORE_ATTRIBUTE = re.compile(rb"[\t\n\f\r /]*")
_ATTRIBUTE = re.compile(
    rb"""([^\t\n\f\r />][^\t\n\f\r /=>]*)
         (?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)(?:"|\Z)|'([^']*)(?:'|\Z)|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?""",
    re.VERBOSE,
)
_CHARSET_IN_CONTENT = re.compile(
    rb"""charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"'][^\t\n\f\r ;]*)|)"""
)
_XML_DECLARATION = re.compile(rb"""<\?xml[^>]*?encoding[\0-\x20]*=[\0-\x20]*(["'])([^\0-\x20>]*?)\1[^>]*>""")


def prescan(data: bytes, *, limit: int = PRESCAN_BYTES) -> str | None:
    """The encoding that the first `limit` bytes declare: the standard's "prescan a byte stream", or None.

    >>> prescan(b"<!-- <meta charset=big5> --><META http-equiv=content-type content='text/html; charset=Latin1'>")
    'windows-1252'
    """
    head = data[:limit]
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    lower = head.lower()
    return next(declarations(head), None) if b"charset" in lower or b"encoding" in lower else None


def says_only_utf8(head: bytes) -> bool:
    """Whether no declaration could name another encoding: the prescan, which reads tags, takes ten times as long."""
    lower = head.lower()
    return sum(map(lower.count, _DECLARING)) == sum(map(lower.count, _DECLARING_UTF8))


def declarations(head: bytes) -> Iterator[str]:
    """The declared encodings, by precedence."""
    yield from filter(None, map(_declared, _metas(head)))
    declaration = _XML_DECLARATION.match(head)
    name = _lookup_readable(declaration[2]) if declaration else None
    if name:
        yield name


def _metas(head: bytes) -> Iterator[dict[bytes, bytes]]:
    """The attributes of each complete ``<meta>``, comments and other tags skipped."""
    position = head.find(b"<")
    while position >= 0:
        if head.startswith(b"<!--", position):
            end = head.find(b"-->", position + 2)
            position = end + 3 if end >= 0 else len(head)
        elif tag := _META.match(head, position) or _TAG.match(head, position):
            attributes, position = _read_attributes(head, tag.end())
            if tag.re is _META and position < len(head):
                yield attributes
        elif head.startswith((b"<!", b"</", b"<?"), position):
            end = head.find(b">", position)
            position = end + 1 if end >= 0 else len(head)
        else:
            position += 1
        position = head.find(b"<", position)


def _read_attributes(head: bytes, position: int) -> tuple[dict[bytes, bytes], int]:
    """The attributes from here on, and the position of the tag's ``>``, or the end of `head`."""
    attributes: dict[bytes, bytes] = {}
    while True:
        space = _BEFORE_ATTRIBUTE.match(head, position)
        position = space.end() if space else position
        attribute = _ATTRIBUTE.match(head, position)
        if attribute is None:
            return attributes, position
        name, *values = attribute.groups(b"")
        attributes.setdefault(name.lower(), b"".join(values).lower())
        position = attribute.end()


def _declared(attributes: dict[bytes, bytes]) -> str | None:
    """The encoding that a ``<meta>`` with these attributes declares."""
    if b"charset" in attributes:
        return _lookup_readable(attributes[b"charset"])
    if attributes.get(b"http-equiv") == b"content-type":
        charset = _CHARSET_IN_CONTENT.search(attributes.get(b"content", b""))
        return _lookup_readable(b"".join(charset.groups(b""))) if charset else None
    return None


def _lookup_readable(label: bytes) -> str | None:
    """The encoding of a label read as ASCII, which UTF-16 pages are not: such a label means UTF-8."""
    name = lookup(label.decode("latin-1"))
    if name in ("utf-16le", "utf-16be"):
        return "utf-8"
    return "windows-1252" if name == "x-user-defined" else name
