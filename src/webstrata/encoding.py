"""Bytes to UTF-8, by the rules of browsers, unless the bytes contradict what a page declares.

A page declares its encoding in up to three places, often wrongly or not at all. The first of these with an answer
decides:

1. a byte order mark;
2. the caller;
3. the bytes, if their zeros show UTF-16, or if they are valid UTF-8 with non-ASCII characters: text in another encoding
   is hardly ever valid UTF-8;
4. the ``<meta>`` elements within the first 1024 bytes (the HTML standard's prescan) in order, unless the bytes
   contradict them: UTF-8 is rejected if more than a fifth of the non-ASCII characters are broken, and the most frequent
   letters distinguish the Cyrillic encodings;
5. a ``<meta>`` within the first 64 kB;
6. a statistical guess over all bytes, if ``webstrata[encoding]`` is installed;
7. windows-1252, in which every byte is a character.

The charset of an HTTP header is treated as the first ``<meta>``: it counts unless the bytes contradict it (`believed`).

Names and labels are those of the Encoding standard, names in lower case as ``TextDecoder.encoding`` reports them:
``latin-1`` and ``ascii`` are windows-1252, ``gb2312`` is gbk. No bytes raise an error: invalid ones become
U+FFFD.

Deviations: browsers use headers and declarations even if the bytes contradict them. A browser that finds a late
``<meta>`` always reads the page again; step 5 does so only for bytes that are not UTF-8. For their guess (6), browsers
also use the top-level domain and the user's language.

References: https://encoding.spec.whatwg.org/ and https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
"""

from __future__ import annotations

import re

from webstrata._utf8 import is_valid, other_bytes
from webstrata.errors import EncodingError, InputError

__all__ = ["MAX_BYTES", "believed", "charset", "decode", "from_str"]

#: Sources stay below this size, so that every offset fits a 32-bit column.
MAX_BYTES = 2**31 - 1

# Scripts before the meta take some kilobytes, not megabytes.
_LATE_PRESCAN_BYTES = 65536

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
_FIRST_MARK = b"\xef"
# Bytes in which zeros show UTF-16.
_HEAD_BYTES = 64

# Multi-byte encodings: some of their characters are valid UTF-8 by chance, but hardly ever eight bytes in a row.
_WIDE = frozenset(("gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"))
_FEW_BYTES = 8
_CYRILLIC = ("windows-1251", "koi8-r", "iso-8859-5", "ibm866", "x-mac-cyrillic")
# Six letters are nearly half of a text in Russian, Ukrainian or Bulgarian. Decoded wrongly, they become letters that
# are a fifth of a text.
_COMMON_LETTERS = frozenset("оеаинтОЕАИНТ")
_COMMON_SHARE, _RARE_SHARE = 0.38, 0.3
# Letters needed for a decision, and bytes that are read at most.
_SOME_LETTERS, _MOST_LETTERS = 30, 1 << 16
_ASCII = bytes(range(128))

# Possessive quantifiers keep the time linear in the length of the header.
_CHARSET = re.compile(r"charset\s*+=\s*+[\"']?+\s*+([^\s\"';,]+)", re.IGNORECASE)

# Names of the detector that are not labels of the standard.
_DETECTOR_NAMES = {"uhc": "euc-kr", "mac-cyrillic": "x-mac-cyrillic", "utf-8-sig": "utf-8"}


def decode(data: bytes, encoding: str | None = None, *, header: str | None = None) -> tuple[bytes, str]:
    """Return the page as valid UTF-8 bytes, and the name of the encoding it was read as.

    Bytes that already are valid UTF-8 come back as the same object. A byte order mark is dropped.

    Parameters
    ----------
    data : the page as it was received
    encoding : a label that the caller trusts more than the page; `EncodingError` if the standard does not know it
    header : the page's Content-Type header, or only its charset; used unless the bytes contradict it (`believed`)

    >>> decode(b"<meta charset=koi8-r><p>\\xed\\xc9\\xd2")
    (b'<meta charset=koi8-r><p>\\xd0\\x9c\\xd0\\xb8\\xd1\\x80', 'koi8-r')
    >>> decode("où".encode(), encoding="latin1")[0].decode()
    'oÃ¹'
    """
    _check_size(data)
    given = None
    if encoding is not None:
        given = _known(encoding)
        if given is None:
            raise EncodingError(encoding)
    elif header is not None:
        given = believed(data, header)
    head = data[:_HEAD_BYTES]
    if head >= _FIRST_MARK:
        for mark, marked in _BYTE_ORDER_MARKS:
            if data.startswith(mark):
                return _to_utf8(data[len(mark) :], marked), marked
    if given is not None:
        return _to_utf8(data, given), given
    if b"\0" in head:
        wide = _utf16_by_zeros(head)
        if wide is not None:
            return _to_utf8(data, wide), wide
    others = other_bytes(data)
    # ASCII is the same in every encoding that a page can declare, except those that switch by escape sequences.
    if others >= _FEW_BYTES or (others == 0 and b"\x1b" not in data):
        return data, "utf-8"
    name = _by_declaration(data, others)
    return _to_utf8(data, name), name


