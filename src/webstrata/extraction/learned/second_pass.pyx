# cython: language_level=3
"""The features of the second pass: the scores that the first one gave around each paragraph.

All means are weighted by words plus one, so that paragraphs without words count too. The paragraph itself is left out of
each mean, so that the mean is independent of its own score.
"""

from libc.stdint cimport int32_t

from webstrata.models.features cimport MANY, MANY_WORDS, FeatureRow, put
from webstrata.extraction.learned.likelihood cimport (
    PageScores, WeightedScore, add_up, below, between, mean, part, release, score_of,
)
from webstrata.extraction.learned.page_features cimport PageFeatures, common_ancestor
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures

import numpy as np

from webstrata.errors import InputError

cdef enum:
    NEAR = 4                 # neighbours on either side
    LEVELS = 6               # ancestors, counted where the number of paragraphs grows
    TOPS = 3                 # and from the root down
    FIRSTS = 3               # ancestors whose first paragraph is looked at
    FAR = 99                 # the distance where there is no such paragraph
    MOST_COLUMNS = 128

# Its neighbours

cdef const char* _NEIGHBOUR[2 * NEAR]
_NEIGHBOUR[:] = [b"score 4 before", b"score 3 before", b"score 2 before", b"score before",
                 b"score after", b"score 2 after", b"score 3 after", b"score 4 after"]


cdef double _around(PageFeatures page, const PageScores* scores, const ContextPlace* here, Py_ssize_t width) noexcept nogil:
    """The mean score of this number of paragraphs on either side."""
    cdef Py_ssize_t start = max(here.paragraph - width, 0), stop = min(here.paragraph + width + 1, page.count)
    return mean(between(scores, start, stop), here.own)


cdef void _near(PageFeatures page, const double* score, const PageScores* scores, const ContextPlace* here,
                FeatureRow* row) noexcept nogil:
    cdef Py_ssize_t i = here.paragraph, k, at
    put(row, b"score", score[i])
    for k in range(2 * NEAR):
        at = i - NEAR + k + (k >= NEAR)
        put(row, _NEIGHBOUR[k], score[at] if 0 <= at < page.count else -1)
    put(row, b"score of 2 around", _around(page, scores, here, 2))
    put(row, b"score of 5 around", _around(page, scores, here, 5))
    put(row, b"score of 15 around", _around(page, scores, here, 15))
    put(row, b"score of 40 around", _around(page, scores, here, 40))


# Its ancestors

cdef const char* _ANCESTOR[LEVELS + TOPS]
_ANCESTOR[:] = [
    b"ancestor 1", b"ancestor 2", b"ancestor 3", b"ancestor 4", b"ancestor 5", b"ancestor 6", b"top 1", b"top 2",
    b"top 3"]


cdef void _ancestors(PageFeatures page, const double* score, const PageScores* scores, const ContextPlace* here,
                     FeatureRow* row) noexcept nogil:
    cdef int32_t[512] chain
    cdef int32_t element = page.paragraph[here.paragraph].owner
    cdef int count = 0, k, at
    cdef WeightedScore sum
    if page.node[element].end_paragraph - page.node[element].first_paragraph == 1:
        element = page.node[element].up
    while element >= 0 and count < 512:
        chain[count] = element
        count += 1
        element = page.node[element].up
    for k in range(LEVELS + TOPS):
        at = k if k < LEVELS else count - 2 - (k - LEVELS)
        row.of = _ANCESTOR[k]
        sum = below(page, scores, chain[at] if 0 <= at < count else 0)
        put(row, b"score", mean(sum, here.own) if 0 <= at < count else -1)
        put(row, b"share of content", part(sum, scores) if 0 <= at < count else -1)
    for k in range(FIRSTS):
        row.of = _ANCESTOR[k]
        put(row, b"score of the first", score[page.node[chain[k]].first_paragraph] if k < count else -1)
    element = common_ancestor(page, page.paragraph[here.paragraph].owner, page.paragraph[scores.heaviest].owner)
    sum = below(page, scores, element)
    row.of = b"what holds the heaviest too"
    put(row, b"depth", page.depth[element])
    put(row, b"score", mean(sum, here.own))
    put(row, b"share of content", part(sum, scores))
    put(row, b"share of words", sum.weight / scores.total.weight)
    row.of = b""


