# cython: language_level=3
"""Which containers take part in what is written: those that hold something kept and stand where they may.

Tables take part where they hold data: several columns, several rows or a header, and no cell with a table, a heading,
code, a quotation or a whole text in it. The others only arrange the page, and are looked through.
"""

from libc.stdint cimport int32_t, uint8_t

from webstrata._scan.tags cimport BLOCKQUOTE, LI, OTHER, TABLE, TD, TH, TR
from webstrata.extraction.structure.kinds cimport is_cell, is_leaf, is_list, may_stand_in

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


cdef enum:
    LONGEST_CELL = 1000      # a cell of data is read at a glance; one of more than some ten lines is a column of a layout


cdef inline void tell_tables(Container* containers, Py_ssize_t count) noexcept nogil:
    """See what each table holds."""
    cdef Py_ssize_t i
    cdef int32_t table
    cdef uint8_t cell
    cdef Container* here
    cdef Container* shape
    for i in range(count):
        here = &containers[i]
        table, cell = THE_PAGE, OTHER
        if here.up != THE_PAGE:
            table, cell = containers[here.up].table, containers[here.up].cell
        here.table = <int32_t>i if here.tag == TABLE else table
        here.cell = here.tag if is_cell(here.tag) or here.tag == TABLE else cell
        if table == THE_PAGE:
            continue
        shape = &containers[table]
        if here.tag == TR:
            shape.rows += 1
            shape.cells = 0
        elif is_cell(here.tag):
            shape.cells += 1
            shape.columns = max(shape.columns, shape.cells)
            shape.headed |= here.tag == TH
            shape.layout |= here.chars > LONGEST_CELL
        elif here.tag == TABLE or (cell == TD and (is_leaf(here.tag) or here.tag == BLOCKQUOTE)):
            shape.layout = True


cdef inline bint _holds_data(const Container* table) noexcept nogil:
    return not table.layout and table.columns > 1 and (table.rows > 1 or table.headed)


cdef inline void accept(Container* containers, Py_ssize_t count) noexcept nogil:
    """Find the containers that take part, and in which one each stands."""
    cdef Py_ssize_t i
    cdef int32_t up
    cdef uint8_t parent
    cdef Container* here
    cdef bint taken
    for i in range(count):
        here = &containers[i]
        up = containers[here.up].taken if here.up != THE_PAGE else THE_PAGE
        parent = containers[up].tag if up != THE_PAGE else OTHER
        taken = may_stand_in(here.tag, parent)
        if not is_cell(here.tag):
            taken = taken and here.alive and not is_leaf(parent) and (here.tag != TABLE or _holds_data(here))
        here.taken = <int32_t>i if taken else up
        if not taken:
            continue
        here.last_item = THE_PAGE
        if here.tag == LI:
            containers[up].last_item = <int32_t>i
        elif is_list(here.tag) and is_list(parent) and containers[up].last_item != THE_PAGE:
            # A list directly inside a list belongs to the item before it; that is how browsers show it.
            up = containers[up].last_item
        here.parent = up
