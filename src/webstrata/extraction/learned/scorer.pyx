# cython: language_level=3
"""The scores of the paragraphs of a page: both passes, without the GIL."""

from libc.math cimport exp, log
from libc.stdint cimport int32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from webstrata.extraction.learned.second_pass cimport ContextPlace, begin_context, fill_context
from webstrata.extraction.learned.first_pass cimport Landmarks, begin_features, fill_features
from webstrata.extraction.learned.likelihood cimport PageScores, add_up, release
from webstrata.models.trees cimport add_sums
from webstrata.extraction.learned.vocabulary cimport PageWeights, add_page_sums, begin_sums, end_sums, fill_sums

import numpy as np

from webstrata.errors import InputError

cdef enum:
    ROWS = 8192              # paragraphs in the matrix at a time, so that it takes 13 MB at most
    TYPES = 16               # most types of pages

# The second pass corrects the log-odds of the first one, which are damped: the first pass is too sure of itself on pages
# whose template it was trained on. 0.7 and the bounds did best of the few values tried on WCXB.
cdef double _DAMPING = 0.7
cdef double _SUREST = 0.99

# Half of the paragraphs are clearly boilerplate. Paragraphs with log-odds below _START_NO after the first trees of the
# first pass skip its other trees, which would have multiplied these log-odds by about _REST_OF_FIRST; paragraphs with a
# chance below _FIRST_NO after the first pass skip the second.
cdef double _START_NO = -1.6
cdef double _REST_OF_FIRST = 2.5
cdef double _FIRST_NO = 0.047


cdef inline double _logistic(double log_odds) noexcept nogil:
    return 1 / (1 + exp(-log_odds))


cdef inline double _damped(double chance) noexcept nogil:
    chance = min(max(chance, 1 - _SUREST), _SUREST)
    return _DAMPING * log(chance / (1 - chance))


#: The factor on the log-odds of the first pass with which the second starts.
DAMPING = _DAMPING


def start_score(const double[::1] first):
    """The values with which the second pass starts: the damped log-odds of the first one."""
    cdef Py_ssize_t i
    result = np.empty(first.shape[0])
    cdef double[::1] out = result
    for i in range(first.shape[0]):
        out[i] = _damped(first[i])
    return result


# Some rows of the matrix, and the state of filling them.
cdef struct PassBuffers:
    Py_ssize_t width
    float* matrix
    int32_t* rows            # the rows that the next trees read
    float[TYPES] types       # the likeness to each type of page, the same in all rows
    Landmarks marks
    PageWeights weights
    PageScores scores
    bint has_scores


