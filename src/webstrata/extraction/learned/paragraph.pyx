# cython: language_level=3
"""Paragraphs: how blocks make them, and what their characters say.

A *unit* is a paragraph: a run of blocks that only inline tags part.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from webstrata._scan.rows cimport HIDDEN, PREFORMATTED
from webstrata._scan.tags cimport INLINE, TRAITS
from webstrata.extraction.learned.lookalikes cimport mix
from webstrata.extraction.learned.tokens cimport SEED, Tokens, add_token, fnv

cdef extern from "Python.h":
    bint Py_UNICODE_ISALNUM(Py_UCS4 c) nogil
    bint Py_UNICODE_ISUPPER(Py_UCS4 c) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 c) nogil

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    WORD_KIND = 5
    MAX_UNIT_TOKENS = 8          # first words of a unit; enough to know a headline or a label
    SHORT_WORDS = 6              # units up to this length give pairs of words as well ("read more")


cdef Py_ssize_t cut(Unit* units, const uint64_t* gap, const uint8_t* flags, Py_ssize_t blocks, const uint64_t* inline,
                    const int32_t* element, const uint8_t* tag, const int32_t* parent) noexcept nogil:
    """Cut the blocks into units; returns how many there are."""
    cdef Py_ssize_t i, count = 0
    cdef Unit* unit = NULL
    cdef int32_t owner
    for i in range(blocks):
        if unit == NULL or flags[i] != flags[i - 1] or (
                gap[3 * i] & ~inline[0] | gap[3 * i + 1] & ~inline[1] | gap[3 * i + 2] & ~inline[2]):
            unit = &units[count]
            count += 1
            memset(unit, 0, sizeof(Unit))
            unit.first_block = <int32_t>i
            unit.element = owner = element[i]
            while TRAITS[tag[owner]] & INLINE and parent[owner] >= 0:
                owner = parent[owner]
            unit.owner = owner
            unit.heading = flags[i] >> 4
            unit.hidden = (flags[i] & HIDDEN) != 0
            unit.preformatted = (flags[i] & PREFORMATTED) != 0
        unit.end_block = <int32_t>(i + 1)
    return count


# Of ASCII: letters in lower case and digits as they are, zero for all else; and what the other signs mean.
cdef uint8_t[128] _LOWER
cdef uint8_t[128] _SIGN

cdef enum:
    STOP = 1
    COMMA = 2
    SYMBOL = 3                   # of prices, rights, paths and lists


def _fill():
    for c in range(128):
        _LOWER[c] = ord(chr(c).lower()) if chr(c).isalnum() else 0
        _SIGN[c] = STOP if chr(c) in ".!?:" else COMMA if chr(c) in ",;" else SYMBOL if chr(c) in "$>|" else 0


_fill()


cdef inline uint32_t _lower(uint32_t c) noexcept nogil:
    """A letter in lower case or a digit; zero for all else."""
    if c < 128:
        return _LOWER[c]
    return Py_UNICODE_TOLOWER(c) if Py_UNICODE_ISALNUM(c) else 0


cdef inline int _sign(uint32_t c) noexcept nogil:
    if c < 128:
        return _SIGN[c]
    if c == 0x3002 or c == 0xFF01 or c == 0xFF1F:
        return STOP
    if c == 0xFF0C or c == 0x3001 or c == 0x060C:
        return COMMA
    # Pounds, yen, copyright, middle dot, right guillemets, bullet, arrow, euro.
    if c == 0xA3 or c == 0xA5 or c == 0xA9 or c == 0xB7 or c == 0xBB or c == 0x2022 or c == 0x203A or c == 0x2192 or (
            c == 0x20AC):
        return SYMBOL
    return 0


# A word that is being read.
cdef struct Word:
    uint32_t hash
    int size
    bint capital
    int number               # of the words of the unit before it
    uint32_t before          # the hash of the last one; 0 for none


cdef inline bint _end_word(Unit* unit, Word* word, Tokens* tokens, const uint32_t* title) noexcept nogil:
    """Count a word in, and begin the next one."""
    cdef uint32_t hash = word.hash, slot = hash & (TITLE_SLOTS - 1)
    unit.word_chars += word.size
    unit.capital_words += word.capital
    unit.text_hash = mix(unit.text_hash, hash)
    while title[slot]:
        if title[slot] == hash:
            unit.title_words += 1
            break
        slot = (slot + 1) & (TITLE_SLOTS - 1)
    if word.number < MAX_UNIT_TOKENS:
        if not add_token(tokens, hash):
            return False
        if word.before and unit.words <= SHORT_WORDS and not add_token(tokens, fnv(word.before, hash)):
            return False
    word.number += 1
    word.before = hash
    word.hash = SEED ^ WORD_KIND
    word.size = 0
    return True


cdef inline bint _read_block(Unit* unit, Word* word, Tokens* tokens, const character* text, int32_t at, int32_t stop,
                             const uint32_t* title) noexcept nogil:
    cdef uint32_t c, low
    cdef int sign
    unit.chars += stop - at
    while at < stop:
        c = text[at]
        low = _lower(c)
        at += 1
        if c > 32:
            if unit.first_char == 0:
                unit.first_char = c
            unit.last_char = c
        if low:
            if word.size == 0:
                word.capital = c < low if c < 128 else Py_UNICODE_ISUPPER(c)
            word.hash = fnv(word.hash, low)
            word.size += 1
            unit.digits += c < 58
            continue
        if word.size and not _end_word(unit, word, tokens, title):
            return False
        sign = _sign(c)
        if sign == STOP:
            unit.stops += 1
            unit.sentence_ends += at >= stop or text[at] <= 32 or c >= 0x3000
        elif sign == COMMA:
            unit.commas += 1
        elif sign == SYMBOL:
            unit.symbols += 1
    return word.size == 0 or _end_word(unit, word, tokens, title)


cdef bint _read(Unit* unit, Py_ssize_t units, Tokens* tokens, const character* text, const int32_t* starts,
                const int32_t* stops, const uint32_t* title) noexcept nogil:
    cdef Py_ssize_t i, block
    cdef Word word
    for i in range(units):
        unit.first_token = <int32_t>tokens.count
        unit.text_hash = SEED
        word.hash = SEED ^ WORD_KIND
        word.size = word.number = 0
        word.before = 0
        word.capital = False
        for block in range(unit.first_block, unit.end_block):
            if not _read_block(unit, &word, tokens, text, starts[block], stops[block], title):
                return False
        unit.end_token = <int32_t>tokens.count
        unit += 1
    return True


cdef bint read_text(Unit* unit, Py_ssize_t units, Tokens* tokens, const void* text, int kind, const int32_t* starts,
                    const int32_t* stops, const uint32_t* title) noexcept nogil:
    """Count the characters of each unit, hash its text and its first words; False when memory ran out.

    `kind` is the width of the text's characters in bytes.
    """
    if kind == 1:
        return _read(unit, units, tokens, <const uint8_t*>text, starts, stops, title)
    if kind == 2:
        return _read(unit, units, tokens, <const uint16_t*>text, starts, stops, title)
    return _read(unit, units, tokens, <const uint32_t*>text, starts, stops, title)


cdef int32_t title_words(str text, uint32_t* slots):
    """Hash the words of a title into TITLE_SLOTS slots; returns how many there are."""
    cdef Py_ssize_t at, length = len(text)
    cdef int32_t words = 0
    memset(slots, 0, TITLE_SLOTS * sizeof(uint32_t))
    cdef uint32_t c, hash = SEED ^ WORD_KIND, slot
    cdef int size = 0
    for at in range(length + 1):
        c = text[at] if at < length else 32
        if Py_UNICODE_ISALNUM(c):
            hash = fnv(hash, Py_UNICODE_TOLOWER(c))
            size += 1
        elif size:
            if words < TITLE_SLOTS // 2:
                slot = hash & (TITLE_SLOTS - 1)
                while slots[slot] and slots[slot] != hash:
                    slot = (slot + 1) & (TITLE_SLOTS - 1)
                slots[slot] = hash
                words += 1
            hash = SEED ^ WORD_KIND
            size = 0
    return words
