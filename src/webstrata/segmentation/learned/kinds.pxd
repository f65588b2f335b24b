# cython: language_level=3
"""The kinds of segments as numbers."""

# The kinds, by their numbers in `webstrata.segmentation.learned.model.ALL_KINDS`; UNKNOWN is none of them.
cdef enum Kind:
    UNKNOWN = -1
    K_HEADER, K_FOOTER, K_CONTENT, K_SIDEBAR, K_LOGO, K_MENU, K_TITLE, K_LINKLIST, K_TABLE, K_COMMENTS, K_AD, K_IMAGE
    K_VIDEO, K_ARTICLE, K_SEARCHBAR, K_ITEM, K_FORM, K_OVERLAY, KIND_COUNT
