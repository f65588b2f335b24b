# cython: language_level=3
"""The marks of tags, and the tags of marks."""

from webstrata._scan.tags cimport (
    B, CITE, CODE, DEL, DFN, EM, I, KBD, MARK, S, SAMP, STRIKE, STRONG, SUB, SUP, TT, VAR,
)
from webstrata.extraction.structure.buffer cimport put_ascii

cdef enum:
    KINDS = 7

# The marks from the outermost to the innermost, with their tags.
cdef int32_t[KINDS] _MARKS = [
    STRONG_MARK, EMPHASIS_MARK, DELETED_MARK, HIGHLIGHT_MARK, SUBSCRIPT_MARK, SUPERSCRIPT_MARK, CODE_MARK,
]
cdef const char* _NAMES[KINDS]
_NAMES[:] = [b"strong>", b"em>", b"del>", b"mark>", b"sub>", b"sup>", b"code>"]


cdef uint16_t mark_of(uint8_t tag) noexcept nogil:
    """The mark that a tag gives its text; 0 for most tags."""
    if tag == B or tag == STRONG:
        return STRONG_MARK
    if tag == EM or tag == I or tag == CITE or tag == DFN or tag == VAR:
        return EMPHASIS_MARK
    if tag == CODE or tag == TT or tag == SAMP or tag == KBD:
        return CODE_MARK
    if tag == DEL or tag == S or tag == STRIKE:
        return DELETED_MARK
    if tag == SUB:
        return SUBSCRIPT_MARK
    if tag == SUP:
        return SUPERSCRIPT_MARK
    if tag == MARK:
        return HIGHLIGHT_MARK
    return 0


cdef int put_tags(Buffer* out, int32_t marks, bint closing) except -1:
    """Write the start tags of marks, or their end tags from the innermost outwards."""
    cdef int i, kind
    for i in range(KINDS):
        kind = KINDS - 1 - i if closing else i
        if marks & _MARKS[kind]:
            if closing:
                put_ascii(out, b"</")
            else:
                put_ascii(out, b"<")
            put_ascii(out, _NAMES[kind])
    return 0
