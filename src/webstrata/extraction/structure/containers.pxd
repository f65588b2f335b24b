# cython: language_level=3
"""The containers that are written: those that hold something kept, in a place where they are allowed."""

from libc.stdint cimport int32_t, uint8_t

cdef enum:
    THE_PAGE = -1            # the parent of a container at the top level

cdef struct Container:
    int32_t row
    int32_t up               # the container around it, as an index into the list of containers, like the others below
    int32_t chars            # of its text
    uint8_t tag
    bint alive               # whether it holds something kept
    # For classifying tables:
    int32_t table            # the table around it, or itself
    uint8_t cell             # the tag of the innermost cell or table around it, or of itself
    int32_t rows             # of a table, counted so far
    int32_t cells            # of its last row
    int32_t columns
    bint headed
    bint layout
    # Results:
    int32_t accepted         # itself if it is written, or the nearest container around it that is
    int32_t parent           # of a container that is written: the written container around it
    int32_t last_item        # of a list: its last item

cdef void classify_tables(Container* containers, Py_ssize_t count) noexcept nogil
cdef void accept(Container* containers, Py_ssize_t count) noexcept nogil
