from __future__ import annotations

import sys
from pathlib import Path

import pytest
import webencodings
from hypothesis import given
from hypothesis import strategies as st

from webstrata import _utf8, encoding
from webstrata._legacy import NAMES, lookup, to_text
from webstrata._prescan import prescan, says_only_utf8
from webstrata.encoding import believed, decode, from_str
from webstrata.errors import EncodingError, InputError

SENTENCES = {
    "windows-1252": "Voilà l’été — “déjà” coûté 5 €",
    "iso-8859-2": "Zażółć gęślą jaźń",
    "windows-1251": "Съешь же ещё этих мягких булок",
    "koi8-r": "Съешь же ещё этих мягких булок",
    "koi8-u": "Жебракують філософи при ґанку ўЎ",
    "iso-8859-7": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "windows-1255": "דג סקרן שט בים",
    "windows-1256": "نص حكيم له سر قاطع",
    "windows-874": "เป็นมนุษย์สุดประเสริฐ",
    "shift_jis": "色は匂へど ①～㈱",
    "euc-jp": "色は匂へど ①～㈱",
    "iso-2022-jp": "色は匂へど",
    "gbk": "视野无限广，窗外有蓝天",
    "gb18030": "视野无限广，窗外有蓝天 😀",
    "big5": "視野無限廣，窗外有藍天",
    "euc-kr": "키스의 고유조건은 입술끼리 만나야 똠",
    "utf-16le": "Voilà 色は 😀",
    "utf-16be": "Voilà 色は 😀",
}
# Which Python codec writes what the standard's decoder reads.
WRITERS = {"windows-874": "cp874", "shift_jis": "cp932", "big5": "big5hkscs", "euc-kr": "cp949"}
MULTI_BYTE = ["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp"]


def encode(text: str, name: str) -> bytes:
    if name == "koi8-u":  # Python's codec predates the two Belarusian letters
        return text.replace("ў", "\u255d").replace("Ў", "\u256c").encode("koi8-u")
    if name == "euc-jp":  # nor has its EUC-JP the vendors' row 13, nor their wave dash
        parts = {"①": b"\xad\xa1", "㈱": b"\xad\xea", "～": b"\xa1\xc1"}
        return b"".join(parts.get(character) or character.encode("euc_jp") for character in text)
    return text.encode(WRITERS.get(name, name))


# labels


def test_every_label_means_what_the_standard_says() -> None:
    ours = {label: lookup(label) for label in webencodings.LABELS}
    assert ours == webencodings.LABELS
    assert set(NAMES) == set(webencodings.LABELS.values())


@pytest.mark.parametrize("label", ["", "utf-9", "latin-one", "\u212aoi8-r", "utf\x0b-8", "u tf-8"])
def test_an_unknown_label_is_named(label: str) -> None:
    assert webencodings.lookup(label) is None
    with pytest.raises(EncodingError) as caught:
        decode(b"x", encoding=label)
    assert repr(label) in str(caught.value)


def test_labels_ignore_case_and_surrounding_space() -> None:
    assert decode(b"\xe9", encoding="\t LATIN1\n") == ("é".encode(), "windows-1252")


# decoders


@pytest.mark.parametrize("name", SENTENCES)
def test_round_trip_by_argument(name: str) -> None:
    text = SENTENCES[name]
    assert decode(encode(text, name), encoding=name) == (text.encode(), name)


@pytest.mark.parametrize("name", [name for name in SENTENCES if not name.startswith("utf-16")])
def test_round_trip_by_meta(name: str) -> None:
    page = f"<!doctype html><meta charset={name}><p>".encode()
    assert decode(page + encode(SENTENCES[name], name)) == (page + SENTENCES[name].encode(), name)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith(("windows-125", "windows-874"))])
def test_holes_of_windows_code_pages_are_controls(name: str) -> None:
    python = "cp" + name.removeprefix("windows-")
    for byte in range(0x80, 0xA0):
        expected = bytes([byte]).decode(python, "replace").replace("\ufffd", chr(byte))
        assert to_text(bytes([byte]), name) == expected


