# cython: language_level=3
"""Passages of pages that match a query: the loops of `webstrata.search.passages`. All indices are checked."""

from libc.math cimport log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp

import numpy as np

from webstrata.errors import InputError
from webstrata.search._terms cimport Sink, read_terms

cdef enum:
    ANCHOR = 4               # a stratum, as in `webstrata.search.documents`
    STRATA = 5
    PASSAGES = 3             # of each page, for which the order of the terms is looked at
    MOST_TERMS = 32          # distinct terms of a query whose order is looked at


def masses(const int64_t[::1] start, const uint32_t[::1] block, const uint32_t[::1] block_page,
           const uint8_t[::1] alive, int64_t pages, uint32_t[::1] frequency, float[::1] mass):
    """For some terms, the number of living pages with each; and the idf of each term is added to its blocks."""
    cdef int64_t t, i, size = min(block_page.shape[0], mass.shape[0])
    cdef int64_t page, last
    cdef float idf
    cdef bint good = True
    with nogil:
        for i in range(block.shape[0]):
            if block[i] >= size or block_page[block[i]] >= alive.shape[0]:
                good = False
        if good:
            for t in range(start.shape[0] - 1):
                last = -1
                for i in range(start[t], start[t + 1]):
                    page = block_page[block[i]]
                    if page != last and alive[page]:
                        frequency[t] += 1
                    last = page
                idf = <float>log1p((pages - <double>frequency[t] + 0.5) / (frequency[t] + 0.5))
                for i in range(start[t], start[t + 1]):
                    mass[block[i]] += idf
    if not good:
        raise InputError("the numbers of the index are damaged: build it again")


cdef int64_t _first(const uint32_t* values, int64_t low, int64_t high, uint32_t least) noexcept nogil:
    """The first of ascending values that is not below ``least``."""
    cdef int64_t middle
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


def matches(const int64_t[::1] pages, const int64_t[::1] block_start, const uint32_t[::1] paragraph,
            const uint8_t[::1] stratum, const float[::1] mass, int64_t first_mass, const int64_t[::1] begin,
            const int64_t[::1] end, const uint32_t[::1] posting_block, const double[::1] idf, double whole):
    """How some pages of a shard match the terms of a query.

    Returns, for each page, how equal the query and the most equal paragraph of each stratum are (the square of the
    common idf by the product of both), the share of the query in the best paragraph of the page's own text, and the
    ranges of blocks of its best paragraphs (``PASSAGES`` rows of first and end, -1 for none).

    Parameters
    ----------
    pages : their numbers
    block_start, paragraph, stratum, posting_block : columns of the shard
    mass, first_mass : the sum of idf in each block, and the row of the shard's first block in it
    begin, end : the postings of each term of the query
    idf, whole : of each term; and their sum, with that of terms that the shard does not have
    """
    cdef int64_t count = pages.shape[0], terms = begin.shape[0], n, t, i, k, b, first, stop, run, runs, most = 0
    cdef int64_t blocks = min(paragraph.shape[0], stratum.shape[0])
    cdef double value, equal
    cdef int place
    for t in range(terms):
        if not 0 <= begin[t] <= end[t] <= posting_block.shape[0]:
            raise InputError("the numbers of the index are damaged: build it again")
    for n in range(count):
        if not 0 <= pages[n] < block_start.shape[0] - 1:
            raise IndexError(f"the shard has no page {pages[n]}")
        first, stop = block_start[pages[n]], block_start[pages[n] + 1]
        if not 0 <= first <= stop <= min(blocks, mass.shape[0] - first_mass):
            raise InputError("the numbers of the index are damaged: build it again")
        most = max(most, stop - first)
    out_equal, out_share = np.zeros((count, STRATA)), np.zeros(count)
    out_best = np.full((count, PASSAGES, 2), -1, np.int64)
    run_of, edge = np.zeros(most + 1, np.int64), np.zeros(most + 2, np.int64)
    sums, lasts = np.zeros(most + 1), np.full(most + 1, -1, np.int64)
    cdef double[:, ::1] equals = out_equal
    cdef double[::1] share = out_share, total = sums
    cdef int64_t[:, :, ::1] best = out_best
    cdef int64_t[::1] run_at = run_of, edges = edge, last = lasts
    cdef double top[PASSAGES]
    if not whole > 0:
        return out_equal, out_share, out_best
    with nogil:
        for n in range(count):
            first, stop = block_start[pages[n]], block_start[pages[n] + 1]
            runs = 0
            for b in range(first, stop):
                if b == first or paragraph[b] != paragraph[b - 1]:
                    edges[runs] = b
                    total[runs] = 0
                    last[runs] = -1
                    runs += 1
                run_at[b - first] = runs - 1
            edges[runs] = stop
            for t in range(terms):
                i = _first(&posting_block[0], begin[t], end[t], <uint32_t>first)
                while i < end[t] and posting_block[i] < stop:
                    if posting_block[i] >= first:
                        run = run_at[posting_block[i] - first]
                        if last[run] != t:
                            last[run] = t
                            total[run] += idf[t]
                    i += 1
            for k in range(PASSAGES):
                top[k] = 0
            for run in range(runs):
                if total[run] <= 0:
                    continue
                value = 0
                for b in range(edges[run], edges[run + 1]):
                    value += mass[first_mass + b]
                i = min(<int64_t>stratum[edges[run]], STRATA - 1)
                # A term that is twice in a paragraph has its idf twice in the mass.
                equal = total[run] * total[run] / (whole * max(value, total[run]))
                equals[n, i] = max(equals[n, i], equal)
                if i == ANCHOR:
                    continue
                value = total[run] / whole
                share[n] = max(share[n], value)
                for place in range(PASSAGES):
                    if value > top[place]:
                        for k in range(PASSAGES - 1, place, -1):
                            top[k] = top[k - 1]
                            best[n, k, 0], best[n, k, 1] = best[n, k - 1, 0], best[n, k - 1, 1]
                        top[place] = value
                        best[n, place, 0], best[n, place, 1] = edges[run], edges[run + 1]
                        break
    return out_equal, out_share, out_best


