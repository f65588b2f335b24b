# cython: language_level=3
"""A growing buffer of characters."""

from libc.stdint cimport int32_t, uint32_t

cdef extern from "Python.h":
    bint is_space "Py_UNICODE_ISSPACE"(uint32_t) noexcept nogil
    bint is_word "Py_UNICODE_ISALNUM"(uint32_t) noexcept nogil      # a letter or a figure
    bint is_figure "Py_UNICODE_ISDECIMAL"(uint32_t) noexcept nogil
    # The character at an index of a text, by its kind and its data.
    uint32_t character_at "PyUnicode_READ"(int kind, const void* data, Py_ssize_t place) noexcept nogil

cdef struct Buffer:
    uint32_t* text
    Py_ssize_t size
    Py_ssize_t capacity
    # Where each character comes from, if this is traced: 0 for markup, else as `put` says.
    int32_t* origin
    bint traced
    int32_t now              # the origin of the characters that are put next

cdef int make_room(Buffer* self, Py_ssize_t size) except -1
cdef int trace_last(Buffer* self) noexcept
cdef int put_all(Buffer* self, str text) except -1
cdef int put_ascii(Buffer* self, const char* text) except -1
cdef str pop_text(Buffer* self)
cdef object pop_origins(Buffer* self)
cdef int put_range(Buffer* self, const Buffer* other, Py_ssize_t start, Py_ssize_t stop, bint in_table) except -1
cdef void release(Buffer* self) noexcept

cdef inline int put(Buffer* self, uint32_t character) except -1:
    if self.size == self.capacity:
        make_room(self, 1)
    self.text[self.size] = character
    self.size += 1
    return trace_last(self) if self.traced else 0
