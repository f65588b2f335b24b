# cython: language_level=3
"""The features of a candidate that say which part of a page it is: tags, names, landmarks, records and the title.

The trees for parts read them after the features of a segment. They are few on the pages of Kreuzer 2013, so the trees
for segments do not.
"""

from libc.math cimport log1p
from libc.stdint cimport int32_t, uint8_t

from webstrata.models.features cimport FeatureRow, put
from webstrata.segmentation.learned.candidates cimport MARKS, NONE, Candidate, Candidates
from webstrata.segmentation.learned.cues cimport kind_by_cues, landmark, link_density, title_of, words
from webstrata.segmentation.learned.features cimport check_rows
from webstrata.segmentation.learned.kinds cimport KIND_COUNT, UNKNOWN
from webstrata.segmentation.learned.names cimport CUE_COLUMN, CUE_GROUPS, NAMES
from webstrata.segmentation.learned.records cimport mark_records

import numpy as np

cdef enum:
    COLUMNS = 2 * (MARKS + CUE_GROUPS + KIND_COUNT) + 12
    MANY = 40
    HEADING_BIT = 4          # the lowest bit of the level of a heading in the flags of a block

# The names of columns that belong to the bits of a candidate, and to kinds.
cdef const char* _MARK[MARKS]
_MARK[:] = [b"header", b"nav", b"main", b"aside", b"footer", b"article", b"section", b"form", b"search", b"table", b"figure",
            b"caption", b"dialog", b"h1", b"video"]
cdef const char* _NAME[KIND_COUNT]
_NAME[:] = [b"Header", b"Footer", b"Content", b"Sidebar", b"Logo", b"Menu", b"Title", b"LinkList", b"Table", b"Comments", b"Ad",
            b"Image", b"Video", b"Article", b"Searchbar", b"Item", b"Form", b"Overlay"]


cdef class PartFeatures:
    """What is known of the candidates of one page beside their features, in linear time and memory.

    >>> from webstrata.page import parse
    >>> found = Candidates(parse("<nav><a href=/>Mud</a></nav><h1>Silt</h1>"))
    >>> parts = PartFeatures(found)
    >>> matrix = np.zeros((1, len(parts.names())), np.float32)
    >>> parts.fill(np.array([1], np.int32), matrix, 0)
    >>> [name for name, value in zip(parts.names(), matrix[0]) if value and name.startswith("nav")]
    ['nav of its tags']
    """

    cdef Candidates of
    cdef object kept             # keeps the memory alive
    cdef uint8_t* record         # of each candidate: whether it is a record
    cdef int32_t* records        # the number of records that are its children
    cdef int32_t* landmarks      # landmarks inside of it
    cdef int32_t* place          # the kind of the nearest landmark around it
    cdef int32_t title

    def __init__(self, Candidates found):
        cdef Py_ssize_t i
        numbers, marks = np.zeros((3, found.count + 1), np.int32), np.zeros(found.count + 1, np.uint8)
        cdef int32_t[:, ::1] number = numbers
        cdef uint8_t[::1] mark = marks
        cdef int32_t kind, up
        self.of, self.kept = found, (numbers, marks)
        self.records, self.landmarks, self.place = &number[0, 0], &number[1, 0], &number[2, 0]
        self.record = &mark[0]
        self.title = title_of(found)
        with nogil:
            self.place[0] = UNKNOWN
            for i in range(found.count):
                if found.row[i].children >= 3:
                    self.records[i] = mark_records(found, i, self.record)
                up = found.row[i].up
                if up >= 0:
                    kind = landmark(found, up)
                    self.place[i] = self.place[up] if kind == UNKNOWN else kind
            for i in range(found.count - 1, 0, -1):
                if found.row[i].up >= 0:
                    self.landmarks[found.row[i].up] += self.landmarks[i] + (landmark(found, i) != UNKNOWN)

    def names(self):
        """The names of the columns, in their order; of a page with a candidate."""
        cdef float[COLUMNS] room
        cdef FeatureRow row
        names = []
        row.at, row.names, row.of = room, <void*>names, b""
        _put_part(self, self.of, 0, &row)
        if len(names) != COLUMNS:
            raise AssertionError(f"there are {len(names)} columns, and COLUMNS is {COLUMNS}")
        return tuple(names)

    def fill(self, const int32_t[::1] chosen, float[:, ::1] out, Py_ssize_t first):
        """Fill the columns from ``first`` on, one row for each of these candidates."""
        cdef Py_ssize_t i
        cdef FeatureRow row
        check_rows(self.of, chosen, out, first + COLUMNS)
        row.names, row.of = NULL, b""
        with nogil:
            for i in range(chosen.shape[0]):
                row.at = &out[i, first]
                _put_part(self, self.of, chosen[i], &row)


cdef void _put_part(PartFeatures self, Candidates of, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef const Candidate* own = &of.row[i]
    cdef int32_t up = own.up, kind, k
    cdef float chance = 0
    row.of = b"its tags"
    for k in range(MARKS):
        put(row, _MARK[k], own.marks >> k & 1)
    row.of = b"tags above"
    for k in range(MARKS):
        put(row, _MARK[k], own.marks_above >> k & 1)
    row.of = b"its names"
    for k in range(CUE_GROUPS):
        put(row, CUE_COLUMN[k], own.names >> (NAMES + k) & 1)
    row.of = b"names above"
    for k in range(CUE_GROUPS):
        put(row, CUE_COLUMN[k], own.names_above >> (NAMES + k) & 1)
    row.of = b"its cues"
    kind = kind_by_cues(of, i, &chance)
    for k in range(KIND_COUNT):
        put(row, _NAME[k], k == kind)
    row.of = b"the part around"
    for k in range(KIND_COUNT):
        put(row, _NAME[k], k == self.place[i])
    row.of = b""
    put(row, b"landmarks inside", min(self.landmarks[i], MANY))
    put(row, b"is a record", self.record[i])
    put(row, b"is in a record", up >= 0 and self.record[up])
    put(row, b"records", min(self.records[i], MANY))
    put(row, b"records beside", min(self.records[up], MANY) if up >= 0 else 0)
    put(row, b"is the title", i == self.title)
    put(row, b"has the title", _has_title(self, own))
    put(row, b"is after the title", self.title != NONE and own.start >= of.row[self.title].stop)
    put(row, b"is headings", _is_headings(of, own))
    put(row, b"follows a heading", own.before >= 0 and _is_headings(of, &of.row[own.before]))
    put(row, b"links beside it", link_density(of, of.row[up].start, of.row[up].stop) if up >= 0 else 0)
    put(row, b"size of the part around", log1p(words(of, up)) if up >= 0 else 0)


cdef inline bint _has_title(PartFeatures self, const Candidate* own) noexcept nogil:
    return self.title != NONE and own.start <= self.of.row[self.title].start < own.stop


cdef inline bint _is_headings(Candidates of, const Candidate* own) noexcept nogil:
    """Whether all blocks of a candidate are headings."""
    return (of.texts[own.stop].blocks - of.texts[own.start].blocks
            == of.texts[own.stop].headings - of.texts[own.start].headings)
