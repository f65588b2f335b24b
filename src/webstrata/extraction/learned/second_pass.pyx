# cython: language_level=3
"""What the second pass of the learned extractor sees: the scores that the first one gave around each paragraph.

All means are weighted with words (and one more, so that paragraphs without a word count). Where a paragraph is part of
what is averaged it is left out, so that the mean says something new. The names and the values are written in one order,
part by part; a test compares both.
"""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.likelihood cimport Mass, Whole, add_up, below, between, mass_of, mean, part, release
from webstrata.extraction.learned.outline cimport Outline
from webstrata.extraction.learned.row cimport Row, put
from webstrata.extraction.learned.paragraph cimport Unit

cdef enum:
    NEAR = 4                 # neighbours on either side
    LEVELS = 6               # ancestors, counted where the number of paragraphs grows
    TOPS = 3                 # and from the root down
    FIRSTS = 3               # ancestors whose first paragraph is looked at
    FAR = 999                # the distance to what is not there

# Its neighbours

_NEAR = ["score", *(f"score {k:+d}" for k in range(-NEAR, NEAR + 1) if k),
         *(f"score within {width}" for width in (2, 5, 15, 40))]


cdef void _within(Outline page, const Whole* whole, const Place* here, Py_ssize_t width, Row* row) noexcept nogil:
    cdef Py_ssize_t start = max(here.unit - width, 0), stop = min(here.unit + width + 1, page.units)
    put(row, mean(between(whole, start, stop), here.own))


cdef void _near(Outline page, const double* score, const Whole* whole, const Place* here, Row* row) noexcept nogil:
    cdef Py_ssize_t i = here.unit, k
    put(row, score[i])
    for k in range(i - NEAR, i + NEAR + 1):
        if k != i:
            put(row, score[k] if 0 <= k < page.units else -1)
    _within(page, whole, here, 2, row)
    _within(page, whole, here, 5, row)
    _within(page, whole, here, 15, row)
    _within(page, whole, here, 40, row)


# Its ancestors

_ANCESTORS = [*(f"{what} of ancestor {level}" for level in range(1, LEVELS + 1) for what in ("score", "mass")),
              *(f"{what} of top {level}" for level in range(1, TOPS + 1) for what in ("score", "mass")),
              *(f"score of first of ancestor {level}" for level in range(1, FIRSTS + 1)),
              *(f"{what} of common with heaviest" for what in ("depth", "score", "mass", "share"))]


cdef int32_t _common(Outline page, int32_t a, int32_t b) noexcept nogil:
    """The nearest common ancestor of two elements; they have one, the root."""
    while a != b:
        if a > b:
            a = page.parent[a]
        else:
            b = page.parent[b]
    return a


cdef void _ancestors(Outline page, const double* score, const Whole* whole, const Place* here, Row* row) noexcept nogil:
    cdef int32_t[512] chain
    cdef int32_t element = page.unit[here.unit].owner
    cdef int count = 0, k, at
    cdef Mass mass
    if page.node[element].end_unit - page.node[element].first_unit == 1:
        element = page.node[element].up
    while element >= 0 and count < 512:
        chain[count] = element
        count += 1
        element = page.node[element].up
    for k in range(LEVELS + TOPS):
        at = k if k < LEVELS else count - 2 - (k - LEVELS)
        if 0 <= at < count:
            mass = below(page, whole, chain[at])
            put(row, mean(mass, here.own))
            put(row, part(mass, whole))
        else:
            put(row, -1)
            put(row, -1)
    for k in range(FIRSTS):
        put(row, score[page.node[chain[k]].first_unit] if k < count else -1)
    element = _common(page, page.unit[here.unit].owner, page.unit[whole.heaviest].owner)
    mass = below(page, whole, element)
    put(row, page.depth[element])
    put(row, mean(mass, here.own))
    put(row, part(mass, whole))
    put(row, mass.weight / whole.total.weight)


# What looks like it

_LIKENESS = ["score of path", "score of tag path", "mass of path", "score of copies", "score of copies before",
             *(f"{what} of {name}" for name in ("record", "outer record")
               for what in ("score", "score of siblings", "mass of siblings", "score of title"))]


cdef void _record(Outline page, const double* score, const Whole* whole, const Place* here, int32_t element,
                  Row* row) noexcept nogil:
    cdef Mass mass
    cdef Mass siblings
    cdef int32_t before
    cdef int k
    if element < 0:
        for k in range(4):
            put(row, -1)
        return
    mass = below(page, whole, element)
    siblings = whole.group[page.node[element].siblings]
    # The paragraph just before the first of the records is often the title of all.
    before = page.node[page.groups.row[page.node[element].siblings].first].first_unit - 1
    put(row, mean(mass, here.own))
    put(row, mean(siblings, mass))
    put(row, part(siblings, whole))
    put(row, score[before] if before >= 0 else -1)


