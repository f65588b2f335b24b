# cython: language_level=3
"""A buffer of characters that grows by doubling. The owner of a buffer frees its `text`."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_FromKindAndData, PyUnicode_KIND
from libc.stdint cimport uint8_t
from libc.stdlib cimport realloc
from libc.string cimport strlen


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
    self.text, self.capacity = <uint32_t*>text, capacity
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
    self.size += size
    return 0


cdef int put_ascii(Buffer* self, const char* text) except -1:
    cdef Py_ssize_t i, size = strlen(text)
    make_room(self, size)
    for i in range(size):
        self.text[self.size + i] = text[i]
    self.size += size
    return 0


cdef str pop_text(Buffer* self):
    """The text of the buffer, which is empty afterwards."""
    cdef Py_ssize_t size = self.size
    self.size = 0
    return PyUnicode_FromKindAndData(4, self.text, size) if size else ""
