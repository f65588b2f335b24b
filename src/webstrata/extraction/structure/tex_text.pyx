# cython: language_level=3
r"""Finds TeX in the text of a page: ``\(...\)``, ``\[...\]``, ``$...$`` and ``$$...$$``, for MathJax or KaTeX to show.

A dollar sign may also be money or the name of a variable. As in pandoc, there is no space after the first sign or
before the second one, and no digit after it; besides, there has to be something of TeX inside: a command, a brace, an
index, an operator after a letter.

TeX with a sign that would make a tag, a link, code, a footnote or a character reference is text like any other.
"""

from webstrata.extraction.structure.buffer cimport is_figure, is_space, is_word

cdef enum:
    LONGEST_INLINE = 400     # characters between single dollar signs


cdef inline bint _is_letter(uint32_t sign) noexcept nogil:
    return c"a" <= (sign | 0x20) <= c"z" and sign < 128


cdef Py_ssize_t _close_of_dollars(const uint32_t* text, Py_ssize_t start, Py_ssize_t size) noexcept nogil:
    """The next dollar sign without a backslash; `size` if there is none."""
    cdef Py_ssize_t at = start
    while at < size and text[at] != c"$":
        at += 2 if text[at] == c"\\" else 1
    return min(at, size)


cdef Py_ssize_t _close_of_bracket(const uint32_t* text, Py_ssize_t start, Py_ssize_t size, uint32_t bracket) noexcept nogil:
    """The next backslash with this bracket; `size` if there is none, or if another formula begins before."""
    cdef Py_ssize_t at = start
    while at + 1 < size:
        if text[at] != c"\\":
            at += 1
        elif text[at + 1] == bracket:
            return at
        elif text[at + 1] == c"(" or text[at + 1] == c"[":
            return size
        else:
            at += 2
    return size


cdef bint _is_safe(const uint32_t* text, Py_ssize_t start, Py_ssize_t stop, bint in_link) noexcept nogil:
    """Whether Markdown reads no tag, link, code, footnote, strike-through or character reference in TeX."""
    cdef Py_ssize_t at
    cdef uint32_t sign, following
    for at in range(start, stop):
        sign, following = text[at], text[at + 1] if at + 1 < stop else 0
        if sign == c"`" or (sign == c"~" and following == c"~"):
            return False
        if sign == c"]" and (following == c"(" or following == c"[" or following == c":"):
            return False
        if (sign == c"[" and following == c"^") or (sign == c"!" and following == c"["):
            return False
        if sign == c"&" and (_is_letter(following) or following == c"#"):
            return False
        if in_link and (sign == c"[" or sign == c"]"):
            return False
    return True


cdef bint _is_tex(const uint32_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether there is something of TeX between two dollar signs."""
    cdef Py_ssize_t at
    cdef uint32_t sign
    cdef bint has_letter = _is_letter(text[start]), is_single = stop == start + 1
    for at in range(start, stop):
        sign = text[at]
        if sign == c"^" or sign == c"{" or (sign == c"\\" and at + 1 < stop):
            return True
        if sign == c"_" and at > start and at + 1 < stop and not (at + 2 < stop and is_word(text[at + 2]) and is_word(text[at - 1])
                                                                and is_word(text[at + 1])):
            return True
        if has_letter and (sign == c"=" or sign == c"<" or sign == c">" or sign == c"*" or sign == c"+"):
            return True
    return is_single and has_letter


cdef Py_ssize_t end_of_tex(const uint32_t* text, Py_ssize_t start, Py_ssize_t size, bint in_link) noexcept nogil:
    """Where the TeX ends that begins at a backslash or a dollar sign; 0 if none begins there."""
    cdef Py_ssize_t close, first
    cdef uint32_t opening = text[start + 1] if start + 1 < size else 0
    cdef uint32_t before = text[start - 1] if start else 0
    if before == c"\\" or before == c"$":
        return 0
    if text[start] == c"\\":
        if opening != c"(" and opening != c"[":
            return 0
        first = start + 2
        close = _close_of_bracket(text, first, size, c")" if opening == c"(" else c"]")
        return close + 2 if close < size and close > first and _is_safe(text, first, close, in_link) else 0
    first = start + 2 if opening == c"$" else start + 1
    close = _close_of_dollars(text, first, size)
    if close >= size or close == first or not _is_safe(text, first, close, in_link):
        return 0
    if opening == c"$":
        return close + 2 if close + 1 < size and text[close + 1] == c"$" else 0
    if (is_word(before) or is_space(text[first]) or is_space(text[close - 1]) or close - first > LONGEST_INLINE
            or (close + 1 < size and (is_word(text[close + 1]) or text[close + 1] == c"$"))):
        return 0
    return close + 1 if _is_tex(text, first, close) else 0
