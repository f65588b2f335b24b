"""The legacy encodings of the web: their labels, and decoders that agree with browsers.

Python has a codec for nearly all of them, but the Encoding standard disagrees with Python on some bytes: C1 controls
where Windows code pages have holes, two Ukrainian letters, the vendor rows of EUC-JP, and the length of an
invalid sequence. This module corrects those differences; no bytes raise an error.

Deviations: in Big5, 158 rare ideographs (many of them additions of HKSCS-2008) decode to U+FFFD and two slashes are
full-width; in EUC-JP, the tilde of JIS X 0212 is the ASCII one; after an invalid four-byte sequence of GB 18030 or an
escape sequence of ISO-2022-JP without text behind it, the number of U+FFFD may differ.

Reference: the Encoding standard, https://encoding.spec.whatwg.org/
"""

from __future__ import annotations

import codecs
import re
from functools import cache

__all__ = ["NAMES", "lookup", "to_text"]

# For each encoding its name (which is also a label), then its other labels.
_LABELS = """
utf-8: unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866: 866 cp866 csibm866
iso-8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i iso-ir-127
    iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7
    iso_8859-7:1987 sun_eu_greek
iso-8859-8: csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8
    iso_8859-8:1988 visual
iso-8859-8-i: csiso88598i logical
iso-8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13: iso8859-13 iso885913
iso-8859-14: iso8859-14 iso885914
iso-8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16:
koi8-r: cskoi8r koi koi8 koi8_r
koi8-u: koi8-ru
macintosh: csmacintosh mac x-mac-roman
windows-874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250: cp1250 x-cp1250
windows-1251: cp1251 x-cp1251
windows-1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591
    iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
windows-1253: cp1253 x-cp1253
windows-1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5
    x-cp1254
windows-1255: cp1255 x-cp1255
windows-1256: cp1256 x-cp1256
windows-1257: cp1257 x-cp1257
windows-1258: cp1258 x-cp1258
x-mac-cyrillic: x-mac-ukrainian
gbk: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030:
big5: big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp: cseucpkdfmtjapanese x-euc-jp
iso-2022-jp: csiso2022jp
shift_jis: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
replacement: csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
utf-16be: unicodefffe
utf-16le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined:
"""


def _read_labels() -> dict[str, str]:
    labels: dict[str, str] = {}
    for paragraph in re.split(r"\n(?! )", _LABELS.strip()):
        name, others = paragraph.split(":", 1)
        labels |= dict.fromkeys([name, *others.split()], name)
    return labels


_NAMES_OF_LABELS = _read_labels()

#: The encodings, in the standard's order.
NAMES = tuple(dict.fromkeys(_NAMES_OF_LABELS.values()))

_CODECS = {
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "euc-jp": "euc_jp",
    "shift_jis": "cp932",
    "euc-kr": "cp949",
}

# Where a single-byte index of the standard differs from Python's codec, holes below 0xA0 apart.
_BYTES = {"koi8-u": {0xAE: "ў", 0xBE: "Ў"}, "windows-1255": {0xCA: "\u05ba"}}

# Characters that Python's codec gives where the standard gives another one.
_CHARACTERS: dict[str, dict[int, int]] = {
    "big5": str.maketrans("•､‾∼♁☉¥¢£", "‧﹑¯～⊕⊙￥￠￡"),
    "gbk": {0xE5E5: 0x3000, 0xE7C7: 0x1E3F},
    "gb18030": {0xE5E5: 0x3000, 0xE7C7: 0x1E3F},
    "shift_jis": dict.fromkeys(range(0xF8F0, 0xF8F4), 0xFFFD),
    "euc-jp": {0x301C: 0xFF5E, 0x2016: 0x2225, 0x2212: 0xFF0D, 0xA2: 0xFFE0, 0xA3: 0xFFE1, 0xAC: 0xFFE2},
}

# Pairs of Big5 that Python's codec lacks: pictures of control characters, and the euro sign.
_BIG5_PAIRS = {bytes([0xA3, 0xC0 + i]): chr(0x2400 + i) for i in range(32)} | {b"\xa3\xe0": "\u2421", b"\xa3\xe1": "€"}

# The first bytes of two-byte sequences; an invalid sequence swallows its second byte unless that is ASCII, so that no
# broken character can eat the "<" or the quotation mark behind it.
_LEADS = {
    "gbk": frozenset(range(0x81, 0xFF)),
    "gb18030": frozenset(range(0x81, 0xFF)),
    "big5": frozenset(range(0x81, 0xFF)),
    "euc-jp": frozenset([0x8E, 0x8F, *range(0xA1, 0xFF)]),
    "shift_jis": frozenset([*range(0x81, 0xA0), *range(0xE0, 0xFD)]),
    "euc-kr": frozenset(range(0x81, 0xFF)),
}


