# cython: language_level=3
"""TeX in the text of a page."""

from libc.stdint cimport uint32_t

cdef Py_ssize_t end_of_tex(const uint32_t* text, Py_ssize_t start, Py_ssize_t size, bint in_link) noexcept nogil