@pytest.mark.parametrize(
    ("name", "data", "text"),
    [
        ("windows-1252", b"\x80\x81\x8d\x8f\x90\x9d", "€\x81\x8d\x8f\x90\x9d"),
        ("windows-1253", b"\xaa\xd2\xff", "\ufffd\ufffd\ufffd"),
        ("windows-1255", b"\xca\xd9", "\u05ba\ufffd"),
        ("iso-8859-6", b"\xa1", "\ufffd"),
        ("iso-8859-8-i", b"\xe0", "א"),
        ("x-mac-cyrillic", b"\xa2\xb6\xff", "Ґґ€"),
        ("macintosh", b"\xdb\xf0", "€\uf8ff"),
        ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff"),
        ("gbk", b"\x80\xa2\xe3\xa3\xa0\xa8\xbc", "€€\u3000\u1e3f"),
        ("gb18030", b"\x81\x30\x81\x30", "\x80"),
        ("shift_jis", b"\x80\xa0\xb1\xfd\xf0\x40", "\x80\ufffdｱ\ufffd\ue000"),
        ("big5", b"\xa3\xe1\x88\x62", "€Ê\u0304"),
        ("euc-jp", b"\x8e\xb1\x8f\xb0\xa1\xad\xa1\xfc\xfe", "ｱ丂①＂"),
        ("iso-2022-jp", b"a\x1b$B-!\x1b(I1\x1b(J\\~\x1b(B\\", "a①ｱ¥‾\\"),
        ("replacement", b"<script>alert(1)</script>", "\ufffd"),
        ("replacement", b"", ""),
        ("utf-8", b"\xf0\x9f\x98<", "\ufffd<"),
        ("utf-16le", b"a\0\0\xd8b\0c", "a\ufffdb\ufffd"),
        ("utf-16be", b"\xdc\0\0a", "\ufffda"),
    ],
)
def test_bytes_that_the_standard_reads_in_its_own_way(name: str, data: bytes, text: str) -> None:
    assert to_text(data, name) == text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("gbk", b"\xb0<p>"),
        ("big5", b"\xa4<p>"),
        ("euc-jp", b"\xa4<p>"),
        ("euc-jp", b"\x8f\xa4<p>"),
        ("shift_jis", b"\x82<p>"),
        ("euc-kr", b"\xb0<p>"),
        ("euc-jp", b"\xa9\xff<p>"),
        ("euc-kr", b"\xfe\xff<p>"),
        ("iso-2022-jp", b"\x80<p>"),
    ],
)
def test_a_broken_character_leaves_the_markup_alone(name: str, data: bytes) -> None:
    assert to_text(data, name) == "\ufffd<p>"


@pytest.mark.parametrize("name", MULTI_BYTE)
def test_a_cut_off_character_becomes_one_replacement(name: str) -> None:
    whole = encode(SENTENCES[name], name) + encode("天", name)
    cut = whole.removesuffix(b"\x1b(B")[:-1]
    assert to_text(cut, name) == SENTENCES[name] + "\ufffd"


@pytest.mark.parametrize("name", NAMES)
@given(data=st.binary(max_size=60))
@pytest.mark.slow
def test_no_bytes_raise_and_ascii_survives(name: str, data: bytes) -> None:
    source, used = decode(data + b"<br>", encoding=name)
    source.decode()
    if name.startswith("utf-16") or name in ("replacement", "iso-2022-jp") or used != name:
        return
    assert source.endswith(b"<br>")


# order


def test_a_byte_order_mark_beats_everything() -> None:
    assert decode(b"\xef\xbb\xbf<meta charset=big5>\xc3\xa9") == ("<meta charset=big5>é".encode(), "utf-8")
    assert decode(b"\xff\xfea\0", encoding="utf-8") == (b"a", "utf-16le")
    assert decode(b"\xfe\xff\0a") == (b"a", "utf-16be")


def test_an_unknown_label_is_an_error_even_with_a_byte_order_mark() -> None:
    with pytest.raises(EncodingError):
        decode(b"\xef\xbb\xbf", encoding="nonsense")


