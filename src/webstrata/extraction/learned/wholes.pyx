# cython: language_level=3
"""Structures that are kept or left out as one: data tables, lists, definition lists, code and figures.

A structure inside of another one belongs to the outer one. Elements that only lay out the page are none: a table is one
if it holds data, as `webstrata.extraction.structure.containers` defines it, and a list if no item has a heading or a
table, and there are not more `div` elements than items, as in lists of posts.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free

from webstrata._scan.tags cimport (
    ARTICLE, BLOCKQUOTE, DIV, DL, FIGURE, HEADING, LI, LISTING, OL, PRE, SECTION, TABLE, TD, TH, TR, TRAITS, UL, XMP,
)
from webstrata.extraction.learned.page_features cimport NO_ELEMENT, Node, PageFeatures
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.extraction.learned.reasons cimport (
    BOILERPLATE, CONTENT, UNDER_COMMENT, WHY_PART, WHY_PART_LEFT_OUT, Decision, set_kind,
)

cdef enum:
    LONGEST_CELL = 150           # words; a cell with more is a column of a layout

# What an element holds that tells a structure from a layout.
cdef enum:
    HOLDS_HEADING = 1
    HOLDS_TABLE = 2
    HOLDS_CODE = 4
    HOLDS_QUOTE = 8
    HOLDS_LONG_CELL = 16

# What is counted of an element that may be a structure.
cdef struct Shape:
    int32_t row
    int32_t up               # the shape around it; -1 for none
    int32_t rows
    int32_t cells            # of the row at hand
    int32_t columns
    int32_t all_cells
    int32_t items
    int32_t boxes            # `div` elements
    bint headed
    uint8_t holds


cdef inline bint _is_code(uint8_t tag) noexcept nogil:
    return tag == PRE or tag == LISTING or tag == XMP


cdef inline bint _may_be_structure(uint8_t tag) noexcept nogil:
    return tag == TABLE or tag == UL or tag == OL or tag == DL or tag == FIGURE or _is_code(tag)


cdef inline uint8_t _held(uint8_t tag) noexcept nogil:
    if TRAITS[tag] & HEADING or tag == ARTICLE or tag == SECTION:
        return HOLDS_HEADING
    if tag == TABLE:
        return HOLDS_TABLE
    if _is_code(tag):
        return HOLDS_CODE
    return HOLDS_QUOTE if tag == BLOCKQUOTE else 0


cdef void _count(PageFeatures page, Shape* shape, Py_ssize_t row) noexcept nogil:
    """Count an element in the innermost shape around it."""
    cdef uint8_t tag = page.tag[row]
    cdef const Node* node = &page.node[row]
    shape.holds |= _held(tag)
    if tag == TR:
        shape.rows += 1
        shape.cells = 0
    elif tag == LI:
        shape.items += 1
    elif tag == DIV:
        shape.boxes += 1
    elif tag == TD or tag == TH:
        shape.cells += 1
        shape.all_cells += 1
        shape.columns = max(shape.columns, shape.cells)
        shape.headed |= tag == TH
        if page.sums[node.end_paragraph].words - page.sums[node.first_paragraph].words > LONGEST_CELL:
            shape.holds |= HOLDS_LONG_CELL


cdef Py_ssize_t _read_shapes(PageFeatures page, Shape* shape) noexcept nogil:
    """Fill the shapes in document order; returns how many there are."""
    cdef Py_ssize_t row, count = 0
    cdef int32_t inner = -1
    for row in range(page.elements):
        while inner >= 0 and row >= page.node[shape[inner].row].end_row:
            inner = shape[inner].up
        if inner >= 0:
            _count(page, &shape[inner], row)
        if _may_be_structure(page.tag[row]):
            shape[count].row, shape[count].up = <int32_t>row, inner
            inner = <int32_t>count
            count += 1
    for row in range(count - 1, -1, -1):
        if shape[row].up >= 0:
            shape[shape[row].up].holds |= shape[row].holds & ~HOLDS_LONG_CELL
            shape[shape[row].up].items += shape[row].items
            shape[shape[row].up].boxes += shape[row].boxes
    return count


cdef bint _is_whole(const Shape* shape, const Node* node, uint8_t tag) noexcept nogil:
    if tag == TABLE:
        return (shape.holds == 0 and shape.columns > 1 and (shape.rows > 1 or shape.headed)
                and node.end_paragraph - node.first_paragraph <= 2 * shape.all_cells)
    if tag == UL or tag == OL:
        return not shape.holds & (HOLDS_HEADING | HOLDS_TABLE) and shape.boxes <= shape.items
    return tag != DL or not shape.holds & HOLDS_HEADING


cdef bint find_wholes(PageFeatures page, Decision* decision) noexcept nogil:
    """Fill the structure of each paragraph; False when memory ran out."""
    cdef Py_ssize_t row, i, count = 0
    cdef int32_t end = 0
    cdef const Node* node
    cdef Shape* shape
    for i in range(page.count):
        decision.whole[i] = NO_ELEMENT
    for row in range(page.elements):
        count += _may_be_structure(page.tag[row])
    if count == 0:
        return True
    shape = <Shape*>calloc(count, sizeof(Shape))
    if shape == NULL:
        return False
    for i in range(_read_shapes(page, shape)):
        row = shape[i].row
        node = &page.node[row]
        if row < end or not _is_whole(&shape[i], node, page.tag[row]) or decision.under[row] & UNDER_COMMENT:
            continue
        end = node.end_row
        for count in range(node.first_paragraph, node.end_paragraph):
            decision.whole[count] = <int32_t>row
    free(shape)
    return True


cdef void _decide_whole(PageFeatures page, Decision* decision, Py_ssize_t first, Py_ssize_t end) noexcept nogil:
    """Keep the shown paragraphs of a structure, or leave them out, as most of its words are."""
    cdef Py_ssize_t i
    cdef int32_t kept = 0, words = 0
    cdef const ParagraphFeatures* paragraph
    for i in range(first, end):
        paragraph = &page.paragraph[i]
        if not paragraph.hidden:
            words += paragraph.words
            kept += paragraph.words if decision.kind[i] == CONTENT else 0
    if kept == 0 or kept == words:
        return
    for i in range(first, end):
        if 2 * kept < words and decision.kind[i] == CONTENT:
            set_kind(decision, i, BOILERPLATE, WHY_PART_LEFT_OUT)
        elif 2 * kept >= words and decision.kind[i] == BOILERPLATE and not page.paragraph[i].hidden:
            set_kind(decision, i, CONTENT, WHY_PART)


cdef int32_t end_of_whole(PageFeatures page, const Decision* decision, int32_t start) noexcept nogil:
    """The end of the structure that begins at a paragraph; the next paragraph if none does."""
    cdef int32_t end = start + 1
    if decision.whole[start] != NO_ELEMENT:
        while end < page.count and decision.whole[end] == decision.whole[start]:
            end += 1
    return end


cdef void decide_wholes(PageFeatures page, Decision* decision) noexcept nogil:
    """Keep structures of which most is kept, and leave out the others."""
    cdef int32_t start = 0, end
    while start < page.count:
        end = end_of_whole(page, decision, start)
        _decide_whole(page, decision, start, end)
        start = end
