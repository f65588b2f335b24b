# cython: language_level=3
"""A table that the native pass has filled: it owns the memory and gives its columns as arrays."""

from cpython.buffer cimport PyBuffer_FillInfo
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

from webstrata._scan.rows cimport COLUMNS, ints, octets, shorts

import numpy as np

cdef enum:
    LARGE = 1 << 16              # bytes of a column from which unused memory is given back

# By the width of a column in bytes. Wider ones have several machine words a row.
_DTYPES = {1: np.dtype(np.uint8), 2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.uint64)}


cdef class _Column:
    """The memory of one column, read-only."""

    cdef Columns owner
    cdef void* data
    cdef Py_ssize_t size

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        PyBuffer_FillInfo(buffer, self, self.data, self.size, 1, flags)


cdef class Columns:
    """The columns of a table, by number."""

    def __dealloc__(self):
        cdef int i
        for i in range(COLUMNS):
            free(self.table.column[i])

    def __len__(self):
        return self.table.rows

    def array(self, int number):
        """A column as an array, which keeps the table alive."""
        cdef _Column column
        if not 0 <= number < COLUMNS or self.table.width[number] == 0:
            raise IndexError(f"there is no column {number}")
        column = _Column.__new__(_Column)
        column.owner = self
        column.data = self.table.column[number]
        column.size = self.table.rows * self.table.width[number]
        words = self.table.width[number] // 8
        found = np.frombuffer(column, _DTYPES[min(self.table.width[number], 8)])
        return found.reshape(self.table.rows, words) if words > 1 else found

    def at(self, int number, Py_ssize_t row):
        """One value of a column, faster than through an array."""
        if not (0 <= number < COLUMNS and 0 <= row < self.table.rows and 0 < self.table.width[number] <= 4):
            raise IndexError(f"there is no number in column {number} of row {row}")
        if self.table.width[number] == 4:
            return ints(&self.table, number)[row]
        return shorts(&self.table, number)[row] if self.table.width[number] == 2 else octets(&self.table, number)[row]

    def __reduce__(self):
        widths = [width for width in self.table.width if width]
        return restored, (widths, [self.array(number).tobytes() for number in range(len(widths))])


cdef Columns taken(Table* table):
    """The columns of a filled table; takes over the memory of the caller."""
    cdef Columns columns = Columns.__new__(Columns)
    cdef Py_ssize_t size
    cdef void* shrunk
    cdef int i
    columns.table = table[0]
    for i in range(COLUMNS):
        table.column[i] = NULL
        size = columns.table.rows * columns.table.width[i]
        if size >= LARGE:
            shrunk = realloc(columns.table.column[i], size)
            if shrunk != NULL:
                columns.table.column[i] = shrunk
    return columns


cdef Columns made(Py_ssize_t rows, int count):
    """Uninitialised columns of integers, for the caller to fill."""
    cdef Columns columns = Columns.__new__(Columns)
    cdef int i
    columns.table.rows = columns.table.capacity = rows
    for i in range(count):
        columns.table.width[i] = sizeof(int32_t)
        columns.table.column[i] = malloc(rows * sizeof(int32_t) + 1)
        if columns.table.column[i] == NULL:
            raise MemoryError
    return columns


def restored(list widths, list columns):
    """A table from its pickle."""
    cdef Columns result = Columns.__new__(Columns)
    cdef const uint8_t* data
    cdef int i
    for i in range(min(len(widths), COLUMNS)):
        size = len(columns[i])
        data = columns[i]
        result.table.width[i] = widths[i]
        result.table.rows = result.table.capacity = size // widths[i]
        result.table.column[i] = malloc(size + 1)
        if result.table.column[i] == NULL:
            raise MemoryError
        memcpy(result.table.column[i], data, size)
    return result
