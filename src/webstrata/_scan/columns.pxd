# cython: language_level=3
"""A table that the native pass has filled, for Python and for other native code.

Native code reads a column as `ints(&columns.table, E_PARENT)`, by the numbers in `rows`.
"""

from webstrata._scan.rows cimport Table

cdef class Columns:
    cdef Table table

cdef Columns taken(Table* table)
cdef Columns made(Py_ssize_t rows, int count)
