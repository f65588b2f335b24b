# cython: language_level=3
"""What the first pass of the learned extractor sees around a paragraph: its ancestors, and what looks like it.

The names and the values are written in one order; a test compares both.
"""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.tags cimport *
from webstrata.extraction.learned.lookalikes cimport Group
from webstrata.extraction.learned.outline cimport Node, Outline, Sums
from webstrata.extraction.learned.row cimport Row, put, share
from webstrata.extraction.learned.paragraph cimport Unit

from webstrata.extraction.learned.build import ABOVE

cdef enum:
    LEVELS = 5               # ancestors, counted where the number of paragraphs grows
    TOPS = 3                 # and from the root down


# Its ancestors

_SUBTREE = ["words", "share", "link density", "units", "words a unit", "long share", "headings", "images", "controls",
            "marks", "place", "rows", "short share"]


ANCESTORS = [f"{what} of ancestor {level}" for level in range(1, LEVELS + 1) for what in (*_SUBTREE, "tag")] + [
    f"{what} of top {level}" for level in range(1, TOPS + 1) for what in _SUBTREE] + [
    f"{what} of {name}" for name in ("section", "landmark") for what in _SUBTREE] + ["levels"]


cdef void _subtree(Outline self, Py_ssize_t i, int32_t element, Row* row) noexcept nogil:
    cdef const Node* node
    cdef Sums* start
    cdef Sums* stop
    cdef int32_t words, units, k
    if element < 0:
        for k in range(13):
            put(row, -1)
        return
    node = &self.node[element]
    start, stop = &self.sums[node.first_unit], &self.sums[node.end_unit]
    words, units = stop.words - start.words, node.end_unit - node.first_unit
    put(row, words)
    put(row, share(words, self.sums[self.units].words))
    put(row, share(stop.link_words - start.link_words, words))
    put(row, units)
    put(row, share(words, units))
    put(row, share(stop.long_words - start.long_words, words))
    put(row, share(stop.headings - start.headings, units))
    put(row, share(self.images[node.end_row] - self.images[element], units))
    put(row, share(self.controls[node.end_row] - self.controls[element], units))
    put(row, share(stop.marks - start.marks, words))
    put(row, share(i - node.first_unit, units))
    put(row, node.end_row - element)
    put(row, share(stop.short_units - start.short_units, units))


cdef void put_ancestors(Outline self, Py_ssize_t i, Row* row) noexcept nogil:
    cdef int32_t element = self.unit[i].owner
    cdef int32_t[512] chain
    cdef int32_t section = -1, landmark = -1, walk
    cdef int count = 0, k
    cdef uint8_t tag
    # Start above the wrappers that hold this paragraph alone.
    if self.node[element].end_unit - self.node[element].first_unit == 1:
        element = self.node[element].up
    while element >= 0 and count < 512:
        chain[count] = element
        count += 1
        element = self.node[element].up
    for k in range(LEVELS):
        _subtree(self, i, chain[k] if k < count else -1, row)
        put(row, self.tag[chain[k]] if k < count else 0)
    for k in range(TOPS):
        # The last of the chain is the root with all paragraphs, which says nothing.
        _subtree(self, i, chain[count - 2 - k] if count - 2 - k >= 0 else -1, row)
    walk = self.unit[i].owner
    while walk >= 0:
        tag = self.tag[walk]
        if section < 0 and (tag == SECTION or tag == ARTICLE or tag == TABLE or tag == UL or tag == OL or tag == DL
                            or tag == FORM):
            section = walk
        if tag == MAIN or tag == ARTICLE or tag == NAV or tag == ASIDE or tag == FOOTER or tag == HEADER:
            landmark = walk
            break
        walk = self.parent[walk]
    _subtree(self, i, section, row)
    _subtree(self, i, landmark, row)
    put(row, count)


# What looks like it

_GROUP = ["count", "words", "words a member", "spread", "link density", "share"]
LIKENESS = [f"{what} of {name}" for name in ("path", "tag path") for what in _GROUP] + [
    f"{what} of {name}" for name in ("record", "outer record")
    for what in (*_GROUP, "ordinal", "own words", "own link density", "own units", "place", "images", "tag")] + [
    "first of path", "last of path", "records nested"]


cdef void _group(Outline self, int32_t number, Row* row) noexcept nogil:
    cdef Group* group
    cdef double mean, variance
    cdef int k
    if number < 0:
        for k in range(6):
            put(row, -1)
        return
    group = &self.groups.row[number]
    mean = share(group.words, group.count)
    variance = group.squares / group.count - mean * mean
    put(row, group.count)
    put(row, group.words)
    put(row, mean)
    put(row, share(sqrt(variance) if variance > 0 else 0, mean))
    put(row, share(group.link_words, group.words))
    put(row, share(group.words, self.sums[self.units].words))


cdef void _record(Outline self, Py_ssize_t i, int32_t element, Row* row) noexcept nogil:
    cdef const Node* node
    cdef int32_t words
    cdef int k
    if element < 0:
        for k in range(13):
            put(row, -1)
        return
    node = &self.node[element]
    _group(self, node.siblings, row)
    words = self.sums[node.end_unit].words - self.sums[node.first_unit].words
    put(row, node.ordinal)
    put(row, words)
    put(row, share(self.sums[node.end_unit].link_words - self.sums[node.first_unit].link_words, words))
    put(row, node.end_unit - node.first_unit)
    put(row, i - node.first_unit)
    put(row, self.images[node.end_row] - self.images[element])
    put(row, self.tag[element])


cdef void put_likeness(Outline self, Py_ssize_t i, Row* row) noexcept nogil:
    cdef const Unit* unit = &self.unit[i]
    cdef const Node* owner = &self.node[unit.owner]
    cdef Group* group = &self.groups.row[unit.path_class]
    _group(self, unit.path_class, row)
    _group(self, unit.path_tags, row)
    _record(self, i, owner.record, row)
    _record(self, i, owner.outer_record, row)
    put(row, share(group.first, self.units))
    put(row, share(group.last, self.units))
    put(row, owner.record != owner.outer_record)


cdef int _bits = len(ABOVE)


cdef void put_tags_above(Outline self, const Unit* unit, Row* row) noexcept nogil:
    cdef uint64_t above = self.node[unit.element].above
    cdef int k
    for k in range(_bits):
        put(row, above >> k & 1)
