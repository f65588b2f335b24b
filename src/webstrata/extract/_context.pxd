# cython: language_level=3
"""What the second pass of the learned extractor sees."""

from webstrata.extract._outline cimport Outline

cdef bint fill_context(Outline page, const double* score, float* out, Py_ssize_t width) noexcept nogil
