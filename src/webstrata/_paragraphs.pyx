# cython: language_level=3
"""Which kept blocks of a page make a paragraph together."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.rows cimport HIDDEN

import numpy as np

from webstrata.errors import InputError

# What lies between the last kept block and the one that is looked at.
cdef struct Between:
    uint64_t[3] tags
    bint left_out            # something that is shown


cdef inline void _see(Between* between, const uint64_t* gap) noexcept nogil:
    between.tags[0] |= gap[0]
    between.tags[1] |= gap[1]
    between.tags[2] |= gap[2]


cdef inline bint _meets(const Between* between, const uint64_t* tags) noexcept nogil:
    return (between.tags[0] & tags[0] | between.tags[1] & tags[1] | between.tags[2] & tags[2]) != 0


cdef inline bint _goes_on(const Between* between, const uint64_t* ends, const uint64_t* lines) noexcept nogil:
    return not _meets(between, ends) and not (between.left_out and _meets(between, lines))


cdef inline void _forget(Between* between) noexcept nogil:
    between.tags[0] = between.tags[1] = between.tags[2] = 0
    between.left_out = False


def _fitting(blocks, keep):
    if len(keep) != len(blocks):
        raise InputError(f"keep has {len(keep)} rows, but the page has {len(blocks)} blocks: give one decision a block")
    return np.ascontiguousarray(keep, bool).view(np.uint8)


def goes_on(blocks, keep, const uint64_t[::1] ends, const uint64_t[::1] lines):
    """For each kept block, whether it goes on with the paragraph of the kept one before it.

    It does if no tag between the two ends the paragraph, nor the line where something that is shown was left out.

    Parameters
    ----------
    ends, lines : the tags that end a paragraph, and those that end a line (see `tag_mask`)
    """
    cdef const uint64_t[:, ::1] gap = blocks.gap
    cdef const uint8_t[::1] flags = blocks.flags
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef Between between
    cdef Py_ssize_t i, count = 0
    found = np.zeros(np.count_nonzero(keep), bool)
    cdef uint8_t[::1] out = found.view(np.uint8)
    _forget(&between)
    for i in range(kept.shape[0]):
        _see(&between, &gap[i, 0])
        if kept[i]:
            out[count] = count > 0 and _goes_on(&between, &ends[0], &lines[0])
            count += 1
            _forget(&between)
        elif not flags[i] & HIDDEN:
            between.left_out = True
    return found


def runs(blocks, keep, const uint64_t[::1] ends, const uint64_t[::1] lines):
    """The runs of kept blocks without a paragraph's end or a block that is left out.

    Returns where the text of each begins and ends, and as (run, last block, first block) those runs that go on with the
    paragraph of the one before, across something that was left out.
    """
    cdef const uint64_t[:, ::1] gap = blocks.gap
    cdef const uint8_t[::1] flags = blocks.flags
    cdef const int32_t[::1] text_start = blocks.text_start
    cdef const int32_t[::1] text_stop = blocks.text_stop
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef Between between
    cdef Py_ssize_t i, last = -1
    cdef bint together
    starts, stops, torn = [], [], []
    _forget(&between)
    for i in range(kept.shape[0]):
        _see(&between, &gap[i, 0])
        if kept[i]:
            together = last >= 0 and _goes_on(&between, &ends[0], &lines[0])
            if not together or last != i - 1:
                if last >= 0:
                    stops.append(text_stop[last])
                if together:
                    torn.append((len(starts), last, i))
                starts.append(text_start[i])
            last = i
            _forget(&between)
        elif not flags[i] & HIDDEN:
            between.left_out = True
    if last >= 0:
        stops.append(text_stop[last])
    return starts, stops, torn
