# cython: language_level=3
"""A row of the matrix of features, written from left to right, each value beside its name."""

# Larger counts are cut off here.
cdef enum:
    MANY = 40
    MANY_PARAGRAPHS = 300
    MANY_WORDS = 2000

cdef struct FeatureRow:
    float* at                # the place of the next value
    void* names              # a list that collects the names of the columns; NULL when only values are written
    const char* of           # ends the names of the next columns, such as "ancestor 2"; empty for the paragraph itself


cdef void add_name(FeatureRow* row, const char* name) noexcept with gil


cdef inline void put(FeatureRow* row, const char* name, double value) noexcept nogil:
    if row.names != NULL:
        add_name(row, name)
    row.at[0] = <float>value
    row.at += 1


cdef inline double share(double part, double whole) noexcept nogil:
    return part / whole if whole > 0 else 0
