# cython: language_level=3
"""The paragraphs of a page and what is counted in each of them.

They are the paragraphs of `webstrata.paragraphs`, which here also end at a line break, because old pages separate their
paragraphs with ``br``, and between shown and hidden text. Words are those of `webstrata.text`.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from webstrata._paragraphs cimport LINE
from webstrata._scan.rows cimport HIDDEN, PREFORMATTED
from webstrata._scan.tags cimport INLINE, TRAITS
from webstrata._scan.words cimport LETTER, MARK, SPACE, UNSPACED, columns_of, ends_word, kind_of
from webstrata.extraction.learned.word_hashes cimport HASH_START, TEXT_KIND, Hashes, add_hash, fnv, mix

cdef extern from "Python.h":
    bint Py_UNICODE_ISUPPER(Py_UCS4 c) nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 c) nogil

ctypedef fused character:
    uint8_t
    uint16_t
    uint32_t

cdef enum:
    FIRST_WORDS = 8              # the hashes kept of a paragraph; enough to recognise a headline or a label
    SHORT_WORDS = 6              # up to this length, pairs of words ("read more") are hashed as well
    INNER_MARK = 45              # replaces the marks inside a word, such as those of "isn't" and "A/B"


cdef Py_ssize_t cut_paragraphs(ParagraphFeatures* paragraphs, const uint8_t* ends, const uint8_t* flags,
                               Py_ssize_t blocks, const int32_t* element, const uint8_t* tag, const int32_t* parent) noexcept nogil:
    """Cut the blocks into paragraphs; returns their number."""
    cdef Py_ssize_t i, count = 0
    cdef ParagraphFeatures* paragraph = NULL
    cdef int32_t owner
    for i in range(blocks):
        if paragraph == NULL or ends[i] >= LINE or flags[i] != flags[i - 1]:
            paragraph = &paragraphs[count]
            count += 1
            memset(paragraph, 0, sizeof(ParagraphFeatures))
            paragraph.first_block = <int32_t>i
            paragraph.element = owner = element[i]
            while TRAITS[tag[owner]] & INLINE and parent[owner] >= 0:
                owner = parent[owner]
            paragraph.owner = owner
            paragraph.heading = flags[i] >> 4
            paragraph.hidden = (flags[i] & HIDDEN) != 0
            paragraph.preformatted = (flags[i] & PREFORMATTED) != 0
        paragraph.end_block = <int32_t>(i + 1)
    return count


# For ASCII: the lower-case letter or the digit, 0 for all others; and the kind of a mark.
cdef uint8_t[128] _LOWER
cdef uint8_t[128] _SIGN

cdef enum:
    STOP = 1
    COMMA = 2
    SYMBOL = 3                   # in prices, copyright lines, paths and lists


def _fill():
    for c in range(128):
        _LOWER[c] = ord(chr(c).lower()) if chr(c).isalnum() else 0
        _SIGN[c] = STOP if chr(c) in ".!?:" else COMMA if chr(c) in ",;" else SYMBOL if chr(c) in "$>|" else 0


_fill()


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


# The state of reading a word.
cdef struct WordReader:
    uint32_t hash
    int letters              # and digits
    int columns
    bint unspaced            # in a script without spaces between words
    bint has_marks           # since the last letter
    bint capital


cdef inline void _begin_word(WordReader* word) noexcept nogil:
    word.hash = HASH_START ^ TEXT_KIND
    word.letters = word.columns = 0
    word.unspaced = word.has_marks = word.capital = False


cdef inline void _add_letter(WordReader* word, uint32_t c, uint32_t low) noexcept nogil:
    if word.letters == 0:
        word.capital = c < low if c < 128 else Py_UNICODE_ISUPPER(c)
    elif word.has_marks:
        word.hash = fnv(word.hash, INNER_MARK)
    word.has_marks = False
    word.hash = fnv(word.hash, low)
    word.letters += 1


cdef inline bint _ends(WordReader* word, uint32_t c, int kind) noexcept nogil:
    """Whether a word ends before a character; otherwise the columns of the character are added to it."""
    if not ends_word(kind, word.unspaced, word.columns):
        word.columns += columns_of(c)
        return False
    return True


# The words of a paragraph before the one that is read.
cdef struct WordsBefore:
    int count
    uint32_t last            # the hash of the last one; 0 for none


cdef bint _end_word(ParagraphFeatures* paragraph, WordReader* word, WordsBefore* before, Hashes* found,
                    const uint32_t* title) noexcept nogil:
    """Add a word to the counts of its paragraph; False when memory ran out."""
    cdef uint32_t hash = word.hash, slot = hash & (TITLE_SLOTS - 1)
    paragraph.word_chars += word.letters
    paragraph.capital_words += word.capital
    paragraph.text_hash = mix(paragraph.text_hash, hash)
    while title[slot]:
        if title[slot] == hash:
            paragraph.title_words += 1
            break
        slot = (slot + 1) & (TITLE_SLOTS - 1)
    if before.count < FIRST_WORDS:
        if not add_hash(found, hash):
            return False
        if before.last and paragraph.words <= SHORT_WORDS and not add_hash(found, fnv(before.last, hash)):
            return False
    before.count += 1
    before.last = hash
    return True


cdef inline bint _read_block(ParagraphFeatures* paragraph, WordsBefore* before, Hashes* found, const character* text, int32_t at,
                             int32_t stop, const uint32_t* title) noexcept nogil:
    cdef uint32_t c, low
    cdef int kind, sign
    cdef WordReader word
    _begin_word(&word)
    while at < stop:
        c = text[at]
        at += 1
        if c < 128:
            low = _LOWER[c]
            kind = LETTER if low else SPACE if c <= 32 and kind_of(c) == SPACE else MARK
        else:
            kind = kind_of(c)
            low = Py_UNICODE_TOLOWER(c) if kind == LETTER or kind == UNSPACED else 0
        if _ends(&word, c, kind):
            if word.letters and not _end_word(paragraph, &word, before, found, title):
                return False
            _begin_word(&word)
            word.unspaced = kind == UNSPACED
            word.columns = columns_of(c)
        if kind == SPACE:
            continue
        if paragraph.first_char == 0:
            paragraph.first_char = c
        paragraph.last_char = c
        if low:
            _add_letter(&word, c, low)
            paragraph.digits += c < 58
            continue
        word.has_marks = True
        sign = _sign(c)
        if sign == STOP:
            paragraph.stops += 1
            paragraph.sentence_ends += at >= stop or text[at] <= 32 or c >= 0x3000
        elif sign == COMMA:
            paragraph.commas += 1
        elif sign == SYMBOL:
            paragraph.symbols += 1
    return word.letters == 0 or _end_word(paragraph, &word, before, found, title)


cdef bint _read(ParagraphFeatures* paragraph, Py_ssize_t count, Hashes* found, const character* text, const int32_t* starts,
                const int32_t* stops, const uint32_t* title) noexcept nogil:
    cdef Py_ssize_t i, block
    cdef WordsBefore before
    for i in range(count):
        paragraph.first_word = <int32_t>found.count
        paragraph.text_hash = HASH_START
        before.count = 0
        before.last = 0
        for block in range(paragraph.first_block, paragraph.end_block):
            if not _read_block(paragraph, &before, found, text, starts[block], stops[block], title):
                return False
        paragraph.end_word = <int32_t>found.count
        paragraph += 1
    return True


cdef bint read_text(ParagraphFeatures* paragraph, Py_ssize_t count, Hashes* found, const void* text, int kind,
                    const int32_t* starts, const int32_t* stops, const uint32_t* title) noexcept nogil:
    """Count the characters of each paragraph, hash its text and its first words; False when memory ran out.

    `kind` is the width of the characters of the text in bytes.
    """
    if kind == 1:
        return _read(paragraph, count, found, <const uint8_t*>text, starts, stops, title)
    if kind == 2:
        return _read(paragraph, count, found, <const uint16_t*>text, starts, stops, title)
    return _read(paragraph, count, found, <const uint32_t*>text, starts, stops, title)


cdef int32_t hash_title(str text, uint32_t* slots):
    """Put the words of a title into a hash table of TITLE_SLOTS slots; returns their number."""
    cdef Py_ssize_t at, length = len(text)
    cdef int32_t words = 0
    cdef uint32_t c, slot
    cdef int kind
    cdef WordReader word
    memset(slots, 0, TITLE_SLOTS * sizeof(uint32_t))
    _begin_word(&word)
    for at in range(length + 1):
        c = text[at] if at < length else 32
        kind = kind_of(c)
        if _ends(&word, c, kind):
            if word.letters and words < TITLE_SLOTS // 2:
                slot = word.hash & (TITLE_SLOTS - 1)
                while slots[slot] and slots[slot] != word.hash:
                    slot = (slot + 1) & (TITLE_SLOTS - 1)
                slots[slot] = word.hash
                words += 1
            _begin_word(&word)
            word.unspaced = kind == UNSPACED
            word.columns = columns_of(c)
        if kind == LETTER or kind == UNSPACED:
            _add_letter(&word, c, Py_UNICODE_TOLOWER(c))
        elif kind == MARK:
            word.has_marks = True
    return words
