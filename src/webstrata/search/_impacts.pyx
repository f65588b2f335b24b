# cython: language_level=3
"""Loops over postings: weights of classes, impacts, and the best pages of a query. All indices are checked.

The postings of term t are ``start[t] : start[t + 1]``; those of one term ascend by block, and so by page.
"""

from libc.math cimport log, log1p
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcmp

import numpy as np

from webstrata.errors import InputError


def find(const uint8_t[::1] data, const int64_t[::1] start, bytes name):
    """The index of a name in a sorted list of names, -1 if it is not there."""
    cdef int64_t low = 0, high = start.shape[0] - 1, middle, size, length = len(name)
    cdef const uint8_t* wanted = name
    cdef int order
    while low < high:
        middle = (low + high) >> 1
        if not 0 <= start[middle] <= start[middle + 1] <= data.shape[0]:
            raise InputError("the names of the index are damaged: build it again")
        size = start[middle + 1] - start[middle]
        order = memcmp(&data[start[middle]], wanted, min(size, length)) if min(size, length) else 0
        if order == 0 and size == length:
            return middle
        if order < 0 or (order == 0 and size < length):
            low = middle + 1
        else:
            high = middle
    return -1


def class_sums(const int64_t[::1] start, const uint32_t[::1] block, const uint16_t[::1] count,
               const uint32_t[::1] block_page, const uint32_t[::1] block_segment, const int32_t[::1] segment_class,
               const int64_t[::1] class_segments, int64_t first_term, int64_t[::1] stamp, int64_t[::1] holding,
               double[::1] vocabulary_sum, double[::1] vocabulary, double[::1] occurrence_sum,
               double[::1] occurrences):
    """Add the importances of terms to the sums of segment classes, as `webstrata.search.blocks` defines them.

    Segments of class -1 do not count. `stamp` has a number for each segment and `holding` one for each class, all 0 at
    first; they carry state from one batch of terms to the next.
    """
    cdef int64_t t, i, j, spread, mark
    cdef uint32_t page, segment
    cdef int32_t number
    cdef double icf
    _within(block, block_page.shape[0])
    _within(block_segment, segment_class.shape[0])
    # For the current term: the sums of its spread by class, and the classes that have it.
    spreads = np.zeros(class_segments.shape[0])
    seen = np.zeros(class_segments.shape[0], np.int32)
    cdef double[::1] spread_sum = spreads
    cdef int32_t[::1] seen_classes = seen
    cdef int64_t met
    with nogil:
        for t in range(start.shape[0] - 1):
            mark = 2 * (first_term + t) + 1
            met = 0
            for i in range(start[t], start[t + 1]):
                segment = block_segment[block[i]]
                number = segment_class[segment]
                if number < 0 or stamp[segment] == mark:
                    continue
                stamp[segment] = mark
                if holding[number] == 0:
                    seen_classes[met] = number
                    met += 1
                holding[number] += 1
            i = start[t]
            while i < start[t + 1]:
                page = block_page[block[i]]
                spread = 0
                j = i
                while j < start[t + 1] and block_page[block[j]] == page:
                    segment = block_segment[block[j]]
                    if segment_class[segment] >= 0 and stamp[segment] == mark:
                        stamp[segment] = mark + 1
                        spread += 1
                    j += 1
                while i < j:
                    segment = block_segment[block[i]]
                    number = segment_class[segment]
                    if number >= 0:
                        icf = log(<double>class_segments[number] / holding[number])
                        occurrence_sum[number] += count[i] * icf * spread
                        occurrences[number] += count[i]
                        if stamp[segment] == mark + 1:
                            stamp[segment] = 0
                            spread_sum[number] += spread
                    i += 1
            for i in range(met):
                number = seen_classes[i]
                icf = log(<double>class_segments[number] / holding[number])
                vocabulary_sum[number] += icf * spread_sum[number] / holding[number]
                vocabulary[number] += 1
                spread_sum[number] = 0
                holding[number] = 0


cdef int _within(const uint32_t[::1] values, int64_t stop) except -1:
    """Refuse indices that are out of range."""
    cdef int64_t i
    cdef uint32_t most = 0
    with nogil:
        for i in range(values.shape[0]):
            most = max(most, values[i])
    if values.shape[0] and most >= stop:
        raise InputError("the numbers of the index are damaged: build it again")
    return 0


