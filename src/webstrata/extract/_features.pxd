# cython: language_level=3
"""What the first pass of the learned extractor sees of each paragraph."""

from webstrata.extract._outline cimport Outline

cdef void fill_features(Outline page, float* out, Py_ssize_t width) noexcept nogil