cdef class Scorer:
    """A trained model, ready to score pages.

    Parameters
    ----------
    words : weights of the words in classes, ids, headings and texts
    page_words, page_bias : weights of the words in the metadata of a page, for each type of page
    start, first : the trees of the first pass; `first` runs only where `start` leaves a doubt
    second : the trees of the second pass
    features, sums, context : the numbers of columns of the paragraph and its place, of the weights of words, and of the
        second pass; the columns of the types of pages lie between the sums and the context
    """

    def __init__(self, Vocabulary words, Vocabulary page_words, page_bias, Trees start, Trees first, Trees second, *,
                 Py_ssize_t features, Py_ssize_t sums, Py_ssize_t context):
        self.words, self.page_words = words, page_words
        self.page_bias = np.ascontiguousarray(page_bias, np.float32)
        self.start, self.first, self.second = start, first, second
        if self.page_bias.shape[0] != page_words.weights.shape[1] or words.weights.shape[1] != 1:
            raise InputError("the weights of words and their biases differ in length")
        if self.page_bias.shape[0] > TYPES:
            raise InputError(f"there are more than {TYPES} types of pages")
        self.sums = features
        self.types = self.sums + sums
        self.context = self.types + self.page_bias.shape[0]
        self.width = self.context + context
        if max(start.width, first.width) > self.context or second.width > self.width:
            raise InputError("the trees need more columns than there are")

    def weigh(self, PageFeatures page, float[:, ::1] out):
        """Fill the columns of a matrix that come from the weights of words."""
        if out.shape[1] < self.context:
            raise InputError(f"the matrix has {out.shape[1]} columns, not {self.context} or more")
        self.words.paragraph_sums(page, out, self.sums, self.types - self.sums)
        cdef float[TYPES] types
        _weigh_page(self, page, types)
        for k in range(self.page_bias.shape[0]):
            np.asarray(out)[:, self.types + k] = types[k]

    def passes(self, PageFeatures page):
        """For each paragraph the chance that it is content, from 0 to 1, after the first pass and after the second.

        Then the number of the likeliest type of the page by the words of its metadata, and whether any of them is known.
        """
        first, second = np.empty(page.count), np.empty(page.count)
        cdef double[::1] before = first
        cdef double[::1] after = second
        cdef PageType type
        cdef bint fine
        with nogil:
            fine = score(self, page, &before[0] if page.count else NULL, &after[0] if page.count else NULL, &type)
        if not fine:
            raise MemoryError
        return first, second, type.likeliest, type.is_known

    def matrix_rows(self, PageFeatures page, const double[::1] first, Py_ssize_t most):
        """Iterate over the matrix of a page, at most `most` rows at a time; `first` are the chances after the first pass."""
        if first.shape[0] != page.count or not 0 < most <= ROWS:
            raise InputError(f"there are {page.count} paragraphs, {first.shape[0]} chances and {most} rows at a time")
        return MatrixRows(self, page, first, most)


cdef class MatrixRows:
    """The rows of the matrix of a page with the columns of both passes, as an iterator over parts."""
    cdef Scorer scorer
    cdef PageFeatures page
    cdef const double[::1] chances
    cdef PassBuffers buffers
    cdef ContextPlace here
    cdef Py_ssize_t at
    cdef Py_ssize_t most

    def __init__(self, Scorer scorer, PageFeatures page, const double[::1] chances, Py_ssize_t most):
        self.scorer, self.page, self.chances, self.most = scorer, page, chances, most
        self.buffers.width = scorer.width
        if page.count and not _begin(scorer, page, &self.buffers, most):
            raise MemoryError
        self.buffers.has_scores = page.count > 0
        if page.count and not add_up(page, &chances[0], &self.buffers.scores):
            raise MemoryError
        begin_context(&self.here)

    def __dealloc__(self):
        _end(&self.buffers)

    def __iter__(self):
        return self

    def __next__(self):
        cdef Py_ssize_t first = self.at, stop = min(self.at + self.most, self.page.count)
        cdef PassBuffers* buffers = &self.buffers
        if first >= stop:
            raise StopIteration
        _describe(self.scorer, self.page, buffers, first, stop)
        fill_context(self.page, &self.chances[0], &buffers.scores, &self.here, first, stop,
                     buffers.matrix + self.scorer.context, buffers.width)
        self.at = stop
        return np.array(<float[:stop - first, :buffers.width]>buffers.matrix)


cdef bint score(Scorer self, PageFeatures page, double* first, double* second, PageType* type) noexcept nogil:
    """Fill the chances after both passes; False when memory ran out."""
    cdef PassBuffers buffers
    cdef bint fine = True
    cdef Py_ssize_t k
    if page.count:
        memset(first, 0, page.count * sizeof(double))
        buffers.width = self.width
        fine = _begin(self, page, &buffers, ROWS) and _passes(self, page, &buffers, first, second)
        _end(&buffers)
    else:
        _weigh_page(self, page, buffers.types)
    type.likeliest, type.is_known = 0, False
    for k in range(self.page_bias.shape[0]):
        type.is_known = type.is_known or buffers.types[k] != self.page_bias[k]
        type.likeliest = <int>k if buffers.types[k] > buffers.types[type.likeliest] else type.likeliest
    return fine


