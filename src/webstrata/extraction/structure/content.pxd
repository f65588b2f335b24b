# cython: language_level=3
"""The structure of the kept blocks of a page, found in a few passes over its columns."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from webstrata._scan.rows cimport Table
from webstrata.extraction.structure.containers cimport Container

# What a writer does at an element.
cdef enum:
    NOTHING
    OPENS                    # a container that is written
    STANDS_ALONE             # an image or a formula outside of paragraphs
    RULES                    # a line across the page

cdef struct ElementPlace:
    int32_t container        # the innermost container around an element or the element itself, as an index
    int32_t flow             # the nearest element, itself or around it, that begins a paragraph
    int32_t link             # the nearest element that is a link or begins a paragraph
    int32_t worded           # the nearest element with visible words
    uint16_t marks           # of the element and of all elements around it
    uint8_t alive            # whether it holds something kept
    uint8_t replaced         # whether a formula is written in place of it or of an element around it
    uint8_t is_embed         # whether it is written as a link to what it shows
    uint8_t point            # what a writer does here

cdef struct ImageChain:
    int32_t first            # indexes into the list of images, linked by `Image.next`
    int32_t last

# An image, or a formula written as TeX.
cdef struct Image:
    int32_t row
    int32_t next             # -1 after the last
    bint is_formula
    bint spaced_before
    bint spaced_after

cdef struct WordSums:
    int32_t kept             # kept blocks before this one
    int32_t kept_words       # their words
    int32_t shown_words      # words of blocks before this one that are not hidden

cdef struct ParagraphRun:
    int32_t first            # a paragraph, or the text of a ``pre``: a range of the kept blocks
    int32_t end
    int32_t container        # the written container around it
    int32_t note             # the number of the footnote that it belongs to, or 0
    ImageChain after         # the images after its last block

cdef class ContentStructure:
    cdef object page
    cdef readonly dict formulas  # written as TeX, by row
    cdef readonly object roles
    cdef const uint8_t[::1] own_tags     # of the elements, where roles change them
    cdef const int32_t[::1] note     # of each block the number of its footnote; None in the text of the page
    cdef const int32_t[:, ::1] cuts  # ranges of the text that are not written: start, stop, row of the reference or -1
    cdef list note_rows
    cdef str text
    cdef bint with_images
    cdef const uint8_t[::1] kept
    cdef const uint8_t[::1] dropped  # aids of the page, which are no content; None without any
    # Columns, owned by the page.
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
    cdef ElementPlace* places    # of each element
    cdef WordSums* sums          # before each block, and after the last
    cdef Container* containers
    cdef Image* images
    cdef int32_t* kept_rows      # of the kept blocks
    cdef ParagraphRun* runs
    cdef int32_t* run_of         # for each block its run, or -1
    cdef ImageChain* images_before   # for each block

    cdef void _read_columns(self, Table elements, Table blocks) noexcept
    cdef int _allocate(self) except -1
    cdef void _sum_words(self) noexcept nogil
    cdef void _place_elements(self) noexcept nogil
    cdef bint _has_kept_neighbours(self, Py_ssize_t row) noexcept nogil
    cdef bint _is_dropped(self, Py_ssize_t block) noexcept nogil
    cdef bint _is_content(self, Py_ssize_t row) noexcept nogil
    cdef bint _is_shown(self, Py_ssize_t row) noexcept nogil
    cdef int _read_roles(self) except -1
    cdef bint _is_in_note(self, Py_ssize_t row) except -1
    cdef int _find_formulas(self, const uint8_t[::1] kept) except -1
    cdef void _add_image(self, Py_ssize_t row) noexcept nogil
    cdef void _find_images(self) noexcept nogil
    cdef int _find_containers(self) except -1
    cdef void _find_runs(self, const uint8_t[::1] ends) noexcept nogil
    cdef void _place_images(self) noexcept nogil
    cdef void _find_points(self) noexcept nogil
    cdef bint is_whole(self, Py_ssize_t row) except -1
    cdef int32_t container_of(self, Py_ssize_t row) noexcept nogil
    cdef uint8_t tag_of(self, int32_t container) noexcept nogil
