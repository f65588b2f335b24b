# cython: language_level=3
"""Decides which containers are written.

A table is written if it holds data: several columns, several rows or a header, and no cell that holds a table, a
heading, a quotation or a long text. Other tables only arrange the page, and only their content is written.
"""

from webstrata._scan.tags cimport (
    BLOCKQUOTE, CAPTION, DD, DL, DT, FIGCAPTION, FIGURE, LI, OTHER, TABLE, TD, TH, TR,
)
from webstrata.extraction.structure.kinds cimport CALLOUT, is_cell, is_heading, is_leaf, is_list

cdef enum:
    LONGEST_CELL = 1000      # a cell of data is short; one of more than some ten lines is a column of a layout


cdef void classify_tables(Container* containers, Py_ssize_t count) noexcept nogil:
    """Count the rows and columns of each table, and find those that only arrange the page."""
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
        elif here.tag == TABLE or (cell == TD and (is_heading(here.tag) or here.tag == BLOCKQUOTE or here.tag == CALLOUT)):
            shape.layout = True


cdef bint _holds_data(const Container* table) noexcept nogil:
    return not table.layout and table.columns > 1 and (table.rows > 1 or table.headed)


cdef bint _is_allowed_in(uint8_t tag, uint8_t parent) noexcept nogil:
    """Whether an element may be a child of this one; if not, only its content is written."""
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


cdef void accept(Container* containers, Py_ssize_t count) noexcept nogil:
    """Find the containers that are written, and their parents."""
    cdef Py_ssize_t i
    cdef int32_t up
    cdef uint8_t parent
    cdef Container* here
    cdef bint accepted
    for i in range(count):
        here = &containers[i]
        up = containers[here.up].accepted if here.up != THE_PAGE else THE_PAGE
        parent = containers[up].tag if up != THE_PAGE else OTHER
        accepted = _is_allowed_in(here.tag, parent)
        if not is_cell(here.tag):
            accepted = accepted and here.alive and not is_leaf(parent) and (here.tag != TABLE or _holds_data(here))
        here.accepted = <int32_t>i if accepted else up
        if not accepted:
            continue
        here.last_item = THE_PAGE
        if here.tag == LI:
            containers[up].last_item = <int32_t>i
        elif is_list(here.tag) and is_list(parent) and containers[up].last_item != THE_PAGE:
            # A list directly inside a list belongs to the item before it, as browsers show it.
            up = containers[up].last_item
        here.parent = up
