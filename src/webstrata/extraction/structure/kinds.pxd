# cython: language_level=3
"""Kinds of elements that carry structure, by tag number."""

from libc.stdint cimport uint8_t

from webstrata._scan.tags cimport (
    BLOCKQUOTE, CAPTION, DD, DIR, DL, DT, FIGCAPTION, FIGURE, H1, H6, LI, LISTING, MENU, OL, PLAINTEXT, PRE, TABLE, TD,
    TH, TR, UL, XMP,
)

cdef enum:
    CALLOUT = 250            # not a tag of HTML: an element that the page draws as a box


cdef inline bint is_heading(uint8_t tag) noexcept nogil:
    return H1 <= tag <= H6


cdef inline bint is_list(uint8_t tag) noexcept nogil:
    return tag == UL or tag == OL or tag == MENU or tag == DIR


cdef inline bint is_cell(uint8_t tag) noexcept nogil:
    return tag == TD or tag == TH


cdef inline bint is_preformatted(uint8_t tag) noexcept nogil:
    return tag == PRE or tag == LISTING or tag == XMP or tag == PLAINTEXT


cdef inline bint is_leaf(uint8_t tag) noexcept nogil:
    """Whether an element has no containers inside."""
    return is_heading(tag) or is_preformatted(tag)


cdef inline bint is_container(uint8_t tag) noexcept nogil:
    return (is_leaf(tag) or is_list(tag) or is_cell(tag) or tag == LI or tag == DL or tag == DT or tag == DD
            or tag == BLOCKQUOTE or tag == CALLOUT or tag == TABLE or tag == TR or tag == CAPTION or tag == FIGURE or tag == FIGCAPTION)
