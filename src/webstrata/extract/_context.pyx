# cython: language_level=3
"""What the second pass of the learned extractor sees: the scores that the first one gave around each paragraph.

All means are weighted with words (and one more, so that paragraphs without a word count). Where a paragraph is part of
what is averaged it is left out, so that the mean says something new.
"""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free

from webstrata.extract._outline cimport Group, Node, Outline, Unit

import numpy as np

cdef enum:
    LEVELS = 6
    TOPS = 3
    NEAR = 4

CONTEXT = (
    "score", *(f"score {k:+d}" for k in range(-NEAR, NEAR + 1) if k),
    *(f"score within {width}" for width in (2, 5, 15, 40)),
    *(f"{what} of ancestor {level}" for level in range(1, LEVELS + 1) for what in ("score", "mass")),
    *(f"{what} of top {level}" for level in range(1, TOPS + 1) for what in ("score", "mass")),
    "score of path", "score of tag path", "score of record", "score of siblings", "score of outer record",
    "score of outer siblings", "mass of siblings", "mass of outer siblings", "score of heading", "score of section",
    "mass before", "mass after", "page score", "page mass", "page best", "over threshold", "words above",
    "since content", "until content", "words since content", "words until content", "mass of path",
)

cdef struct Mass:
    double score             # weighted
    double weight


cdef inline double _mean(const Mass* mass, double score, double weight) noexcept nogil:
    """The mean of a mass without one member; -1 when nothing else is there."""
    cdef double rest = mass.weight - weight
    return (mass.score - score) / rest if rest > 0.5 else -1


