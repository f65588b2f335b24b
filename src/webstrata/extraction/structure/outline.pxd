# cython: language_level=3
"""What the kept blocks of a page are part of, found in a few passes over its columns."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from webstrata._scan.rows cimport Table
from webstrata.extraction.structure.containers cimport Container

# What happens at an element that is no text.
cdef enum:
    NOTHING
    OPENS                    # it is a container that takes part
    STANDS_ALONE             # it is an image or a formula that stands in no paragraph
    RULES                    # it is a line across the page

cdef struct Place:
    int32_t container        # the innermost container around an element, itself included, by its place in the list
    int32_t flow             # the nearest element that begins a paragraph
    int32_t link             # the link around, as far as no paragraph begins in it; or the element that begins that
    int32_t worded           # the nearest that has words which are shown
    uint16_t marks           # of the element and of all around it
    uint8_t alive            # whether it holds something kept
    uint8_t point

cdef struct Chain:
    int32_t first            # some images, by their places in the list; the others follow by `Image.next`
    int32_t last

# An image, or a formula that is written as TeX.
cdef struct Image:
    int32_t row
    int32_t next             # -1 after the last
    bint is_formula
    bint spaced_before
    bint spaced_after

cdef struct Sums:
    int32_t kept             # blocks before this one that are kept,
    int32_t kept_words       # their words,
    int32_t shown_words      # and the words of those that are not hidden

cdef struct Run:
    int32_t first            # a paragraph, or the text of a ``pre``: kept blocks, by their places in the list
    int32_t end
    int32_t container        # the container that takes part around it
    Chain after              # the images after its last block

cdef class Outline:
    cdef object page
    cdef readonly dict formulas  # that are written as TeX, by their rows
    cdef str text
    cdef bint with_images
    cdef const uint8_t[::1] kept
    # Columns of the page, which keeps them.
    cdef const uint8_t* tag
    cdef const uint8_t* element_flags
    cdef const uint8_t* block_flags
    cdef const int32_t* parent
    cdef const int32_t* first_block
    cdef const int32_t* end_block
    cdef const int32_t* text_start
    cdef const int32_t* text_stop
    cdef const int32_t* block_element
    cdef const int32_t* words
    cdef const uint64_t* gap
    cdef Py_ssize_t element_count, block_count, kept_count, container_count, image_count, run_count
    cdef Place* places           # of each element
    cdef Sums* sums              # before each block, and after the last
    cdef Container* containers
    cdef Image* images
    cdef int32_t* kept_rows      # the kept blocks
    cdef Run* runs
    cdef int32_t* run_of         # for each block its run, or -1
    cdef Chain* images_before    # each block

    cdef void _look_into(self, Table elements, Table blocks) noexcept
    cdef int _make_room(self) except -1
    cdef void _sum_words(self) noexcept nogil
    cdef void _place_elements(self) noexcept nogil
    cdef bint _has_kept_neighbours(self, Py_ssize_t row) noexcept nogil
    cdef bint _is_content(self, Py_ssize_t row) noexcept nogil
    cdef bint _is_shown(self, Py_ssize_t row) noexcept nogil
    cdef int _find_formulas(self, const uint8_t[::1] kept) except -1
    cdef void _add_image(self, Py_ssize_t row) noexcept nogil
    cdef void _find_images(self) noexcept nogil
    cdef void _find_containers(self) noexcept nogil
    cdef void _find_runs(self, const uint8_t[::1] ends) noexcept nogil
    cdef void _place_images(self) noexcept nogil
    cdef void _find_points(self) noexcept nogil
    cdef int32_t container_of(self, Py_ssize_t row) noexcept nogil
    cdef uint8_t tag_of(self, int32_t container) noexcept nogil
