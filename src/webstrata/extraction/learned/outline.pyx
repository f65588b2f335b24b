# cython: language_level=3
"""Paragraphs of a page, and what their ancestors are: the columns that both passes of the learned extractor read.

`webstrata.extraction.learned.build_outline` makes an outline; here it says what it holds.
"""

from cpython.buffer cimport PyBUF_C_CONTIGUOUS, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from webstrata._scan.tags cimport B, EM, I, STRONG
from webstrata.extraction.learned.paragraph cimport Paragraph

import numpy as np

from webstrata._scan.tags import TAGS

# The features point at these names, so they are kept.
_ENCLOSING_NAMES = """
main article section nav aside footer header form figure figcaption table td pre code blockquote ul ol li dl p button
label details dialog noscript a strong em h2 h3
""".encode().split()


def _fill():
    cdef bytes name
    if len(_ENCLOSING_NAMES) != ENCLOSING_TAGS:
        raise ImportError("webstrata: ENCLOSING_TAGS is not the number of the tags that are listed")
    for place, name in enumerate(_ENCLOSING_NAMES):
        ENCLOSING[place].name = name
        ENCLOSING[place].tag = TAGS.index(name.decode())
        ENCLOSING_BIT[ENCLOSING[place].tag] = <uint64_t>1 << place
    ENCLOSING_BIT[B], ENCLOSING_BIT[I] = ENCLOSING_BIT[STRONG], ENCLOSING_BIT[EM]


_fill()

cdef _spread(Outline outline, column):
    """A column over the paragraphs as one over the blocks. NumPy would give the lock away, which takes longer."""
    cdef Py_ssize_t i, block, first, end, size
    cdef Py_ssize_t blocks = outline.paragraph[outline.count - 1].end_block if outline.count else 0
    cdef Py_buffer view
    cdef const char* item
    cdef char* out
    cdef bytes room
    PyObject_GetBuffer(column, &view, PyBUF_C_CONTIGUOUS)
    try:
        size, item = view.itemsize, <const char*>view.buf
        if view.len != outline.count * size:
            raise ValueError("there is one value a paragraph")
        room = PyBytes_FromStringAndSize(NULL, blocks * size)
        out = room
        for i in range(outline.count):
            first, end = outline.paragraph[i].first_block, outline.paragraph[i].end_block
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
    return np.frombuffer(room, column.dtype)


cdef class Outline:
    """The paragraphs of a page with their surroundings, held in C."""

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
            raise ValueError("there is one decision a paragraph")
        return np.ascontiguousarray(keep, bool).view(np.uint8)

    def words(self, keep):
        """How many words the kept paragraphs have together."""
        cdef const uint8_t[::1] kept = self._fitting(keep)
        cdef Py_ssize_t i, total = 0
        for i in range(self.count):
            if kept[i]:
                total += self.paragraph[i].words
        return total

    def spread(self, *columns):
        """Columns over the paragraphs as columns over the blocks: each block has what its paragraph has."""
        return [_spread(self, column) for column in columns]

    def hashes(self):
        """For learning: (row starts, hashes) of the words of each paragraph, and the words of the page.

        The words of a paragraph are those of the elements above it, its own first words, and those of the heading above.
        """
        cdef Py_ssize_t i, k, count = 0
        cdef int32_t element, heading = -1
        cdef Paragraph* paragraph
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