# Its lookalikes


cdef void _record(PageFeatures page, const double* score, const PageScores* scores, const ContextPlace* here, int32_t element,
                  FeatureRow* row) noexcept nogil:
    """An element that is one of several alike, and their group; -1 in all columns for none."""
    cdef bint there = element >= 0
    cdef WeightedScore sum, siblings
    cdef int32_t before = -1
    sum = siblings = scores.total
    if there:
        sum = below(page, scores, element)
        siblings = scores.alike[page.node[element].siblings]
        # The paragraph just before the first record is often the title of all.
        before = page.node[page.alike.row[page.node[element].siblings].first].first_paragraph - 1
    put(row, b"score", mean(sum, here.own) if there else -1)
    put(row, b"score of siblings", mean(siblings, sum) if there else -1)
    put(row, b"share of content of siblings", part(siblings, scores) if there else -1)
    put(row, b"score of title", score[before] if before >= 0 else -1)


cdef void _likeness(PageFeatures page, const double* score, const PageScores* scores, const ContextPlace* here,
                    FeatureRow* row) noexcept nogil:
    cdef const ParagraphFeatures* paragraph = &page.paragraph[here.paragraph]
    put(row, b"score of path", mean(scores.alike[paragraph.path_class], here.own))
    put(row, b"score of tag path", mean(scores.alike[paragraph.path_tags], here.own))
    put(row, b"share of content of path", part(scores.alike[paragraph.path_class], scores))
    put(row, b"score of copies", mean(scores.alike[paragraph.text], here.own))
    put(row, b"score of copies before", scores.before[here.paragraph])
    row.of = b"record"
    _record(page, score, scores, here, page.node[paragraph.owner].record, row)
    row.of = b"outer record"
    _record(page, score, scores, here, page.node[paragraph.owner].outer_record, row)
    row.of = b""


# Its place in the page


cdef void _advance(PageFeatures page, const double* score, double threshold, ContextPlace* here) noexcept nogil:
    """Move the place to its next paragraph."""
    cdef Py_ssize_t i = here.paragraph
    cdef const ParagraphFeatures* paragraph = &page.paragraph[i]
    cdef int k
    here.own = score_of(page, i, score)
    if paragraph.heading:
        here.heading = <int32_t>i
        here.level = min(<int>paragraph.heading, 6)
        here.heading_score[here.level] = score[i]
        for k in range(here.level + 1, 7):
            here.heading_score[k] = -1
    if paragraph.heading or i == 0:
        here.section_end = <int32_t>i + 1
        while here.section_end < page.count and not page.paragraph[here.section_end].heading:
            here.section_end += 1
    if i and score[i - 1] >= threshold:
        here.since = <int32_t>i - 1
    if here.until <= i:
        here.until = <int32_t>i + 1
        while here.until < page.count and score[here.until] < threshold:
            here.until += 1


