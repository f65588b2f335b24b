# cython: language_level=3
"""Tags as small integers, and their traits in the HTML standard.

The tables are C arrays, filled when the module is imported.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from webstrata._scan.swar cimport small_name

from webstrata._scan.tag_names import BOXED_TAGS, INLINE_TAGS, TAGS, VOID_TAGS, TRAITS as _TRAITS


cdef void _learn(bytes name, uint8_t tag) noexcept:
    cdef const uint8_t* text = name
    cdef Py_ssize_t size = len(name)
    cdef uint64_t low = small_name(text, min(size, 8), 0)
    cdef uint64_t high = small_name(text + 8, size - 8, 0) if size > 8 else 0
    cdef uint32_t place = place_of(low, high)
    while NAMES[place].tag != 0:
        place = (place + 1) & (PLACES - 1)
    NAMES[place] = Name(low, high, tag)


def _fill():
    if len(TAGS) != TAG_COUNT or len(_TRAITS) != TRAIT_COUNT:
        raise ImportError("webstrata: the names of tags and traits and their numbers do not agree")
    for tag, name in enumerate(TAGS):
        if tag:
            _learn(name.encode(), tag)
    for trait, names in enumerate(_TRAITS.values()):
        for name in names.split():
            TRAITS[TAGS.index(name)] |= <uint32_t>1 << <int>trait
    # A name without a number is an inline element unless it has a hyphen: see `blocks`.
    TRAITS[OTHER] = INLINE | RECONSTRUCTS
    cdef int c
    for c in range(256):
        BYTE_KINDS[c] = PLAIN if c < 0x80 else CONTINUATION if c < 0xC0 else LEAD
    for c in b" \t\n\r\f":
        BYTE_KINDS[c] = WHITE
    BYTE_KINDS[38] = AMPERSAND
    BYTE_KINDS[0] = NUL
    for c in (0xC2, 0xE1, 0xE2, 0xE3):
        BYTE_KINDS[c] = LEAD_MAYBE_WHITE


_fill()
