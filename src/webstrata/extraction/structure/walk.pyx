# cython: language_level=3
"""The walk over the structure of the content: callbacks for elements and paragraphs, in document order.

The callbacks are well formed whatever the page was: an item is in a list, a cell in a row, a row in a table.
"""

from libc.stdlib cimport free, realloc

from webstrata._scan.tags cimport CAPTION, DD, DL, DT, LI, OTHER, TABLE, TD, TR
from webstrata.extraction.structure.containers cimport THE_PAGE
from webstrata.extraction.structure.kinds cimport is_cell, is_heading, is_list, is_preformatted
from webstrata.extraction.structure.content cimport NOTHING, OPENS, RULES


cdef uint8_t _between(uint8_t parent, uint8_t tag) noexcept nogil:
    """The element to add between a parent and a child, or OTHER if none is needed; text has the tag OTHER."""
    if is_list(parent):
        return OTHER if tag == LI else LI
    if parent == DL:
        return OTHER if tag == DT or tag == DD else DD
    if parent == TABLE:
        return OTHER if tag == TR or tag == CAPTION else TR
    if parent == TR:
        return OTHER if is_cell(tag) else TD
    return OTHER


cdef class StructureWriter:
    """Walks over the kept blocks of a page. A subclass for each format implements the callbacks ``on_...``."""

    def __cinit__(self, page, keep, roles, bint images, bint links, bint in_notes):
        self.page = page
        self.content = ContentStructure(page, keep, images=images, roles=roles, in_notes=in_notes)
        self.reader = TagReader(page, {**self.content.formulas, **roles.footnotes.references}, roles.embeds)
        self.paragraph = ParagraphPieces(self.content, self.reader, links)

    def __dealloc__(self):
        free(self.opened)

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        """The start of an element; its row is LEFT_OUT if the page left it out."""
        return 0

    cdef int on_close(self, uint8_t tag, int32_t row) except -1:
        """The end of an element."""
        return 0

    cdef int on_run(self) except -1:
        """A paragraph or a part of one: the raw pieces of `paragraph`."""
        return 0

    cdef int on_code(self, int32_t row, str code, list ranges) except -1:
        """The text of a ``pre``, and the ranges of the text of the page that it consists of; None if it has another."""
        return 0

    cdef int on_rule(self) except -1:
        """A line across the page."""
        return 0

    cdef int on_note(self, str label) except -1:
        """The start of a footnote; the one before ends."""
        return 0

    cdef int walk(self) except -1:
        cdef ContentStructure content = self.content
        cdef Py_ssize_t run, point = 0
        cdef int32_t note = 0
        for run in range(content.run_count):
            if content.runs[run].note != note:
                note = content.runs[run].note
                point = self._begin_note(&content.runs[run], point)
            point = self._points_before(content.kept_rows[content.runs[run].first], point, content.element_count)
            self._write_run(run)
        if content.run_count:
            self._points_before(content.block_count, point, content.element_count)
        return self._close_to(THE_PAGE)

    cdef Py_ssize_t _begin_note(self, const ParagraphRun* run, Py_ssize_t point) except -1:
        """Begin the footnote of a paragraph, after everything of the footnote before."""
        cdef ContentStructure content = self.content
        cdef Py_ssize_t row = content.note_rows[run.note - 1]
        point = self._points_before(content.kept_rows[run.first], point, row + 1)
        self._close_to(THE_PAGE)
        self.on_note(content.roles.footnotes.notes[run.note - 1].label)
        return point

    cdef Py_ssize_t _points_before(self, Py_ssize_t block, Py_ssize_t row, Py_ssize_t end) except -1:
        """Visit the elements from a row up to a block or to another row. Returns the next row."""
        cdef ContentStructure content = self.content
        while row < end:
            if content.places[row].point != NOTHING:
                if content.first_block[row] > block:
                    break
                self._point(row)
            row += 1
        return row

    cdef int _point(self, Py_ssize_t row) except -1:
        """Open a container, or write an image or a rule outside of paragraphs."""
        cdef ContentStructure content = self.content
        cdef int32_t container
        if content.places[row].point == OPENS:
            container = content.places[row].container
            self._make_ready(content.containers[container].parent, content.tag[row])
            self._push(container, content.tag[row])
            return 0
        self._make_ready(content.container_of(content.parent[row]), OTHER)
        if content.places[row].point == RULES:
            return self.on_rule()
        self.paragraph.read_image(<int32_t>row)
        return self.on_run()

    cdef int _write_run(self, Py_ssize_t number) except -1:
        cdef ContentStructure content = self.content
        cdef int32_t container = content.runs[number].container
        cdef uint8_t tag = content.tag_of(container)
        self._make_ready(container, OTHER)
        if is_preformatted(tag):
            text, ranges = content.roles.code.get(self._row(container)), None
            if text is None or not content.is_whole(self._row(container)):
                ranges = self.paragraph.code_ranges(&content.runs[number])
                text = "".join([content.text[start:stop] for start, stop in ranges])
            return self.on_code(self._row(container), text, ranges)
        self.paragraph.read(&content.runs[number])
        if is_heading(tag) or tag == DT:
            self.paragraph.drop_permalinks()
        return self.on_run()

    # The open containers

    cdef int32_t _row(self, int32_t container) noexcept nogil:
        return self.content.containers[container].row if container >= 0 else LEFT_OUT

    cdef int _push(self, int32_t container, uint8_t tag) except -1:
        cdef void* opened
        if self.depth == self.capacity:
            opened = realloc(self.opened, (2 * self.capacity + 16) * sizeof(OpenContainer))
            if opened == NULL:
                raise MemoryError
            self.opened, self.capacity = <OpenContainer*>opened, 2 * self.capacity + 16
        self.opened[self.depth] = OpenContainer(container, tag)
        self.depth += 1
        return self.on_open(tag, self._row(container))

    cdef int _close_to(self, int32_t container) except -1:
        """Close the open elements inside a container."""
        cdef OpenContainer closed
        while self.depth and self.opened[self.depth - 1].container != container:
            self.depth -= 1
            closed = self.opened[self.depth]
            self.on_close(closed.tag, self._row(closed.container))
        return 0

    cdef int _make_ready(self, int32_t container, uint8_t tag) except -1:
        """Close the elements that do not contain the next one, and open those that the page left out around it."""
        cdef uint8_t lacking
        self._close_to(container)
        while self.depth:
            lacking = _between(self.opened[self.depth - 1].tag, tag)
            if lacking == OTHER:
                break
            self._push(LEFT_OUT, lacking)
        return 0
