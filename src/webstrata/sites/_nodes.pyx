# cython: language_level=3
"""The pre-processing of a page over its element columns; `webstrata.sites.nodes` says what it means."""

import numpy as np

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute

cdef enum:
    IMPLIED = 4
    PATH_DEPTH = 3
    PERIODS = 3


cdef inline uint64_t mixed(uint64_t a, uint64_t b) noexcept nogil:
    """A hash of two numbers, in order (the finisher of MurmurHash3)."""
    cdef uint64_t h = a * <uint64_t>0x9E3779B97F4A7C15 + b + <uint64_t>0xD1B54A32D192ED03
    h ^= h >> 33
    h *= <uint64_t>0xFF51AFD7ED558CCD
    h ^= h >> 33
    h *= <uint64_t>0xC4CEB9FE1A85EC53
    h ^= h >> 33
    return h


cdef uint64_t hashed(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """A hash of a name, whatever the case of its ASCII letters (FNV-1a, then mixed)."""
    cdef uint64_t h = <uint64_t>0xCBF29CE484222325
    cdef uint8_t c
    cdef Py_ssize_t i
    for i in range(start, stop):
        c = source[i]
        if 65 <= c <= 90:
            c |= 0x20
        h = (h ^ c) * <uint64_t>0x100000001B3
    return mixed(h, <uint64_t>(stop - start))


cdef uint64_t name_of(const uint8_t* source, Py_ssize_t length, Py_ssize_t start, Py_ssize_t stop, uint8_t tag,
                      bint implied) noexcept nogil:
    """A hash of the tag and the set of the names of its attributes, whatever their order."""
    cdef Attribute attribute
    cdef Py_ssize_t position, i
    cdef uint64_t h = tag, names = 0, name
    cdef uint64_t seen[16]
    cdef int count = 0
    cdef bint known
    if implied or stop <= start:
        return mixed(h, 0)
    position = start + 1
    while position < stop and not is_space(source[position]) and source[position] != 47 and source[position] != 62:
        position += 1
    if tag == 0:
        h = hashed(source, start + 1, position)
    while position < stop:
        position = next_attribute(source, position, length, &attribute)
        if position < 0 or attribute.name_stop <= attribute.name_start:
            break
        name = hashed(source, attribute.name_start, attribute.name_stop)
        known = False
        for i in range(count):
            known = known or seen[i] == name
        if not known:
            names += name
            if count < 16:
                seen[count] = name
                count += 1
    return mixed(h, names)


cdef int compared(const void* a, const void* b) noexcept nogil:
    cdef uint64_t x = (<const uint64_t*>a)[0], y = (<const uint64_t*>b)[0]
    return (x > y) - (x < y)


cdef bint half_common(const uint64_t* a, Py_ssize_t n, const uint64_t* b, Py_ssize_t m) noexcept nogil:
    """Whether two sorted sets share at least half of what either holds."""
    cdef Py_ssize_t i = 0, j = 0, common = 0
    while i < n and j < m:
        if a[i] == b[j]:
            common += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return 2 * common >= n + m - common


def names(const uint8_t[::1] source, const uint8_t[::1] tag, const uint8_t[::1] flags, const int32_t[::1] starts,
          const int32_t[::1] stops):
    """Of each element, the hash of its tag and of the names of its attributes."""
    cdef Py_ssize_t count = tag.shape[0], row
    result = np.empty(count, np.uint64)
    cdef uint64_t[::1] out = result
    if not source.shape[0]:
        for row in range(count):
            out[row] = mixed(tag[row], 0)
        return result
    with nogil:
        for row in range(count):
            out[row] = name_of(&source[0], source.shape[0], starts[row], stops[row], tag[row],
                               (flags[row] & IMPLIED) != 0)
    return result


def recurrent(const int32_t[::1] parent, const uint64_t[::1] name, const uint8_t[::1] skipped, double cover):
    """Which elements hold a recurrent region: runs of similar children, of a period of 1 to 3, cover most of them."""
    cdef Py_ssize_t count = parent.shape[0], row, i, j, q, total, run, covered
    cdef int32_t above, kids
    result = np.zeros(count, np.uint8)
    cdef uint8_t[::1] out = result
    if count == 0:
        return result
    cdef uint64_t* path = <uint64_t*>malloc(PATH_DEPTH * count * sizeof(uint64_t))
    cdef uint64_t* sets = <uint64_t*>malloc(PATH_DEPTH * count * sizeof(uint64_t))
    cdef int32_t* start = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* size = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* first = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* child = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    cdef int32_t* place = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef uint8_t* mark = <uint8_t*>calloc(count + 1, 1)
    try:
        if not (path and sets and start and size and first and child and place and mark):
            raise MemoryError
        with nogil:
            # Of each element, the paths that it is the end of: from itself, its parent and the parent of that.
            for row in range(count):
                if skipped[row]:
                    continue
                above = <int32_t>row
                for i in range(PATH_DEPTH):
                    path[row * PATH_DEPTH + i] = name[row] if i == 0 else mixed(path[parent[row] * PATH_DEPTH + i - 1],
                                                                               name[row])
                    start[above + 1] += 1
                    above = parent[above]
                    if above < 0 or skipped[above]:
                        break
                if parent[row] >= 0:
                    first[parent[row] + 1] += 1
            for row in range(count):
                start[row + 1] += start[row]
                first[row + 1] += first[row]
            for row in range(count):
                if skipped[row]:
                    continue
                above = <int32_t>row
                for i in range(PATH_DEPTH):
                    sets[start[above] + size[above]] = path[row * PATH_DEPTH + i]
                    size[above] += 1
                    above = parent[above]
                    if above < 0 or skipped[above]:
                        break
                if parent[row] >= 0:
                    child[first[parent[row]] + place[parent[row]]] = <int32_t>row
                    place[parent[row]] += 1
            for row in range(count):
                if size[row] > 1:
                    qsort(&sets[start[row]], size[row], sizeof(uint64_t), compared)
                    j = 1
                    for i in range(1, size[row]):
                        if sets[start[row] + i] != sets[start[row] + j - 1]:
                            sets[start[row] + j] = sets[start[row] + i]
                            j += 1
                    size[row] = <int32_t>j
            for row in range(count):
                kids = place[row]
                if kids < 2:
                    continue
                for i in range(kids):
                    mark[i] = 0
                for q in range(1, PERIODS + 1):
                    run = 0
                    for i in range(kids - q + 1):
                        if i + q < kids and similar(child[first[row] + i], child[first[row] + i + q], &name[0], sets,
                                                    start, size):
                            run += 1
                            continue
                        # Two whole periods at least: otherwise any two equal siblings were a run of every period.
                        if run >= q:
                            for j in range(i - run, i + q):
                                mark[j] = 1
                        run = 0
                covered = 0
                for i in range(kids):
                    covered += mark[i]
                out[row] = covered >= cover * kids
    finally:
        free(path)
        free(sets)
        free(start)
        free(size)
        free(first)
        free(child)
        free(place)
        free(mark)
    return result


cdef inline bint similar(int32_t a, int32_t b, const uint64_t* name, const uint64_t* sets, const int32_t* start,
                         const int32_t* size) noexcept nogil:
    return name[a] == name[b] and half_common(&sets[start[a]], size[a], &sets[start[b]], size[b])


def build(const int32_t[::1] parent, const uint64_t[::1] name, const uint8_t[::1] skipped, const uint8_t[::1] closed,
          bint numbered):
    """The nodes of a page: every element that is not inside of a closed one.

    Returns rows, parents (as nodes), labels, and numbers among equal siblings, from 1. With ``numbered``, a number is
    part of the label only where there are two such siblings.
    """
    cdef Py_ssize_t count = parent.shape[0], row, node = 0, slot, capacity = 16, found
    while capacity < 2 * count:
        capacity *= 2
    rows, parents = np.empty(count, np.int32), np.empty(count, np.int32)
    labels, numbers = np.empty(count, np.uint64), np.empty(count, np.int32)
    cdef int32_t[::1] out_row = rows, out_parent = parents, out_number = numbers
    cdef uint64_t[::1] out_label = labels
    cdef int32_t* node_of = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    # How many siblings of a name there were so far: a table by parent and name.
    cdef uint64_t* keys = <uint64_t*>calloc(capacity, sizeof(uint64_t))
    cdef int32_t* counts = <int32_t*>calloc(capacity, sizeof(int32_t))
    cdef uint64_t* key_of = <uint64_t*>malloc((count + 1) * sizeof(uint64_t))
    cdef int32_t above
    cdef uint64_t key
    try:
        if not (node_of and keys and counts and key_of):
            raise MemoryError
        with nogil:
            for row in range(count):
                above = parent[row]
                node_of[row] = -1
                if skipped[row] or (above >= 0 and (node_of[above] < 0 or closed[above])):
                    continue
                key = mixed(name[row], <uint64_t>(above + 2))
                key += key == 0
                slot = key & (capacity - 1)
                while keys[slot] != 0 and keys[slot] != key:
                    slot = (slot + 1) & (capacity - 1)
                keys[slot] = key
                counts[slot] += 1
                node_of[row] = <int32_t>node
                out_row[node] = <int32_t>row
                out_parent[node] = node_of[above] if above >= 0 else -1
                out_number[node] = counts[slot]
                key_of[node] = slot
                node += 1
            for found in range(node):
                above = out_parent[found]
                key = mixed(out_label[above] if above >= 0 else 0, name[out_row[found]])
                if not numbered or counts[key_of[found]] > 1:
                    key = mixed(key, <uint64_t>out_number[found])
                out_label[found] = key
    finally:
        free(node_of)
        free(keys)
        free(counts)
        free(key_of)
    return rows[:node], parents[:node], labels[:node], numbers[:node]


def texts(const uint8_t[::1] source, const int32_t[::1] starts, const int32_t[::1] stops, const uint8_t[::1] hidden,
          const int32_t[::1] first, const int32_t[::1] end):
    """Of each range of blocks, a hash of its shown text without tags, figures and white space; 0 for no text.

    Blocks are hashed once; a range is a difference of prefix hashes. Dates and counters change with every page, so
    figures tell nothing of whether a text comes back.
    """
    cdef Py_ssize_t count = starts.shape[0], ranges = first.shape[0], i, k
    cdef uint64_t base = <uint64_t>0x9E3779B97F4A7C15, h
    cdef uint8_t c
    cdef bint inside
    result = np.zeros(ranges, np.uint64)
    sums, powers, shown = np.zeros(count + 1, np.uint64), np.ones(count + 1, np.uint64), np.zeros(count + 1, np.int32)
    cdef uint64_t[::1] out = result, total = sums, power = powers
    cdef int32_t[::1] before = shown
    with nogil:
        for i in range(count):
            total[i + 1], before[i + 1] = total[i], before[i]
            power[i + 1] = power[i] * base
            if hidden[i]:
                continue
            h = <uint64_t>0xCBF29CE484222325
            inside = False
            for k in range(starts[i], stops[i]):
                c = source[k]
                if inside:
                    inside = c != 62
                elif c == 60:
                    inside = True
                elif c > 32 and not 48 <= c <= 57:
                    h = (h ^ c) * <uint64_t>0x100000001B3
            total[i + 1] = total[i] * base + mixed(h, 1)
            before[i + 1] = before[i] + 1
        for i in range(ranges):
            k = before[end[i]] - before[first[i]]
            if k > 0:
                h = total[end[i]] - total[first[i]] * power[k]
                out[i] = h + (h == 0)
    return result


def assign(const int32_t[::1] parent, const int64_t[::1] place, const uint8_t[::1] text, const int32_t[::1] words,
           const uint8_t[::1] body, const int64_t[::1] into, const uint8_t[::1] flow, bint outermost, bint flows):
    """Of each node of a page, the node whose segment it is part of, or -1 for none yet.

    ``place`` is the place of a node in the tree, -1 where the tree does not know it; ``into`` and ``flow`` are columns
    of the tree. A segment of a flow goes by its first node.
    """
    cdef Py_ssize_t count = parent.shape[0], i, k
    cdef int32_t above
    cdef int64_t target
    result = np.full(count, -1, np.int32)
    cdef int32_t[::1] out = result
    # Nodes of the tree that text of this page was absorbed by, as a mark of the page's own nodes.
    cdef uint8_t* member = <uint8_t*>calloc(count + 1, 1)
    cdef int32_t* last = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    try:
        if not (member and last):
            raise MemoryError
        with nogil:
            for i in range(count):
                last[i] = -1
                if not text[i] or words[i] == 0:
                    continue
                k = i
                while k >= 0 and place[k] < 0:
                    k = parent[k]
                if k < 0:
                    continue
                # What absorbs a node is one of its ancestors, so it is found on the way up.
                target = into[place[k]]
                while k >= 0 and place[k] != target:
                    k = parent[k]
                if k >= 0:
                    member[k] = 1
            for i in range(count):
                above = parent[i]
                if above >= 0 and out[above] >= 0 and (outermost or not member[i]):
                    out[i] = out[above]
                    continue
                if words[i] == 0 or body[i]:
                    continue
                if flows and above >= 0 and place[above] >= 0 and (place[i] < 0 or flow[place[i]]):
                    if last[above] < 0:
                        last[above] = <int32_t>i
                    out[i] = last[above]
                    continue
                if above >= 0:
                    last[above] = -1
                if member[i] or text[i]:
                    out[i] = <int32_t>i
    finally:
        free(member)
        free(last)
    return result
