# cython: language_level=3
"""Learned weights of the words in classes, ids, headings and texts, and their sums over a page.

A tree splits on one feature at a time, and pages have too many classes and words for that. So a linear model weighs all
of them first, and the trees get its sums: over all elements above a paragraph, of the nearest one with names, of the
worst and of the best, of its own first words and of the heading above it.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport calloc, free

from webstrata.models.features cimport FeatureRow, put
from webstrata.extraction.learned.page_features cimport HEADING_SALT, PageFeatures

import numpy as np

from webstrata.errors import InputError

cdef enum:
    MOST_SUMS = 16
    HASH_FACTOR = 2654435769     # spreads hashes that are close over the table

cdef class Vocabulary:
    """Words by hash, each with one or several weights."""

    def __init__(self, hashes, weights):
        if hashes.ndim != 1 or weights.ndim != 2 or len(hashes) != len(weights):
            raise InputError("each word needs its hash and a row of weights")
        cdef Py_ssize_t size = 64, i
        while size < 2 * len(hashes):
            size *= 2
        cdef const uint32_t[::1] hash = np.ascontiguousarray(hashes, np.uint32)
        cdef const float[:, ::1] row = np.ascontiguousarray(weights, np.float32)
        cdef uint32_t[::1] slots = np.zeros(size, np.uint32)
        cdef float[:, ::1] table = np.zeros((size, weights.shape[1]), np.float32)
        cdef uint32_t place, mask = <uint32_t>(size - 1)
        for i in range(hash.shape[0]):
            if hash[i] == 0:
                continue
            place = hash[i] * <uint32_t>HASH_FACTOR & mask
            while slots[place]:
                place = place + 1 & mask
            slots[place] = hash[i]
            table[place] = row[i]
        self.slots, self.weights, self.mask = slots, table, mask

    def sum_names(self, PageFeatures page):
        """The names of the columns that `paragraph_sums` fills, in their order; from any page with a paragraph."""
        names = []
        cdef PageWeights sums
        cdef float[MOST_SUMS] values
        cdef FeatureRow row
        if not page.count:
            raise InputError("a page without text has no columns to name")
        if not begin_sums(self, page, &sums):
            end_sums(&sums)
            raise MemoryError
        row.at, row.names, row.of = values, <void*>names, b""
        _put_sums(self, page, &sums, 0, 0, 0, 0, &row)
        end_sums(&sums)
        if len(names) > MOST_SUMS:
            raise AssertionError("MOST_SUMS is too small")
        return tuple(names)

    def paragraph_sums(self, PageFeatures page, float[:, ::1] out, Py_ssize_t column, Py_ssize_t count):
        """Fill `count` columns, from `column` on, for each paragraph; `count` is the number of `sum_names`."""
        cdef PageWeights sums
        cdef bint fine = True
        if out.shape[0] != page.count or column < 0 or out.shape[1] < column + count:
            raise InputError(f"the matrix is {out.shape[0]} by {out.shape[1]}, not {page.count} by {column + count}")
        if page.count:
            with nogil:
                fine = begin_sums(self, page, &sums)
                if fine:
                    fill_sums(self, page, &sums, 0, page.count, &out[0, column], out.shape[1])
                end_sums(&sums)
        if not fine:
            raise MemoryError


cdef inline const float* _find(Vocabulary words, uint32_t hash) noexcept nogil:
    """The weights of a word; NULL when it is unknown."""
    cdef uint32_t place = hash * <uint32_t>HASH_FACTOR & words.mask
    while words.slots[place]:
        if words.slots[place] == hash:
            return &words.weights[place, 0]
        place = (place + 1) & words.mask
    return NULL


cdef void add_page_sums(Vocabulary words, PageFeatures page, float* out) noexcept nogil:
    """Add the weights of the page's own words; each word counts once."""
    cdef Py_ssize_t width = words.weights.shape[1], i, k
    cdef const float* weights
    cdef uint32_t hash
    for i in range(page.page_words.count):
        hash = page.page_words.hash[i]
        weights = _find(words, hash)
        if weights == NULL:
            continue
        for k in range(i):
            if page.page_words.hash[k] == hash:
                break
        else:
            for k in range(width):
                out[k] += weights[k]


cdef inline float _sum(Vocabulary words, const uint32_t* hash, int32_t start, int32_t stop,
                       uint32_t salt) noexcept nogil:
    cdef float total = 0
    cdef int32_t k
    cdef const float* weight
    for k in range(start, stop):
        weight = _find(words, hash[k] ^ salt)
        if weight != NULL:
            total += weight[0]
    return total


cdef inline float _text(Vocabulary words, PageFeatures page, Py_ssize_t i, uint32_t salt) noexcept nogil:
    """The weight of the first words of a paragraph; 0 where there is no such paragraph."""
    if not 0 <= i < page.count:
        return 0
    return _sum(words, page.text_words.hash, page.paragraph[i].first_word, page.paragraph[i].end_word, salt)


cdef bint begin_sums(Vocabulary words, PageFeatures page, PageWeights* sums) noexcept nogil:
    """Weigh the names of all elements; False when memory ran out. `end_sums` frees the memory in either case."""
    cdef Py_ssize_t i
    cdef int32_t start, stop
    cdef float own
    cdef NameWeights* names
    sums.heading = 0
    sums.of = <NameWeights*>calloc(page.elements + 1, sizeof(NameWeights))
    if sums.of == NULL:
        return False
    for i in range(page.elements):
        if page.node[i].end_paragraph <= page.node[i].first_paragraph:
            continue
        names = &sums.of[i]
        if page.parent[i] >= 0:
            names[0] = sums.of[page.parent[i]]
        start, stop = page.node[i].first_word, page.node[i].end_word
        if stop > start:
            own = _sum(words, page.name_words.hash, start, stop, 0)
            names.total += own
            names.nearest = own
            names.worst = min(names.worst, own)
            names.best = max(names.best, own)
    return True


cdef void end_sums(PageWeights* sums) noexcept nogil:
    free(sums.of)


cdef void _put_sums(Vocabulary words, PageFeatures page, PageWeights* sums, Py_ssize_t i, float before, float own, float after,
                    FeatureRow* row) noexcept nogil:
    cdef const NameWeights* names = &sums.of[page.paragraph[i].element]
    cdef int32_t parent = page.parent[page.paragraph[i].owner]
    put(row, b"names above", names.total)
    put(row, b"nearest names", names.nearest)
    put(row, b"worst names", names.worst)
    put(row, b"best names", names.best)
    put(row, b"names of parent", sums.of[parent].total if parent >= 0 else 0)
    put(row, b"own text", own)
    put(row, b"text of heading", sums.heading)
    put(row, b"text before", before)
    put(row, b"text after", after)


cdef void fill_sums(Vocabulary words, PageFeatures page, PageWeights* sums, Py_ssize_t first, Py_ssize_t stop, float* out,
                    Py_ssize_t width) noexcept nogil:
    """Fill the columns of the weights for the next paragraphs."""
    cdef Py_ssize_t i
    cdef float before = _text(words, page, first - 1, 0), own = _text(words, page, first, 0), after
    cdef FeatureRow row
    row.names, row.of = NULL, b""
    for i in range(first, stop):
        after = _text(words, page, i + 1, 0)
        if page.paragraph[i].heading:
            sums.heading = _text(words, page, i, HEADING_SALT)
        row.at = out + (i - first) * width
        _put_sums(words, page, sums, i, before, own, after, &row)
        before, own = own, after
