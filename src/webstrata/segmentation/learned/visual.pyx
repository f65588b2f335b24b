# cython: language_level=3
"""The visual features of a candidate, on a rendered page: its position and style.

The box of a candidate is that of its outermost element with a box, or else the bounding box of its text. The text of
floating elements may reach far out of the box, so both give features.
"""

from libc.math cimport fabs, log1p
from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc

from webstrata._scan.tags cimport IMG
from webstrata.models.features cimport FeatureRow, put, share
from webstrata.segmentation.learned.candidates cimport NONE, Candidate, Candidates, chars
from webstrata.segmentation.learned.features cimport check_rows

import numpy as np

cdef enum:
    FAR = 2000               # pixels at which distances are cut off
    MOST_COLUMNS = 128
    SIBLINGS = 40            # on either side that are compared with a candidate
    CLOSE = 4                # pixels within which two edges are aligned

cdef struct Box:
    float left
    float top
    float right
    float bottom

# The visual properties of a candidate.
cdef struct Look:
    Box box
    Box text
    int32_t seen             # visible characters of its text
    float images             # square pixels of the images inside
    uint32_t background
    uint32_t colour
    bint filled              # has a background of its own
    uint8_t borders          # on how many sides
    float font
    float weight
    float largest_font


cdef inline bint _there(const Box* box) noexcept nogil:
    return box.right > box.left and box.bottom > box.top


cdef inline double _area(const Box* box) noexcept nogil:
    return (<double>box.right - box.left) * (box.bottom - box.top) if _there(box) else 0


cdef inline double _px(double distance) noexcept nogil:
    return max(min(distance, <double>FAR), -<double>FAR)


cdef void _unite(Box* own, const Box* other) noexcept nogil:
    if not _there(other):
        return
    if not _there(own):
        own[0] = other[0]
        return
    own.left, own.top = min(own.left, other.left), min(own.top, other.top)
    own.right, own.bottom = max(own.right, other.right), max(own.bottom, other.bottom)


cdef bint _beside(const Box* a, const Box* b) noexcept nogil:
    """Whether two boxes are side by side: they share most of the height of the lower one."""
    cdef float common = min(a.bottom, b.bottom) - max(a.top, b.top)
    return _there(a) and _there(b) and 2 * common > min(a.bottom - a.top, b.bottom - b.top)


cdef class Looks:
    """The looks of the candidates of a rendered page."""

    cdef Candidates found
    cdef Look* look
    cdef float common_font
    cdef const uint8_t[::1] display
    cdef const uint8_t[::1] position
    cdef const uint8_t[::1] floats

    def __init__(self, Candidates found, boxes, page, seen):
        cdef const float[::1] left = np.ascontiguousarray(boxes.left, np.float32)
        cdef const float[::1] top = np.ascontiguousarray(boxes.top, np.float32)
        cdef const float[::1] width = np.ascontiguousarray(boxes.width, np.float32)
        cdef const float[::1] height = np.ascontiguousarray(boxes.height, np.float32)
        cdef const float[::1] font = np.ascontiguousarray(boxes.font_size, np.float32)
        cdef const float[::1] weight = np.ascontiguousarray(boxes.font_weight, np.float32)
        cdef const uint32_t[::1] background = np.ascontiguousarray(boxes.background, np.uint32)
        cdef const uint32_t[::1] colour = np.ascontiguousarray(boxes.colour, np.uint32)
        cdef const uint8_t[::1] borders = sum(
            ((side > 0).astype(np.uint8) for side in (boxes.border_top, boxes.border_right, boxes.border_bottom,
                                                      boxes.border_left)), np.zeros(len(boxes), np.uint8))
        cdef const float[::1] text_left = np.ascontiguousarray(boxes.text.left, np.float32)
        cdef const float[::1] text_top = np.ascontiguousarray(boxes.text.top, np.float32)
        cdef const float[::1] text_width = np.ascontiguousarray(boxes.text.width, np.float32)
        cdef const float[::1] text_height = np.ascontiguousarray(boxes.text.height, np.float32)
        cdef const int32_t[::1] element = page.blocks.element
        cdef const int32_t[::1] parent = page.elements.parent
        cdef const uint8_t[::1] is_seen = np.ascontiguousarray(seen, np.uint8)
        cdef const int32_t[::1] length = np.ascontiguousarray(page.blocks.chars, np.int32)
        cdef Py_ssize_t i, k, row, n = len(page.blocks), m = len(page.elements)
        cdef Box box
        cdef Look* own
        cdef Candidate* candidate
        cdef double total, most
        self.found = found
        self.display = np.ascontiguousarray(boxes.display, np.uint8)
        self.position = np.ascontiguousarray(boxes.position, np.uint8)
        self.floats = np.ascontiguousarray(boxes.float, np.uint8)
        self.common_font = _common_font(np.asarray(boxes.font_size)[page.blocks.element], page.blocks.chars * seen)
        self.look = <Look*>calloc(found.count + 1, sizeof(Look))
        cdef int32_t* of = <int32_t*>malloc((m + 1) * sizeof(int32_t))
        if self.look == NULL or of == NULL:
            free(of)
            raise MemoryError
        with nogil:
            _owners(found, &parent[0], m, of)
            for i in range(n):
                if not is_seen[i] or of[element[i]] < 0:
                    continue
                own = &self.look[of[element[i]]]
                box.left, box.top = text_left[i], text_top[i]
                box.right, box.bottom = text_left[i] + text_width[i], text_top[i] + text_height[i]
                _unite(&own.text, &box)
                own.seen += length[i]
                own.largest_font = max(own.largest_font, font[element[i]])
            for row in range(m):
                if of[row] >= 0 and found.tag[row] == IMG:
                    self.look[of[row]].images += width[row] * height[row]
            for i in range(found.count - 1, -1, -1):
                own = &self.look[i]
                candidate = &found.row[i]
                row = candidate.low
                while True:
                    box.left, box.top = left[row], top[row]
                    box.right, box.bottom = left[row] + width[row], top[row] + height[row]
                    if _there(&box):
                        own.box = box
                    own.borders = max(own.borders, borders[row])
                    if background[row] & 0xFF and not own.filled:
                        own.filled = True
                        own.background = background[row]
                    if row == candidate.top:
                        break
                    row = parent[row]
                own.colour = colour[element[candidate.start]]
                own.font, own.weight = font[element[candidate.start]], weight[element[candidate.start]]
                if not _there(&own.box):
                    own.box = own.text
                if candidate.up >= 0:
                    _unite(&self.look[candidate.up].text, &own.text)
                    self.look[candidate.up].seen += own.seen
                    self.look[candidate.up].images += own.images
                    self.look[candidate.up].largest_font = max(self.look[candidate.up].largest_font, own.largest_font)
            for i in range(found.count):
                own = &self.look[i]
                if not own.filled:
                    own.background = self.look[found.row[i].up].background if found.row[i].up >= 0 else 0xFFFFFFFF
        free(of)

    def __dealloc__(self):
        free(self.look)

    def names(self):
        """The names of the columns, in their order; from any page with a candidate."""
        cdef float[MOST_COLUMNS] room
        cdef FeatureRow row
        names = []
        row.at, row.names, row.of = room, <void*>names, b""
        _put(self, 0, &row)
        return tuple(names)

    def fill(self, const int32_t[::1] chosen, float[:, ::1] out, Py_ssize_t first, Py_ssize_t count):
        """Fill ``count`` columns of a matrix from column ``first`` on, one row for each of these candidates."""
        cdef Py_ssize_t i
        cdef FeatureRow row
        check_rows(self.found, chosen, out, first + count)
        row.names, row.of = NULL, b""
        with nogil:
            for i in range(chosen.shape[0]):
                row.at = &out[i, first]
                _put(self, chosen[i], &row)


