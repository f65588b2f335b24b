# cython: language_level=3
"""The terms of a text; `webstrata.search.analyser` defines terms.

Each character is looked up in a table of its kind and its folded form. The table is filled when a character is first
read, since most texts use a few hundred characters.
"""

import unicodedata

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc
from libc.string cimport memcpy

from webstrata._scan.words cimport LETTER as WORD_LETTER, UNSPACED as WORD_UNSPACED, kind_of

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

# The kind of a character in a term. In the table it is above the 21 bits of the folded character.
cdef enum:
    UNKNOWN = 0
    BREAK = 1                # ends a term
    LETTER = 2               # becomes one character
    SPELT = 3                # becomes several, which `_SPELT` has
    DROPPED = 4              # is dropped from a term: accents, soft hyphens, joiners
    CONTINUED = 5            # continues a term but begins none: marks of Indic scripts
    UNSPACED = 6             # of a script without spaces between words
    SHIFT = 24
    CHARACTER = 0x1FFFFF

cdef enum:
    LONGEST = 256            # bytes of a term; longer ones are cut

cdef uint32_t* _TABLE = NULL
cdef dict _SPELT = {}


cdef uint32_t _learn(uint32_t c) except 0:
    """Add a character to the table."""
    cdef uint32_t entry
    cdef int kind = kind_of(c)
    cdef str text = chr(c)
    cdef int order = unicodedata.combining(text)
    if kind == WORD_UNSPACED:
        folded = unicodedata.normalize("NFKC", text)
        entry = (UNSPACED << SHIFT) | (ord(folded) if len(folded) == 1 else c)
    elif kind == WORD_LETTER:
        folded = _folded(text)
        if len(folded) == 1:
            entry = (LETTER << SHIFT) | <uint32_t>ord(folded)
        elif folded:
            _SPELT[c] = folded.encode("utf-8", "replace")
            entry = (SPELT << SHIFT) | c
        else:
            entry = (BREAK << SHIFT) | c
    elif 10 <= order <= 36 or order >= 200 or c == 0xAD or 0x200B <= c <= 0x200D or c == 0x2060 or c == 0xFEFF:
        entry = (DROPPED << SHIFT) | c
    elif unicodedata.category(text)[0] == "M":
        entry = (CONTINUED << SHIFT) | c
    else:
        entry = (BREAK << SHIFT) | c
    _TABLE[c] = entry
    return entry


cdef str _folded(str text):
    """A letter without case and accents. Hangul syllables are kept, since NFKD would split them into letters."""
    if "\uac00" <= text <= "\ud7a3":
        return text
    pieces = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(piece for piece in pieces if piece.isalnum())


cdef inline int _utf8(uint32_t c, uint8_t* out) noexcept nogil:
    if c < 0x80:
        out[0] = c
        return 1
    if c < 0x800:
        out[0] = 0xC0 | (c >> 6)
        out[1] = 0x80 | (c & 63)
        return 2
    if c < 0x10000:
        out[0] = 0xE0 | (c >> 12)
        out[1] = 0x80 | ((c >> 6) & 63)
        out[2] = 0x80 | (c & 63)
        return 3
    out[0] = 0xF0 | (c >> 18)
    out[1] = 0x80 | ((c >> 12) & 63)
    out[2] = 0x80 | ((c >> 6) & 63)
    out[3] = 0x80 | (c & 63)
    return 4


cdef class Sink:
    """The base class of consumers of terms.

    While a term is taken, ``cuts`` has a bit for each of its first 64 bytes at which a part of an identifier begins:
    a capital after a small letter (``camelCase``), or the last of several before a small one (``QPainter``).
    """

    cdef int take(self, const uint8_t* term, int length, int64_t start, int64_t stop) except -1:
        raise NotImplementedError


