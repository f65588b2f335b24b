# cython: language_level=3
"""The search of PageSegmenter' (Kreuzer 2013, Algorithm 6.3) over prefix sums; `pagesegmenter` explains it."""

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free, malloc, realloc


cdef int32_t _longest(const int64_t* sums, int64_t* lowest, int32_t lo, int32_t hi) noexcept nogil:
    """Length of the longest range inside [lo, hi) whose sum is at most 0; 0 for none. Linear time.

    For a range [i, k) that means sums[k] <= sums[i]. `lowest` becomes the minimum of the sums from k on: as i grows, the
    last k that is low enough for any i so far only moves right.
    """
    cdef int32_t i, k, best = 0
    lowest[hi] = sums[hi]
    for k in range(hi - 1, lo, -1):
        lowest[k] = min(sums[k], lowest[k + 1])
    k = lo + 1
    for i in range(lo, hi):
        k = max(k, i + 1)
        while k <= hi and lowest[k] <= sums[i]:
            k += 1
        best = max(best, k - 1 - i)
    return best


cdef int32_t _longest_part(const int64_t* sums, int64_t* lowest, int32_t lo, int32_t hi) noexcept nogil:
    """The same, without [lo, hi) itself unless it is a single node."""
    cdef int32_t best = _longest(sums, lowest, lo, hi)
    if best == hi - lo > 1:
        best = max(_longest(sums, lowest, lo, hi - 1), _longest(sums, lowest, lo + 1, hi))
    return best


cdef struct Stack:
    int32_t* spans
    Py_ssize_t size
    Py_ssize_t capacity
    bint failed


cdef void _push(Stack* stack, int32_t lo, int32_t hi) noexcept nogil:
    cdef void* grown
    if lo == hi or stack.failed:
        return
    if stack.size == stack.capacity:
        grown = realloc(stack.spans, 4 * stack.capacity * sizeof(int32_t))
        if grown == NULL:
            stack.failed = True
            return
        stack.spans = <int32_t*>grown
        stack.capacity *= 2
    stack.spans[2 * stack.size] = lo
    stack.spans[2 * stack.size + 1] = hi
    stack.size += 1


def divide(const int64_t[::1] sums, const int32_t[::1] nodes, const int32_t[::1] child_start):
    """The segments below the root, as ranges of the list of all nodes with siblings side by side.

    `nodes` is this list, whose first node is the root; `sums` are the prefix sums of the differences between the entropy
    of each node and the median; the children of a node are at `child_start[node]` up to `child_start[node + 1]`.
    """
    cdef Py_ssize_t n = nodes.shape[0]
    cdef int32_t lo, hi, i, length
    cdef int64_t* lowest
    cdef Stack stack
    if sums.shape[0] != n + 1 or child_start.shape[0] != n + 1:
        raise AssertionError("one sum and one start more than nodes")
    found = []
    if n == 0:
        return found
    lowest = <int64_t*>malloc((n + 1) * sizeof(int64_t))
    stack.capacity = 64
    stack.spans = <int32_t*>malloc(2 * stack.capacity * sizeof(int32_t))
    stack.size = 0
    stack.failed = lowest == NULL or stack.spans == NULL
    try:
        _push(&stack, 0, 1)
        while stack.size and not stack.failed:
            stack.size -= 1
            lo = stack.spans[2 * stack.size]
            hi = stack.spans[2 * stack.size + 1]
            length = _longest_part(&sums[0], lowest, lo, hi)
            if length == 0:
                # All nodes are above the median: Algorithm 6.3 enters the children of each.
                for i in range(lo, hi):
                    _push(&stack, child_start[nodes[i]], child_start[nodes[i] + 1])
                continue
            # All ranges of this length are taken in one pass, from the left: after the first one, no range is longer.
            # The rest between them has shorter ranges only, so lengths fall from pass to pass, and since ranges do not
            # overlap there are at most about sqrt(2n) passes.
            i = lo
            while True:
                while i + length <= hi and sums[i + length] > sums[i]:
                    i += 1
                if i + length > hi:
                    break
                found.append((i, i + length))
                _push(&stack, lo, i)
                i += length
                lo = i
                # A rest of this length would be a range as a whole, which is not allowed: it is searched again.
                if hi - lo <= length:
                    break
            _push(&stack, lo, hi)
        if stack.failed:
            raise MemoryError
        return found
    finally:
        free(lowest)
        free(stack.spans)