cdef void _weigh_page(Scorer self, PageFeatures page, float* types) noexcept nogil:
    """How much the metadata of the page looks like that of each type of page."""
    cdef Py_ssize_t k
    for k in range(self.page_bias.shape[0]):
        types[k] = self.page_bias[k]
    add_page_sums(self.page_words, page, types)


cdef bint _begin(Scorer self, PageFeatures page, PassBuffers* buffers, Py_ssize_t most) noexcept nogil:
    most = min(page.count, most)
    buffers.has_scores = False
    buffers.matrix = <float*>malloc(most * buffers.width * sizeof(float))
    buffers.rows = <int32_t*>malloc(most * sizeof(int32_t))
    _weigh_page(self, page, buffers.types)
    return begin_sums(self.words, page, &buffers.weights) and buffers.matrix != NULL and buffers.rows != NULL


cdef void _end(PassBuffers* buffers) noexcept nogil:
    free(buffers.matrix)
    free(buffers.rows)
    end_sums(&buffers.weights)
    if buffers.has_scores:
        release(&buffers.scores)


cdef void _describe(Scorer self, PageFeatures page, PassBuffers* buffers, Py_ssize_t first, Py_ssize_t stop) noexcept nogil:
    """Fill all columns of these rows but those of the second pass."""
    cdef Py_ssize_t i
    if first == 0:
        begin_features(page, &buffers.marks)
        buffers.weights.heading = 0
    fill_features(page, &buffers.marks, first, stop, buffers.matrix, buffers.width)
    fill_sums(self.words, page, &buffers.weights, first, stop, buffers.matrix + self.sums, buffers.width)
    for i in range(stop - first):
        memcpy(buffers.matrix + i * buffers.width + self.types, buffers.types, self.page_bias.shape[0] * sizeof(float))


cdef bint _first(Scorer self, PassBuffers* buffers, Py_ssize_t n, double* chance) noexcept nogil:
    """The first pass over the rows of the matrix; `chance` is zero before."""
    cdef Py_ssize_t i, count = 0
    for i in range(n):
        buffers.rows[i] = <int32_t>i
    if not add_sums(self.start, buffers.matrix, buffers.width, buffers.rows, n, chance):
        return False
    for i in range(n):
        if chance[i] > _START_NO:
            buffers.rows[count] = <int32_t>i
            count += 1
        else:
            chance[i] *= _REST_OF_FIRST
    if not add_sums(self.first, buffers.matrix, buffers.width, buffers.rows, count, chance):
        return False
    for i in range(n):
        chance[i] = _logistic(chance[i])
    return True


cdef bint _second(Scorer self, PassBuffers* buffers, Py_ssize_t n, const double* before, double* chance) noexcept nogil:
    cdef Py_ssize_t i, count = 0
    for i in range(n):
        if before[i] > _FIRST_NO:
            buffers.rows[count] = <int32_t>i
            count += 1
        chance[i] = _damped(before[i])
    if not add_sums(self.second, buffers.matrix, buffers.width, buffers.rows, count, chance):
        return False
    for i in range(n):
        chance[i] = _logistic(chance[i])
    return True


cdef bint _passes(Scorer self, PageFeatures page, PassBuffers* buffers, double* before, double* after) noexcept nogil:
    """Both passes over the page, ROWS at a time; `before` is zero before the first."""
    cdef Py_ssize_t first = 0, stop, n = page.count
    cdef ContextPlace here
    while first < n:
        stop = min(first + ROWS, n)
        _describe(self, page, buffers, first, stop)
        if not _first(self, buffers, stop - first, before + first):
            return False
        first = stop
    buffers.has_scores = True
    if not add_up(page, before, &buffers.scores):
        return False
    begin_context(&here)
    first = 0
    while first < n:
        stop = min(first + ROWS, n)
        # The matrix still holds all rows of a short page, but only the last ones of a long page.
        if n > ROWS:
            _describe(self, page, buffers, first, stop)
        fill_context(page, before, &buffers.scores, &here, first, stop, buffers.matrix + self.context, buffers.width)
        if not _second(self, buffers, stop - first, before + first, after + first):
            return False
        first = stop
    return True
