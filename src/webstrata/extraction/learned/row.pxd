# cython: language_level=3
"""One row of a matrix of features, written from left to right."""

cdef struct Row:
    float* at


cdef inline void put(Row* row, double value) noexcept nogil:
    row.at[0] = <float>value
    row.at += 1


cdef inline double share(double part, double whole) noexcept nogil:
    return part / whole if whole > 0 else 0
