# cython: language_level=3
"""What ends between two blocks of a page; `webstrata.paragraphs` says what a paragraph is."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from webstrata._scan.rows cimport HIDDEN
from webstrata._scan.eight cimport lowest_bit
from webstrata._scan.tags cimport BOXED, BR, INLINE, OTHER, TAG_COUNT, TRAITS

import numpy as np

from webstrata._scan.tags import TAGS
from webstrata.errors import InputError

# By the number of a tag, what it ends.
cdef uint8_t[256] _ENDS
# Tags that stand within a paragraph or end one, as the bits of a gap: most gaps are told by these alone.
cdef uint64_t[3] _WITHIN_TAGS

# Tags that begin a new line but no new paragraph of text: items, rows and cells.
_ITEM_TAGS = ("li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "colgroup", "col", "option")


def _fill():
    cdef int tag
    for tag in range(TAG_COUNT):
        _ENDS[tag] = WITHIN if TRAITS[tag] & (INLINE | BOXED) else PARAGRAPH
    for name in _ITEM_TAGS:
        _ENDS[TAGS.index(name)] = ITEM
    _ENDS[BR] = LINE
    for tag in range(TAG_COUNT):
        if _ENDS[tag] == WITHIN and tag != OTHER:
            _WITHIN_TAGS[tag >> 6] |= <uint64_t>1 << (tag & 63)


_fill()


cdef uint8_t _ended_by(const uint64_t* gap, bint new_line) noexcept nogil:
    """What the strongest tag of a gap ends. A name that HTML does not know ends a paragraph if it began a new line."""
    cdef uint8_t found = WITHIN
    cdef uint64_t left
    cdef int word, tag
    for word in range(3):
        left = gap[word] & ~_WITHIN_TAGS[word]
        while left:
            tag = 64 * word + lowest_bit(left)
            left &= left - 1
            found = max(found, PARAGRAPH if tag == OTHER and new_line else _ENDS[tag])
            if found == PARAGRAPH:
                return found
    return found


def ends(blocks):
    """For each block, what ends before it: WITHIN, LINE, ITEM or PARAGRAPH."""
    cdef const uint64_t[:, ::1] gap = blocks.gap
    cdef const int32_t[::1] text_start = blocks.text_start
    cdef str text = blocks.text
    cdef Py_ssize_t i, n = gap.shape[0]
    cdef bint new_line
    result = np.empty(n, np.uint8)
    cdef uint8_t[::1] out = result
    for i in range(n):
        # Only an unknown name asks for what separates the text; the other tags tell by themselves.
        new_line = gap[i, 0] & 1 and text_start[i] > 0 and text[text_start[i] - 1] == 10
        out[i] = _ended_by(&gap[i, 0], new_line)
    if n:
        out[0] = PARAGRAPH
    return result


cdef inline uint8_t _strength(uint8_t between, bint left_out) noexcept nogil:
    """What ends between two kept blocks: where a line ends and something that is shown was left out, a paragraph does."""
    return PARAGRAPH if left_out and between != WITHIN else between


def _fitting(blocks, keep):
    if len(keep) != len(blocks):
        raise InputError(f"keep has {len(keep)} rows, but the page has {len(blocks)} blocks: give one decision a block")
    return np.ascontiguousarray(keep, bool).view(np.uint8)


def ends_kept(blocks, keep):
    """For each kept block, what ends between the kept one before it and this one."""
    cdef const uint8_t[::1] end = ends(blocks)
    cdef const uint8_t[::1] flags = blocks.flags
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef uint8_t between = PARAGRAPH
    cdef bint left_out = False
    cdef Py_ssize_t i, count = 0
    found = np.zeros(np.count_nonzero(keep), np.uint8)
    cdef uint8_t[::1] out = found
    for i in range(kept.shape[0]):
        between = max(between, end[i])
        if kept[i]:
            out[count] = _strength(between, left_out)
            count += 1
            between = WITHIN
            left_out = False
        elif not flags[i] & HIDDEN:
            left_out = True
    return found


def runs(blocks, keep):
    """The runs of kept blocks within which no paragraph ends and nothing is left out.

    Returns where the text of each begins and ends, and as (run, last block, first block) those runs that go on with the
    paragraph of the one before, across something that was left out.
    """
    cdef const int32_t[::1] text_start = blocks.text_start
    cdef const int32_t[::1] text_stop = blocks.text_stop
    cdef const uint8_t[::1] kept = _fitting(blocks, keep)
    cdef const uint8_t[::1] end = ends_kept(blocks, keep)
    cdef Py_ssize_t i, count = 0, last = -1
    starts, stops, torn = [], [], []
    for i in range(kept.shape[0]):
        if not kept[i]:
            continue
        if end[count] == PARAGRAPH or last != i - 1:
            if last >= 0:
                stops.append(text_stop[last])
            if end[count] != PARAGRAPH:
                torn.append((len(starts), last, i))
            starts.append(text_start[i])
        last = i
        count += 1
    if last >= 0:
        stops.append(text_stop[last])
    return starts, stops, torn