cdef class Order(Sink):
    """How many neighbours in a query are neighbours in texts as well, at most one term apart.

    Parameters
    ----------
    sequence : the terms of the query in order; those after the first ``MOST_TERMS`` distinct ones are ignored
    """

    cdef list names
    cdef list pairs
    cdef uint8_t[MOST_TERMS * MOST_TERMS] seen
    cdef int32_t[2] before
    cdef const uint8_t* name[MOST_TERMS]
    cdef int32_t[MOST_TERMS] size
    cdef int32_t count
    cdef object alter

    def __init__(self, sequence):
        cdef dict number = {}
        cdef int32_t i
        self.names = []
        places = []
        for term in sequence:
            if term not in number and len(number) < MOST_TERMS:
                number[term] = len(number)
                self.names.append(term.encode("utf-8", "replace"))
            places.append(number.get(term, -1))
        self.pairs = [(a, b) for a, b in zip(places, places[1:]) if a >= 0 and b >= 0]
        self.count = <int32_t>len(self.names)
        for i in range(self.count):
            self.name[i] = self.names[i]
            self.size[i] = <int32_t>len(self.names[i])

    def share(self, str text, alter=None):
        """The share of neighbours in the query that are neighbours in a text, whose terms `alter` changes."""
        cdef int32_t i
        if not self.pairs:
            return 0.0
        for i in range(MOST_TERMS * MOST_TERMS):
            self.seen[i] = 0
        self.before[0] = self.before[1] = -1
        self.alter = alter
        read_terms(text, 0, len(text), self)
        found = sum(self.seen[a * MOST_TERMS + b] for a, b in self.pairs)
        return found / len(self.pairs)

    cdef int take(self, const uint8_t* term, int length, int64_t start, int64_t stop) except -1:
        cdef int32_t i, here = -1
        cdef bytes other
        if self.alter is not None:
            altered = self.alter(term[:length].decode("utf-8", "replace"))
            if altered is None:
                return 0
            other = altered.encode("utf-8", "replace")
            term = other
            length = <int>len(other)
        for i in range(self.count):
            if self.size[i] == length and self.name[i][0] == term[0] and memcmp(self.name[i], term, length) == 0:
                here = i
                break
        if here >= 0:
            for i in range(2):
                if self.before[i] >= 0:
                    self.seen[self.before[i] * MOST_TERMS + here] = 1
        self.before[0] = self.before[1]
        self.before[1] = here
        return 0
