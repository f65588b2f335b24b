# cython: language_level=3
"""The pieces of a paragraph as Markdown."""

import re
from unicodedata import category

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from webstrata.extraction.structure.buffer cimport (
    character_at, is_figure, is_space, is_word, make_room, put, put_all, put_ascii, pop_text, release,
)
from webstrata.extraction.structure.pieces cimport (
    BREAK, CODE_MARK, DELETED_MARK, EMPHASIS_MARK, IMAGE, STRONG_MARK, SUBSCRIPT_MARK, SUPERSCRIPT_MARK, Piece,
    put_tags,
)

from webstrata.extraction.structure.tex_text cimport end_of_tex

from webstrata.extraction.structure.embeds import Embed
from webstrata.extraction.structure.footnotes import NoteReference
from webstrata.extraction.structure.formulas import Formula, tex

cdef enum:
    SHOWN = STRONG_MARK | EMPHASIS_MARK | DELETED_MARK | SUBSCRIPT_MARK | SUPERSCRIPT_MARK
    NONE = 0x110000          # no character

_BACKTICKS = re.compile("`+")
_DESTINATION = re.compile(r"[\s()<>\\|]")
# Replacements in TeX for characters that have a meaning in Markdown.
_REPLACED = (("< ", "\\lt "), ("<", "\\lt "), ("](", "] ("), ("`", "{\\lq}"), ("[^", "[ ^"))
_ENTITY = re.compile(r"&(?=#?\w+;)")


# The characters that may have a meaning in Markdown, by code.
cdef uint8_t[128] _SIGNS


def _fill():
    cdef int sign
    for sign in b"_<&\\`*[]~":
        _SIGNS[sign] = 1


_fill()


def escape(str text not None):
    """Text that a CommonMark parser reads as itself, within a line; see `markdown.escape`."""
    cdef Buffer given, out
    memset(&given, 0, sizeof(Buffer))
    memset(&out, 0, sizeof(Buffer))
    try:
        put_all(&given, text)
        _put_escaped(&out, &given, 0, given.size, True)
        return pop_text(&out)
    finally:
        release(&given)
        release(&out)