cdef void _place(PageFeatures page, const double* score, const PageScores* scores, const ContextPlace* here,
                 FeatureRow* row) noexcept nogil:
    cdef Py_ssize_t i = here.paragraph
    cdef WeightedScore own = here.own
    cdef int level = here.level - 1
    if page.paragraph[i].heading:
        own.score = own.weight = 0
    while level > 0 and here.heading_score[level] < 0:
        level -= 1
    put(row, b"score of heading", score[here.heading] if here.heading >= 0 else -1)
    put(row, b"score of outer heading", here.heading_score[level] if level > 0 else -1)
    put(row, b"score of section", mean(between(scores, here.heading + 1, here.section_end), own))
    put(row, b"share of content before", part(scores.sums[i], scores))
    put(row, b"share of content after", part(between(scores, i + 1, page.count), scores))
    put(row, b"page score", scores.total.score / scores.total.weight)
    put(row, b"page content", min(scores.total.score, MANY_WORDS))
    put(row, b"page best", scores.best)
    put(row, b"over threshold", score[i] - scores.threshold)
    put(row, b"words above", scores.above[i])
    put(row, b"since content", min(i - here.since, <Py_ssize_t>MANY) if here.since >= 0 else FAR)
    put(row, b"until content", min(here.until - i, <Py_ssize_t>MANY) if here.until < page.count else FAR)
    put(row, b"words since content",
        min(page.sums[i].words - page.sums[here.since + 1].words, MANY_WORDS) if here.since >= 0 else -1)
    put(row, b"words until content",
        min(page.sums[here.until].words - page.sums[i + 1].words, MANY_WORDS) if here.until < page.count else -1)


cdef void begin_context(ContextPlace* here) noexcept nogil:
    """Set the place before the first row is filled."""
    cdef int k
    here.heading = here.since = here.until = -1
    here.level = here.section_end = 0
    for k in range(7):
        here.heading_score[k] = -1


cdef void _fill(PageFeatures page, const double* score, const PageScores* scores, ContextPlace* here, FeatureRow* row) noexcept nogil:
    _advance(page, score, scores.threshold, here)
    _near(page, score, scores, here, row)
    _ancestors(page, score, scores, here, row)
    _likeness(page, score, scores, here, row)
    _place(page, score, scores, here, row)


cdef void fill_context(PageFeatures page, const double* score, const PageScores* scores, ContextPlace* here, Py_ssize_t first,
                       Py_ssize_t stop, float* out, Py_ssize_t width) noexcept nogil:
    """Fill the columns of the second pass for the next paragraphs."""
    cdef Py_ssize_t i
    cdef FeatureRow row
    row.names, row.of = NULL, b""
    for i in range(first, stop):
        here.paragraph = i
        row.at = out + (i - first) * width
        _fill(page, score, scores, here, &row)


def context_names(PageFeatures page):
    """The names of the columns that `context` fills, in their order; from any page with a paragraph."""
    names = []
    cdef double[::1] score = np.zeros(page.count)
    cdef float[MOST_COLUMNS] values
    cdef PageScores scores
    cdef ContextPlace here
    cdef FeatureRow row
    if not page.count:
        raise InputError("a page without text has no columns to name")
    if not add_up(page, &score[0], &scores):
        release(&scores)
        raise MemoryError
    begin_context(&here)
    here.paragraph = 0
    row.at, row.names, row.of = values, <void*>names, b""
    _fill(page, &score[0], &scores, &here, &row)
    release(&scores)
    if len(names) > MOST_COLUMNS:
        raise AssertionError("MOST_COLUMNS is too small")
    return tuple(names)


def context(PageFeatures page, const double[::1] score, float[:, ::1] out, Py_ssize_t column, Py_ssize_t count):
    """Fill `count` columns, from `column` on, for each paragraph; `count` is the number of `context_names`."""
    cdef Py_ssize_t n = page.count
    cdef PageScores scores
    cdef ContextPlace here
    cdef bint fine = True
    if score.shape[0] != n or out.shape[0] != n:
        raise InputError(f"there are {n} paragraphs, {score.shape[0]} scores and {out.shape[0]} rows")
    if column < 0 or out.shape[1] < column + count:
        raise InputError(f"the matrix has {out.shape[1]} columns, not {column + count}")
    if n:
        with nogil:
            fine = add_up(page, &score[0], &scores)
            if fine:
                begin_context(&here)
                fill_context(page, &score[0], &scores, &here, 0, n, &out[0, column], out.shape[1])
            release(&scores)
    if not fine:
        raise MemoryError
