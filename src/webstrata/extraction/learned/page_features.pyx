# cython: language_level=3
"""The features of a page: its paragraphs, the elements around them, and groups of those that look alike.

`webstrata.extraction.learned.reading` fills them.
"""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from webstrata._scan.tags cimport B, EM, I, STRONG
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures

import numpy as np

from webstrata.errors import InputError
from webstrata._scan.tags import TAGS

# Kept alive, since the features point to these names.
_ENCLOSING_NAMES = """
main article section nav aside footer header form figure figcaption table td pre code blockquote ul ol li dl p button
label details dialog noscript a strong em h2 h3
""".encode().split()


def _fill():
    cdef bytes name
    if len(_ENCLOSING_NAMES) != ENCLOSING_TAGS:
        raise ImportError("webstrata: ENCLOSING_TAGS is not the number of the tags in the list")
    for place, name in enumerate(_ENCLOSING_NAMES):
        ENCLOSING[place].name = name
        ENCLOSING[place].tag = TAGS.index(name.decode())
        ENCLOSING_BIT[ENCLOSING[place].tag] = <uint64_t>1 << place
    ENCLOSING_BIT[B], ENCLOSING_BIT[I] = ENCLOSING_BIT[STRONG], ENCLOSING_BIT[EM]


_fill()


cdef bint allocate_lookalikes(LookalikeTable* alike, Py_ssize_t most) noexcept nogil:
    """Allocate a table for at most this many groups; False when memory ran out."""
    cdef Py_ssize_t size = 1
    while size < 2 * most:
        size *= 2
    alike.count = 0
    alike.mask = <uint32_t>(size - 1)
    alike.slot = <int32_t*>calloc(size, sizeof(int32_t))
    alike.row = <Lookalikes*>malloc(max(most, 1) * sizeof(Lookalikes))
    return alike.slot != NULL and alike.row != NULL


cdef int32_t add_lookalike(LookalikeTable* alike, uint64_t key, int32_t words, int32_t link_words,
                           int32_t number) noexcept nogil:
    """Add a member to the group of this key; returns the group."""
    cdef uint32_t place = <uint32_t>(key >> 32 ^ key) & alike.mask
    cdef Lookalikes* group
    while alike.slot[place] and alike.row[alike.slot[place] - 1].key != key:
        place = (place + 1) & alike.mask
    if not alike.slot[place]:
        alike.slot[place] = <int32_t>alike.count + 1
        group = &alike.row[alike.count]
        memset(group, 0, sizeof(Lookalikes))
        group.key = key
        group.first = number
        alike.count += 1
    group = &alike.row[alike.slot[place] - 1]
    group.count += 1
    group.words += words
    group.link_words += link_words
    group.last = number
    group.squares += <double>words * words
    return alike.slot[place] - 1


cdef int32_t common_ancestor(PageFeatures page, int32_t a, int32_t b) noexcept nogil:
    """The nearest common ancestor of two elements; both are below the root."""
    while a != b:
        if a > b:
            a = page.parent[a]
        else:
            b = page.parent[b]
    return a


cdef _spread(PageFeatures page, column):
    """A column over the paragraphs as one over the blocks. Faster than numpy.repeat, which releases the GIL."""
    cdef Py_ssize_t i, block, first, end, size
    cdef Py_ssize_t blocks = page.paragraph[page.count - 1].end_block if page.count else 0
    cdef Py_buffer view
    cdef const char* item
    cdef char* out
    cdef bytes buffer
    PyObject_GetBuffer(column, &view, PyBUF_C_CONTIGUOUS)
    try:
        size, item = view.itemsize, <const char*>view.buf
        if view.len != page.count * size:
            raise InputError("each paragraph needs one value")
        buffer = PyBytes_FromStringAndSize(NULL, blocks * size)
        out = buffer
        for i in range(page.count):
            first, end = page.paragraph[i].first_block, page.paragraph[i].end_block
            if size == 1:
                memset(out + first, item[i], end - first)
            elif size == sizeof(double):
                for block in range(first, end):
                    (<double*>out)[block] = (<const double*>item)[i]
            else:
                for block in range(first, end):
                    memcpy(out + block * size, item + i * size, size)
    finally:
        PyBuffer_Release(&view)
    return np.frombuffer(buffer, column.dtype)


cdef class PageFeatures:
    """The paragraphs of a page with their surroundings, in C arrays."""

    def __dealloc__(self):
        free(self.paragraph)
        free(self.node)
        free(self.sums)
        free(self.images)
        free(self.controls)
        free(self.alike.row)
        free(self.alike.slot)
        free(self.text_words.hash)
        free(self.name_words.hash)
        free(self.page_words.hash)

    def __len__(self):
        return self.count

    @property
    def first_block(self):
        """The first block of each paragraph; a paragraph ends where the next one begins."""
        result = np.empty(self.count, np.int32)
        cdef int32_t[::1] out = result
        cdef Py_ssize_t i
        for i in range(self.count):
            out[i] = self.paragraph[i].first_block
        return result

    def _fitting(self, keep):
        if len(keep) != self.count:
            raise InputError("each paragraph needs one decision")
        return np.ascontiguousarray(keep, bool).view(np.uint8)

    def words(self, keep):
        """The number of words of the kept paragraphs."""
        cdef const uint8_t[::1] kept = self._fitting(keep)
        cdef Py_ssize_t i, total = 0
        for i in range(self.count):
            if kept[i]:
                total += self.paragraph[i].words
        return total

    def spread(self, *columns):
        """Columns over the paragraphs as columns over the blocks: each block gets the value of its paragraph."""
        return [_spread(self, column) for column in columns]

    def hashes(self):
        """For training: the words of all paragraphs as (row starts, hashes), and the words of the page.

        The words of a paragraph are those in the names of the elements above it, its own first words, and those of the
        heading above.
        """
        cdef Py_ssize_t i, k, count = 0
        cdef int32_t element, heading = -1
        cdef ParagraphFeatures* paragraph
        starts = np.zeros(self.count + 1, np.int64)
        cdef int64_t[::1] start = starts
        for i in range(self.count):
            paragraph = &self.paragraph[i]
            element = paragraph.element
            while element >= 0:
                count += self.node[element].end_word - self.node[element].first_word
                element = self.parent[element]
            count += paragraph.end_word - paragraph.first_word
            if heading >= 0 and not paragraph.heading:
                count += self.paragraph[heading].end_word - self.paragraph[heading].first_word
            if paragraph.heading:
                heading = <int32_t>i
            start[i + 1] = count
        hashes = np.empty(count, np.uint32)
        cdef uint32_t[::1] out = hashes
        count = 0
        heading = -1
        for i in range(self.count):
            paragraph = &self.paragraph[i]
            element = paragraph.element
            while element >= 0:
                for k in range(self.node[element].first_word, self.node[element].end_word):
                    out[count] = self.name_words.hash[k]
                    count += 1
                element = self.parent[element]
            for k in range(paragraph.first_word, paragraph.end_word):
                out[count] = self.text_words.hash[k]
                count += 1
            if heading >= 0 and not paragraph.heading:
                for k in range(self.paragraph[heading].first_word, self.paragraph[heading].end_word):
                    out[count] = self.text_words.hash[k] ^ HEADING_SALT
                    count += 1
            if paragraph.heading:
                heading = <int32_t>i
        page = np.array([self.page_words.hash[k] for k in range(self.page_words.count)], np.uint32)
        return starts, hashes, page
