# cython: language_level=3
"""Records: the cards, posts and rows of a list, as children of one candidate that are built alike."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, same_name
from webstrata._scan.tags cimport *
from webstrata.segmentation.learned.candidates cimport (
    MARK_FOOTER, MARK_HEADER, MARK_NAV, NONE, Candidate, Candidates,
)
from webstrata.segmentation.learned.cues cimport words

cdef enum:
    FEWEST = 3               # records that make a list
    FEWEST_WORDS = 5         # of a record, on average
    MOST_TIMES = 16          # the longest record is at most so much longer than the average
    MOST_LETTERS = 60        # of a class


cdef uint64_t _shape(Candidates self, Py_ssize_t i) noexcept nogil:
    """A hash of the tag of a candidate and of the first name of its class, up to a digit."""
    cdef int32_t row = self.row[i].top
    cdef Py_ssize_t at = self.source_start[row] + 1, stop = self.open_stop[row], size
    cdef const uint8_t* source = self.source
    cdef Attribute attribute
    cdef uint64_t found = <uint64_t>self.tag[row] + 1
    while at < stop and not is_space(source[at]) and source[at] != 47 and source[at] != 62:
        at += 1
    while 0 <= at < stop:
        at = next_attribute(source, at, stop, &attribute)
        size = attribute.name_stop - attribute.name_start
        if size == 0:
            break
        if size == 5 and same_name(source + attribute.name_start, b"class", 5):
            at = attribute.value_start
            stop = min(attribute.value_stop, at + MOST_LETTERS)
            while at < stop and is_space(source[at]):
                at += 1
            while at < stop and not is_space(source[at]) and not 48 <= source[at] <= 57:
                found = found * <uint64_t>1099511628211 + source[at]
                at += 1
            break
    return found


cdef inline bint _may_repeat(uint8_t tag) noexcept nogil:
    """Whether records have this tag."""
    return (tag == DIV or tag == LI or tag == ARTICLE or tag == SECTION or tag == TR or tag == TBODY or tag == TABLE
            or tag == DD or tag == DL or tag == A or tag == UL or tag == OTHER)


cdef int32_t mark_records(Candidates self, Py_ssize_t i, uint8_t* record) noexcept nogil:
    """Mark the children of a candidate that are records; returns their number.

    Records have one tag and one class and are most of the candidate. Most have several blocks, where the items of a
    menu have one, and a link or a heading, which the items of a list in a text lack. None is far longer than the
    others, as the parts of a page are.
    """
    cdef const Candidate* own = &self.row[i]
    cdef const Candidate* child
    cdef int32_t at = own.first_child, count = 0, all_words = 0, longest = 0, several = 0, leading = 0, size
    cdef uint64_t shape
    if own.children < FEWEST or (own.marks | own.marks_above) & (MARK_NAV | MARK_HEADER | MARK_FOOTER):
        return 0
    at = own.largest_child
    if at < 0 or not _may_repeat(self.tag[self.row[at].top]):
        return 0
    shape = _shape(self, at)
    at = own.first_child
    while at >= 0:
        child = &self.row[at]
        if self.tag[child.top] == self.tag[self.row[own.largest_child].top] and _shape(self, at) == shape:
            size = words(self, at)
            count += 1
            all_words += size
            longest = max(longest, size)
            several += self.texts[child.stop].blocks - self.texts[child.start].blocks > 1
            leading += (self.texts[child.stop].headings > self.texts[child.start].headings
                        or self.tags[child.end_row].links > self.tags[child.top].links)
        at = child.after
    if (count < FEWEST or all_words < FEWEST_WORDS * count or 2 * several < count
            or 2 * leading < count or <long long>longest * count > <long long>MOST_TIMES * all_words or 2 * all_words < words(self, i)):
        return 0
    at = own.first_child
    while at >= 0:
        child = &self.row[at]
        if self.tag[child.top] == self.tag[self.row[own.largest_child].top] and _shape(self, at) == shape:
            record[at] = True
        at = child.after
    return count
