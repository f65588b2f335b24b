# cython: language_level=3
"""The walk over an outline: what opens and closes, and the paragraphs, in document order.

What a writer is told is well formed whatever the page was: an item stands in a list, a cell in a row, a row in a table.
"""

from libc.stdlib cimport free, realloc

from webstrata._scan.tags cimport OTHER
from webstrata.extraction.structure.containers cimport THE_PAGE
from webstrata.extraction.structure.kinds cimport between, is_heading, is_preformatted
from webstrata.extraction.structure.outline cimport NOTHING, OPENS, RULES



cdef class Writer:
    """Is led over the kept blocks of a page. Writers of one language each say what they do with what they meet."""

    def __cinit__(self, page, keep, bint images, bint links):
        self.page = page
        self.outline = Outline(page, keep, images=images, tex=True)
        self.resources = Resources(page, self.outline.formulas)
        self.paragraph = Paragraph(self.outline, self.resources, links)

    def __dealloc__(self):
        free(self.opened)

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        """An element opens; its row is LEFT_OUT where the page has none."""
        return 0

    cdef int on_close(self, uint8_t tag, int32_t row) except -1:
        """It closes."""
        return 0

    cdef int on_run(self) except -1:
        """A paragraph or a part of one: the pieces of `paragraph`, not tidied yet."""
        return 0

    cdef int on_code(self, int32_t row, str code) except -1:
        """The text of a ``pre``."""
        return 0

    cdef int on_rule(self) except -1:
        """A line across the page."""
        return 0

    cdef int walk(self) except -1:
        cdef Outline outline = self.outline
        cdef Py_ssize_t run, point = 0
        for run in range(outline.run_count):
            point = self._points_before(outline.kept_rows[outline.runs[run].first], point)
            self._write_run(run)
        if outline.run_count:
            self._points_before(outline.block_count, point)
        return self._close_to(THE_PAGE)

    cdef Py_ssize_t _points_before(self, Py_ssize_t block, Py_ssize_t row) except -1:
        """What happens at elements from a row on, as far as they come before a block. Returns the row to go on with."""
        cdef Outline outline = self.outline
        while row < outline.element_count:
            if outline.places[row].point != NOTHING:
                if outline.first_block[row] > block:
                    break
                self._point(row)
            row += 1
        return row

    cdef int _point(self, Py_ssize_t row) except -1:
        """A container opens; an image or a rule stands alone."""
        cdef Outline outline = self.outline
        cdef int32_t container
        if outline.places[row].point == OPENS:
            container = outline.places[row].container
            self._make_ready(outline.containers[container].parent, outline.tag[row])
            self._push(container, outline.tag[row])
            return 0
        self._make_ready(outline.container_of(outline.parent[row]), OTHER)
        if outline.places[row].point == RULES:
            return self.on_rule()
        self.paragraph.read_image(<int32_t>row)
        return self.on_run()

    cdef int _write_run(self, Py_ssize_t number) except -1:
        cdef Outline outline = self.outline
        cdef int32_t container = outline.runs[number].container
        cdef uint8_t tag = outline.tag_of(container)
        self._make_ready(container, OTHER)
        if is_preformatted(tag):
            return self.on_code(self._row(container), self.paragraph.text_of_code(&outline.runs[number]))
        self.paragraph.read(&outline.runs[number])
        if is_heading(tag):
            self.paragraph.drop_permalinks()
        return self.on_run()

    # The open containers

    cdef int32_t _row(self, int32_t container) noexcept nogil:
        return self.outline.containers[container].row if container >= 0 else LEFT_OUT

    cdef int _push(self, int32_t container, uint8_t tag) except -1:
        cdef void* opened
        if self.depth == self.capacity:
            opened = realloc(self.opened, (2 * self.capacity + 16) * sizeof(Opened))
            if opened == NULL:
                raise MemoryError
            self.opened, self.capacity = <Opened*>opened, 2 * self.capacity + 16
        self.opened[self.depth] = Opened(container, tag)
        self.depth += 1
        return self.on_open(tag, self._row(container))

    cdef int _close_to(self, int32_t container) except -1:
        """Close what is open inside a container."""
        cdef Opened closed
        while self.depth and self.opened[self.depth - 1].container != container:
            self.depth -= 1
            closed = self.opened[self.depth]
            self.on_close(closed.tag, self._row(closed.container))
        return 0

    cdef int _make_ready(self, int32_t container, uint8_t tag) except -1:
        """Close what does not hold what comes, and open what the page left out around it."""
        cdef uint8_t lacking
        self._close_to(container)
        while self.depth:
            lacking = between(self.opened[self.depth - 1].tag, tag)
            if lacking == OTHER:
                break
            self._push(LEFT_OUT, lacking)
        return 0
