# cython: language_level=3
"""Parts of a page: ranges of blocks with their kinds."""

from libc.stdint cimport int32_t

# The kinds, by their numbers in `webstrata.segmentation.learned.model.ALL_KINDS`; UNKNOWN is none of them.
cdef enum Kind:
    UNKNOWN = -1
    K_HEADER, K_FOOTER, K_CONTENT, K_SIDEBAR, K_LOGO, K_MENU, K_TITLE, K_LINKLIST, K_TABLE, K_COMMENTS, K_AD, K_IMAGE
    K_VIDEO, K_ARTICLE, K_SEARCHBAR, K_ITEM, K_FORM, K_OVERLAY

cdef struct Part:
    int32_t start
    int32_t stop
    int32_t of               # the candidate with this text; NONE for a run of siblings
    int32_t up               # the candidate around a run
    int32_t level
    int32_t kind
    float chance             # that it is of this kind