cdef bint _begins_reference(const uint32_t* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether an ampersand begins a character reference."""
    cdef Py_ssize_t start
    at += 1
    if at < size and text[at] == c"#":
        at += 1
    start = at
    while at < size and (is_word(text[at]) or text[at] == c"_"):
        at += 1
    return at > start and at < size and text[at] == c";"


cdef bint _needs_escape(const uint32_t* text, Py_ssize_t at, Py_ssize_t size) noexcept nogil:
    """Whether one of these characters needs a backslash.

    An underscore inside a word does not, nor does a "<" or "&" that begins no tag and no reference.
    """
    cdef uint32_t character = text[at], following
    if character == c"_":
        return not (at > 0 and is_word(text[at - 1]) and at + 1 < size and is_word(text[at + 1]))
    if character == c"<":
        following = text[at + 1] if at + 1 < size else NONE
        return (c"a" <= (following | 0x20) <= c"z" and following < 128) or following == c"/" or following == c"!" \
            or following == c"?"
    return _begins_reference(text, at, size) if character == c"&" else True


cdef int _put_escaped(Buffer* out, const Buffer* given, Py_ssize_t start, Py_ssize_t size, bint in_link) except -1:
    """Write text with backslashes where it needs them, TeX as it is.

    Parameters
    ----------
    given, start, size : the text
    in_link : whether it is the text of a link, which brackets of TeX would end
    """
    cdef const uint32_t* text = given.text + start
    cdef Py_ssize_t at, tex_stop = 0
    cdef uint32_t* place
    cdef uint32_t* first
    make_room(out, 2 * size)
    place = out.text + out.size
    for at in range(size):
        first = place
        if at >= tex_stop and (text[at] == c"\\" or text[at] == c"$"):
            tex_stop = end_of_tex(text, at, size, in_link)
        if at < tex_stop:
            place[0] = text[at]
            place += 1
            if text[at] == c"<" and not is_space(text[at + 1]):        # no tag begins with a space
                place[0] = c" "
                place += 1
        else:
            if text[at] < 128 and _SIGNS[text[at]] and _needs_escape(text, at, size):
                place[0] = c"\\"
                place += 1
            place[0] = text[at]
            place += 1
        if out.traced:
            out.origin[first - out.text] = out.origin[place - 1 - out.text] = given.origin[start + at]
    out.size = place - out.text
    return 0


cdef Py_ssize_t _line_start(const uint32_t* text, Py_ssize_t size) noexcept nogil:
    """The index of the character that needs a backslash so that a text does not begin a block; -1 if none does.

    Without it, the text would begin a heading, a quotation, an item or a table, or make the line above a heading.
    """
    cdef Py_ssize_t at = 0
    cdef uint32_t first = text[0] if size else NONE
    if first == c">":
        return 0
    if (first == c"-" or first == c"+") and (size == 1 or is_space(text[1])):
        return 0
    while at < size and text[at] == c"#":
        at += 1
    if 0 < at < 7 and (at == size or is_space(text[at])):
        return 0
    if first == c"-" or first == c"=" or first == c":" or first == c"|":
        at = 1
        while at < size and (text[at] == c"-" or text[at] == c"=" or text[at] == c":" or text[at] == c"|"
                             or is_space(text[at])):
            at += 1
        return 0 if at == size else -1
    at = 0
    while at < size and at < 9 and is_figure(text[at]):
        at += 1
    if at and at < size and (text[at] == c"." or text[at] == c")") and (at + 1 == size or is_space(text[at + 1])):
        return at
    return -1


cdef int _put_plain(Buffer* out, const Buffer* given, Py_ssize_t start, Py_ssize_t size, bint at_start, bint in_link) except -1:
    """Write text without marks. At the start of a line, characters that would begin a block are escaped."""
    cdef Py_ssize_t sign = _line_start(given.text + start, size) if at_start else -1
    if sign >= 0:
        _put_escaped(out, given, start, sign, in_link)
        put(out, c"\\")
        return _put_escaped(out, given, start + sign, size - sign, in_link)
    return _put_escaped(out, given, start, size, in_link)


cdef bint _is_punctuation(uint32_t character) except -1:
    if character < 128:
        return character > 32 and character != 127 and not is_word(character)
    return category(chr(character))[0] in "PS"


cdef bint _may_touch(uint32_t inner, uint32_t outer) except -1:
    """Whether a mark may begin or end between these two characters (CommonMark 6.2)."""
    return not _is_punctuation(inner) or outer == NONE or is_space(outer) or _is_punctuation(outer)


cdef int _put_marked(Buffer* out, const Buffer* given, const Piece* piece, uint32_t after) except -1:
    """Write text with marks: as Markdown where CommonMark allows it, as tags elsewhere.

    A strong "Note:" is ``**Note:**`` before a space, and ``<strong>Note:</strong>`` before a letter.
    """
    cdef const char* sign = b""
    cdef const uint32_t* text = given.text + piece.start
    cdef Py_ssize_t size = piece.stop - piece.start
    cdef int32_t marks = piece.marks
    cdef uint32_t before = out.text[out.size - 1] if out.size else NONE
    if marks == STRONG_MARK:
        sign = b"**"
    elif marks == EMPHASIS_MARK:
        sign = b"*"
    elif marks == STRONG_MARK | EMPHASIS_MARK:
        sign = b"***"
    elif marks == DELETED_MARK:
        sign = b"~~"
    if (sign[0] and before != sign[0] and after != sign[0] and _may_touch(text[0], before)
            and _may_touch(text[size - 1], after)):
        put_ascii(out, sign)
        _put_escaped(out, given, piece.start, size, piece.link >= 0)
        return put_ascii(out, sign)
    put_tags(out, marks, False)
    _put_escaped(out, given, piece.start, size, piece.link >= 0)
    return put_tags(out, marks, True)


cdef str code_span(str text):
    """Text as inline code, between more backticks than it contains in a row."""
    runs = {len(run) for run in _BACKTICKS.findall(text)}
    cdef Py_ssize_t size = 1
    while size in runs:
        size += 1
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{'`' * size}{pad}{text}{pad}{'`' * size}"


cdef str _destination(str url):
    """A URL between the parentheses of a link."""
    cdef Py_ssize_t i
    cdef int kind = PyUnicode_KIND(url)
    cdef void* data = PyUnicode_DATA(url)
    cdef uint32_t c
    for i in range(len(url)):
        c = character_at(kind, data, i)
        if c <= 32 or c >= 127 or c == c"(" or c == c")" or c == c"<" or c == c">" or c == c"\\" or c == c"|" or c == c"&":
            break
    else:
        return url
    url = _DESTINATION.sub(lambda match: "".join([f"%{byte:02X}" for byte in match[0].encode()]), url)
    return _ENTITY.sub("&amp;", url)


cdef int _put_formula(Buffer* out, formula) except -1:
    """Write TeX between dollar signs, without characters that Markdown would read as a tag, a link or code."""
    cdef str tex = formula.tex
    for sign, replacement in _REPLACED:
        if sign in tex:
            tex = tex.replace(sign, replacement)
    put_all(out, f"$${tex}$$" if formula.display else f"${tex}$")
    return 0


cdef int _put_image(Buffer* out, image) except -1:
    if isinstance(image, Formula):
        return _put_formula(out, image)
    if isinstance(image, NoteReference):
        put_all(out, f"[^{image.label}]")
        return 0
    put_ascii(out, b"[" if isinstance(image, Embed) else b"![")
    put_all(out, escape(image[1]))
    put_ascii(out, b"](")
    put_all(out, _destination(image[0]))
    return put(out, c")")


cdef int _put_piece(Buffer* out, const Buffer* given, const Piece* piece, const Piece* following, bint at_start) except -1:
    cdef const uint32_t* text = given.text
    cdef Py_ssize_t size = piece.stop - piece.start
    cdef uint32_t after = NONE
    cdef bint ends_link = piece.link >= 0 and (following == NULL or following.link != piece.link)
    if not piece.marks:
        _put_plain(out, given, piece.start, size, at_start, piece.link >= 0)
        if (following != NULL and text[piece.stop - 1] == c"!"
                and (following.marks == IMAGE or following.link != piece.link)):
            # It would make the bracket after it that of an image.
            out.text[out.size - 1] = c"\\"
            out.now = out.origin[out.size - 1] if out.traced else 0
            put(out, c"!")
            out.now = 0
        return 0
    if ends_link:
        after = c"]"
    elif following != NULL:
        after = c"<" if following.marks or following.link >= 0 else text[following.start]
    return _put_marked(out, given, piece, after)


cdef int put_inline(ParagraphPieces paragraph, Buffer* out, str breaks, bint starts_line) except -1:
    """Write the current paragraph.

    Parameters
    ----------
    breaks : the text of a line break
    starts_line : whether the paragraph begins a line, where more characters are escaped
    """
    cdef Py_ssize_t i, count
    cdef bint at_start = starts_line
    cdef Piece* piece
    cdef Piece* following
    cdef int32_t marks
    for i in range(paragraph.raw.count):
        piece = &paragraph.raw.row[i]
        # The marks that Markdown can show; code has no other marks. Superscripts keep their tags: 10<sup>6</sup> is not 106.
        piece.marks = CODE_MARK if piece.marks & CODE_MARK else piece.marks & (SHOWN | BREAK | IMAGE)
    paragraph.tidy()
    count = paragraph.pieces.count
    for i in range(count):
        piece = &paragraph.pieces.row[i]
        following = piece + 1 if i + 1 < count else NULL
        if piece.marks == BREAK:
            put_all(out, breaks)
            at_start = starts_line
            continue
        if piece.link >= 0 and (i == 0 or (piece - 1).link != piece.link):
            put(out, c"[")
        if piece.marks == IMAGE:
            out.now = -(piece.image + 1)
            _put_image(out, paragraph.reader.image(piece.image))
            out.now = 0
        elif piece.marks == CODE_MARK:
            _put_code(out, &paragraph.folded, piece)
        else:
            _put_piece(out, &paragraph.folded, piece, following, at_start)
        at_start = False
        if piece.link >= 0 and (following == NULL or following.link != piece.link):
            put_ascii(out, b"](")
            put_all(out, _destination(paragraph.reader.href(piece.link)))
            put(out, c")")
    return 0


cdef int _put_code(Buffer* out, const Buffer* given, const Piece* piece) except -1:
    """Write inline code."""
    cdef Py_ssize_t i, size = piece.stop - piece.start, start = out.size
    put_all(out, code_span(PyUnicode_FromKindAndData(4, given.text + piece.start, size)))
    if out.traced:
        start += (out.size - start - size) // 2      # the same signs stand on both sides
        for i in range(size):
            out.origin[start + i] = given.origin[piece.start + i]
    return 0
