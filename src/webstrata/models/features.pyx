# cython: language_level=3
"""A row of the matrix of features, written from left to right, each value beside its name.

The code that fills a row also names its columns: it is run once with a list that collects the names. So a name cannot
be out of step with its value.
"""


cdef void add_name(FeatureRow* row, const char* name) noexcept with gil:
    """Add the name of the next column to the list of the row."""
    column = (<bytes>name).decode()
    of = (<bytes>row.of).decode()
    (<list>row.names).append(f"{column} of {of}" if of else column)