cdef void _likeness(Outline page, const double* score, const Whole* whole, const Place* here, Row* row) noexcept nogil:
    cdef const Unit* unit = &page.unit[here.unit]
    put(row, mean(whole.group[unit.path_class], here.own))
    put(row, mean(whole.group[unit.path_tags], here.own))
    put(row, part(whole.group[unit.path_class], whole))
    put(row, mean(whole.group[unit.text], here.own))
    put(row, whole.before[here.unit])
    _record(page, score, whole, here, page.node[unit.owner].record, row)
    _record(page, score, whole, here, page.node[unit.owner].outer_record, row)


# Its place in the page

_PLACE = ["score of heading", "score of outer heading", "score of section", "mass before", "mass after", "page score",
          "page mass", "page best", "over threshold", "words above", "since content", "until content",
          "words since content", "words until content"]


cdef void _advance(Outline page, const double* score, double threshold, Place* here) noexcept nogil:
    """Bring the place up to its unit."""
    cdef Py_ssize_t i = here.unit
    cdef const Unit* unit = &page.unit[i]
    cdef int k
    here.own = mass_of(page, i, score)
    if unit.heading:
        here.heading = <int32_t>i
        here.level = min(<int>unit.heading, 6)
        here.outline[here.level] = score[i]
        for k in range(here.level + 1, 7):
            here.outline[k] = -1
    if unit.heading or i == 0:
        here.section_end = <int32_t>i + 1
        while here.section_end < page.units and not page.unit[here.section_end].heading:
            here.section_end += 1
    if i and score[i - 1] >= threshold:
        here.since = <int32_t>i - 1
    if here.until <= i:
        here.until = <int32_t>i + 1
        while here.until < page.units and score[here.until] < threshold:
            here.until += 1


cdef void _place(Outline page, const double* score, const Whole* whole, const Place* here, Row* row) noexcept nogil:
    cdef Py_ssize_t i = here.unit
    cdef Mass own = here.own
    cdef int level = here.level - 1
    if page.unit[i].heading:
        own.score = own.weight = 0
    while level > 0 and here.outline[level] < 0:
        level -= 1
    put(row, score[here.heading] if here.heading >= 0 else -1)
    put(row, here.outline[level] if level > 0 else -1)
    put(row, mean(between(whole, here.heading + 1, here.section_end), own))
    put(row, part(whole.sums[i], whole))
    put(row, part(between(whole, i + 1, page.units), whole))
    put(row, whole.total.score / whole.total.weight)
    put(row, whole.total.score)
    put(row, whole.best)
    put(row, score[i] - whole.threshold)
    put(row, whole.above[i])
    put(row, i - here.since if here.since >= 0 else FAR)
    put(row, here.until - i if here.until < page.units else FAR)
    put(row, page.sums[i].words - page.sums[here.since + 1].words if here.since >= 0 else -1)
    put(row, page.sums[here.until].words - page.sums[i + 1].words if here.until < page.units else -1)


#: What each column of `context` is.
CONTEXT = (*_NEAR, *_ANCESTORS, *_LIKENESS, *_PLACE)


cdef void begin_context(Place* here) noexcept nogil:
    """Make ready to fill rows, from the first on."""
    cdef int k
    here.heading = here.since = here.until = -1
    here.level = here.section_end = 0
    for k in range(7):
        here.outline[k] = -1


cdef void fill_context(Outline page, const double* score, const Whole* whole, Place* here, Py_ssize_t first,
                       Py_ssize_t stop, float* out, Py_ssize_t width) noexcept nogil:
    """Fill the columns of `CONTEXT` for the units that come next."""
    cdef Py_ssize_t i
    cdef Row row
    for i in range(first, stop):
        here.unit = i
        _advance(page, score, whole.threshold, here)
        row.at = out + (i - first) * width
        _near(page, score, whole, here, &row)
        _ancestors(page, score, whole, here, &row)
        _likeness(page, score, whole, here, &row)
        _place(page, score, whole, here, &row)


def context(Outline page, const double[::1] score, float[:, ::1] out, Py_ssize_t column):
    """Fill the columns of `CONTEXT`, from `column` on, for each paragraph."""
    cdef Py_ssize_t n = page.units
    cdef Whole whole
    cdef Place here
    cdef bint fine = True
    if score.shape[0] != n or out.shape[0] != n or out.shape[1] < column + len(CONTEXT):
        raise ValueError("the matrix does not fit the page")
    if n:
        with nogil:
            fine = add_up(page, &score[0], &whole)
            if fine:
                begin_context(&here)
                fill_context(page, &score[0], &whole, &here, 0, n, &out[0, column], out.shape[1])
            release(&whole)
    if not fine:
        raise MemoryError
