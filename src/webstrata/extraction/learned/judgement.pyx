# cython: language_level=3
"""The whole way of a page: its outline, both passes, and the decision, in one stretch without the GIL.

Threads that took the lock again between these steps would wait for each other there.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

from webstrata.extraction.learned.build_outline cimport Sources, build, look_into
from webstrata.extraction.learned.decision cimport take
from webstrata.extraction.learned.holes cimport KINDS
from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.scorer cimport PageType, Scorer, score

import numpy as np

# What is known of the paragraphs, of which there are at most as many as blocks.
cdef struct Judged:
    double* first
    double* score
    uint8_t* kind
    uint8_t* reason
    uint8_t* keep


cdef bint _judge(Scorer scorer, Outline outline, const double* thresholds, const uint8_t* given, bint deduplicate,
                 Judged* out) noexcept nogil:
    cdef PageType told
    cdef Py_ssize_t i
    if not score(scorer, outline, out.first, out.score, &told):
        return False
    if not take(outline, out.first, out.score, thresholds[told.likeliest], told.tells, deduplicate, out.kind, out.reason):
        return False
    for i in range(outline.count):
        out.keep[i] = given[out.kind[i]]
    return True


def judge(Scorer scorer, page, thresholds, bytes given not None, *, bint deduplicate=True):
    """The outline of a page; and of each paragraph whether it is given, what it is taken for, why, and its score.

    Parameters
    ----------
    page : a page, or the outline of one
    thresholds : by the number of the type of pages that it looks like, the score from which a paragraph is content
    given : by the number of a kind, whether it is given
    deduplicate : as for `decision.decide`
    """
    cdef Outline outline = page if isinstance(page, Outline) else Outline.__new__(Outline)
    cdef const double[::1] limits = thresholds
    cdef const uint8_t* kinds = given
    cdef bint is_new = outline is not page, fine = True
    cdef Sources sources
    cdef Judged found
    cdef Py_ssize_t rows
    cdef void* room
    if limits.shape[0] < max(scorer.page_bias.shape[0], 1):
        raise ValueError("there is no threshold for each type of pages")
    if len(given) != KINDS:
        raise ValueError("it is not said of each kind whether it is given")
    if is_new:
        counts = look_into(outline, page, &sources)
    rows = sources.blocks if is_new else outline.count
    room = malloc(rows * (2 * sizeof(double) + 3) + 1)
    if room == NULL:
        raise MemoryError
    try:
        found.first, found.score = <double*>room, <double*>room + rows
        found.kind = <uint8_t*>(found.score + rows)
        found.reason, found.keep = found.kind + rows, found.kind + 2 * rows
        with nogil:
            if is_new:
                fine = build(outline, &sources)
            fine = fine and _judge(scorer, outline, &limits[0], kinds, deduplicate, &found)
        if not fine:
            raise MemoryError
        if is_new:
            vars(page.blocks)["counts"] = counts
        return (
            outline,
            _array(found.keep, outline.count, np.bool_),
            _array(found.kind, outline.count, np.uint8),
            _array(found.reason, outline.count, np.uint8),
            _array(found.score, outline.count * sizeof(double), np.float64),
        )
    finally:
        free(room)


cdef _array(const void* data, Py_ssize_t size, kind):
    return np.frombuffer(PyBytes_FromStringAndSize(<const char*>data, size), kind)
