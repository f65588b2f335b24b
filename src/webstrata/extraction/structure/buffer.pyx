# cython: language_level=3
"""A buffer of characters that grows by doubling. The owner of a buffer releases it.

A traced buffer knows where each of its characters comes from: ``p + 1`` for the character `p` of the text of the page,
``-(row + 1)`` for an element, 0 for markup.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, strlen

import numpy as np


cdef int make_room(Buffer* self, Py_ssize_t size) except -1:
    """Reserve memory for more characters."""
    cdef Py_ssize_t capacity
    cdef void* text
    if self.size + size <= self.capacity:
        return 0
    capacity = max(2 * self.capacity, self.size + size, 256)
    text = realloc(self.text, capacity * sizeof(uint32_t))
    if text == NULL:
        raise MemoryError
    self.text = <uint32_t*>text
    if self.traced:
        text = realloc(self.origin, capacity * sizeof(int32_t))
        if text == NULL:
            raise MemoryError
        self.origin = <int32_t*>text
    self.capacity = capacity
    return 0


cdef void release(Buffer* self) noexcept:
    free(self.text)
    free(self.origin)


cdef inline void _trace(Buffer* self, Py_ssize_t size) noexcept nogil:
    """Note the origin of characters that are put."""
    cdef Py_ssize_t i
    if self.traced:
        for i in range(self.size, self.size + size):
            self.origin[i] = self.now


cdef int trace_last(Buffer* self) noexcept:
    """Note the origin of the last character."""
    self.origin[self.size - 1] = self.now
    return 0


cdef int put_all(Buffer* self, str text) except -1:
    cdef Py_ssize_t i, size = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t* out
    make_room(self, size)
    out = self.text + self.size
    if kind == 1:  # most text is Latin-1: the compiler vectorises this loop
        for i in range(size):
            out[i] = (<const uint8_t*>data)[i]
    else:
        for i in range(size):
            out[i] = character_at(kind, data, i)
    _trace(self, size)
    self.size += size
    return 0


cdef int put_ascii(Buffer* self, const char* text) except -1:
    cdef Py_ssize_t i, size = strlen(text)
    make_room(self, size)
    for i in range(size):
        self.text[self.size + i] = text[i]
    _trace(self, size)
    self.size += size
    return 0


cdef int put_range(Buffer* self, const Buffer* other, Py_ssize_t start, Py_ssize_t stop, bint in_table) except -1:
    """Put a range of another buffer, with its origins; in a table, a bar gets a backslash."""
    cdef Py_ssize_t i
    for i in range(start, stop):
        if self.traced:
            self.now = other.origin[i]
        if in_table and other.text[i] == c"|":
            put(self, c"\\")
        put(self, other.text[i])
    self.now = 0
    return 0


cdef object pop_origins(Buffer* self):
    """The origins of the characters; to be called before `pop_text`."""
    found = np.zeros(self.size, np.int32)
    cdef int32_t[::1] out = found
    if self.size and self.traced:
        memcpy(&out[0], self.origin, self.size * sizeof(int32_t))
    return found


cdef str pop_text(Buffer* self):
    """The text of the buffer, which is empty afterwards."""
    cdef Py_ssize_t size = self.size
    self.size = 0
    return PyUnicode_FromKindAndData(4, self.text, size) if size else ""
