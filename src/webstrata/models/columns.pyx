# cython: language_level=3
"""One row of the matrix of features, written from left to right, each value beside its name.

What fills a row is run once with a list in place of nobody: it then says the names of its columns, in their order. So a
name cannot stand at another place than its value.
"""


cdef void name_column(Row* row, const char* name) noexcept with gil:
    """Add a name to the list of the row."""
    said = (<bytes>name).decode()
    of = (<bytes>row.of).decode()
    (<list>row.names).append(f"{said} of {of}" if of else said)
