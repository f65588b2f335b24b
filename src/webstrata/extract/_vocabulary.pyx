# cython: language_level=3
"""Learned weights of the words in classes, ids, headings and texts, and their sums over a page.

A page's classes are many and its words are free; a tree splits on one of them at a time. So a linear model weighs all
of them first, and the trees see its sums: over all elements above a paragraph, of the nearest one that says anything,
of the worst and of the best, of its own first words and of the heading that it stands under.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport calloc, free

from webstrata.extract._outline cimport HEADING_SALT, Outline
from webstrata.extract._units cimport Unit

import numpy as np

#: What each column of `Vocabulary.unit_sums` is.
SUMS = ("names above", "nearest names", "worst names", "best names", "own text", "heading's text", "text before",
        "text after", "names of parent")

cdef struct Chain:
    float total
    float nearest
    float worst
    float best


cdef class Vocabulary:
    """Words by hash, each with one weight or several."""

    def __init__(self, hashes, weights):
        size = 64
        while size < 2 * len(hashes):
            size *= 2
        slots = np.zeros(size, np.uint32)
        table = np.zeros((size, weights.shape[1]), np.float32)
        for hash, row in zip(hashes.tolist(), weights):
            if hash == 0:
                continue
            place = hash * 2654435769 & size - 1
            while slots[place]:
                place = place + 1 & size - 1
            slots[place] = hash
            table[place] = row
        self.slots, self.weights, self.mask = slots, table, size - 1

    def page_sums(self, Outline page):
        """The weights of the page's own words, summed; each word counts once."""
        result = np.zeros(self.weights.shape[1], np.float32)
        cdef float[::1] out = result
        with nogil:
            add_page_sums(self, page, &out[0])
        return result

    def unit_sums(self, Outline page, float[:, ::1] out, Py_ssize_t column):
        """Fill the columns of `SUMS`, from `column` on, for each unit."""
        cdef bint fine = True
        if out.shape[0] != page.units or out.shape[1] < column + len(SUMS):
            raise ValueError("the matrix does not fit the page")
        if page.units:
            with nogil:
                fine = fill_sums(self, page, &out[0, column], out.shape[1])
        if not fine:
            raise MemoryError


cdef void add_page_sums(Vocabulary words, Outline page, float* out) noexcept nogil:
    cdef Py_ssize_t width = words.weights.shape[1], i, k
    cdef const float* weights
    cdef uint32_t hash
    for i in range(page.page_tokens.count):
        hash = page.page_tokens.hash[i]
        weights = find(&words.slots[0], &words.weights[0, 0], width, words.mask, hash)
        if weights == NULL:
            continue
        for k in range(i):
            if page.page_tokens.hash[k] == hash:
                break
        else:
            for k in range(width):
                out[k] += weights[k]


cdef bint fill_sums(Vocabulary words, Outline page, float* out, Py_ssize_t width) noexcept nogil:
    """Fill the columns of `SUMS` for each unit; False when memory ran out."""
    cdef Chain* chains = <Chain*>calloc(page.elements + 1, sizeof(Chain))
    if chains == NULL:
        return False
    _weigh(page, &words.slots[0], &words.weights[0, 0], words.mask, chains, out, width)
    free(chains)
    return True


cdef inline float _sum(const uint32_t* hash, int32_t start, int32_t stop, uint32_t salt, const uint32_t* slots,
                       const float* weights, uint32_t mask) noexcept nogil:
    cdef float total = 0
    cdef int32_t k
    cdef const float* weight
    for k in range(start, stop):
        weight = find(slots, weights, 1, mask, hash[k] ^ salt)
        if weight != NULL:
            total += weight[0]
    return total


cdef void _weigh(Outline page, const uint32_t* slots, const float* weights, uint32_t mask, Chain* chains,
                 float* out, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t i
    cdef int32_t parent, start, stop
    cdef float own, heading = 0
    cdef Chain* chain
    cdef Unit* unit
    for i in range(page.elements):
        if page.node[i].end_unit <= page.node[i].first_unit:
            continue
        parent = page.parent[i]
        chain = &chains[i]
        if parent >= 0:
            chain[0] = chains[parent]
        start, stop = page.node[i].first_token, page.node[i].end_token
        if stop > start:
            own = _sum(page.element_tokens.hash, start, stop, 0, slots, weights, mask)
            chain.total += own
            chain.nearest = own
            chain.worst = min(chain.worst, own)
            chain.best = max(chain.best, own)
    for i in range(page.units):
        unit = &page.unit[i]
        chain = &chains[unit.element]
        out[0], out[1], out[2], out[3] = chain.total, chain.nearest, chain.worst, chain.best
        own = _sum(page.unit_tokens.hash, unit.first_token, unit.end_token, 0, slots, weights, mask)
        out[4] = own
        if unit.heading:
            heading = _sum(page.unit_tokens.hash, unit.first_token, unit.end_token, HEADING_SALT, slots, weights, mask)
        out[5] = heading
        out[6] = (out - width)[4] if i else 0
        if i:
            (out - width)[7] = own
        out[7] = 0
        out[8] = chains[page.parent[unit.owner]].total if page.parent[unit.owner] >= 0 else 0
        out += width