def charset(header: str | None) -> str | None:
    """The charset that a Content-Type header names, as it is written there.

    >>> charset('text/html; Charset="Shift_JIS"'), charset("text/html")
    ('Shift_JIS', None)
    """
    found = _CHARSET.search(header or "")
    return found[1] if found else None


def believed(data: bytes, header: str | None) -> str | None:
    """The encoding that a Content-Type header or its charset names; None if it is unknown or the bytes contradict it.

    >>> believed("où".encode(), "latin1"), believed("où".encode("latin1"), "text/html; charset=latin1")
    (None, 'windows-1252')
    """
    label = charset(header) or header
    name = _known(label) if label else None
    if name is None or name.startswith("utf-16"):
        return name
    others = other_bytes(data)
    if others >= 0:
        return name if name == "utf-8" or _may_be_chance(others, name) else None
    return name if name != "utf-8" or _is_broken_utf8(data) else None


def _known(label: str) -> str | None:
    """The encoding that a label names, or None."""
    from webstrata._legacy import lookup  # imported lazily: most pages need none of its tables

    return lookup(label)


def _text(data: bytes, name: str) -> str:
    """The text of bytes in an encoding."""
    from webstrata._legacy import to_text

    return to_text(data, name)


def _by_declaration(data: bytes, others: int) -> str:
    """The encoding of a page without a mark; ``others`` is the number of non-ASCII bytes (-1: not UTF-8)."""
    from webstrata._prescan import PRESCAN_BYTES, declarations, prescan, says_only_utf8  # imported lazily

    if others >= 0 and says_only_utf8(data[:PRESCAN_BYTES]):
        return "utf-8"
    declared = prescan(data)
    if others >= 0:
        return declared if declared is not None and _may_be_chance(others, declared) else "utf-8"
    if declared == "utf-8":
        if _is_broken_utf8(data):
            return declared
        declared = next((name for name in declarations(data[:PRESCAN_BYTES]) if name != "utf-8"), None)
    if declared is None:
        late = prescan(data, limit=_LATE_PRESCAN_BYTES)
        declared = late if late != "utf-8" or _is_broken_utf8(data) else None
    if declared is None:
        return _guess(data) or "windows-1252"
    return _by_letters(data, declared) if declared in _CYRILLIC else declared


def _may_be_chance(others: int, name: str) -> bool:
    """Whether the non-ASCII bytes are too few to exclude that the page is in this encoding."""
    return others == 0 or (name in _WIDE and others < _FEW_BYTES)


def _is_broken_utf8(data: bytes) -> bool:
    """Whether most of the non-ASCII text is valid UTF-8."""
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    return 5 * broken <= len(text) - len(text.encode("ascii", "ignore"))


def _utf16_by_zeros(head: bytes) -> str | None:
    """UTF-16 without a mark: in markup, every second byte is zero."""
    if len(head) < 4:
        return None
    even, odd = head[::2].count(0) / len(head[::2]), head[1::2].count(0) / len(head[1::2])
    if even == 0 and odd > 0.8:
        return "utf-16le"
    return "utf-16be" if odd == 0 and even > 0.8 else None


def _by_letters(data: bytes, declared: str) -> str:
    """The Cyrillic encoding in which the commonest letters are common; the declared one in doubt."""
    letters = data[:_MOST_LETTERS].translate(None, _ASCII)
    if len(letters) < _SOME_LETTERS:
        return declared
    shares = {name: sum(map(_COMMON_LETTERS.__contains__, _text(letters, name))) for name in _CYRILLIC}
    best = max(_CYRILLIC, key=lambda name: shares[name])
    if shares[declared] < _RARE_SHARE * len(letters) and shares[best] > _COMMON_SHARE * len(letters):
        return best
    return declared


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
    source = _text(data, name).encode()
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
    name = _known(_DETECTOR_NAMES.get(detected.lower(), detected))
    return None if name == "replacement" else name
