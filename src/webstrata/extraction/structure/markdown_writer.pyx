# cython: language_level=3, wraparound=True
"""The native writer of Markdown (see `markdown`)."""

import re

from libc.stdint cimport int32_t, uint8_t

from webstrata._scan.tags cimport BLOCKQUOTE, DT, H1, LI, OL, OTHER, TABLE, TH, TR
from webstrata.extraction.structure.buffer cimport Buffer, pop_origins, pop_text, put, put_all, put_ascii, put_range, release
from webstrata.extraction.structure.inline cimport code_span, put_inline
from webstrata.extraction.structure.kinds cimport CALLOUT, is_cell, is_heading, is_list, is_preformatted
from webstrata.extraction.structure.pieces cimport BREAK, IMAGE, STRONG_MARK, Piece
from webstrata.extraction.structure.walk cimport StructureWriter

import numpy as np

from webstrata._escaping import lines
from webstrata.extraction.structure.inline import escape

_BACKTICKS = re.compile("`+")

cdef enum:
    DEEPEST = 8              # nesting of lists and quotations
    WIDEST_SPAN = 32         # columns of one cell
    FILLING = 8              # cells filled in for each real one: without a limit spans could make a table of any size
    MOST_HEADERS = 4         # rows at the top of a table that are joined to its header
    HIGHEST_NUMBER = 999999999
    LARGEST_BUFFER = 1 << 16 # characters, of four bytes each, before the buffer becomes a string


def write(page, keep, roles, *, bint images=True, bint links=True, bint in_notes=False):
    return (<MarkdownWriter>MarkdownWriter(page, keep, roles, images, links, in_notes)).text()


def write_traced(page, keep, roles, *, bint images=True, bint links=True, bint in_notes=False):
    """The same Markdown, and the origin of each of its characters as a column (see `buffer`)."""
    return (<MarkdownWriter>MarkdownWriter(page, keep, roles, images, links, in_notes)).traced_text()


cdef class MarkdownFrame:
    """An open container."""

    def __cinit__(self, uint8_t tag, str prefix, str outer_first, bint transparent):
        self.tag, self.prefix, self.outer_first, self.transparent = tag, prefix, outer_first, transparent
        self.marker = self.list_before = ""


cdef class MarkdownTable:
    """A table: rows of cells, each a range of the text of all cells, and for each column what a cell above spans."""

    def __cinit__(self):
        self.rows, self.reach = [], {}

    cdef int add_row(self) except -1:
        self.close_row()
        self.rows.append([])
        self.headers_in_row = self.cells_in_row = 0
        return 0

    cdef int close_row(self) except -1:
        """Fill in what cells above span, and count the rows at the top that have headers alone."""
        if self.rows:
            self._fill(self.rows[-1], FILLING * self.cells - self.filled)
        if self.rows and self.headers == len(self.rows) - 1 and self.headers_in_row == self.cells_in_row > 0:
            self.headers += 1
        return 0

    cdef int add_cell(self, tuple cell, bint is_header, Py_ssize_t across, Py_ssize_t down) except -1:
        cdef list row = self.rows[-1]
        cdef Py_ssize_t budget, i
        self.cells += 1
        budget = self._fill(row, FILLING * self.cells - self.filled)
        across = max(1, min(across, budget + 1))
        self.filled += across - 1
        if down > 1 or self.reach:
            for i in range(len(row), len(row) + across):
                self.reach[i] = len(self.rows) - 1 + down, cell
        row += [cell] * across
        self.width = max(self.width, len(row))
        if cell[1] > cell[0]:
            self.cells_in_row += 1
            self.headers_in_row += is_header
        if len(self.rows) == 1:
            # The first cell is often empty. If only some cells are headers, they are names of rows, not of columns.
            self.has_header = self.headers_in_row == self.cells_in_row or (self.is_first and not self.headers_in_row)
        return 0

    cdef Py_ssize_t _fill(self, list row, Py_ssize_t budget) except -1:
        """Add the cells above that span the next places of the current row. Returns what is left of the budget."""
        while budget > 0 and self.reach and self._spanned(len(row)) is not None:
            row.append(self._spanned(len(row)))
            self.filled += 1
            budget -= 1
        return max(budget, 0)

    cdef object _spanned(self, Py_ssize_t column):
        """The cell above that spans this place of the current row, or None."""
        found = self.reach.get(column)
        return found[1] if found is not None and found[0] >= len(self.rows) else None

    cdef list finished(self):
        """The rows as lists of cells, each a list of ranges; the first row is the header."""
        cdef list rows = []
        cdef list row
        self.close_row()
        for row in self.rows:
            # A cell as wide as the table is a heading between rows: it is written once.
            wide = len(row) > 1 and len(set(row)) == 1
            rows.append([[row[0]], *([] for _ in row[1:])] if wide else [[cell] for cell in row])
        if not self.has_header:
            return [[[] for _ in range(self.width)], *rows]
        if 1 < self.headers <= MOST_HEADERS and self.headers < len(rows) and len(set(self.rows[0])) > 1:
            rows[: self.headers] = [[
                list(dict.fromkeys([row[i] for row in self.rows[: self.headers] if i < len(row)]))
                for i in range(self.width)
            ]]
        rows[0] += [[] for _ in range(self.width - len(rows[0]))]
        return rows


