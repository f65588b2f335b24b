# cython: language_level=3
"""Block Fusion (Kohlschütter & Nejdl 2008, Algorithm 1) in linear time; `webstrata.segmentation.fusion` explains it.

The printed algorithm visits all blocks in every pass until a pass fuses nothing, which is quadratic if each pass fuses
one pair. A test that failed fails again until one of its blocks has changed. So a pass visits only blocks that have
changed or whose neighbours have, from left to right: the same tests succeed in the same order, with the same blocks and
the same number of passes. A fusion changes one block, and so adds three visits at most: all passes together take linear
time.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

cdef enum:
    PLAIN, SMOOTHED, IMPROVED

cdef enum:
    HIDDEN = 1               # as in webstrata.page

# The effect of the gap before a block (equation 8).
cdef enum:
    OPEN, FORCED, JOINED

cdef struct FusedBlock:
    double density
    int32_t words            # sums of these stay below the length of the text, which is an int32 itself
    int32_t lines
    int32_t last_words       # words on the last line
    int32_t first            # row of its first atomic block; its index is the row of the last
    int32_t before           # the neighbours, -1 for none
    int32_t after
    int32_t queued           # the last pass for which it was queued
    uint8_t gap
    uint8_t alive

cdef struct Fusion:
    FusedBlock* blocks
    int32_t* queue           # blocks to visit in this pass, ascending
    int32_t* queue_next      # and in the next
    int32_t queued_next
    int32_t round
    double threshold
    double low               # the densities that are low for the improved criterion
    int smoothing


cdef inline double _density(const FusedBlock* block) noexcept nogil:
    """Equation 6; T' is the words of all lines but the last."""
    if block.lines > 1:
        return <double>(block.words - block.last_words) / <double>(block.lines - 1)
    return <double>block.words


cdef inline bint _is_close(const Fusion* self, const FusedBlock* left, const FusedBlock* right) noexcept nogil:
    """Equations 7 and 8: whether the slope delta is at most the threshold. Two blocks without words do not differ."""
    cdef double high, low
    if right.gap != OPEN:
        return right.gap == JOINED
    high = max(left.density, right.density)
    low = min(left.density, right.density)
    if high == 0:
        return self.threshold >= 0
    return (high - low) / high <= self.threshold


cdef inline bint _is_dominated(const Fusion* self, const FusedBlock* left, const FusedBlock* block) noexcept nogil:
    """Line 4 of Algorithm 1: whether both neighbours dominate the block, without a forced gap between."""
    cdef const FusedBlock* right
    if self.smoothing == PLAIN or block.after < 0:
        return False
    right = &self.blocks[block.after]
    if block.gap == FORCED or right.gap == FORCED or block.density >= left.density:
        return False
    if self.smoothing == IMPROVED:
        return left.density <= self.low and right.density <= self.low
    return left.density == right.density


cdef inline void _fuse(Fusion* self, int32_t left, int32_t right) noexcept nogil:
    """Fuse a block into the one after it, which keeps its index."""
    cdef FusedBlock* x = &self.blocks[left]
    cdef FusedBlock* y = &self.blocks[right]
    y.words += x.words
    y.lines += x.lines
    y.first = x.first
    y.before = x.before
    y.gap = x.gap
    x.alive = False
    if y.before >= 0:
        self.blocks[y.before].after = right


cdef inline void _queue(Fusion* self, int32_t at) noexcept nogil:
    if at >= 0 and self.blocks[at].queued <= self.round:
        self.blocks[at].queued = self.round + 1
        self.queue_next[self.queued_next] = at
        self.queued_next += 1


cdef inline void _changed(Fusion* self, int32_t at) noexcept nogil:
    """Queue a fused block for the next pass, and the one before it, whose successor has changed."""
    self.blocks[at].density = _density(&self.blocks[at])
    _queue(self, self.blocks[at].before)
    _queue(self, at)


cdef int32_t _pass(Fusion* self, int32_t queued) noexcept nogil:
    """One pass over the blocks in the queue. Returns the number of fusions (two for a smoothing)."""
    cdef int32_t at, visit = -1, fusions = 0, i = 0
    cdef FusedBlock* block
    while True:
        if visit < 0:
            while i < queued and not self.blocks[self.queue[i]].alive:
                i += 1
            if i == queued:
                return fusions
            visit = self.queue[i]
            i += 1
        at = visit
        visit = -1
        block = &self.blocks[at]
        if block.before < 0:
            continue
        if _is_dominated(self, &self.blocks[block.before], block):
            _fuse(self, block.before, at)
            _fuse(self, at, block.after)
            at = block.after
            fusions += 2
        elif _is_close(self, &self.blocks[block.before], block):
            _fuse(self, block.before, at)
            fusions += 1
        else:
            continue
        _changed(self, at)
        # Go on with the block after the fused one, whose predecessor has changed, and do not visit it twice.
        visit = self.blocks[at].after
        while i < queued and (self.queue[i] <= at or self.queue[i] == visit):
            i += 1