def lookup(label: str) -> str | None:
    """The encoding that a label means, or None. Case and surrounding ASCII white space do not count.

    >>> lookup(" Latin1 "), lookup("utf-9")
    ('windows-1252', None)
    """
    return _NAMES_OF_LABELS.get(label.strip("\t\n\f\r ").lower()) if label.isascii() else None


def to_text(data: bytes, name: str) -> str:
    """Decode bytes by the encoding of this name (one of `NAMES`); what is invalid becomes U+FFFD.

    >>> to_text(b"na\\xefve \\x81", "windows-1252")
    'naïve \\x81'
    >>> to_text(b"\\xad\\xa1 \\xa4\\xa2<", "euc-jp")
    '① あ<'
    """
    if name in _LEADS:
        text = data.decode(_CODECS.get(name, name), _error_handler(name))
        return text.translate(_CHARACTERS[name]) if name in _CHARACTERS else text
    if name.startswith("utf-"):
        return data.decode(name, "replace")
    if name == "iso-2022-jp":
        return _decode_iso_2022_jp(data)
    if name == "replacement":  # encodings that could smuggle markup past a filter: the standard refuses to read them
        return "\ufffd" if data else ""
    return codecs.charmap_decode(data, "strict", _table(name))[0]


@cache
def _table(name: str) -> str:
    """The 256 characters of a single-byte encoding."""
    if name == "x-user-defined":
        return "".join(chr(byte if byte < 0x80 else 0xF700 + byte) for byte in range(256))
    characters = list(bytes(range(256)).decode(_CODECS.get(name, name), "replace"))
    for byte in range(0x80, 0xA0):
        if characters[byte] == "\ufffd":
            characters[byte] = chr(byte)
    for byte, character in _BYTES.get(name, {}).items():
        characters[byte] = character
    # charmap_decode takes U+FFFE, not U+FFFD, for "undefined": a hole that stays a hole decodes to U+FFFD.
    return "".join(characters)


@cache
def _error_handler(name: str) -> str:
    """Register, once, what a codec shall do where the standard's two-byte decoder differs from it."""
    leads = _LEADS[name]

    def mend(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        data, start = error.object, error.start
        pair = data[start : start + 2]
        if pair[0] not in leads:
            return ("€" if pair[0] == 0x80 and name in ("gbk", "gb18030") else "\ufffd"), start + 1
        character = _second_chance(name, pair)
        if character:
            return character, start + 2
        # 0x8F announces a three-byte sequence of EUC-JP; all else, GB 18030's four bytes apart, has two.
        last = start + (2 if name == "euc-jp" and pair[0] == 0x8F and _is_euc_pair(pair, first=1) else 1)
        return "\ufffd", last + (last < len(data) and data[last] >= 0x80)

    handler = f"webstrata.{name}"
    codecs.register_error(handler, mend)
    return handler


def _second_chance(name: str, pair: bytes) -> str:
    """The character of a pair that Python's codec lacks, or nothing if the standard lacks it too."""
    if name == "big5":
        return _BIG5_PAIRS.get(pair, "")
    if name == "euc-jp" and _is_euc_pair(pair):
        return _shift(pair).decode("cp932", "ignore")
    return ""


def _is_euc_pair(pair: bytes, first: int = 0) -> bool:
    return len(pair) == 2 and all(0xA1 <= byte <= 0xFE for byte in pair[first:])


def _shift(pair: bytes) -> bytes:
    """The Shift_JIS form of an EUC-JP pair: same 94 x 94 table, folded to 188 columns."""
    row, column = divmod((pair[0] - 0xA1) * 94 + pair[1] - 0xA1, 188)
    return bytes([row + (0x81 if row < 0x1F else 0xC1), column + (0x40 if column < 0x3F else 0x41)])


_ESCAPE = re.compile(rb"\x1b(\([BIJ]|\$[@B])")
_JIS_UNIT = re.compile(rb"[\x21-\x7e]{2}|.", re.DOTALL)
_TO_HIGH = bytes(byte | 0x80 for byte in range(256))


def _decode_iso_2022_jp(data: bytes) -> str:
    """Escape sequences switch between ASCII, JIS-Roman, half-width katakana and two-byte JIS X 0208."""
    first, *rest = _ESCAPE.split(data)
    parts = [_decode_low(first)]
    for escape, run in zip(rest[::2], rest[1::2], strict=True):
        if escape in (b"$@", b"$B"):
            parts += [_decode_jis(unit) for unit in _JIS_UNIT.findall(run)]
        elif escape == b"(I":
            parts += [chr(0xFF40 + byte) if 0x21 <= byte <= 0x5F else "\ufffd" for byte in run]
        else:
            text = _decode_low(run)
            parts.append(text.replace("\\", "¥").replace("~", "‾") if escape == b"(J" else text)
    return "".join(parts)


def _decode_low(run: bytes) -> str:
    return re.sub("[\x0e\x0f\x1b]", "\ufffd", run.decode("ascii", "replace"))


def _decode_jis(unit: bytes) -> str:
    return to_text(unit.translate(_TO_HIGH), "euc-jp") if len(unit) == 2 else "\ufffd"
