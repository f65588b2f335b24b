"""Bytes to UTF-8, by the rules that browsers follow.

A page says in up to three places how it is encoded, and often wrongly or not at all. The first of these that answers
decides:

1. a byte order mark;
2. the caller, who may know the HTTP header;
3. a ``<meta>`` within the first 1024 bytes (the HTML standard's prescan);
4. the bytes, if they are valid UTF-8;
5. a ``<meta>`` within the first 64 kB;
6. a statistical guess over all bytes, if ``webstrata[encoding]`` is installed;
7. windows-1252, for which every byte means something.

Names and labels are those of the Encoding standard, names in lower case as ``TextDecoder.encoding`` reports them:
``latin-1`` and ``ascii`` are windows-1252, ``gb2312`` is gbk. Nothing here raises because of the bytes: what does not
decode becomes U+FFFD.

Deviations: a browser that meets a late ``<meta>`` re-reads the page, whatever its bytes; step 5 does so only for bytes
that are not UTF-8. Browsers guess (6) from the top-level domain and the user's language as well.

References: https://encoding.spec.whatwg.org/ and https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from webstrata._legacy import lookup, to_text
from webstrata._utf8 import is_valid
from webstrata.errors import EncodingError, InputError

__all__ = ["MAX_BYTES", "decode", "from_str", "prescan"]

#: Sources stay below this size, so that every offset fits a 32-bit column.
MAX_BYTES = 2**31 - 1

_PRESCAN_BYTES = 1024
# Pages that put scripts before their meta do so by some kilobytes, not by megabytes.
_LATE_PRESCAN_BYTES = 65536

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))

# What the detector calls an encoding, where that is no label of the standard.
_DETECTOR_NAMES = {"uhc": "euc-kr", "mac-cyrillic": "x-mac-cyrillic", "utf-8-sig": "utf-8"}


def decode(data: bytes, encoding: str | None = None) -> tuple[bytes, str]:
    """Return the page as valid UTF-8 bytes, and the name of the encoding it was read as.

    Bytes that already are valid UTF-8 come back as the same object. A byte order mark is dropped.

    Parameters
    ----------
    data : the page as it was received
    encoding : a label that the caller trusts more than the page; `EncodingError` if the standard does not know it

    >>> decode(b"<meta charset=koi8-r><p>\\xed\\xc9\\xd2")
    (b'<meta charset=koi8-r><p>\\xd0\\x9c\\xd0\\xb8\\xd1\\x80', 'koi8-r')
    >>> decode("où".encode(), encoding="latin1")[0].decode()
    'oÃ¹'
    """
    _check_size(data)
    given = None
    if encoding is not None:
        given = lookup(encoding)
        if given is None:
            raise EncodingError(encoding)
    for mark, marked in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _to_utf8(data[len(mark) :], marked), marked
    name = given or prescan(data)
    if name is None:
        if is_valid(data):
            return data, "utf-8"
        name = prescan(data, limit=_LATE_PRESCAN_BYTES) or _guess(data) or "windows-1252"
    return _to_utf8(data, name), name


def from_str(text: str) -> bytes:
    """Return text as UTF-8. Two surrogates that make a pair become their character, a lone one becomes U+FFFD.

    >>> from_str("a\\udc80") == "a\\ufffd".encode()
    True
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    _check_size(data)
    return data


def _check_size(data: bytes) -> None:
    if len(data) >= MAX_BYTES:
        raise InputError(f"the page has {len(data):,} bytes: split it or cut it to fewer than {MAX_BYTES:,}")


def _to_utf8(data: bytes, name: str) -> bytes:
    if name == "utf-8" and is_valid(data):
        return data
    source = to_text(data, name).encode()
    _check_size(source)
    return source


def _guess(data: bytes) -> str | None:
    """The detector's opinion, or None if it has none, or is not installed (it is optional by design)."""
    try:
        import cchardet
    except ImportError:
        return None
    detected: str | None = cchardet.detect(data)["encoding"]
    if detected is None:
        return None
    name = lookup(_DETECTOR_NAMES.get(detected.lower(), detected))
    return None if name == "replacement" else name


# The prescan. Its white space is that of HTML, which bytes.isspace() and \s exceed by a vertical tab.

_HINT = re.compile(rb"charset|encoding|<\0\?\0x\0|\0<\0\?\0x", re.IGNORECASE)
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


def prescan(data: bytes, *, limit: int = _PRESCAN_BYTES) -> str | None:
    """The encoding that the first `limit` bytes declare: the standard's "prescan a byte stream", or None.

    >>> prescan(b"<!-- <meta charset=big5> --><META http-equiv=content-type content='text/html; charset=Latin1'>")
    'windows-1252'
    """
    head = data[:limit]
    if not _HINT.search(head):
        return None
    if head.startswith(b"<\0?\0x\0"):
        return "utf-16le"
    if head.startswith(b"\0<\0?\0x"):
        return "utf-16be"
    for attributes in _metas(head):
        name = _declared(attributes)
        if name:
            return name
    declaration = _XML_DECLARATION.match(head)
    return _lookup_readable(declaration[2]) if declaration else None


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
    """The attributes from here on, and where their tag's ``>`` stands: at the end of `head` if it is cut off."""
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
