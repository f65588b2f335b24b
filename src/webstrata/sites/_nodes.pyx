# cython: language_level=3
"""The preprocessing of a page over its element columns; see `webstrata.sites.nodes`."""

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
    """A hash of a name that ignores the case of ASCII letters (FNV-1a, then mixed)."""
    cdef uint64_t h = <uint64_t>0xCBF29CE484222325
    cdef uint8_t c
    cdef Py_ssize_t i
    for i in range(start, stop):
        c = source[i]
        if 65 <= c <= 90:
            c |= 0x20
        h = (h ^ c) * <uint64_t>0x100000001B3
    return mixed(h, <uint64_t>(stop - start))


cdef uint64_t name_hash(const uint8_t* source, Py_ssize_t length, Py_ssize_t start, Py_ssize_t stop, uint8_t tag,
                      bint implied) noexcept nogil:
    """A hash of the tag and the set of the names of its attributes."""
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


cdef int ascending(const void* a, const void* b) noexcept nogil:
    cdef uint64_t x = (<const uint64_t*>a)[0], y = (<const uint64_t*>b)[0]
    return (x > y) - (x < y)


cdef bint half_common(const uint64_t* a, Py_ssize_t n, const uint64_t* b, Py_ssize_t m) noexcept nogil:
    """Whether the Jaccard coefficient of two sorted sets is at least one half."""
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
    """For each element, the hash of its tag and of the names of its attributes."""
    cdef Py_ssize_t count = tag.shape[0], row
    result = np.empty(count, np.uint64)
    cdef uint64_t[::1] out = result
    if not source.shape[0]:
        for row in range(count):
            out[row] = mixed(tag[row], 0)
        return result
    with nogil:
        for row in range(count):
            out[row] = name_hash(&source[0], source.shape[0], starts[row], stops[row], tag[row],
                               (flags[row] & IMPLIED) != 0)
    return result


cdef int32_t distinct(uint64_t* values, int32_t count) noexcept nogil:
    """Sort values and drop repeated ones, in place; the number that is left."""
    cdef int32_t i, kept = 0
    qsort(values, count, sizeof(uint64_t), ascending)
    for i in range(count):
        if i == 0 or values[i] != values[kept - 1]:
            values[kept] = values[i]
            kept += 1
    return kept


cdef inline bint similar(int32_t a, int32_t b, const uint64_t* name, const uint64_t* sets, const int32_t* set_start,
                         const int32_t* set_size) noexcept nogil:
    """Whether two siblings have equal labels, and path sets that overlap by half."""
    return name[a] == name[b] and half_common(&sets[set_start[a]], set_size[a], &sets[set_start[b]], set_size[b])


cdef Py_ssize_t covered_children(const int32_t* child, Py_ssize_t count, uint8_t* in_run, const uint64_t* name,
                                 const uint64_t* sets, const int32_t* set_start,
                                 const int32_t* set_size) noexcept nogil:
    """The number of children of an element in runs of similar children, of any period. ``in_run`` is scratch space."""
    cdef Py_ssize_t i, j, period, run, covered = 0
    for i in range(count):
        in_run[i] = 0
    for period in range(1, PERIODS + 1):
        run = 0
        for i in range(count - period + 1):
            if i + period < count and similar(child[i], child[i + period], name, sets, set_start, set_size):
                run += 1
                continue
            # At least two whole periods: otherwise any two equal siblings would be a run of every period.
            if run >= period:
                for j in range(i - run, i + period):
                    in_run[j] = 1
            run = 0
    for i in range(count):
        covered += in_run[i]
    return covered


