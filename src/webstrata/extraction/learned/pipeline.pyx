# cython: language_level=3
"""From a page to the kinds of its paragraphs: features, both passes and the decision, without the GIL in between.

Threads that took the GIL again between these steps would wait for each other.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from webstrata.extraction.learned.decision cimport fill_kinds, step_bits
from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reading cimport PageColumns, fill_page, open_page
from webstrata.extraction.learned.reasons cimport KINDS
from webstrata.extraction.learned.scorer cimport PageType, Scorer, score

import numpy as np

from webstrata.errors import InputError
from webstrata.extraction.learned.decision import STEPS

# The columns of the result, one value per paragraph.
cdef struct Classified:
    double* first
    double* score
    uint8_t* kind
    uint8_t* reason
    uint8_t* keep


cdef bint _classify(Scorer scorer, PageFeatures page, const double* thresholds, const uint8_t* given, uint32_t steps,
                    const uint8_t* hidden, Classified* out) noexcept nogil:
    """Fill the columns; False when memory ran out."""
    cdef PageType type
    cdef Py_ssize_t i
    if not score(scorer, page, out.first, out.score, &type):
        return False
    if not fill_kinds(page, out.first, out.score, thresholds[type.likeliest], type.is_known, steps, hidden,
                      out.kind, out.reason):
        return False
    for i in range(page.count):
        out.keep[i] = given[out.kind[i]]
    return True


def classify_paragraphs(Scorer scorer, page, thresholds, bytes given not None, *, steps=STEPS, hidden=None):
    """The features of a page, and for each paragraph whether it is given, its kind, its reason and its score.

    Parameters
    ----------
    page : a page, or its features
    thresholds : for each type of pages, by number, the score from which a paragraph is content
    given : for each kind, by number, whether its paragraphs are given
    steps : as for `decision.decide`
    hidden : for each paragraph of the features, whether it is hidden text to leave out; none when None
    """
    cdef PageFeatures features = page if isinstance(page, PageFeatures) else PageFeatures.__new__(PageFeatures)
    cdef const double[::1] limits = thresholds
    cdef const uint8_t* kinds = given
    cdef const uint8_t[::1] left_out
    cdef const uint8_t* to_hide = NULL
    cdef uint32_t bits = step_bits(steps)
    cdef bint is_new = features is not page, fine = True
    cdef PageColumns columns
    cdef Classified found
    cdef Py_ssize_t most
    cdef void* memory
    if limits.shape[0] < max(scorer.page_bias.shape[0], 1):
        raise InputError("each type of pages needs a threshold")
    if len(given) != KINDS:
        raise InputError("each kind needs a value in `given`")
    if is_new:
        open_page(features, page, &columns)
    most = columns.blocks if is_new else features.count
    if hidden is not None:
        left_out = np.ascontiguousarray(hidden, np.uint8)
        if is_new or left_out.shape[0] != most:
            raise InputError("give the features of the page, and a value of `hidden` for each of its paragraphs")
        to_hide = &left_out[0] if most else NULL
    memory = calloc(most * (2 * sizeof(double) + 3) + 1, 1)
    if memory == NULL:
        raise MemoryError
    try:
        found.first, found.score = <double*>memory, <double*>memory + most
        found.kind = <uint8_t*>(found.score + most)
        found.reason, found.keep = found.kind + most, found.kind + 2 * most
        with nogil:
            if is_new:
                fine = fill_page(features, &columns)
            fine = fine and _classify(scorer, features, &limits[0], kinds, bits, to_hide, &found)
        if not fine:
            raise MemoryError
        return (
            features,
            _array(found.keep, features.count, np.bool_),
            _array(found.kind, features.count, np.uint8),
            _array(found.reason, features.count, np.uint8),
            _array(found.score, features.count * sizeof(double), np.float64),
        )
    finally:
        free(memory)


cdef _array(const void* data, Py_ssize_t size, dtype):
    return np.frombuffer(PyBytes_FromStringAndSize(<const char*>data, size), dtype)
