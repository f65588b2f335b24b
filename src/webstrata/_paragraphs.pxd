# cython: language_level=3
"""What ends between two blocks: nothing, a line, an item, or a paragraph."""

from libc.stdint cimport uint8_t

# In the order of strength; `webstrata.paragraphs` names them too.
cdef enum:
    WITHIN = 0
    LINE = 1
    ITEM = 2
    PARAGRAPH = 3
