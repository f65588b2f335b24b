# cython: language_level=3
"""The elements that mean something to a reader, told by the numbers of their tags, and how they may stand in each other."""

from libc.stdint cimport uint8_t

from webstrata._scan.tags cimport (
    BLOCKQUOTE, CAPTION, DD, DIR, DL, DT, FIGCAPTION, FIGURE, H1, H6, LI, LISTING, MENU, OL, OTHER, PLAINTEXT, PRE,
    TABLE, TD, TH, TR, UL, XMP,
)


cdef inline bint is_heading(uint8_t tag) noexcept nogil:
    return H1 <= tag <= H6


cdef inline bint is_list(uint8_t tag) noexcept nogil:
    return tag == UL or tag == OL or tag == MENU or tag == DIR


cdef inline bint is_cell(uint8_t tag) noexcept nogil:
    return tag == TD or tag == TH


cdef inline bint is_preformatted(uint8_t tag) noexcept nogil:
    return tag == PRE or tag == LISTING or tag == XMP or tag == PLAINTEXT


cdef inline bint is_leaf(uint8_t tag) noexcept nogil:
    """No container stands inside these."""
    return is_heading(tag) or is_preformatted(tag)


cdef inline bint is_container(uint8_t tag) noexcept nogil:
    return (is_leaf(tag) or is_list(tag) or is_cell(tag) or tag == LI or tag == DL or tag == DT or tag == DD
            or tag == BLOCKQUOTE or tag == TABLE or tag == TR or tag == CAPTION or tag == FIGURE or tag == FIGCAPTION)


cdef inline bint may_stand_in(uint8_t tag, uint8_t parent) noexcept nogil:
    """Whether an element that stands in this one is what its name says; where it is not, it is looked through."""
    if tag == LI:
        return is_list(parent)
    if tag == DT or tag == DD:
        return parent == DL
    if tag == TR or tag == CAPTION:
        return parent == TABLE
    if is_cell(tag):
        return parent == TR
    if tag == FIGCAPTION:
        return parent == FIGURE
    return True


cdef inline uint8_t between(uint8_t parent, uint8_t tag) noexcept nogil:
    """What is put between an element and what comes directly inside it, or OTHER where nothing need be.

    Text has OTHER for its tag.
    """
    if is_list(parent):
        return OTHER if tag == LI else LI
    if parent == DL:
        return OTHER if tag == DT or tag == DD else DD
    if parent == TABLE:
        return OTHER if tag == TR or tag == CAPTION else TR
    if parent == TR:
        return OTHER if is_cell(tag) else TD
    return OTHER