def test_the_argument_beats_the_meta() -> None:
    assert decode(b"<meta charset=big5>\xe9", encoding="latin1")[1] == "windows-1252"


def test_valid_utf8_beats_the_meta_but_not_by_chance() -> None:
    assert decode("<meta charset=latin1>é".encode()) == ("<meta charset=latin1>é".encode(), "utf-8")
    ascii_only = b"<meta charset=iso-2022-jp>\x1b$B4A\x1b(B"
    assert decode(ascii_only) == ("<meta charset=iso-2022-jp>漢".encode(), "iso-2022-jp")
    chance = b"<meta charset=gbk>" + "模".encode("gbk")
    assert chance.decode()
    assert decode(chance) == ("<meta charset=gbk>模".encode(), "gbk")


RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю, и не говори о том никому. "
FRENCH = "Voilà l’été déjà passé — où étiez-vous, mes amis de la forêt, cachés derrière l’église ? "
JAPANESE = "色は匂へど散りぬるを、我が世誰ぞ常ならむ。有為の奥山今日越えて、浅き夢見じ酔ひもせず。"
CHINESE = "视野无限广，窗外有蓝天。她说：镕、喆、堃这些字在旧的表里没有。"


@pytest.mark.parametrize(
    ("declared", "header", "text", "written", "name"),
    [
        # What the page says, what the server says, the text, how its bytes were written, how they are read.
        ("<meta charset=iso-8859-1>", None, FRENCH, "utf-8", "utf-8"),
        ("<meta charset=utf-8>", None, FRENCH, "windows-1252", "windows-1252"),
        ("<meta charset=utf-16>", None, RUSSIAN, "utf-8", "utf-8"),
        ("<meta charset=utf-16><meta charset=windows-1251>", None, RUSSIAN, "windows-1251", "windows-1251"),
        ("<meta charset=big5>", None, FRENCH, "utf-8-sig", "utf-8"),
        ("<meta charset=utf-8><meta charset=koi8-r>", None, RUSSIAN, "koi8-r", "koi8-r"),
        ("<meta charset=utf-8>", "iso-8859-1", FRENCH, "utf-8", "utf-8"),
        ("<meta charset=windows-1251>", "utf-8", RUSSIAN, "windows-1251", "windows-1251"),
        ("", None, JAPANESE, "shift_jis", "shift_jis"),
        ("<meta charset=gb2312>", None, CHINESE, "gbk", "gbk"),
        ("<meta charset=koi8-r>", None, RUSSIAN, "windows-1251", "windows-1251"),
        ("<meta charset=windows-1251>", None, RUSSIAN.upper(), "koi8-r", "koi8-r"),
        ("<meta charset=x-user-defined>", None, FRENCH, "windows-1252", "windows-1252"),
        ("<meta charset=nonsense>", "also-nonsense", FRENCH, "utf-8", "utf-8"),
        ("", None, RUSSIAN, "utf-16-le", "utf-16le"),
        ("<meta charset=utf-8>", None, RUSSIAN.upper(), "utf-16-be", "utf-16be"),
    ],
)
def test_wrong_declarations(declared: str, header: str | None, text: str, written: str, name: str) -> None:
    if not declared:
        pytest.importorskip("cchardet", reason="webstrata[encoding] is not installed")
    data = f"<!doctype html><title>Page</title>{declared}<p>{text * 10}".encode(written)
    source, used = decode(data, believed(data, header))
    assert used == name
    assert source.decode().endswith(f"<p>{text * 10}")


@pytest.mark.parametrize("name", ["windows-1251", "koi8-r", "iso-8859-5"])
@pytest.mark.parametrize(
    "text", [RUSSIAN, RUSSIAN.upper(), "Жебракують філософи при ґанку церкви в Гадячі, ще й шатро"]
)
def test_a_right_declaration_of_cyrillic_is_believed(name: str, text: str) -> None:
    data = f"<meta charset={name}><p>{text * 3}".encode(name, "replace")
    assert decode(data)[1] == name


