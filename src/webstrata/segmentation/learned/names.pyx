# cython: language_level=3
"""Groups of words in the classes, ids and roles of elements, as bits.

Only words count, not whether an element has a class: the tool that marked the pages of Kreuzer 2013 left empty classes
where the mouse of the annotator had been.
"""

from libc.stdint cimport uint8_t, uint32_t

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, same_name

from webstrata.segmentation.learned.name_groups import CUES, GROUPS, WORDS

cdef enum:
    MOST_LETTERS = 400       # of an attribute: generated classes can have thousands
    MOST_WORDS = 128

cdef struct NameWord:
    const char* text
    int size
    uint32_t bit
    bint begins

cdef NameWord[MOST_WORDS] _word
cdef int[27] _first              # the words by their first letter: those of letter k are _first[k]:_first[k + 1]
cdef uint8_t[1024] _begins       # whether any word begins with two letters, the first of them times 32


def _fill():
    cdef bytes text
    cdef int number, letter
    if len(GROUPS) != NAMES or len(CUES) != CUE_GROUPS or len(WORDS) > MOST_WORDS:
        raise ImportError("webstrata: NAMES or MOST_WORDS does not fit the groups of names")
    for number in range(NAMES):
        text = GROUPS[number]
        NAME_COLUMN[number] = <const char*>text
    for number in range(CUE_GROUPS):
        text = CUES[number]
        CUE_COLUMN[number] = <const char*>text
    for number in range(len(WORDS)):
        text, bit, begins = WORDS[number]
        _word[number].text, _word[number].size = <const char*>text, len(text)
        _word[number].bit, _word[number].begins = bit, begins
        _begins[(text[0] - 97) * 32 + text[1] - 97] = True
        for letter in range(text[0] - 96, 27):
            _first[letter] += 1


_fill()


cdef uint32_t names_of(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """The bits of a start tag."""
    cdef Attribute attribute
    cdef Py_ssize_t at = start + 1, size
    cdef uint32_t found = 0
    cdef const uint8_t* name
    while at < stop and not is_space(source[at]) and source[at] != 47 and source[at] != 62:
        at += 1
    while 0 <= at < stop:
        at = next_attribute(source, at, stop, &attribute)
        size = attribute.name_stop - attribute.name_start
        if size == 0:
            break
        name = source + attribute.name_start
        if ((size == 5 and same_name(name, b"class", 5)) or (size == 2 and same_name(name, b"id", 2))
                or (size == 4 and same_name(name, b"role", 4))):
            found |= _words_in(source, attribute.value_start,
                               min(attribute.value_stop, attribute.value_start + MOST_LETTERS))
    return found


cdef uint32_t _words_in(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef Py_ssize_t at
    cdef uint32_t found = 0
    cdef uint8_t c, letter, second, before = 32
    cdef int k
    cdef bint begins
    cdef NameWord* word
    for at in range(start, stop - 1):
        c = source[at]
        letter = (c | 0x20) - 97
        second = (source[at + 1] | 0x20) - 97
        if letter < 26 and second < 26 and _begins[letter * 32 + second]:
            # A part of a name begins after a non-letter, and with a capital in camelCase.
            begins = not 97 <= (before | 0x20) <= 122 or (c < 97 and before >= 97)
            for k in range(_first[letter], _first[letter + 1]):
                word = &_word[k]
                if (at + word.size <= stop and (begins or not word.begins)
                        and same_name(source + at, <const uint8_t*>word.text, word.size)):
                    found |= word.bit
        before = c
    return found
