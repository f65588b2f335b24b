# cython: language_level=3
"""One row of the matrix of features, written from left to right, each value beside its name."""

# Beyond these, counts are not told apart.
cdef enum:
    MANY = 40
    MANY_PARAGRAPHS = 300
    MANY_WORDS = 2000

# Where the next value goes. While the columns are named, `names` is a list that takes the names; it is NULL otherwise.
cdef struct Row:
    float* at
    void* names
    const char* of           # what the names that follow are said of, such as "ancestor 2"; empty for the paragraph


cdef void name_column(Row* row, const char* name) noexcept with gil


cdef inline void put(Row* row, const char* name, double value) noexcept nogil:
    if row.names != NULL:
        name_column(row, name)
    row.at[0] = <float>value
    row.at += 1


cdef inline double share(double part, double whole) noexcept nogil:
    return part / whole if whole > 0 else 0