def test_a_page_of_utf8_with_some_broken_characters_is_utf8() -> None:
    data = b"<meta charset=utf-8>" + FRENCH.encode() * 3 + b"\xe9"
    assert decode(data) == (f"<meta charset=utf-8>{FRENCH * 3}\ufffd".encode(), "utf-8")


def test_a_late_meta_counts_only_if_the_bytes_are_not_utf8() -> None:
    late = b"<script>" + b" " * 2000 + b"</script><meta charset=koi8-r>"
    assert decode(late + b"\xed\xc9\xd2") == (late + "Мир".encode(), "koi8-r")
    assert decode(late + "Мир".encode()) == (late + "Мир".encode(), "utf-8")


def test_the_detector_reads_undeclared_bytes() -> None:
    pytest.importorskip("cchardet", reason="webstrata[encoding] is not installed")
    text = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 20
    assert decode(text.encode("windows-1251")) == (text.encode(), "windows-1251")


@pytest.mark.parametrize(
    ("detected", "name"),
    [("UHC", "euc-kr"), ("MAC-CYRILLIC", "x-mac-cyrillic"), ("VISCII", None), ("ISO-2022-KR", None), (None, None)],
)
def test_the_detector_names_are_mapped(monkeypatch: pytest.MonkeyPatch, detected: str | None, name: str | None) -> None:
    cchardet = pytest.importorskip("cchardet", reason="webstrata[encoding] is not installed")
    monkeypatch.setattr(cchardet, "detect", lambda data: {"encoding": detected})
    assert decode(b"\xe9t\xe9")[1] == (name or "windows-1252")


def test_without_a_detector_it_is_windows_1252(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cchardet", None)
    assert decode(b"\xe9t\xe9 \x81") == ("été \x81".encode(), "windows-1252")


@pytest.mark.parametrize(
    "data", [b"", b"plain", "é 色 😀".encode(), b"\0" * 50, b"<meta charset=utf-8>" + "é".encode() * 99]
)
def test_valid_utf8_is_not_copied(data: bytes) -> None:
    source, name = decode(data)
    assert source is data
    assert name == "utf-8"


def test_sources_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert encoding.MAX_BYTES == 2**31 - 1
    monkeypatch.setattr(encoding, "MAX_BYTES", 10)
    assert decode(b"123456789")[0] == b"123456789"
    for call in (lambda: decode(b"1234567890"), lambda: decode(b"\xe9" * 9, "latin1"), lambda: from_str("é" * 5)):
        with pytest.raises(InputError, match="fewer than 10"):
            call()


# prescan


def read_cases(path: Path) -> list[tuple[bytes, str]]:
    """The cases of a .dat file: each is ``#data``, lines of a page, ``#encoding``, a label."""
    cases = []
    for case in path.read_bytes().split(b"#data\n")[1:]:
        data, label = case.split(b"\n#encoding\n")
        cases.append((data, label.decode().strip()))
    return cases


@pytest.mark.parametrize("file", ["tests1.dat", "tests2.dat", "test-yahoo-jp.dat"])
def test_html5lib_cases(html5lib_dir: Path, file: str) -> None:
    cases = read_cases(html5lib_dir / "encoding" / file)
    assert cases
    for data, label in cases:
        marked = data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"))
        found = decode(data)[1] if marked else prescan(data, limit=len(data))
        assert (found or "windows-1252") == lookup(label), data


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (b"<meta charset=big5>", "big5"),
        (b"<META/CHARSET = 'BIG5' >", "big5"),
        (b"<meta charset=big5", None),
        (b"<meta charset='big5>", None),
        (b"<meta charset=nonsense><meta charset=big5>", "big5"),
        (b"<meta charset=nonsense http-equiv=content-type content='a;charset=big5'>", None),
        (b"<meta charset=koi8-r charset=big5>", "koi8-r"),
        (b"<meta content='text/html; charset=big5'>", None),
        (b"<meta content='charset x charset=big5' http-equiv=Content-Type>", "big5"),
        (b"<meta content='charset=\"big5 charset=koi8-r' http-equiv=Content-Type>", None),
        (b"<meta content='charset=big5;x' http-equiv=Content-Type>", "big5"),
        (b"<!-- <meta charset=big5> -->", None),
        (b"<!--><meta charset=big5>", "big5"),
        (b"<!-- <meta charset=big5>", None),
        (b"<p title='<meta charset=koi8-r>'><meta charset=big5>", "big5"),
        (b"<? <meta charset=koi8-r ?><meta charset=big5>", "big5"),
        (b"</ <meta charset=koi8-r ><meta charset=big5>", "big5"),
        (b"<1 <meta charset=big5>", "big5"),
        (b"<metacharset=big5>", None),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=utf-16be>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b"<meta charset=\xe9>", None),
        (b"<meta = charset=big5>", "big5"),
        (b"<?xml version='1.0' encoding='big5'?>", "big5"),
        (b"<?xml version='1.0' encoding='utf-16'?>", "utf-8"),
        (b"<?xml version='1.0' encoding='big5'?><meta charset=koi8-r>", "koi8-r"),
        (b"<?xml version='1.0' encoding='big5'", None),
        (b" <?xml version='1.0' encoding='big5'?>", None),
        ("<?xml version='1.0'?>".encode("utf-16le"), "utf-16le"),
        ("<?xml version='1.0'?>".encode("utf-16be"), "utf-16be"),
        (b" " * 1005 + b"<meta charset=big5>", "big5"),
        (b" " * 1006 + b"<meta charset=big5>", None),
        (b"", None),
    ],
)
def test_prescan(page: bytes, name: str | None) -> None:
    assert prescan(page) == name


