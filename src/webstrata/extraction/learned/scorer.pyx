# cython: language_level=3
"""The scores of a page's paragraphs, from its outline to the end of the second pass, in one stretch without the GIL."""

from libc.math cimport exp, log
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from webstrata.extraction.learned.second_pass cimport Place, begin_context, fill_context
from webstrata.extraction.learned.first_pass cimport Marks, begin_features, fill_features
from webstrata.extraction.learned.likelihood cimport PageScores, add_up, release
from webstrata.models.trees cimport add_sums
from webstrata.extraction.learned.vocabulary cimport Chains, add_page_sums, begin_sums, end_sums, fill_sums

import numpy as np

cdef enum:
    ROWS = 8192              # paragraphs of a page that are in the matrix at a time, so that it takes 13 MB at most
    TYPES = 16               # room for the types of pages

# The second pass corrects the first one's log-odds. These are damped: the first pass is surest where it has seen
# the page's template, and less so elsewhere. 0.7 and the bounds did best of the few values tried on WCXB.
cdef double _DAMPING = 0.7
cdef double _SUREST = 0.99

# Half of the paragraphs are boilerplate beyond doubt. Those whose log-odds are below _START_NO after the first trees of
# the first pass skip its other trees, which would have multiplied these log-odds by about _REST_OF_FIRST; those with
# less than the chance _FIRST_NO after the first pass skip the second.
cdef double _START_NO = -1.6
cdef double _REST_OF_FIRST = 2.5
cdef double _FIRST_NO = 0.047


cdef inline double _logistic(double log_odds) noexcept nogil:
    return 1 / (1 + exp(-log_odds))


cdef inline double _damped(double chance) noexcept nogil:
    chance = min(max(chance, 1 - _SUREST), _SUREST)
    return _DAMPING * log(chance / (1 - chance))


#: By how much the second pass takes the log-odds of the first one.
DAMPING = _DAMPING


def start_score(const double[::1] first):
    """What the second pass starts from: the damped log-odds of the first one."""
    cdef Py_ssize_t i
    result = np.empty(first.shape[0])
    cdef double[::1] out = result
    for i in range(first.shape[0]):
        out[i] = _damped(first[i])
    return result


# What both passes work with: some rows of the matrix at a time, and what their columns are filled from.
cdef struct Work:
    Py_ssize_t width
    float* matrix
    int32_t* rows            # those that are looked at
    float[TYPES] types       # the columns of the page's own words, the same in all rows
    Marks marks
    Chains chains
    PageScores scores
    bint has_scores


cdef class Scorer:
    """What was learned, ready to use.

    Parameters
    ----------
    words : weights of the words in classes, ids, headings and texts
    page_words, page_bias : the same of a page's own words, for each type of page
    start, first : the trees of the first pass; all paragraphs see the former, the likely ones the latter
    second : the trees of the second pass
    features, sums, context : how many columns the paragraph and its place, the weights of words, and the second pass
        have; between the sums and the context stand the types of pages
    """

    def __init__(self, Vocabulary words, Vocabulary page_words, page_bias, Trees start, Trees first, Trees second, *,
                 Py_ssize_t features, Py_ssize_t sums, Py_ssize_t context):
        self.words, self.page_words = words, page_words
        self.page_bias = np.ascontiguousarray(page_bias, np.float32)
        self.start, self.first, self.second = start, first, second
        if self.page_bias.shape[0] != page_words.weights.shape[1] or words.weights.shape[1] != 1:
            raise ValueError("the weights of words have another number of columns than their biases")
        if self.page_bias.shape[0] > TYPES:
            raise ValueError(f"there are more than {TYPES} types of pages")
        self.sums = features
        self.types = self.sums + sums
        self.context = self.types + self.page_bias.shape[0]
        self.width = self.context + context
        if max(start.width, first.width) > self.context or second.width > self.width:
            raise ValueError("the trees ask for more columns than there are")

    def weigh(self, Outline page, float[:, ::1] out):
        """Fill the columns of a matrix that come from the weights of words."""
        if out.shape[1] < self.context:
            raise ValueError(f"the matrix has {out.shape[1]} columns, not {self.context} or more")
        self.words.paragraph_sums(page, out, self.sums, self.types - self.sums)
        cdef float[TYPES] types
        _look_at_page(self, page, types)
        for k in range(self.page_bias.shape[0]):
            np.asarray(out)[:, self.types + k] = types[k]

    def passes(self, Outline page):
        """For each paragraph the chance that it is content, from 0 to 1, after the first pass and after the second.

        Then the number of the type of pages that the page looks most like by its own words, and whether it has any that
        are known.
        """
        first, second = np.empty(page.count), np.empty(page.count)
        cdef double[::1] before = first
        cdef double[::1] after = second
        cdef PageType told
        cdef bint fine
        with nogil:
            fine = score(self, page, &before[0] if page.count else NULL, &after[0] if page.count else NULL, &told)
        if not fine:
            raise MemoryError
        return first, second, told.likeliest, told.tells


