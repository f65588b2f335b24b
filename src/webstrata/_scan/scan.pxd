# cython: language_level=3
"""The part of the tokenizer that reads attributes elsewhere."""

from libc.stdint cimport uint8_t

from webstrata._scan.tokenizer cimport Attribute

cdef Py_ssize_t next_attribute(const uint8_t* source, Py_ssize_t position, Py_ssize_t length,
                               Attribute* attribute) noexcept nogil