@given(st.lists(st.sampled_from([*"<>!-/='\" \n\0ém", "<meta ", "charset", "big5", "content", "http-equiv"])))
def test_prescan_takes_any_soup(parts: list[str]) -> None:
    found = prescan("".join(parts).encode())
    assert found is None or found in NAMES


@given(st.lists(st.sampled_from([
    *"<>'\" =-", "<meta ", "charset", "CHARSET=", "utf-8", "'UTF-8'", "big5", "content='text/html; ", "encoding=",
    "<?xml ",
])))  # fmt: skip
def test_a_page_that_is_not_prescanned_declares_nothing_else(parts: list[str]) -> None:
    head = "".join(parts).encode()
    assert not says_only_utf8(head) or prescan(head) in (None, "utf-8")


# from_str


@given(st.text(st.characters()))
def test_from_str_gives_utf8_for_any_string(text: str) -> None:
    expected = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert from_str(text).decode() == expected


def test_from_str_replaces_lone_surrogates_only() -> None:
    assert from_str("a\ud800b").decode() == "a\ufffdb"
    assert from_str("\ud83d\ude00").decode() == "😀"


# is_valid


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("length", [1, 2])
def test_is_valid_on_all_short_inputs(length: int) -> None:
    for number in range(256**length):
        data = number.to_bytes(length)
        assert _utf8.is_valid(data) == is_utf8(data)


def test_is_valid_at_the_edges_of_every_range() -> None:
    edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    tails = [bytes([a, b, c]) for a in edges for b in edges for c in edges]
    for lead in range(0xC0, 0x100):
        for tail in tails:
            for size in (2, 3, 4):
                data = (bytes([lead]) + tail)[:size]
                assert _utf8.is_valid(data) == is_utf8(data)


@given(st.one_of(st.binary(), st.text().map(str.encode)), st.integers(0, 40), st.binary(max_size=2))
def test_is_valid_agrees_with_python(data: bytes, ascii_before: int, junk: bytes) -> None:
    for candidate in (b"a" * ascii_before + data, b"a" * ascii_before + data + junk, (b"a" * ascii_before + data)[:-1]):
        assert _utf8.is_valid(candidate) == is_utf8(candidate)


def test_is_valid_takes_bytes_only() -> None:
    with pytest.raises(TypeError):
        _utf8.is_valid("text")  # type: ignore[arg-type]
