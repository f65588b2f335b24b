# cython: language_level=3
"""Which containers take part in what is written."""

from libc.stdint cimport int32_t, uint8_t

cdef enum:
    THE_PAGE = -1            # in place of a container, where there is none around

cdef struct Container:
    int32_t row
    int32_t up               # the container around it, as all of these by its place in the list of containers
    int32_t chars            # of its text
    uint8_t tag
    bint alive               # it holds something kept
    # What is seen of it while tables are told apart.
    int32_t table            # the table that it stands in, or that it is
    uint8_t cell             # the innermost cell or table of which it is part: its tag
    int32_t rows             # of a table, as far as they were seen
    int32_t cells            # of its last row
    int32_t columns
    bint headed
    bint layout
    # What is found of it.
    int32_t taken            # itself where it takes part, or the nearest one around it that does
    int32_t parent           # where it takes part, the one that it stands in
    int32_t last_item        # the last item of a list

cdef void tell_tables(Container* containers, Py_ssize_t count) noexcept nogil
cdef void accept(Container* containers, Py_ssize_t count) noexcept nogil
