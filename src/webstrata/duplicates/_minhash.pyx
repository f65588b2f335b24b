# cython: language_level=3
"""Hashes of shingles, their min-hashes, and the union-find of similar pages; see `webstrata.duplicates.signatures`.

A shingle is a run of words, as in `webstrata.text.shingles`. The hash of a run is a polynomial of the hashes of its
words, so that the hash of the next run takes constant time.
"""

from cpython.bytearray cimport PyByteArray_Resize
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t

from webstrata._scan.words cimport LETTER, UNSPACED, columns_of, ends_word, kind_of
from webstrata.errors import InputError

cdef enum:
    INITIAL_WORDS = 256      # initial size of the buffer of a text

cdef uint64_t FNV_START = 0xCBF29CE484222325
cdef uint64_t FNV_PRIME = 0x100000001B3
# 2^64 divided by the golden ratio: odd, and its bits have no pattern.
cdef uint64_t BASE = 0x9E3779B97F4A7C15


cdef inline uint64_t _mixed(uint64_t x) noexcept nogil:
    """The finalizer of SplitMix64: every bit of the input affects every bit of the output."""
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


def word_hashes(str text):
    """The hash of each word of a text, as a buffer of uint64; the words are those of `webstrata.text.words`."""
    cdef Py_ssize_t at, length = len(text), count = 0, capacity = INITIAL_WORDS
    cdef bytearray found = bytearray(8 * capacity)
    cdef uint64_t* out = <uint64_t*><char*>found
    cdef uint64_t running = 0, last = 0
    cdef int kind, columns = 0
    cdef bint unspaced = False, is_word = False
    cdef Py_UCS4 c
    for at in range(length + 1):
        c = text[at] if at < length else 32
        kind = kind_of(c)
        if ends_word(kind, unspaced, columns):
            if is_word:
                if count == capacity:
                    capacity *= 2
                    PyByteArray_Resize(found, 8 * capacity)
                    out = <uint64_t*><char*>found
                out[count] = _mixed(last)
                count += 1
            is_word = False
            columns = 0
            unspaced = kind == UNSPACED
        columns += columns_of(c)
        if kind == LETTER or kind == UNSPACED:
            if not is_word:
                running = FNV_START
                is_word = True
            running = (running ^ <uint32_t>c) * FNV_PRIME
            last = running
        elif is_word:
            # A mark inside a word belongs to it, one after its last letter does not.
            running = (running ^ <uint32_t>c) * FNV_PRIME
    return memoryview(found)[:8 * count].cast("Q")


def shingle_hashes(const uint64_t[::1] words, Py_ssize_t length):
    """The hash of each run of ``length`` words; of all words if there are fewer; none without a word."""
    cdef Py_ssize_t n = words.shape[0], i, count
    cdef uint64_t value = 0, power = 1
    if n == 0:
        return memoryview(bytearray(0)).cast("Q")
    length = min(length, n)
    count = n - length + 1
    found = bytearray(8 * count)
    cdef uint64_t* out = <uint64_t*><char*>found
    with nogil:
        for i in range(length):
            value = value * BASE + words[i]
            power *= BASE
        out[0] = _mixed(value)
        for i in range(1, count):
            value = value * BASE + words[i + length - 1] - words[i - 1] * power
            out[i] = _mixed(value)
    return memoryview(found).cast("Q")


def min_hashes(const uint64_t[::1] values, const uint64_t[::1] factors, const uint64_t[::1] terms, uint32_t[::1] out):
    """For each factor and term, the minimum over all values of the upper half of ``factor * value + term``."""
    cdef Py_ssize_t i, j, n = values.shape[0], count = factors.shape[0]
    cdef uint32_t hashed
    cdef uint32_t* least
    if not (terms.shape[0] == count and out.shape[0] == count):
        raise InputError("factors, terms and out must be equally long")
    if not count:
        return
    least = &out[0]
    with nogil:
        for j in range(count):
            least[j] = <uint32_t>0xFFFFFFFF
        for i in range(n):
            for j in range(count):
                hashed = <uint32_t>((factors[j] * values[i] + terms[j]) >> 32)
                least[j] = min(least[j], hashed)


cdef inline int64_t _root(int64_t* parent, int64_t page) noexcept nogil:
    """The root of a page's cluster (union-find with path halving)."""
    while parent[page] != page:
        parent[page] = parent[parent[page]]
        page = parent[page]
    return page


cdef inline bint _join(int64_t* parent, int64_t a, int64_t b) noexcept nogil:
    """Join two clusters under their smallest number; whether they were two."""
    a, b = _root(parent, a), _root(parent, b)
    if a == b:
        return False
    if a > b:
        a, b = b, a
    parent[b] = a
    return True


def join(int64_t[::1] parent, const int64_t[::1] a, const int64_t[::1] b):
    """Join pages along edges, in place: afterwards ``parent`` is the smallest number of each page's cluster."""
    cdef Py_ssize_t i, n = parent.shape[0]
    if a.shape[0] != b.shape[0]:
        raise InputError("a and b must be equally long")
    for i in range(a.shape[0]):
        if not (0 <= a[i] < n and 0 <= b[i] < n):
            raise IndexError(f"the edge {a[i]}, {b[i]} is outside of {n} pages")
    if n == 0:
        return
    with nogil:
        for i in range(a.shape[0]):
            _join(&parent[0], a[i], b[i])
        for i in range(n):
            parent[i] = _root(&parent[0], i)


cdef inline Py_ssize_t _same(const uint16_t* a, const uint16_t* b, Py_ssize_t width) noexcept nogil:
    """Number of values in which two signatures agree."""
    cdef Py_ssize_t k, same = 0
    for k in range(width):
        same += a[k] == b[k]
    return same


def spanning_pairs(const int64_t[::1] band, const uint16_t[:, ::1] signatures, Py_ssize_t needed, Py_ssize_t window,
                   int64_t[:, ::1] out):
    """Pairs of rows of one band that agree in at least ``needed`` values, just enough to connect each cluster.

    Rows of a band are adjacent. A row that equals the one before joins it; each of the others is compared with the next
    ``window`` others. Returns the number of pairs written to ``out``, which must have as many rows as ``signatures``.
    """
    cdef Py_ssize_t n = signatures.shape[0], width = signatures.shape[1], start, stop, i, j, heads, count = 0
    cdef bytearray parent_buffer = bytearray(8 * n), head_buffer = bytearray(8 * n)
    cdef int64_t* parent = <int64_t*><char*>parent_buffer
    cdef int64_t* head = <int64_t*><char*>head_buffer
    if not (band.shape[0] == n and out.shape[0] >= n and out.shape[1] == 2):
        raise InputError("band, signatures and out must have equally many rows")
    if n == 0 or width == 0:
        return 0
    with nogil:
        for i in range(n):
            parent[i] = i
        start = 0
        while start < n:
            stop = start
            heads = 0
            while stop < n and band[stop] == band[start]:
                if heads and _same(&signatures[head[heads - 1], 0], &signatures[stop, 0], width) == width:
                    _join(parent, head[heads - 1], stop)
                    out[count, 0], out[count, 1] = head[heads - 1], stop
                    count += 1
                else:
                    head[heads] = stop
                    heads += 1
                stop += 1
            for i in range(heads):
                for j in range(i + 1, min(heads, i + 1 + window)):
                    if (_same(&signatures[head[i], 0], &signatures[head[j], 0], width) >= needed
                            and _join(parent, head[i], head[j])):
                        out[count, 0], out[count, 1] = head[i], head[j]
                        count += 1
            start = stop
    return count