def impacts(const int64_t[::1] start, const uint32_t[::1] block, const uint16_t[::1] count,
            const uint32_t[::1] block_page, const float[::1] weight, int64_t pages, double k1):
    """The pages of each term, and its impact on each.

    The frequency of a term is the sum of the weights of its occurrences. Pages of frequency 0 are left out.
    """
    cdef int64_t t, i, put = 0, first, terms = start.shape[0] - 1, size = block.shape[0]
    cdef double frequency, idf
    cdef uint32_t page
    _within(block, min(block_page.shape[0], weight.shape[0]))
    out_start = np.zeros(terms + 1, np.int64)
    out_page = np.empty(size, np.uint32)
    out_impact = np.empty(size, np.float32)
    cdef int64_t[::1] begin = out_start
    cdef uint32_t[::1] pages_view = out_page
    cdef float[::1] impact = out_impact
    with nogil:
        for t in range(terms):
            first = put
            i = start[t]
            while i < start[t + 1]:
                page = block_page[block[i]]
                frequency = 0
                while i < start[t + 1] and block_page[block[i]] == page:
                    frequency += count[i] * <double>weight[block[i]]
                    i += 1
                if frequency > 0:
                    pages_view[put] = page
                    impact[put] = <float>(frequency / (frequency + k1) * (k1 + 1))
                    put += 1
            idf = log1p((pages - (put - first) + 0.5) / (put - first + 0.5))
            for i in range(first, put):
                impact[i] = <float>(impact[i] * idf)
            begin[t + 1] = put
    return out_start, out_page[:put].copy(), out_impact[:put].copy()


def scores(const int64_t[::1] start, const uint32_t[::1] page, const float[::1] impact, const int64_t[::1] terms,
           const float[::1] times, float[::1] out):
    """Add the impacts of terms to the scores of their pages."""
    cdef int64_t q, i, t, pages = out.shape[0]
    cdef float factor
    cdef bint good = True
    for q in range(terms.shape[0]):
        t = terms[q]
        if not (0 <= t < start.shape[0] - 1 and 0 <= start[t] <= start[t + 1] <= min(page.shape[0], impact.shape[0])):
            raise InputError("the numbers of the index are damaged: build it again")
    with nogil:
        for q in range(terms.shape[0]):
            t = terms[q]
            factor = times[q]
            for i in range(start[t], start[t + 1]):
                if page[i] >= pages:
                    good = False
                    break
                out[page[i]] += impact[i] * factor
    if not good:
        raise InputError("the numbers of the index are damaged: build it again")


cdef inline bint _worse(float score, uint32_t page, float other, uint32_t other_page) noexcept nogil:
    """Whether the first page ranks below the second; pages of equal score are in the order of their numbers."""
    return score < other or (score == other and page > other_page)


def best(const float[::1] score, int64_t k):
    """The pages with the k highest scores above 0, best first, their scores, and the number of scores above 0."""
    cdef int64_t i, held = 0, place, child, matched = 0, pages = score.shape[0]
    k = min(k, pages)
    heap_page, heap_score = np.empty(max(k, 1), np.uint32), np.empty(max(k, 1), np.float32)
    cdef uint32_t[::1] p = heap_page
    cdef float[::1] s = heap_score
    cdef float value
    with nogil:
        for i in range(pages):
            value = score[i]
            if not value > 0:
                continue
            matched += 1
            if k == 0:
                continue
            if held < k:
                # A heap with the worst page on top.
                place = held
                held += 1
                while place > 0 and _worse(value, <uint32_t>i, s[(place - 1) >> 1], p[(place - 1) >> 1]):
                    s[place], p[place] = s[(place - 1) >> 1], p[(place - 1) >> 1]
                    place = (place - 1) >> 1
            elif value > s[0]:
                place = 0
                while True:
                    child = 2 * place + 1
                    if child >= held:
                        break
                    if child + 1 < held and _worse(s[child + 1], p[child + 1], s[child], p[child]):
                        child += 1
                    if not _worse(s[child], p[child], value, <uint32_t>i):
                        break
                    s[place], p[place] = s[child], p[child]
                    place = child
            else:
                continue
            s[place], p[place] = value, <uint32_t>i
    order = np.lexsort((heap_page[:held], -heap_score[:held]))
    return heap_page[:held][order], heap_score[:held][order], matched