cdef inline uint8_t _gap(const uint64_t* tags, const uint64_t* force, const uint64_t* avoid) noexcept nogil:
    """Equation 8 for the tags of a gap; enforcing tags take precedence."""
    if (tags[0] & force[0]) | (tags[1] & force[1]) | (tags[2] & force[2]):
        return FORCED
    if (tags[0] & ~avoid[0]) | (tags[1] & ~avoid[1]) | (tags[2] & ~avoid[2]):
        return OPEN
    return JOINED


def fuse(
    const int32_t[::1] words,
    const int32_t[::1] lines,
    const int32_t[::1] wrapped_words,
    const uint8_t[::1] flags,
    const uint64_t[:, ::1] gap,
    tuple masks,
    const uint8_t[::1] cuts,
    double threshold,
    int smoothing,
    double low,
    int max_passes,
):
    """Fuse shown blocks. Returns the first and the last row of each fused block, and (blocks, fusions) of each pass.

    `masks` are the gap-enforcing and the gap-avoiding tags, or empty for no rules. `cuts` is empty, or 1 for each row
    at which a fused block must begin. `smoothing` is 0, 1 or 2 (plain, smoothed, improved). A negative `max_passes` is
    no limit.
    """
    cdef Py_ssize_t rows = words.shape[0]
    cdef Fusion self
    cdef FusedBlock* block
    cdef uint64_t[3] tags
    cdef uint64_t[3] force
    cdef uint64_t[3] avoid
    cdef bint rules = len(masks) > 0, cut = False
    cdef int32_t row, last = -1, count = 0, fusions, queued
    cdef int i
    if not (lines.shape[0] == wrapped_words.shape[0] == flags.shape[0] == gap.shape[0] == rows):
        raise AssertionError("the columns of a table have one length")
    if gap.shape[1] != 3 or cuts.shape[0] not in (0, rows):
        raise AssertionError("three words of tags a gap, and one cut a row")
    for i in range(3):
        tags[i] = 0
        force[i] = masks[0][i] if rules else 0
        avoid[i] = masks[1][i] if rules else 0
    self.blocks = <FusedBlock*>malloc((rows + 1) * sizeof(FusedBlock))
    self.queue = <int32_t*>malloc((rows + 1) * sizeof(int32_t))
    self.queue_next = <int32_t*>malloc((rows + 1) * sizeof(int32_t))
    self.queued_next = 0
    self.round = 0
    self.threshold = threshold
    self.low = low
    self.smoothing = smoothing
    log = []
    try:
        if self.blocks == NULL or self.queue == NULL or self.queue_next == NULL:
            raise MemoryError
        with nogil:
            for row in range(<int32_t>rows):
                block = &self.blocks[row]
                block.alive = not flags[row] & HIDDEN
                for i in range(3):
                    tags[i] |= gap[row, i]
                if cuts.shape[0] and cuts[row]:
                    cut = True
                if not block.alive:
                    continue
                block.words = words[row]
                block.lines = lines[row]
                block.last_words = words[row] - wrapped_words[row]
                block.density = _density(block)
                block.first = row
                block.before = last
                block.after = -1
                block.gap = FORCED if cut else _gap(tags, force, avoid) if rules else OPEN
                block.queued = 0
                if last >= 0:
                    self.blocks[last].after = row
                self.queue[count] = row
                last = row
                count += 1
                tags[0] = tags[1] = tags[2] = 0
                cut = False
        queued = count
        while max_passes < 0 or self.round < max_passes:
            with nogil:
                self.queued_next = 0
                fusions = _pass(&self, queued)
                self.queue, self.queue_next = self.queue_next, self.queue
                queued = self.queued_next
                self.round += 1
            log.append((count, fusions))
            count -= fusions
            if fusions == 0:
                break
        firsts = []
        lasts = []
        row = last
        while row >= 0:
            lasts.append(row)
            firsts.append(self.blocks[row].first)
            row = self.blocks[row].before
        firsts.reverse()
        lasts.reverse()
        return firsts, lasts, log
    finally:
        free(self.blocks)
        free(self.queue)
        free(self.queue_next)