def _common_font(sizes, weights):
    """The font size of most of the text."""
    if not len(sizes):
        return 16.0
    values, place = np.unique(np.round(sizes), return_inverse=True)
    return float(values[np.bincount(place, weights).argmax()])


cdef void _owners(Candidates found, const int32_t* parent, Py_ssize_t m, int32_t* of) noexcept nogil:
    """For each element, its own candidate or the innermost one around it."""
    cdef Py_ssize_t row, i
    for row in range(m):
        of[row] = NONE
    for i in range(found.count):
        of[found.row[i].top] = of[found.row[i].low] = <int32_t>i
    # The elements between the outermost and the innermost one of a candidate contain the latter.
    for row in range(m):
        if of[row] == NONE and parent[row] >= 0:
            of[row] = of[parent[row]]


cdef void _put_box(Looks self, const Look* own, FeatureRow* row) noexcept nogil:
    cdef const Look* page = &self.look[0]
    cdef double width = max(page.box.right, 1), height = max(max(page.box.bottom, page.text.bottom), 1)
    cdef double own_width = own.box.right - own.box.left, own_height = own.box.bottom - own.box.top
    put(row, b"left", share(own.box.left, width))
    put(row, b"right", share(own.box.right, width))
    put(row, b"top", share(own.box.top, height))
    put(row, b"bottom", share(own.box.bottom, height))
    put(row, b"pixels above", _px(own.box.top))
    put(row, b"pixels below", _px(height - own.box.bottom))
    put(row, b"width", share(own_width, width))
    put(row, b"height", share(own_height, height))
    put(row, b"pixels wide", _px(own_width))
    put(row, b"pixels high", _px(own_height))
    put(row, b"area", share(_area(&own.box), width * height))
    put(row, b"shape", log1p(max(own_width, 0)) - log1p(max(own_height, 0)))
    put(row, b"off the middle", fabs(share(own.box.left + own.box.right, 2 * width) - 0.5))
    put(row, b"text in its width", share(own.text.right - own.text.left, own_width))
    put(row, b"text in its height", share(own.text.bottom - own.text.top, own_height))
    put(row, b"space left of the text", _px(own.text.left - own.box.left))
    put(row, b"space above the text", _px(own.text.top - own.box.top))
    put(row, b"share of image area", share(own.images, _area(&own.box)))
    put(row, b"images' share of the page", share(own.images, width * height))


