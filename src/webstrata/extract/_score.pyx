# cython: language_level=3
"""The scores of a page's paragraphs, from its outline to the end of the second pass, in one stretch without the GIL."""

from libc.math cimport exp, log
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc

from webstrata.extract._context cimport fill_context
from webstrata.extract._features cimport fill_features
from webstrata.extract._outline cimport Outline
from webstrata.extract._trees cimport Trees, add_sums
from webstrata.extract._vocabulary cimport Vocabulary, add_page_sums, fill_sums

import numpy as np

from webstrata.extract._context import CONTEXT
from webstrata.extract._features import FEATURES
from webstrata.extract._vocabulary import SUMS

# The second pass corrects the first one's log-odds. These are damped: the first pass is surest where it has seen
# the page's template, and less so elsewhere. 0.7 and the bounds did best of the few values tried on WCXB.
cdef double _DAMPING = 0.7
cdef double _SUREST = 0.99

# Half of the paragraphs are boilerplate beyond doubt: those below these log-odds after the start of the first pass are
# not looked at again. All trees together would say the same, about so many times as loud. Nor does the second pass look
# at what has less than this chance after the first.
cdef double _START_NO = -1.6
cdef double _LOUDER = 2.5
cdef double _FIRST_NO = 0.047


cdef inline double _logistic(double log_odds) noexcept nogil:
    return 1 / (1 + exp(-log_odds))


cdef inline double _damped(double chance) noexcept nogil:
    chance = min(max(chance, 1 - _SUREST), _SUREST)
    return _DAMPING * log(chance / (1 - chance))


def start_score(const double[::1] first):
    """What the second pass starts from: the damped log-odds of the first one."""
    cdef Py_ssize_t i
    result = np.empty(first.shape[0])
    cdef double[::1] out = result
    for i in range(first.shape[0]):
        out[i] = _damped(first[i])
    return result


cdef class Scorer:
    """What was learned, ready to use.

    Parameters
    ----------
    words : weights of the words in classes, ids, headings and texts
    page_words, page_bias : the same of a page's own words, for each type of page
    start, first : the trees of the first pass; all paragraphs see the former, the likely ones the latter
    second : the trees of the second pass
    """

    cdef Vocabulary words
    cdef Vocabulary page_words
    cdef const float[::1] page_bias
    cdef Trees start
    cdef Trees first
    cdef Trees second
    cdef Py_ssize_t types
    cdef Py_ssize_t sums

    def __init__(self, Vocabulary words, Vocabulary page_words, page_bias, Trees start, Trees first, Trees second):
        self.words, self.page_words = words, page_words
        self.page_bias = np.ascontiguousarray(page_bias, np.float32)
        self.start, self.first, self.second = start, first, second
        if self.page_bias.shape[0] != page_words.weights.shape[1] or words.weights.shape[1] != 1:
            raise ValueError("the weights do not fit")
        self.sums = len(FEATURES)
        self.types = self.sums + len(SUMS)
        seen = self.types + self.page_bias.shape[0]
        if max(start.width, first.width) > seen or second.width > seen + len(CONTEXT):
            raise ValueError("the trees ask for features that nobody knows")

    def weigh(self, Outline page, float[:, ::1] out):
        """Fill the columns of a matrix that come from the weights of words."""
        cdef bint fine = True
        if out.shape[0] != page.units or out.shape[1] < self.types + self.page_bias.shape[0]:
            raise ValueError("the matrix does not fit the page")
        if page.units:
            with nogil:
                fine = _weigh(self, page, &out[0, 0], out.shape[1])
        if not fine:
            raise MemoryError

    def passes(self, Outline page):
        """For each paragraph the chance that it is content, from 0 to 1, after the first pass and after the second."""
        first, second = np.empty(page.units), np.zeros(page.units)
        cdef double[::1] before = first
        cdef double[::1] after = second
        cdef Py_ssize_t width = self.types + self.page_bias.shape[0] + len(CONTEXT)
        cdef bint fine = True
        if page.units:
            with nogil:
                fine = _score(self, page, width, &before[0], &after[0])
        if not fine:
            raise MemoryError
        return first, second


cdef bint _weigh(Scorer self, Outline page, float* matrix, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t i, k, types = self.page_bias.shape[0]
    cdef float* first = matrix + self.types
    for k in range(types):
        first[k] = self.page_bias[k]
    add_page_sums(self.page_words, page, first)
    for i in range(1, page.units):
        for k in range(types):
            first[i * width + k] = first[k]
    return fill_sums(self.words, page, matrix + self.sums, width)


cdef bint _score(Scorer self, Outline page, Py_ssize_t width, double* first, double* score) noexcept nogil:
    cdef float* matrix = <float*>malloc(page.units * width * sizeof(float))
    cdef int32_t* rows = <int32_t*>malloc(page.units * sizeof(int32_t))
    cdef bint fine = matrix != NULL and rows != NULL
    if fine:
        fill_features(page, matrix, width)
        fine = _weigh(self, page, matrix, width) and _passes(self, page, matrix, width, rows, first, score)
    free(matrix)
    free(rows)
    return fine


cdef bint _passes(Scorer self, Outline page, float* matrix, Py_ssize_t width, int32_t* rows, double* first,
                  double* score) noexcept nogil:
    """Both passes; `score` begins with zeros, and holds log-odds until the end."""
    cdef Py_ssize_t i, n = page.units, count = 0
    for i in range(n):
        rows[i] = <int32_t>i
    if not add_sums(self.start, matrix, width, rows, n, score):
        return False
    for i in range(n):
        if score[i] > _START_NO:
            rows[count] = <int32_t>i
            count += 1
        else:
            score[i] *= _LOUDER
    if not add_sums(self.first, matrix, width, rows, count, score):
        return False
    for i in range(n):
        first[i] = _logistic(score[i])
    if not fill_context(page, first, matrix + self.types + self.page_bias.shape[0], width):
        return False
    count = 0
    for i in range(n):
        if first[i] > _FIRST_NO:
            rows[count] = <int32_t>i
            count += 1
        score[i] = _damped(first[i])
    if not add_sums(self.second, matrix, width, rows, count, score):
        return False
    for i in range(n):
        score[i] = _logistic(score[i])
    return True