cdef class MarkdownWriter(StructureWriter):
    def __cinit__(self, page, keep, roles, bint images, bint links, bint in_notes):
        self.parts, self.frames, self.shared, self.origins = [], [MarkdownFrame(OTHER, "", None, False)], 1, []

    def __dealloc__(self):
        release(&self.out)
        release(&self.inner)

    cdef str text(self):
        """All that is written."""
        self.walk()
        return "".join([*self.parts, pop_text(&self.out)])

    cdef tuple traced_text(self):
        """All that is written, and the origin of each of its characters as a column (see `buffer`)."""
        self.out.traced = self.inner.traced = self.paragraph.folded.traced = True
        self.walk()
        self.origins.append(pop_origins(&self.out))
        return "".join([*self.parts, pop_text(&self.out)]), np.concatenate(self.origins)

    # Callbacks

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        if self.in_cell:
            return 0
        if is_heading(tag):
            self.in_heading, self.begun = True, self.inner.size
        elif tag == TABLE:
            self.table = MarkdownTable()
        elif tag == TR and self.table is not None:
            if not self.table.rows:
                self.table.is_first = self._begins_table(row)
            self.table.add_row()
        elif is_cell(tag):
            put(&self.inner, c" ")       # marks of one cell do not see the text of another
            self.in_cell, self.begun = True, self.inner.size
        elif is_list(tag):
            self._open_list(tag, row)
        elif tag == LI:
            self._open_item(row)
        elif tag == BLOCKQUOTE:
            self._push_frame(tag, "> ", "> ", True)
        elif tag == CALLOUT:
            self._open_callout(row)
        elif not is_preformatted(tag):
            self._push_frame(tag, "", "", False)
        return 0

    cdef bint _begins_table(self, int32_t row) noexcept nogil:
        """Whether a row is the first of its table."""
        cdef int32_t before = row - 1
        if row < 0:
            return True
        while before >= 0 and self.content.tag[before] != TABLE:
            if self.content.tag[before] == TR:
                return False
            before -= 1
        return True

    cdef int on_close(self, uint8_t tag, int32_t row) except -1:
        if self.in_cell:
            if is_cell(tag):
                self._close_cell(tag, row)
            return 0
        if is_heading(tag):
            self._close_heading(tag)
        elif tag == TABLE and self.table is not None:
            self._close_table()
        elif tag != TR and not is_preformatted(tag):
            self._pop_frame()
        return 0

    cdef int on_run(self) except -1:
        cdef Py_ssize_t before = self.out.size, start
        cdef MarkdownFrame frame
        if self.in_cell or self.in_heading:
            return self._add_inner()
        frame = self.frames[-1]
        if frame.tag == DT:
            self._strengthen()
        self._begin_block(frame)
        start = self.out.size
        self._put_paragraph(&self.out, f"\\\n{frame.prefix}" if frame.prefix else "\\\n", True)
        if self.out.size > start:
            self._end_block(frame)
        else:
            self.out.size = before
        return 0

    cdef int _put_paragraph(self, Buffer* out, str breaks, bint starts_line) except -1:
        """Write the current paragraph (see `inline`)."""
        return put_inline(self.paragraph, out, breaks, starts_line)

    cdef int on_code(self, int32_t row, str code, list ranges) except -1:
        cdef list found = lines(code), origins = self._origins_of_code(row, code, found, ranges)
        cdef MarkdownFrame frame = self.frames[-1]
        cdef Py_ssize_t i, longest
        if self.in_cell:
            for i in range(len(found)):
                if (<str>found[i]).strip():
                    self._separate()
                    self._put_line(&self.inner, code_span(found[i]), found[i], origins[i] if origins else None)
            return 0
        longest = max(map(len, _BACKTICKS.findall(code)), default=0)
        fence = "`" * max(3, longest + 1)
        frame.tight = False
        self._begin_block(frame)
        put_all(&self.out, fence + self.reader.code_language(row))
        for i in range(len(found)):
            put(&self.out, c"\n")
            put_all(&self.out, frame.prefix if found[i] else frame.prefix.rstrip())
            self._put_line(&self.out, found[i], found[i], origins[i] if origins else None)
        put(&self.out, c"\n")
        put_all(&self.out, frame.prefix + fence)
        return self._end_block(frame)

    cdef list _origins_of_code(self, int32_t row, str code, list found, list ranges):
        """For each line of code where its characters come from; None if that is not traced."""
        cdef Py_ssize_t at = 0
        cdef str line
        cdef list origins = []
        if not self.out.traced:
            return None
        if ranges is None:
            whole = np.full(len(code), -(row + 1), np.int32)
        else:
            whole = np.concatenate([np.arange(start + 1, stop + 1, dtype=np.int32) for start, stop in ranges])
        for line in found:
            origins.append(whole[at : at + len(line)])
            at += len(line)
            at += 2 if code.startswith("\r\n", at) else 1
        return origins

    cdef int _put_line(self, Buffer* out, str written, str line, origins) except -1:
        """Write a line of code, which may stand between signs."""
        cdef Py_ssize_t i, start
        cdef const int32_t[::1] origin
        put_all(out, written)
        if origins is not None:
            origin = origins
            start = out.size - len(written) + (len(written) - len(line)) // 2
            for i in range(origin.shape[0]):
                out.origin[start + i] = origin[i]
        return 0

    cdef int on_note(self, str label) except -1:
        if len(self.frames) > 1:
            self._pop_frame()
        return self._push_frame(OTHER, f"[^{label}]: ", "    ", False)

    cdef int _open_callout(self, int32_t row) except -1:
        """Begin a callout: a quotation whose first line has its kind and its title."""
        callout = self.content.roles.callouts[row]
        self._push_frame(BLOCKQUOTE, "> ", "> ", True)
        self._begin_block(self.frames[-1])
        put_all(&self.out, f"[!{callout.kind}]")
        if callout.title:
            self.out.now = -(row + 1)
            put_all(&self.out, f" {escape(callout.title)}".rstrip())
            self.out.now = 0
        self._end_block(self.frames[-1])
        (<MarkdownFrame>self.frames[-1]).tight = True
        return 0

    cdef int on_rule(self) except -1:
        cdef MarkdownFrame frame = self.frames[-1]
        if self.in_cell or self.in_heading:
            return 0
        frame.tight = False
        self._begin_block(frame)
        put_ascii(&self.out, b"***")
        return self._end_block(frame)

    cdef int _strengthen(self) except -1:
        """Make all text of the paragraph, which is a term of a description list, strong."""
        cdef Py_ssize_t i
        cdef Piece* piece
        for i in range(self.paragraph.raw.count):
            piece = &self.paragraph.raw.row[i]
            if piece.marks != BREAK and piece.marks != IMAGE:
                piece.marks |= STRONG_MARK
        return 0

    # Containers

    cdef int _push_frame(self, uint8_t tag, str first, str prefix, bint nests) except -1:
        cdef MarkdownFrame above = self.frames[-1]
        above.list_before = ""
        if nests and self.nested >= DEEPEST:
            self.frames.append(MarkdownFrame(tag, above.prefix, self.first, True))
            return 0
        self.nested += nests
        self.frames.append(MarkdownFrame(tag, above.prefix + prefix, self.first, False))
        if first:
            self.first = (above.prefix if self.first is None else self.first) + first
        return 0

    cdef int _pop_frame(self) except -1:
        cdef MarkdownFrame frame = self.frames.pop()
        self.nested -= (frame.tag == LI or frame.tag == BLOCKQUOTE) and not frame.transparent
        self.shared = min(self.shared, len(self.frames))
        if self.first is not None:
            self.first = frame.outer_first
        if frame.marker:
            (<MarkdownFrame>self.frames[-1]).list_before = frame.marker
        return 0

    cdef int _open_list(self, uint8_t tag, int32_t row) except -1:
        cdef str before = (<MarkdownFrame>self.frames[-1]).list_before
        cdef MarkdownFrame frame
        self._push_frame(tag, "", "", False)
        frame = self.frames[-1]
        # Two lists in a row would be one list: the second one has another marker.
        if tag == OL:
            frame.marker = ")" if before == "." else "."
            frame.item = self.reader.number(row, b"start", 1, HIGHEST_NUMBER)
        else:
            frame.marker = "*" if before == "-" else "-"
        return 0

    cdef int _open_item(self, int32_t row) except -1:
        cdef MarkdownFrame above = self.frames[-1]
        cdef str marker
        done = self.content.roles.tasks.get(row)
        if above.tag == OL:
            marker = f"{above.item}{above.marker} "
        else:
            marker = f"{above.marker} "
        above.item = min(above.item + 1, HIGHEST_NUMBER)
        box = "" if done is None else "[x] " if done else "[ ] "
        return self._push_frame(LI, marker + box, " " * len(marker), True)

    cdef int _begin_block(self, MarkdownFrame frame) except -1:
        """Write the prefix of a block, after a blank line unless the block begins an item."""
        cdef MarkdownFrame shared, starts
        cdef bint follows
        if self.out.size or self.parts:
            shared = self.frames[self.shared - 1]
            starts = self.frames[self.shared] if self.shared < len(self.frames) else frame
            # An ordered list that does not begin with 1 needs a blank line after a paragraph.
            follows = shared.tag == LI and is_list(starts.tag) and (starts.tag != OL or starts.item == 2)
            put(&self.out, c"\n")
            if not frame.tight and (self.first is None
                                    or not ((is_list(shared.tag) and starts.tag == LI) or follows)):
                if shared.prefix:
                    put_all(&self.out, shared.prefix.rstrip())
                put(&self.out, c"\n")
        return put_all(&self.out, frame.prefix if self.first is None else self.first)

    cdef int _end_block(self, MarkdownFrame frame) except -1:
        frame.list_before = ""
        frame.tight = False
        self.first = None
        self.shared = len(self.frames)
        if self.out.size > LARGEST_BUFFER:
            if self.out.traced:
                self.origins.append(pop_origins(&self.out))
            self.parts.append(pop_text(&self.out))
        return 0

    # Headings and tables, whose text is written when they end

    cdef int _separate(self) except -1:
        """Write what stands between two paragraphs of a cell or a heading."""
        if self.inner.size > self.begun:
            put_ascii(&self.inner, b"<br>" if self.in_cell else b" ")
        return 0

    cdef int _add_inner(self) except -1:
        """Add a paragraph to a cell or a heading."""
        cdef Py_ssize_t before = self.inner.size, start
        self._separate()
        start = self.inner.size
        self._put_paragraph(&self.inner, "<br>" if self.in_cell else " ", False)
        if self.inner.size == start:
            self.inner.size = before
        return 0

    cdef int _close_heading(self, uint8_t tag) except -1:
        cdef Py_ssize_t at = self.inner.size
        cdef MarkdownFrame frame = self.frames[-1]
        self.in_heading = False
        if at > self.begun:
            frame.tight = False
            self._begin_block(frame)
            put_all(&self.out, "#" * (tag - H1 + 1) + " ")
            while at > self.begun and self.inner.text[at - 1] == c"#":
                at -= 1
            put_range(&self.out, &self.inner, self.begun, at, False)
            if at < self.inner.size:
                if at == self.begun or self.inner.text[at - 1] == c" ":
                    put(&self.out, c"\\")     # it would close the heading
                put_range(&self.out, &self.inner, at, self.inner.size, False)
            self._end_block(frame)
        self.inner.size = self.begun
        return 0

    cdef int _close_cell(self, uint8_t tag, int32_t row) except -1:
        self.in_cell = False
        if self.table is None:
            return 0
        across = self.reader.number(row, b"colspan", 1, WIDEST_SPAN)
        down = self.reader.number(row, b"rowspan", 1, 1000)
        return self.table.add_cell((self.begun, self.inner.size), tag == TH, across, down)

    cdef int _close_table(self) except -1:
        cdef MarkdownTable table = self.table
        cdef MarkdownFrame frame = self.frames[-1]
        cdef list row
        cdef bint is_header = True
        cdef set written = set()
        self.table = None
        if table.width:
            frame.tight = False
            self._begin_block(frame)
            for row in table.finished():
                if not row:
                    continue
                if not is_header:
                    put(&self.out, c"\n")
                    put_all(&self.out, frame.prefix)
                self._put_row(row, written)
                if is_header:
                    put_all(&self.out, f"\n{frame.prefix}|" + " --- |" * table.width)
                    is_header = False
            self._end_block(frame)
        self.inner.size = 0
        return 0

    cdef int _put_row(self, list row, set written) except -1:
        """Write the cells of a row. Cells that span others are written again, within the limit."""
        cdef Py_ssize_t start, stop
        cdef list cell
        for cell in row:
            put_ascii(&self.out, b"| ")
            joined = False
            for start, stop in cell:
                if start in written:
                    self.repeated += stop - start
                    if self.repeated > FILLING * self.inner.size:
                        continue
                written.add(start)
                if joined and stop > start:
                    put(&self.out, c" ")
                joined |= stop > start
                put_range(&self.out, &self.inner, start, stop, True)
            put(&self.out, c" ")
        return put(&self.out, c"|")


