# cython: language_level=3
"""A covering segmentation: every shown word of a page is in a part of the first level, and these do not overlap.

The candidates that people would mark stay as they are. All other parts complete them and are ``extra``: those that the
trees for parts see, landmarks (by tags and names) and runs of text between the parts of the first level; inside of parts
titles, what tags and names show, and the records of lists one by one. A part with over nine tenths of the words of a long page is divided, by its records
or its headings. Time and memory are linear.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc

from webstrata.segmentation.learned.candidates cimport MARK_ARTICLE, NONE, Candidate, Candidates
from webstrata.segmentation.learned.cues cimport kind_by_cues, landmark, link_density, title_of, words
from webstrata.segmentation.learned.kinds cimport (
    K_AD, K_ARTICLE, K_COMMENTS, K_CONTENT, K_FOOTER, K_FORM, K_HEADER, K_ITEM, K_OVERLAY, K_SEARCHBAR, K_SIDEBAR, K_TABLE,
    K_TITLE, K_VIDEO, UNKNOWN,
)
from webstrata.segmentation.learned.records cimport mark_records

import numpy as np

from webstrata.errors import InputError

cdef enum:
    HEADING_BIT = 4          # the lowest bit of the level of a heading in the flags of a block
    HEADLINE_WORDS = 60
    FEW_WORDS = 25           # runs of siblings with fewer words are joined
    LONG_PAGE = 1000         # words; people mark nearly all of a shorter page as one part
    LEVELS = 7
    NEAR = 20                # parts around one that are compared with it

# Above this chance, the trees for parts know better than tags and names. It is also that of content by its size.
cdef float DOUBT = 0.5
# The chance that a record is an item where another of its list is one.
cdef float BESIDE = 0.8

cdef enum Step:
    LEAVE, ENTER, TAKE

# The state of the division of one page.
cdef struct Work:
    const uint8_t* picked    # of each candidate: whether it is likely
    const int32_t* kind      # its kind by the trees for parts; UNKNOWN where they see no part
    const float* chance      # that it is of this kind
    int32_t* inside          # words of the landmarks and likely candidates inside of each candidate
    int32_t* landmarks       # landmarks inside of each candidate
    int32_t* items           # records among its children that are items by the trees for parts
    uint8_t* record          # whether it is a record
    uint8_t* framed          # whether a header, footer or sidebar is inside
    int32_t* piece           # of each block: its part of the first level, counted from 1; 0 for none
    Part* part
    Py_ssize_t parts


cdef inline int32_t _words_in(Candidates self, int32_t start, int32_t stop) noexcept nogil:
    return self.texts[stop].words - self.texts[start].words


cdef inline bint _shown(Candidates self, int32_t block) noexcept nogil:
    return not self.block_flags[block] & self.unseen


cdef inline bint _is_most(Candidates self, int32_t start, int32_t stop) noexcept nogil:
    """Whether a range has over nine tenths of the words of the page."""
    return 10 * <long long>_words_in(self, start, stop) > 9 * <long long>words(self, 0)


cdef inline bint _is_mark(Candidates self, const Work* work, Py_ssize_t i) noexcept nogil:
    """Whether people would mark a candidate. One with most of a long page has to be divided instead."""
    return work.picked[i] and (words(self, 0) < LONG_PAGE or not _is_most(self, self.row[i].start, self.row[i].stop))


cdef inline bint _is_heading(Candidates self, int32_t block) noexcept nogil:
    return self.block_flags[block] >> HEADING_BIT > 0


cdef inline bint _is_lone_heading(Candidates self, Py_ssize_t i) noexcept nogil:
    """Whether a candidate is a heading and no more, other than an h1: it belongs to what it heads."""
    cdef const Candidate* own = &self.row[i]
    cdef int32_t blocks = self.texts[own.stop].blocks - self.texts[own.start].blocks
    return (blocks == self.texts[own.stop].headings - self.texts[own.start].headings
            and self.block_flags[own.start] >> HEADING_BIT > 1)


cdef void _sum_up(Candidates self, Work* work) noexcept nogil:
    """What is inside of each candidate; inner ones come later."""
    cdef Py_ssize_t i
    cdef int32_t up
    cdef bint is_landmark
    for i in range(self.count):
        if self.row[i].children >= 3:
            mark_records(self, i, work.record)
    for i in range(self.count - 1, 0, -1):
        up = self.row[i].up
        if work.kind[i] == K_HEADER or work.kind[i] == K_FOOTER:
            work.record[i] = False           # the parts of a page may be built alike
        work.items[up] += work.record[i] != 0 and work.kind[i] == K_ITEM
        is_landmark = landmark(self, i) != UNKNOWN
        work.landmarks[up] += work.landmarks[i] + is_landmark
        if work.framed[i] or work.kind[i] == K_HEADER or work.kind[i] == K_FOOTER or work.kind[i] == K_SIDEBAR:
            work.framed[up] = True
        work.inside[up] += words(self, i) if is_landmark or work.picked[i] else work.inside[i]


cdef inline bint _is_rare(int32_t kind) noexcept nogil:
    """Whether the trees for parts have seen few of a kind that tags and names show."""
    return (kind == K_COMMENTS or kind == K_SEARCHBAR or kind == K_FORM or kind == K_OVERLAY
            or kind == K_VIDEO or kind == K_AD or kind == K_TABLE or kind == K_ARTICLE)


cdef int32_t _kind_of(Candidates self, const Work* work, Py_ssize_t i, float* chance) noexcept nogil:
    """The kind of a candidate by the trees for parts. Where these see no part or are in doubt, a rare kind by its tags
    and names, that of other records of its list, or the content by its size; UNKNOWN for others."""
    cdef int32_t kind = kind_by_cues(self, i, chance)
    if work.kind[i] != UNKNOWN and work.chance[i] >= DOUBT:
        chance[0] = work.chance[i]
        return work.kind[i]
    if _is_rare(kind):
        return kind
    if work.record[i] and work.items[self.row[i].up]:
        chance[0] = BESIDE
        return K_ITEM
    if work.kind[i] != UNKNOWN:
        chance[0] = work.chance[i]
        return work.kind[i]
    if work.picked[i] and 2 * words(self, i) > words(self, 0):
        chance[0] = DOUBT
        return K_CONTENT
    chance[0] = 0
    return UNKNOWN


cdef inline bint _is_region(int32_t kind) noexcept nogil:
    """Whether parts of the first level have this kind."""
    return kind == K_HEADER or kind == K_FOOTER or kind == K_CONTENT or kind == K_SIDEBAR or kind == K_OVERLAY


cdef Step _decide(Candidates self, Py_ssize_t i, Work* work, int32_t* kind, float* chance) noexcept nogil:
    """Whether a candidate is a part of the first level, contains several, or belongs to the text around it."""
    cdef const Candidate* own = &self.row[i]
    cdef int32_t place
    kind[0] = _kind_of(self, work, i, chance)
    if _is_mark(self, work, i):
        return TAKE
    if _is_most(self, own.start, own.stop):
        return ENTER if own.children else LEAVE
    if _is_lone_heading(self, i):
        return LEAVE
    if _is_region(work.kind[i]):
        return TAKE
    place = landmark(self, i)
    if place == K_CONTENT and work.landmarks[i]:
        return ENTER
    if place != UNKNOWN or work.record[i]:
        return TAKE
    if work.landmarks[i] and not own.marks & MARK_ARTICLE:
        return ENTER
    if work.framed[i] and 2 * work.inside[i] >= words(self, i) and not (own.marks | own.marks_above) & MARK_ARTICLE:
        return ENTER
    return LEAVE


cdef void _add_run(Candidates self, Work* work, int32_t start, int32_t stop, int32_t up) noexcept nogil:
    """A run of text between parts becomes one, or is joined to the run before."""
    cdef Part* last = &work.part[work.parts - 1]
    while start < stop and not _shown(self, start):
        start += 1
    while stop > start and not _shown(self, stop - 1):
        stop -= 1
    if start == stop:
        return
    if work.parts and last.of == NONE and (last.up == up or (
            _words_in(self, start, stop) < FEW_WORDS and _words_in(self, last.start, last.stop) < FEW_WORDS)):
        last.stop = stop
        last.up = min(last.up, up)
        return
    _add(work, start, stop, NONE, up, UNKNOWN, 0, True)


cdef void _add(Work* work, int32_t start, int32_t stop, int32_t of, int32_t up, int32_t kind, float chance,
               bint extra) noexcept nogil:
    cdef Part* part = &work.part[work.parts]
    part.start, part.stop, part.of, part.up = start, stop, of, up
    part.level, part.kind, part.chance, part.extra = 1, kind, chance, extra
    work.parts += 1


cdef void _add_part(Candidates self, Work* work, Py_ssize_t i, int32_t kind, float chance) noexcept nogil:
    """A candidate becomes a part; a heading at the end of the run before belongs to it."""
    cdef const Candidate* own = &self.row[i]
    cdef Part* last = &work.part[work.parts - 1]
    cdef int32_t start = own.start
    cdef bint mark = _is_mark(self, work, i)
    if work.parts and last.up == own.up and last.of != NONE and _is_lone_heading(self, last.of) and not _is_heading(self, start):
        work.parts -= 1
        start = last.start
    elif work.parts and last.of == NONE and last.up == own.up and not _is_heading(self, start):
        while last.stop > last.start and _is_heading(self, last.stop - 1) and self.block_flags[last.stop - 1] >> HEADING_BIT > 1:
            last.stop -= 1
            start = last.stop
        if last.start == last.stop:
            work.parts -= 1
        while last.stop > last.start and not _shown(self, last.stop - 1):
            last.stop -= 1
    _add(work, start, own.stop, <int32_t>i, own.up, kind, chance, not mark or start < own.start)


cdef bint _stands_alone(Candidates self, const Work* work, Py_ssize_t around, Py_ssize_t i) noexcept nogil:
    """Whether a candidate between the parts of a page is a part as well; in a text, it is a part of that text."""
    return (self.row[i].children > 1 and words(self, i) >= FEW_WORDS
            and not (self.row[around].marks | self.row[around].marks_above) & MARK_ARTICLE
            and (work.landmarks[around] or 2 * work.inside[around] >= words(self, around)))


cdef void _divide_page(Candidates self, Work* work, int32_t* around, int32_t* next_child, int32_t* at) noexcept nogil:
    """The parts of the first level in document order. The three arrays are a stack as deep as the candidates."""
    cdef Py_ssize_t depth = 1
    cdef int32_t child, kind = UNKNOWN
    cdef float chance = 0
    cdef Step step
    around[0], next_child[0], at[0] = 0, self.row[0].first_child, self.row[0].start
    while depth:
        child = next_child[depth - 1]
        if child < 0:
            depth -= 1
            _add_run(self, work, at[depth], self.row[around[depth]].stop, around[depth])
            continue
        next_child[depth - 1] = self.row[child].after
        if self.row[child].start < at[depth - 1]:
            continue             # a block continues in a formatting element that was opened again
        step = _decide(self, child, work, &kind, &chance)
        if step == LEAVE and _stands_alone(self, work, around[depth - 1], child):
            step, kind, chance = TAKE, UNKNOWN, 0
        if step == LEAVE:
            continue
        _add_run(self, work, at[depth - 1], self.row[child].start, around[depth - 1])
        at[depth - 1] = self.row[child].stop
        if step == TAKE:
            _add_part(self, work, child, kind, chance)
        else:
            around[depth], next_child[depth], at[depth] = child, self.row[child].first_child, self.row[child].start
            depth += 1


cdef int32_t _heading_level(Candidates self, int32_t start, int32_t stop) noexcept nogil:
    """The highest level with two headings after the first block; 0 if there is none."""
    cdef int32_t[LEVELS] count
    cdef int32_t block, level
    for level in range(LEVELS):
        count[level] = 0
    for block in range(start + 1, stop):
        if _shown(self, block):
            count[min(self.block_flags[block] >> HEADING_BIT, LEVELS - 1)] += not (
                _is_heading(self, block - 1) and _shown(self, block - 1))
    for level in range(1, LEVELS):
        if count[level] > 1:
            return level
    return 0


cdef void _cut_at_headings(Candidates self, Work* work, Part whole, int32_t level) noexcept nogil:
    """A part for each heading of a level or a higher one, with the text below it."""
    cdef int32_t block, start = whole.start, own
    cdef bint after = False
    for block in range(whole.start + 1, whole.stop):
        own = self.block_flags[block] >> HEADING_BIT
        if _shown(self, block) and 0 < own <= level and not after:
            _add_section(self, work, start, block, &whole)
            start = block
        after = 0 < own <= level if _shown(self, block) else after
    _add_section(self, work, start, whole.stop, &whole)


cdef void _add_section(Candidates self, Work* work, int32_t start, int32_t stop, const Part* whole) noexcept nogil:
    while start < stop and not _shown(self, start):
        start += 1
    while stop > start and not _shown(self, stop - 1):
        stop -= 1
    if start < stop:
        _add(work, start, stop, NONE, whole.up, whole.kind, whole.chance, True)


cdef void _divide_part(Candidates self, Work* work, Part whole) noexcept nogil:
    """Add a part that has most of the page in pieces: by records, by headings, or its title and the rest."""
    cdef int32_t level, child, at = whole.start, block, kind
    cdef float chance = 0
    cdef Py_ssize_t up = whole.up if whole.of == NONE else whole.of
    if mark_records(self, up, work.record):
        child = self.row[up].first_child
        while child >= 0:
            if work.record[child] and self.row[child].start >= at and self.row[child].stop <= whole.stop:
                _add_section(self, work, at, self.row[child].start, &whole)
                kind = _kind_of(self, work, child, &chance)
                _add(work, self.row[child].start, self.row[child].stop, child, <int32_t>up, kind, chance,
                     not _is_mark(self, work, child))
                at = self.row[child].stop
            child = self.row[child].after
        _add_section(self, work, at, whole.stop, &whole)
        return
    level = _heading_level(self, whole.start, whole.stop)
    if level:
        _cut_at_headings(self, work, whole, level)
        return
    for block in range(whole.start, whole.stop):
        if _shown(self, block) and _is_heading(self, block):
            while block < whole.stop and (_is_heading(self, block) or not _shown(self, block)):
                block += 1
            _add_section(self, work, whole.start, block, &whole)
            _add_section(self, work, block, whole.stop, &whole)
            return
    _add_section(self, work, whole.start, whole.stop, &whole)


cdef int32_t _start_with_heading(Candidates self, const Work* work, Py_ssize_t i) noexcept nogil:
    """The start of a candidate, with the heading right before it."""
    cdef const Candidate* own = &self.row[i]
    cdef const Candidate* before
    if own.before < 0 or _is_heading(self, own.start):
        return own.start
    before = &self.row[own.before]
    if work.piece[before.start] == work.piece[own.start] and _is_lone_heading(self, own.before):
        return before.start
    return own.start


cdef void _fill_pieces(Work* work) noexcept nogil:
    """Which part of the first level each block belongs to."""
    cdef Py_ssize_t k
    cdef int32_t block
    for k in range(work.parts):
        if work.part[k].level:
            for block in range(work.part[k].start, work.part[k].stop):
                work.piece[block] = <int32_t>k + 1


cdef void _name_runs(Candidates self, Work* work) noexcept nogil:
    """A part of unknown kind with most of the text is the content."""
    cdef Py_ssize_t k
    cdef Part* part
    for k in range(work.parts):
        part = &work.part[k]
        if part.level and part.extra and part.kind == UNKNOWN and 2 * _words_in(self, part.start, part.stop) > words(self, 0):
            part.kind, part.chance = K_CONTENT, DOUBT


cdef void _add_inner(Candidates self, Work* work) noexcept nogil:
    """The parts of the finer levels, each within one part of the first."""
    cdef Py_ssize_t i
    cdef int32_t kind, title = title_of(self), start
    cdef float chance = 0
    cdef bint mark, part
    for i in range(self.count):
        mark, part = _is_mark(self, work, i), work.kind[i] != UNKNOWN
        if i == title and not (part and work.chance[i] >= DOUBT):
            _add(work, self.row[i].start, self.row[i].stop, <int32_t>i, NONE, K_TITLE, 0.8, not mark)
            continue
        if not mark and (
                words(self, i) == 0 or (_is_lone_heading(self, i) and not part)
                or _is_most(self, self.row[i].start, self.row[i].stop)
                or work.piece[self.row[i].start] != work.piece[self.row[i].stop - 1]):
            continue
        if not mark and not part and (title != NONE and words(self, i) < HEADLINE_WORDS
                and self.row[i].start <= self.row[title].start < self.row[i].stop):
            continue             # a headline with its standfirst
        kind = _kind_of(self, work, i, &chance)
        if kind == UNKNOWN and not mark and not work.record[i]:
            continue
        start = self.row[i].start if part or work.record[i] else _start_with_heading(self, work, i)
        if mark:
            _add(work, self.row[i].start, self.row[i].stop, <int32_t>i, NONE, kind, chance, False)
        if not mark or start < self.row[i].start:
            _add(work, start, self.row[i].stop, <int32_t>i, NONE, kind, chance, True)


cdef bint _repeats(Candidates self, const Work* work, const Part* part, const int32_t* stack, Py_ssize_t depth) noexcept nogil:
    """Whether a part is the same thing as one around it: of one kind, with over two thirds of its words."""
    cdef const Part* above
    cdef int step
    if part.kind == UNKNOWN:
        return False
    for step in range(min(depth, NEAR)):
        above = &work.part[stack[depth - 1 - step]]
        if 3 * <long long>_words_in(self, part.start, part.stop) <= 2 * <long long>_words_in(self, above.start, above.stop):
            return False
        if above.kind == part.kind:
            return True
    return False


cdef inline bint _is_part(const Work* work, const Part* part) noexcept nogil:
    """Whether the trees for parts see this part."""
    return part.of != NONE and work.kind[part.of] == part.kind


cdef Py_ssize_t _nest(Candidates self, Work* work, const long long* order, int32_t* stack) noexcept nogil:
    """Give the parts their levels, in the order of their starts, larger ones first; returns the number that is kept.

    A part that is equal to another or overlaps its end is dropped (its level is 0). Of two that are the same thing, the
    inner one is dropped, or has no kind if people would mark it.
    """
    cdef Py_ssize_t k, depth = 0, kept = 0
    cdef Part* part
    cdef Part* above
    for k in range(work.parts):
        part = &work.part[order[k]]
        while depth and work.part[stack[depth - 1]].stop <= part.start:
            depth -= 1
        part.level = <int32_t>depth + 1
        if depth:
            above = &work.part[stack[depth - 1]]
            if (part.stop > above.stop or (part.start == above.start and part.stop == above.stop)
                    or (part.extra and part.kind == above.kind and _is_rare(part.kind) and not _is_part(work, part))):
                part.level = 0
                continue
        if _repeats(self, work, part, stack, depth):
            if part.extra:
                part.level = 0
                continue
            part.kind, part.chance = UNKNOWN, 0
        stack[depth] = <int32_t>order[k]
        depth += 1
        kept += 1
    return kept


def cover(Candidates self, const int32_t[::1] rows, const int32_t[::1] kinds, const float[::1] chances):
    """The parts of a page in document order, outer ones first: start, stop, level, kind, candidate and whether it is
    extra, and their chances.

    Parameters
    ----------
    rows : the candidates that people would mark
    kinds, chances : for each candidate its kind as a part of the page, -1 where it is none, and the chance of that
    """
    cdef Py_ssize_t k, count = self.count, blocks = len(self.page.blocks)
    cdef Work work
    if kinds.shape[0] != count or chances.shape[0] != count:
        raise InputError(f"{count} candidates need as many kinds and chances")
    if count == 0:
        return np.zeros((0, 6), np.int32), np.zeros(0, np.float32)
    marks = np.zeros((3, count), np.uint8)
    of, pieces = np.zeros((6, count), np.int32), np.zeros(blocks, np.int32)
    cdef int32_t[::1] piece = pieces
    cdef uint8_t[:, ::1] mark = marks
    cdef int32_t[:, ::1] number = of
    for k in range(rows.shape[0]):
        mark[0, rows[k]] = True
    work.picked, work.record, work.framed = &mark[0, 0], &mark[1, 0], &mark[2, 0]
    work.inside, work.landmarks, work.items = &number[0, 0], &number[1, 0], &number[5, 0]
    work.kind, work.chance, work.piece = &kinds[0], &chances[0], &piece[0]
    work.parts = 0
    work.part = <Part*>malloc((5 * count + 2 * blocks + 8) * sizeof(Part))
    if work.part == NULL:
        raise MemoryError
    try:
        with nogil:
            _sum_up(self, &work)
            _divide_page(self, &work, &number[2, 0], &number[3, 0], &number[4, 0])
            _divide_large(self, &work)
            _name_runs(self, &work)
            _fill_pieces(&work)
            _add_inner(self, &work)
        return _table(self, &work)
    finally:
        free(work.part)


cdef void _divide_large(Candidates self, Work* work) noexcept nogil:
    """Divide the part that has most of the page, if there is one; it is replaced by its pieces, twice at most."""
    cdef Py_ssize_t k, last, times
    cdef Part whole
    for times in range(2):
        last = work.parts
        for k in range(last):
            if work.part[k].level and _is_most(self, work.part[k].start, work.part[k].stop):
                whole = work.part[k]
                work.part[k].level = 0
                _divide_part(self, work, whole)
                break


cdef _table(Candidates self, Work* work):
    """The parts that are kept, as arrays."""
    cdef Py_ssize_t k, kept, row = 0
    cdef const Part* part
    keys = np.empty((4, work.parts), np.int32)
    cdef int32_t[:, ::1] key = keys
    for k in range(work.parts):
        part = &work.part[k]
        # Of equal parts, one that people would mark is kept, or else one with a candidate and a kind.
        key[3, k], key[2, k] = part.start, -part.stop
        key[1, k] = 0 if not part.extra else 1 if part.of != NONE and part.kind != UNKNOWN else 2
        key[0, k] = -<int32_t>k
        if part.level == 0:
            key[3, k] = 0x7fffffff
    order = np.lexsort(keys)
    cdef const long long[::1] ordered = order
    cdef Py_ssize_t live = int((keys[3] != 0x7fffffff).sum())
    stack = np.zeros(work.parts + 1, np.int32)
    cdef int32_t[::1] deep = stack
    work.parts = live
    kept = _nest(self, work, &ordered[0], &deep[0])
    found, chance_of = np.empty((kept, 6), np.int32), np.empty(kept, np.float32)
    cdef int32_t[:, ::1] out = found
    cdef float[::1] chance = chance_of
    for k in range(live):
        part = &work.part[ordered[k]]
        if part.level:
            out[row, 0], out[row, 1], out[row, 2] = part.start, part.stop, part.level
            out[row, 3], out[row, 4], out[row, 5], chance[row] = part.kind, part.of, part.extra, part.chance
            row += 1
    return found, chance_of