cdef inline Mass _between(const Mass* sums, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef Mass mass
    mass.score = sums[stop].score - sums[start].score
    mass.weight = sums[stop].weight - sums[start].weight
    return mass


cdef struct Work:
    Mass* sums               # running, over the units
    Mass* group              # of each group of the outline
    float* above             # words of the units with a better score


cdef void _fill(Outline page, const double* score, Work* work, double threshold, float* out,
                Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t i, k, n = page.units, start, stop
    cdef Unit* unit
    cdef Node* node
    cdef Mass mass
    cdef Mass total
    cdef Mass* sums = work.sums
    cdef double own, weight, best = 0
    cdef float* at
    cdef int32_t element, count, section_end = 0, heading = -1, since = -1, until = -1
    cdef int32_t[512] chain
    cdef int[4] widths
    widths[0], widths[1], widths[2], widths[3] = 2, 5, 15, 40
    for i in range(n):
        unit = &page.unit[i]
        weight = unit.words + 1
        own = weight * score[i]
        sums[i + 1].score = sums[i].score + own
        sums[i + 1].weight = sums[i].weight + weight
        work.group[unit.path_class].score += own
        work.group[unit.path_class].weight += weight
        work.group[unit.path_tags].score += own
        work.group[unit.path_tags].weight += weight
        best = max(best, score[i])
    for i in range(page.elements):
        node = &page.node[i]
        if node.siblings >= 0 and node.end_unit > node.first_unit:
            mass = _between(sums, node.first_unit, node.end_unit)
            work.group[node.siblings].score += mass.score
            work.group[node.siblings].weight += mass.weight
    total = _between(sums, 0, n)
    for i in range(n):
        unit = &page.unit[i]
        weight = unit.words + 1
        own = weight * score[i]
        at = out + i * width
        at[0] = score[i]
        at += 1
        for k in range(-NEAR, NEAR + 1):
            if k:
                at[0] = score[i + k] if 0 <= i + k < n else -1
                at += 1
        for k in range(4):
            mass = _between(sums, max(i - widths[k], 0), min(i + widths[k] + 1, n))
            at[0] = _mean(&mass, own, weight)
            at += 1
        element = unit.owner
        if page.node[element].end_unit - page.node[element].first_unit == 1:
            element = page.node[element].up
        count = 0
        while element >= 0 and count < 512:
            chain[count] = element
            count += 1
            element = page.node[element].up
        for k in range(LEVELS + TOPS):
            start = k if k < LEVELS else count - 2 - (k - LEVELS)
            if 0 <= start < count:
                mass = _between(sums, page.node[chain[start]].first_unit, page.node[chain[start]].end_unit)
                at[0] = _mean(&mass, own, weight)
                at[1] = mass.score / (total.score + 1e-9)
            else:
                at[0] = at[1] = -1
            at += 2
        at[0] = _mean(&work.group[unit.path_class], own, weight)
        at[1] = _mean(&work.group[unit.path_tags], own, weight)
        node = &page.node[unit.owner]
        for k in range(2):
            element = node.record if k == 0 else node.outer_record
            if element >= 0:
                mass = _between(sums, page.node[element].first_unit, page.node[element].end_unit)
                at[2 + 2 * k] = _mean(&mass, own, weight)
                at[3 + 2 * k] = _mean(&work.group[page.node[element].siblings], mass.score, mass.weight)
                at[6 + k] = work.group[page.node[element].siblings].score / (total.score + 1e-9)
            else:
                at[2 + 2 * k] = at[3 + 2 * k] = at[6 + k] = -1
        at += 8
        if unit.heading or i == 0:
            heading = <int32_t>i if unit.heading else -1
            section_end = <int32_t>i + 1
            while section_end < n and not page.unit[section_end].heading:
                section_end += 1
        mass = _between(sums, heading + 1 if heading >= 0 else 0, section_end)
        at[0] = score[heading] if heading >= 0 else -1
        at[1] = _mean(&mass, 0 if unit.heading else own, 0 if unit.heading else weight)
        at[2] = sums[i].score / (total.score + 1e-9)
        at[3] = (total.score - sums[i + 1].score) / (total.score + 1e-9)
        at[4] = total.score / total.weight
        at[5] = total.score
        at[6] = best
        at[7] = score[i] - threshold
        at[8] = work.above[i]
        if until <= i:
            until = <int32_t>i + 1
            while until < n and score[until] < threshold:
                until += 1
        at[9] = i - since if since >= 0 else 999
        at[10] = until - i if until < n else 999
        at[11] = page.sums[i].words - page.sums[since + 1].words if since >= 0 else -1
        at[12] = page.sums[until].words - page.sums[i + 1].words if until < n else -1
        at[13] = work.group[unit.path_class].score / (total.score + 1e-9)
        if score[i] >= threshold:
            since = <int32_t>i


cdef double _best_prefix(Outline page, const double* score, const int64_t* order, float* above) noexcept nogil:
    """The score down to which the expected F1 is highest; fills the share of words with a better score.

    With p_i the chance that paragraph i of w_i words is content, keeping a set K has the expected F1 of about
    2 sum_K p w / (sum_K w + sum p w), and the best set of any size is a prefix of the order by p.
    """
    cdef Py_ssize_t i, k
    cdef double mass = 0, total = 0, kept = 0, best = -1, value, threshold = 1
    cdef double words = page.sums[page.units].words + 1e-9
    for i in range(page.units):
        total += score[i] * page.unit[i].words
    for i in range(page.units):
        k = order[i]
        above[k] = kept / words
        mass += score[k] * page.unit[k].words
        kept += page.unit[k].words
        value = 2 * mass / (kept + total + 1e-9)
        if value > best:
            best = value
            threshold = score[k]
    return threshold


def context(Outline page, const double[::1] score, float[:, ::1] out, Py_ssize_t column):
    """Fill the columns of `CONTEXT`, from `column` on, for each paragraph."""
    cdef Py_ssize_t n = page.units, width = out.shape[1]
    cdef Work work
    cdef double threshold
    if score.shape[0] != n or out.shape[0] != n or width < column + len(CONTEXT):
        raise ValueError("the matrix does not fit the page")
    if n == 0:
        return
    cdef const int64_t[::1] order = np.argsort(np.negative(score), kind="stable")
    work.sums = <Mass*>calloc(n + 1, sizeof(Mass))
    work.group = <Mass*>calloc(page.groups + 1, sizeof(Mass))
    work.above = <float*>calloc(n, sizeof(float))
    try:
        if work.sums == NULL or work.group == NULL or work.above == NULL:
            raise MemoryError
        with nogil:
            threshold = _best_prefix(page, &score[0], &order[0], work.above)
            _fill(page, &score[0], &work, threshold, &out[0, column], width)
    finally:
        free(work.sums)
        free(work.group)
        free(work.above)