cdef bint score(Scorer self, Outline page, double* first, double* second, PageType* told) noexcept nogil:
    """Fill the chances after both passes; False when memory ran out."""
    cdef Work work
    cdef bint fine = True
    cdef Py_ssize_t k
    if page.count:
        memset(first, 0, page.count * sizeof(double))
        work.width = self.width
        fine = _begin(self, page, &work) and _passes(self, page, &work, first, second)
        _end(&work)
    else:
        _look_at_page(self, page, work.types)
    told.likeliest, told.tells = 0, False
    for k in range(self.page_bias.shape[0]):
        told.tells = told.tells or work.types[k] != self.page_bias[k]
        told.likeliest = <int>k if work.types[k] > work.types[told.likeliest] else told.likeliest
    return fine


cdef void _look_at_page(Scorer self, Outline page, float* types) noexcept nogil:
    """How much the page's own words look like those of each type of page."""
    cdef Py_ssize_t k
    for k in range(self.page_bias.shape[0]):
        types[k] = self.page_bias[k]
    add_page_sums(self.page_words, page, types)


cdef bint _begin(Scorer self, Outline page, Work* work) noexcept nogil:
    cdef Py_ssize_t most = min(page.count, <Py_ssize_t>ROWS)
    work.has_scores = False
    work.matrix = <float*>malloc(most * work.width * sizeof(float))
    work.rows = <int32_t*>malloc(most * sizeof(int32_t))
    _look_at_page(self, page, work.types)
    return begin_sums(self.words, page, &work.chains) and work.matrix != NULL and work.rows != NULL


cdef void _end(Work* work) noexcept nogil:
    free(work.matrix)
    free(work.rows)
    end_sums(&work.chains)
    if work.has_scores:
        release(&work.scores)


cdef void _describe(Scorer self, Outline page, Work* work, Py_ssize_t first, Py_ssize_t stop) noexcept nogil:
    """Fill all columns of these rows but those of the second pass."""
    cdef Py_ssize_t i
    if first == 0:
        begin_features(page, &work.marks)
        work.chains.heading = 0
    fill_features(page, &work.marks, first, stop, work.matrix, work.width)
    fill_sums(self.words, page, &work.chains, first, stop, work.matrix + self.sums, work.width)
    for i in range(stop - first):
        memcpy(work.matrix + i * work.width + self.types, work.types, self.page_bias.shape[0] * sizeof(float))


cdef bint _first(Scorer self, Work* work, Py_ssize_t n, double* chance) noexcept nogil:
    """The first pass over the rows of the matrix; `chance` begins with zeros."""
    cdef Py_ssize_t i, count = 0
    for i in range(n):
        work.rows[i] = <int32_t>i
    if not add_sums(self.start, work.matrix, work.width, work.rows, n, chance):
        return False
    for i in range(n):
        if chance[i] > _START_NO:
            work.rows[count] = <int32_t>i
            count += 1
        else:
            chance[i] *= _REST_OF_FIRST
    if not add_sums(self.first, work.matrix, work.width, work.rows, count, chance):
        return False
    for i in range(n):
        chance[i] = _logistic(chance[i])
    return True


cdef bint _second(Scorer self, Work* work, Py_ssize_t n, const double* before, double* chance) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(n):
        if before[i] > _FIRST_NO:
            work.rows[count] = <int32_t>i
            count += 1
        chance[i] = _damped(before[i])
    if not add_sums(self.second, work.matrix, work.width, work.rows, count, chance):
        return False
    for i in range(n):
        chance[i] = _logistic(chance[i])
    return True


cdef bint _passes(Scorer self, Outline page, Work* work, double* before, double* after) noexcept nogil:
    """Both passes over the page, ROWS at a time; `before` begins with zeros."""
    cdef Py_ssize_t first = 0, stop, n = page.count
    cdef Place here
    while first < n:
        stop = min(first + ROWS, n)
        _describe(self, page, work, first, stop)
        if not _first(self, work, stop - first, before + first):
            return False
        first = stop
    work.has_scores = True
    if not add_up(page, before, &work.scores):
        return False
    begin_context(&here)
    first = 0
    while first < n:
        stop = min(first + ROWS, n)
        # A page that fits is still described; of others only the end is.
        if n > ROWS:
            _describe(self, page, work, first, stop)
        fill_context(page, before, &work.scores, &here, first, stop, work.matrix + self.context, work.width)
        if not _second(self, work, stop - first, before + first, after + first):
            return False
        first = stop
    return True
