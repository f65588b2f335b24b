# cython: language_level=3
"""Words, lines and sentences (Kohlschütter & Nejdl 2008 §3.3 and equation 6). `webstrata.text` defines them."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

from webstrata._scan.columns cimport Columns, made
from webstrata._scan.rows cimport B_TEXT_START, B_TEXT_STOP, L_TEXT_START, L_TEXT_STOP, Table, ints

from webstrata.errors import InputError

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 c) nogil
    bint Py_UNICODE_ISSPACE(Py_UCS4 c) nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 c) nogil
    bint Py_UNICODE_ISTITLE(Py_UCS4 c) nogil

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

def _fill():
    cdef int c
    for c in range(256):
        LATIN[c] = SPACE if chr(c).isspace() else LETTER if chr(c).isalnum() else MARK


_fill()


cdef inline bint _is_unspaced(uint32_t c) noexcept nogil:
    """Letters of scripts that put no space between words."""
    if c < 0x0E00:
        return False
    return (0x4E00 <= c <= 0x9FFF                                   # Han
            or (0x3041 <= c <= 0x312F and c != 0x30A0 and c != 0x30FB)   # Kana, Bopomofo
            or 0x3400 <= c <= 0x4DBF or 0x20000 <= c <= 0x323AF or 0xF900 <= c <= 0xFAFF
            or c == 0x3005 or c == 0x3007 or 0x2E80 <= c <= 0x2FDF or 0x31F0 <= c <= 0x31FF or 0xFF66 <= c <= 0xFF9D
            or (0x0E01 <= c <= 0x0FBC and c != 0x0E3F)              # Thai, Lao, Tibetan
            or 0x1000 <= c <= 0x109F or 0x1780 <= c <= 0x17DD       # Myanmar, Khmer
            or 0x1950 <= c <= 0x19DF or 0x1A20 <= c <= 0x1AAF)      # Tai Le, New Tai Lue, Tai Tham


cdef int wide_kind(uint32_t c) noexcept nogil:
    if _is_unspaced(c):
        return UNSPACED
    if Py_UNICODE_ISALNUM(c):
        return LETTER
    return SPACE if Py_UNICODE_ISSPACE(c) else MARK


cdef int wide_columns(uint32_t c) noexcept nogil:
    return 2 if (c <= 0x115F or 0x2E80 <= c <= 0x303E or 0x3041 <= c <= 0xA4CF or 0xAC00 <= c <= 0xD7A3
                 or 0xF900 <= c <= 0xFAFF or 0xFE30 <= c <= 0xFE4F or 0xFF01 <= c <= 0xFF60 or 0xFFE0 <= c <= 0xFFE6
                 or 0x1F300 <= c <= 0x1F64F or 0x1F900 <= c <= 0x1F9FF or 0x20000 <= c <= 0x3FFFD) else 1


cdef struct TextSpans:
    const int32_t* start
    const int32_t* stop
    Py_ssize_t count


cdef struct Counts:
    int32_t* words
    int32_t* link_words
    int32_t* lines
    int32_t* wrapped_words


cdef struct Wrap:
    int width
    int line                 # columns of the last line
    int32_t lines
    int32_t words
    int32_t line_words       # words of the last line
    bint glued               # no space stands before the next token


cdef inline void _place(Wrap* wrap, int columns, bint is_word) noexcept nogil:
    """Put a token on the last line, or on a new one when it does not fit."""
    cdef int needed = columns + (wrap.line > 0 and not wrap.glued)
    if columns == 0:
        return
    if wrap.line > 0 and wrap.line + needed > wrap.width:
        wrap.lines += 1
        wrap.line = columns
        wrap.line_words = 0
    else:
        wrap.line += needed
    wrap.words += is_word
    wrap.line_words += is_word
    wrap.glued = True


cdef struct Linked:
    TextSpans links
    Py_ssize_t next              # the first link that begins after what was seen
    int32_t until                # where the links that were seen end


cdef inline bint _is_linked(Linked* linked, int32_t at) noexcept nogil:
    """Whether a character is in a link. Must be called from left to right."""
    while linked.next < linked.links.count and linked.links.start[linked.next] <= at:
        linked.until = max(linked.until, linked.links.stop[linked.next])
        linked.next += 1
    return at < linked.until


cdef inline int32_t _token(const character* text, int32_t at, int32_t stop, Wrap* wrap, Linked* linked,
                           int32_t* link_words) noexcept nogil:
    """Place the token that begins at `at`; returns where it ends."""
    cdef uint32_t c
    cdef int kind
    cdef int columns
    cdef int32_t start = at
    cdef bint is_word = False
    cdef bint unspaced = False       # inside a run of an unspaced script
    wrap.glued = False
    # Most tokens are of the first 256 characters alone: marks, and letters behind them.
    while at < stop and text[at] < 256 and LATIN[text[at]] == MARK:
        at += 1
    if at < stop and text[at] < 256 and LATIN[text[at]] == LETTER:
        is_word = True
        link_words[0] += _is_linked(linked, at)
        while at < stop and text[at] < 256 and LATIN[text[at]] != SPACE:
            at += 1
    columns = at - start
    while at < stop:
        c = text[at]
        kind = kind_of(c)
        if kind == SPACE:
            break
        if ends_word(kind, unspaced, columns):
            _place(wrap, columns, is_word)
            unspaced = kind == UNSPACED
            is_word = False
            columns = 0
        if kind != MARK and not is_word:
            is_word = True
            link_words[0] += _is_linked(linked, at)
        columns += columns_of(c)
        at += 1
    _place(wrap, columns, is_word)
    return at


cdef void _count(const character* text, TextSpans blocks, TextSpans links, int width, Counts out) noexcept nogil:
    cdef Wrap wrap
    cdef Linked linked
    cdef Py_ssize_t block
    cdef int32_t at, stop, link_words
    linked.links = links
    linked.next = linked.until = 0
    wrap.width = width
    for block in range(blocks.count):
        wrap.line = wrap.words = wrap.line_words = link_words = 0
        wrap.lines = 1
        at, stop = blocks.start[block], blocks.stop[block]
        while at < stop:
            at = _token(text, at, stop, &wrap, &linked, &link_words) + 1
        out.words[block] = wrap.words
        out.link_words[block] = link_words
        out.lines[block] = wrap.lines
        out.wrapped_words[block] = wrap.words - wrap.line_words if wrap.lines > 1 else 0


cdef struct ShallowCounts:
    int32_t* word_chars
    int32_t* capital_words
    int32_t* upper_words
    int32_t* full_stops
    int32_t* bars
    int32_t* sentences
    int32_t* digits


cdef inline bint _ends_sentence(uint32_t c) noexcept nogil:
    return (c == 46 or c == 33 or c == 63 or c == 59 or c == 0x3002 or c == 0xFF01 or c == 0xFF1F or c == 0xFF1B
            or c == 0x2026 or c == 0x061F or c == 0x0964)


cdef void _shallow(const character* text, TextSpans blocks, ShallowCounts out) noexcept nogil:
    cdef Py_ssize_t block
    cdef int32_t at, letters, uppers, chars
    cdef uint32_t c
    cdef int kind
    cdef bint is_word, starts_upper, ended, open_sentence
    for block in range(blocks.count):
        out.word_chars[block] = out.capital_words[block] = out.upper_words[block] = out.full_stops[block] = 0
        out.bars[block] = out.sentences[block] = out.digits[block] = 0
        is_word = starts_upper = ended = open_sentence = False
        letters = uppers = chars = 0
        for at in range(blocks.start[block], blocks.stop[block] + 1):
            if at < blocks.stop[block]:
                c = text[at]
                kind = kind_of(c)
            else:
                c = 32
                kind = SPACE
            if kind == SPACE:
                if is_word:
                    out.word_chars[block] += chars
                    out.capital_words[block] += starts_upper
                    out.upper_words[block] += letters > 0 and uppers == letters
                if ended and open_sentence:
                    out.sentences[block] += 1
                    open_sentence = False
                is_word = starts_upper = ended = False
                letters = uppers = chars = 0
                continue
            if kind != MARK:
                open_sentence = True
                if not is_word:
                    starts_upper = Py_UNICODE_ISUPPER(c) or Py_UNICODE_ISTITLE(c)
                is_word = True
                if 48 <= c <= 57:
                    out.digits[block] += 1
                else:
                    letters += 1
                    uppers += Py_UNICODE_ISUPPER(c)
            chars += 1
            ended = _ends_sentence(c) or (ended and kind == MARK)     # closing quotes and brackets may follow
            if ended and c >= 0x3000 and open_sentence:
                out.sentences[block] += 1                             # no space follows in East Asian text
                open_sentence = False
            out.full_stops[block] += c == 46 or c == 0x3002
            out.bars[block] += c == 124
        out.sentences[block] += open_sentence


def words(str text):
    """The words of a text, without the marks around them."""
    cdef Py_ssize_t at, length = len(text), first = -1, last = -1
    cdef int kind, columns = 0
    cdef bint unspaced = False
    cdef Py_UCS4 c
    found = []
    for at in range(length + 1):
        c = text[at] if at < length else 32
        kind = kind_of(c)
        if ends_word(kind, unspaced, columns):
            if first >= 0:
                found.append(text[first:last + 1])
            first = -1
            columns = 0
            unspaced = kind == UNSPACED
        columns += columns_of(c)
        if kind == LETTER or kind == UNSPACED:
            if first < 0:
                first = at
            last = at
    return found


def sentences(str text):
    """The sentences of a text, white space around them left out."""
    cdef Py_ssize_t at, length = len(text), first = 0
    cdef bint ended = False, is_open = False
    cdef int kind
    cdef Py_UCS4 c
    found = []
    for at in range(length):
        c = text[at]
        kind = kind_of(c)
        if kind == SPACE:
            if ended and is_open:
                found.append(text[first:at].strip())
                first = at
                is_open = False
            ended = False
            continue
        is_open = is_open or kind != MARK
        ended = _ends_sentence(c) or (ended and kind == MARK)
        if ended and c >= 0x3000 and is_open:
            found.append(text[first:at + 1].strip())
            first = at + 1
            is_open = False
    if is_open:
        found.append(text[first:].strip())
    elif found and text[first:].strip():
        found[len(found) - 1] += text[first:].rstrip()
    return found


cdef void _count_spans(const void* text, int kind, TextSpans blocks, TextSpans links, int width, Table* counts) noexcept nogil:
    cdef Counts out
    out.words, out.link_words, out.lines, out.wrapped_words = ints(counts, 0), ints(counts, 1), ints(counts, 2), ints(counts, 3)
    if kind == 1:
        _count(<const uint8_t*>text, blocks, links, width, out)
    elif kind == 2:
        _count(<const uint16_t*>text, blocks, links, width, out)
    else:
        _count(<const uint32_t*>text, blocks, links, width, out)


cdef void fill_counts(const void* text, int kind, const Table* blocks, const Table* links, int width,
                      Table* counts) noexcept nogil:
    """Words, linked words, lines and words before the last line of the blocks of a page, whose links begin in order.

    `kind` is the width of the text's characters, and there are four columns for the counts.
    """
    cdef TextSpans spans, linked
    spans.start, spans.stop = <const int32_t*>blocks.column[B_TEXT_START], <const int32_t*>blocks.column[B_TEXT_STOP]
    linked.start, linked.stop = <const int32_t*>links.column[L_TEXT_START], <const int32_t*>links.column[L_TEXT_STOP]
    spans.count, linked.count = blocks.rows, links.rows
    _count_spans(text, kind, spans, linked, width, counts)


def count(str text, const int32_t[::1] starts, const int32_t[::1] stops, int width):
    """The same of spans of a text, none of them linked."""
    cdef TextSpans spans = _spans(text, starts, stops)
    cdef Columns counts = made(spans.count, 4)
    cdef Table* table = &counts.table
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    with nogil:
        _count_spans(data, kind, spans, TextSpans(NULL, NULL, 0), width, table)
    return counts


def count_blocks(str text, Columns blocks, Columns links, int width):
    """The same of the blocks of a page, as `fill_counts` gives it."""
    cdef Columns counts = made(blocks.table.rows, 4)
    cdef Table* table = &counts.table
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    with nogil:
        fill_counts(data, kind, &blocks.table, &links.table, width, table)
    return counts


def shallow(str text, const int32_t[::1] starts, const int32_t[::1] stops):
    """The counts behind Kohlschütter 2011's shallow features of each span of a text, as seven buffers of int32."""
    cdef ShallowCounts out
    cdef TextSpans blocks = _spans(text, starts, stops)
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    buffers = _buffers(7, blocks.count)
    out.word_chars, out.capital_words, out.upper_words = _ints(buffers[0]), _ints(buffers[1]), _ints(buffers[2])
    out.full_stops, out.bars, out.sentences = _ints(buffers[3]), _ints(buffers[4]), _ints(buffers[5])
    out.digits = _ints(buffers[6])
    with nogil:
        if kind == 1:
            _shallow(<const uint8_t*>data, blocks, out)
        elif kind == 2:
            _shallow(<const uint16_t*>data, blocks, out)
        else:
            _shallow(<const uint32_t*>data, blocks, out)
    return buffers


cdef tuple _buffers(int count, Py_ssize_t rows):
    return tuple(bytearray(4 * rows) for _ in range(count))


cdef int32_t* _ints(bytearray buffer) except NULL:
    return <int32_t*><char*>buffer


cdef TextSpans _spans(str text, const int32_t[::1] starts, const int32_t[::1] stops) except *:
    """Spans of a text, checked against its length."""
    cdef TextSpans spans
    cdef Py_ssize_t i
    cdef Py_ssize_t length = len(text)
    if starts.shape[0] != stops.shape[0]:
        raise InputError(f"there are {starts.shape[0]} starts and {stops.shape[0]} stops: each span needs both")
    for i in range(starts.shape[0]):
        if not 0 <= starts[i] <= stops[i] <= length:
            raise IndexError(f"the span {starts[i]}:{stops[i]} is not within the {length} characters of the text")
    spans.count = starts.shape[0]
    spans.start = &starts[0] if spans.count else NULL
    spans.stop = &stops[0] if spans.count else NULL
    return spans