cdef void _put_style(Looks self, Py_ssize_t i, const Look* own, FeatureRow* row) noexcept nogil:
    cdef const Candidate* candidate = &self.found.row[i]
    cdef const Look* above = &self.look[candidate.up if candidate.up >= 0 else i]
    cdef uint8_t display = self.display[candidate.top]
    put(row, b"share of seen characters", share(own.seen, chars(self.found, i)))
    put(row, b"background of its own", own.filled)
    put(row, b"other background than around it", own.background != above.background)
    put(row, b"borders", own.borders)
    put(row, b"font size", own.font)
    put(row, b"font size beside the commonest", own.font - self.common_font)
    put(row, b"largest font beside the commonest", own.largest_font - self.common_font)
    put(row, b"font weight", own.weight)
    put(row, b"other colour than around it", own.colour != above.colour)
    put(row, b"display", display)
    put(row, b"position", self.position[candidate.top])
    put(row, b"floats", self.floats[candidate.top])


cdef void _put_parent(Looks self, Py_ssize_t i, const Look* own, FeatureRow* row) noexcept nogil:
    cdef int32_t up = self.found.row[i].up
    cdef const Look* above = &self.look[up if up >= 0 else i]
    row.of = b"the parent's box"
    put(row, b"share of width", share(own.box.right - own.box.left, above.box.right - above.box.left))
    put(row, b"share of height", share(own.box.bottom - own.box.top, above.box.bottom - above.box.top))
    put(row, b"share of area", share(_area(&own.box), _area(&above.box)))
    put(row, b"space left", _px(own.box.left - above.box.left))
    put(row, b"space right", _px(above.box.right - own.box.right))
    put(row, b"space above", _px(own.box.top - above.box.top))
    put(row, b"space below", _px(above.box.bottom - own.box.bottom))
    put(row, b"pixels wide", _px(above.box.right - above.box.left))
    put(row, b"pixels high", _px(above.box.bottom - above.box.top))
    row.of = b""


cdef void _put_neighbour(Looks self, const Look* own, int32_t other, const char* of, FeatureRow* row) noexcept nogil:
    cdef bint there = other != NONE and _there(&self.look[other].box)
    cdef const Look* near = &self.look[other if there else 0]
    row.of = of
    put(row, b"space between, up and down",
        _px(max(own.box.top - near.box.bottom, near.box.top - own.box.bottom)) if there else -FAR)
    put(row, b"space between, left and right",
        _px(max(own.box.left - near.box.right, near.box.left - own.box.right)) if there else -FAR)
    put(row, b"side by side", _beside(&own.box, &near.box) if there else -1)
    put(row, b"same width", fabs(own.box.right - own.box.left - near.box.right + near.box.left) < CLOSE if there else -1)
    put(row, b"other background", own.background != near.background if there else -1)
    put(row, b"font size beside its own", near.font - own.font if there else 0)
    row.of = b""


cdef void _put_rows(Looks self, Py_ssize_t i, const Look* own, FeatureRow* row) noexcept nogil:
    """How siblings and children are laid out."""
    cdef const Candidate* candidate = &self.found.row[i]
    cdef int32_t other, before = NONE, beside = 0, stacked = 0, wide = 0, looked = 0, columns = 0, aligned = 0
    cdef int way, k
    cdef double space = 0
    cdef const Box* box
    for way in range(2):
        other = candidate.after if way else candidate.before
        for k in range(SIBLINGS):
            if other < 0:
                break
            looked += 1
            box = &self.look[other].box
            columns += _beside(&own.box, box)
            aligned += fabs(box.left - own.box.left) < CLOSE and fabs(box.right - own.box.right) < CLOSE
            other = self.found.row[other].after if way else self.found.row[other].before
    put(row, b"siblings beside it", columns)
    put(row, b"share of siblings beside it", share(columns, looked))
    put(row, b"share of siblings in line with it", share(aligned, looked))
    looked = 0
    other = candidate.first_child
    while other >= 0:
        if before >= 0:
            looked += 1
            box = &self.look[before].box
            if _beside(box, &self.look[other].box):
                beside += 1
                space += max(self.look[other].box.left - box.right, 0)
            elif self.look[other].box.top >= box.bottom - CLOSE:
                stacked += 1
                space += max(self.look[other].box.top - box.bottom, 0)
            wide += fabs(self.look[other].box.right - self.look[other].box.left - box.right + box.left) < CLOSE
        before = other
        other = self.found.row[other].after
    put(row, b"share of children side by side", share(beside, looked))
    put(row, b"share of children below one another", share(stacked, looked))
    put(row, b"share of children of one width", share(wide, looked))
    put(row, b"space between children", _px(share(space, looked)))


cdef void _put(Looks self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef const Look* own = &self.look[i]
    _put_box(self, own, row)
    _put_style(self, i, own, row)
    _put_parent(self, i, own, row)
    _put_neighbour(self, own, self.found.row[i].before, b"the sibling before", row)
    _put_neighbour(self, own, self.found.row[i].after, b"the sibling after", row)
    _put_rows(self, i, own, row)