def recurrent(const int32_t[::1] parent, const uint64_t[::1] name, const uint8_t[::1] skipped, double cover):
    """Whether each element is a recurrent region: runs of similar children, with a period of 1 to 3, cover ``cover`` of
    its children."""
    cdef Py_ssize_t count = parent.shape[0], row, i, covered
    cdef int32_t above
    result = np.zeros(count, np.uint8)
    cdef uint8_t[::1] out = result
    if count == 0:
        return result
    cdef uint64_t* path = <uint64_t*>malloc(PATH_DEPTH * count * sizeof(uint64_t))
    cdef uint64_t* sets = <uint64_t*>malloc(PATH_DEPTH * count * sizeof(uint64_t))
    cdef int32_t* set_start = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* set_size = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* first_child = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef int32_t* child = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    cdef int32_t* child_count = <int32_t*>calloc(count + 1, sizeof(int32_t))
    cdef uint8_t* in_run = <uint8_t*>calloc(count + 1, 1)
    try:
        if not (path and sets and set_start and set_size and first_child and child and child_count and in_run):
            raise MemoryError
        with nogil:
            # For each element, the paths that end there: from itself, its parent and its grandparent.
            for row in range(count):
                if skipped[row]:
                    continue
                above = <int32_t>row
                for i in range(PATH_DEPTH):
                    path[row * PATH_DEPTH + i] = name[row] if i == 0 else mixed(path[parent[row] * PATH_DEPTH + i - 1],
                                                                               name[row])
                    set_start[above + 1] += 1
                    above = parent[above]
                    if above < 0 or skipped[above]:
                        break
                if parent[row] >= 0:
                    first_child[parent[row] + 1] += 1
            for row in range(count):
                set_start[row + 1] += set_start[row]
                first_child[row + 1] += first_child[row]
            for row in range(count):
                if skipped[row]:
                    continue
                above = <int32_t>row
                for i in range(PATH_DEPTH):
                    sets[set_start[above] + set_size[above]] = path[row * PATH_DEPTH + i]
                    set_size[above] += 1
                    above = parent[above]
                    if above < 0 or skipped[above]:
                        break
                if parent[row] >= 0:
                    child[first_child[parent[row]] + child_count[parent[row]]] = <int32_t>row
                    child_count[parent[row]] += 1
            for row in range(count):
                set_size[row] = distinct(&sets[set_start[row]], set_size[row])
            for row in range(count):
                if child_count[row] >= 2:
                    covered = covered_children(&child[first_child[row]], child_count[row], in_run, &name[0], sets,
                                               set_start, set_size)
                    out[row] = covered >= cover * child_count[row]
    finally:
        free(path)
        free(sets)
        free(set_start)
        free(set_size)
        free(first_child)
        free(child)
        free(child_count)
        free(in_run)
    return result


def build(const int32_t[::1] parent, const uint64_t[::1] name, const uint8_t[::1] skipped, const uint8_t[::1] closed,
          bint numbered):
    """The nodes of a page: all elements that are not inside a closed one.

    Returns rows, parents (as nodes), labels, and numbers among equal siblings, from 1. With ``numbered``, the number is
    part of the label only if there are several such siblings.
    """
    cdef Py_ssize_t count = parent.shape[0], row, node = 0, slot, capacity = 16, found
    while capacity < 2 * count:
        capacity *= 2
    rows, parents = np.empty(count, np.int32), np.empty(count, np.int32)
    labels, numbers = np.empty(count, np.uint64), np.empty(count, np.int32)
    cdef int32_t[::1] out_row = rows, out_parent = parents, out_number = numbers
    cdef uint64_t[::1] out_label = labels
    cdef int32_t* node_of = <int32_t*>malloc((count + 1) * sizeof(int32_t))
    # Number of siblings of a name so far: a hash table by parent and name.
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
    """For each range of blocks, a hash of its shown text without tags, digits and white space; 0 for no text.

    Blocks are hashed once; the hash of a range is a difference of prefix hashes. Digits are left out because dates and
    counters differ on every page.
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
    """For each node of a page, the node whose segment it is part of, or -1 for none.

    ``place`` is the row of each node in the tree, -1 if the tree does not have it; ``into`` and ``flow`` are columns of
    the tree. The segment of a flow is named by its first node.
    """
    cdef Py_ssize_t count = parent.shape[0], i, k
    cdef int32_t above
    cdef int64_t target
    result = np.full(count, -1, np.int32)
    cdef int32_t[::1] out = result
    # Marks the nodes of the page that text of the page was joined to.
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
                # A node is joined to one of its ancestors, so the walk up finds it.
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