cdef int _read(const character* text, int64_t at, int64_t end, Sink sink) except -1:
    """Pass the terms of ``text[at:end]`` to the sink."""
    cdef uint8_t[LONGEST + 8] term
    cdef uint8_t[16] pair
    cdef int length = 0, kind, first_length, second_length
    cdef int64_t begin = at, before_at = -1
    cdef uint32_t c, entry, before = 0           # before: the unspaced letter that may form a pair
    cdef bint paired = False                     # whether it is in a pair already
    cdef int capitals = 0                        # how many of them at the end
    cdef int cased = 0, cased_before = 0         # the last letters: 1 is a small one, 2 a capital, 0 any other
    cdef uint64_t one = 1
    cdef bytes spelt
    while at < end:
        c = text[at]
        entry = _TABLE[c]
        if entry == 0:
            entry = _learn(c)
        kind = entry >> SHIFT
        if kind == LETTER:
            if length == 0:
                begin = at
                sink.cuts = 0
                cased = 0
            if length < 64:
                cased_before = cased
                cased = 2 if c'A' <= c <= c'Z' else 1 if c'a' <= c <= c'z' else 0
                if cased == 2 and cased_before == 1:
                    sink.cuts |= one << length
                elif cased == 1 and cased_before == 2 and capitals > 1:
                    sink.cuts |= one << (length - 1)
                capitals = capitals + 1 if cased == 2 and cased_before == 2 else 1 if cased == 2 else 0
            if length < LONGEST:
                length += _utf8(entry & CHARACTER, term + length)
        elif kind == SPELT:
            spelt = _SPELT[c]
            if length == 0:
                begin = at
                sink.cuts = 0
            cased = 0
            if length + len(spelt) <= LONGEST:
                memcpy(term + length, <const uint8_t*>spelt, len(spelt))
                length += len(spelt)
        elif kind == CONTINUED:
            if 0 < length < LONGEST:
                length += _utf8(c, term + length)
        elif kind != DROPPED and length:
            sink.take(term, length, begin, at)
            length = 0
        if kind == UNSPACED:
            if before:
                sink.cuts = 0
                first_length = _utf8(before, pair)
                second_length = _utf8(entry & CHARACTER, pair + first_length)
                sink.take(pair, first_length + second_length, before_at, at + 1)
                paired = True
            before = entry & CHARACTER
            before_at = at
        elif before and kind != DROPPED:
            if not paired:
                sink.cuts = 0
                sink.take(pair, _utf8(before, pair), before_at, before_at + 1)
            before = 0
            paired = False
        at += 1
    if length:
        sink.take(term, length, begin, end)
    if before and not paired:
        sink.cuts = 0
        sink.take(pair, _utf8(before, pair), before_at, before_at + 1)
    return 0


cdef int read_terms(str text, int64_t start, int64_t stop, Sink sink) except -1:
    """Pass the terms of ``text[start:stop]`` to the sink."""
    global _TABLE
    cdef int kind = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    if not 0 <= start <= stop <= len(text):
        raise IndexError(f"the span {start}:{stop} is not within the {len(text)} characters of the text")
    if _TABLE == NULL:
        _TABLE = <uint32_t*>calloc(0x110000, sizeof(uint32_t))
        if _TABLE == NULL:
            raise MemoryError
    if kind == 1:
        return _read(<const uint8_t*>data, start, stop, sink)
    if kind == 2:
        return _read(<const uint16_t*>data, start, stop, sink)
    return _read(<const uint32_t*>data, start, stop, sink)


cdef class TermList(Sink):
    """A list of terms with their spans."""

    cdef list found

    cdef int take(self, const uint8_t* term, int length, int64_t start, int64_t stop) except -1:
        self.found.append((term[:length].decode("utf-8", "replace"), start, stop))
        return 0


def terms(str text):
    """The terms of a text as (term, start, stop)."""
    cdef TermList sink = TermList()
    sink.found = []
    read_terms(text, 0, len(text), sink)
    return sink.found
