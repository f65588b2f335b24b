# cython: language_level=3, wraparound=True
"""The native writer of Markdown (see `markdown`)."""

import re

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free

from webstrata._scan.tags cimport BLOCKQUOTE, DT, H1, LI, OL, OTHER, TABLE, TH, TR
from webstrata.extraction.structure.buffer cimport Buffer, put, put_all, pop_text
from webstrata.extraction.structure.inline cimport code_span, put_inline
from webstrata.extraction.structure.kinds cimport CALLOUT, is_cell, is_heading, is_list, is_preformatted
from webstrata.extraction.structure.pieces cimport BREAK, IMAGE, STRONG_MARK, Piece
from webstrata.extraction.structure.walk cimport StructureWriter

from webstrata._escaping import lines
from webstrata.extraction.structure.inline import escape

_BACKTICKS = re.compile("`+")

cdef enum:
    DEEPEST = 8              # nesting of lists and quotations
    WIDEST_SPAN = 32         # columns of one cell
    FILLING = 8              # empty cells for each real one: without a limit spans could make a table of any size
    HIGHEST_NUMBER = 999999999
    LARGEST_BUFFER = 1 << 16 # characters, of four bytes each, before the buffer becomes a string


def write(page, keep, roles, *, bint images=True, bint links=True, bint in_notes=False):
    cdef _MarkdownWriter writer = _MarkdownWriter(page, keep, roles, images, links, in_notes)
    writer.walk()
    return "".join([*writer.parts, pop_text(&writer.out)])


cdef class _Frame:
    """An open container."""

    cdef uint8_t tag
    cdef str prefix          # of each of its lines
    cdef str outer_first     # `first` of the writer when it was opened
    cdef str marker          # of the items of a list
    cdef str list_before     # the marker of the list that ended directly before the current position, or ""
    cdef Py_ssize_t item     # the number of the next item
    cdef bint transparent    # whether it is nested too deep to be written
    cdef bint tight          # whether its next paragraph follows its first line without a blank line

    def __cinit__(self, uint8_t tag, str prefix, str outer_first, bint transparent):
        self.tag, self.prefix, self.outer_first, self.transparent = tag, prefix, outer_first, transparent
        self.marker = self.list_before = ""


cdef class _MarkdownTable:
    """A table: rows of cells, and for each column the last row that a cell above spans."""

    cdef list rows
    cdef dict reach
    cdef bint header
    cdef bint is_first       # whether the first kept row is the first row of the table in the page
    cdef Py_ssize_t width, filled, cells, headers_in_row, cells_in_row

    def __cinit__(self):
        self.rows, self.reach = [], {}

    cdef int add_cell(self, str text, bint is_header, Py_ssize_t across, Py_ssize_t down) except -1:
        cdef list row = self.rows[-1]
        cdef Py_ssize_t budget, i
        self.cells += 1
        budget = FILLING * self.cells - self.filled
        while budget > 0 and self.reach and self.reach.get(len(row), 0) >= len(self.rows):
            self.filled += 1
            budget -= 1
            row.append("")
        across = max(1, min(across, budget + 1))
        self.filled += across - 1
        if down > 1 or self.reach:
            for i in range(len(row), len(row) + across):
                self.reach[i] = len(self.rows) - 1 + down
        row.append(text.replace("|", "\\|"))
        row += [""] * (across - 1)
        self.width = max(self.width, len(row))
        if text:
            self.cells_in_row += 1
            self.headers_in_row += is_header
        if len(self.rows) == 1:
            # The first cell is often empty. If only some cells are headers, they are names of rows, not of columns.
            self.header = self.headers_in_row == self.cells_in_row or (self.is_first and not self.headers_in_row)
        return 0

    cdef list lines(self):
        if not self.width:
            return []
        rows = self.rows if self.header else [[""] * self.width, *self.rows]
        rows[0] += [""] * (self.width - len(rows[0]))
        found = [f"| {' | '.join(row)} |" for row in rows if row]
        found.insert(1, "|" + " --- |" * self.width)
        return found


cdef class _MarkdownWriter(StructureWriter):
    cdef Buffer out          # the text after the last of the parts
    cdef list parts
    cdef list frames
    cdef str first           # the prefix of the next line if items begin there, with their markers; else None
    cdef Py_ssize_t shared   # the number of frames that the last line and the next one share
    cdef Py_ssize_t nested
    cdef list heading        # the parts of the heading that is open
    cdef _MarkdownTable table
    cdef list cell           # the parts of the cell that is open
    cdef Buffer inner        # for the text of a cell or a heading

    def __cinit__(self, page, keep, roles, bint images, bint links, bint in_notes):
        self.parts, self.frames, self.shared = [], [_Frame(OTHER, "", None, False)], 1

    def __dealloc__(self):
        free(self.out.text)
        free(self.inner.text)

    # Callbacks

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        if self.cell is not None:
            return 0
        if is_heading(tag):
            self.heading = []
        elif tag == TABLE:
            self.table = _MarkdownTable()
        elif tag == TR and self.table is not None:
            if not self.table.rows:
                self.table.is_first = self._begins_table(row)
            self.table.rows.append([])
            self.table.headers_in_row = self.table.cells_in_row = 0
        elif is_cell(tag):
            self.cell = []
        elif is_list(tag):
            self._open_list(tag, row)
        elif tag == LI:
            self._open_item()
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
        if self.cell is not None:
            if is_cell(tag):
                self._close_cell(tag, row)
            return 0
        if is_heading(tag):
            title = " ".join([part for part in self.heading if part])
            self.heading = None
            if title:
                self._write([f"{'#' * (tag - H1 + 1)} {_close_hashes(title)}"])
        elif tag == TABLE and self.table is not None:
            found = self.table.lines()
            self.table = None
            self._write(found)
        elif tag != TR and not is_preformatted(tag):
            self._pop_frame()
        return 0

    cdef int on_run(self) except -1:
        cdef Py_ssize_t before = self.out.size, start
        cdef _Frame frame
        if self.cell is not None:
            put_inline(self.paragraph, &self.inner, "<br>", False)
            self.cell.append(pop_text(&self.inner))
        elif self.heading is not None:
            put_inline(self.paragraph, &self.inner, " ", False)
            self.heading.append(pop_text(&self.inner))
        else:
            frame = self.frames[-1]
            if frame.tag == DT:
                self._strengthen()
            self._begin_block(frame)
            start = self.out.size
            put_inline(self.paragraph, &self.out, f"\\\n{frame.prefix}" if frame.prefix else "\\\n", True)
            if self.out.size > start:
                self._end_block(frame)
            else:
                self.out.size = before
        return 0

    cdef int on_code(self, int32_t row, str code) except -1:
        if self.cell is not None:
            folded = " ".join(code.split())
            self.cell.append(code_span(folded) if folded else "")
            return 0
        longest = max(map(len, _BACKTICKS.findall(code)), default=0)
        fence = "`" * max(3, longest + 1)
        return self._write([fence + self.reader.code_language(row), *lines(code), fence])

    cdef int on_note(self, str label) except -1:
        if len(self.frames) > 1:
            self._pop_frame()
        return self._push_frame(OTHER, f"[^{label}]: ", "    ", False)

    cdef int _open_callout(self, int32_t row) except -1:
        """Begin a callout: a quotation whose first line has its kind and its title."""
        callout = self.content.roles.callouts[row]
        self._push_frame(BLOCKQUOTE, "> ", "> ", True)
        self._write([f"[!{callout.kind}] {escape(callout.title)}".rstrip()])
        (<_Frame>self.frames[-1]).tight = True
        return 0

    cdef int on_rule(self) except -1:
        if self.cell is None:
            self._write(["***"])
        return 0

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
        cdef _Frame above = self.frames[-1]
        above.list_before = ""
        if nests and self.nested >= DEEPEST:
            self.frames.append(_Frame(tag, above.prefix, self.first, True))
            return 0
        self.nested += nests
        self.frames.append(_Frame(tag, above.prefix + prefix, self.first, False))
        if first:
            self.first = (above.prefix if self.first is None else self.first) + first
        return 0

    cdef int _pop_frame(self) except -1:
        cdef _Frame frame = self.frames.pop()
        self.nested -= (frame.tag == LI or frame.tag == BLOCKQUOTE) and not frame.transparent
        self.shared = min(self.shared, len(self.frames))
        if self.first is not None:
            self.first = frame.outer_first
        if frame.marker:
            (<_Frame>self.frames[-1]).list_before = frame.marker
        return 0

    cdef int _open_list(self, uint8_t tag, int32_t row) except -1:
        cdef str before = (<_Frame>self.frames[-1]).list_before
        cdef _Frame frame
        self._push_frame(tag, "", "", False)
        frame = self.frames[-1]
        # Two lists in a row would be one list: the second one has another marker.
        if tag == OL:
            frame.marker = ")" if before == "." else "."
            frame.item = self.reader.number(row, b"start", 1, HIGHEST_NUMBER)
        else:
            frame.marker = "*" if before == "-" else "-"
        return 0

    cdef int _open_item(self) except -1:
        cdef _Frame above = self.frames[-1]
        cdef str marker
        if above.tag == OL:
            marker = f"{above.item}{above.marker} "
        else:
            marker = f"{above.marker} "
        above.item = min(above.item + 1, HIGHEST_NUMBER)
        return self._push_frame(LI, marker, " " * len(marker), True)

    cdef int _write(self, list block) except -1:
        """Write a block of lines."""
        cdef _Frame frame = self.frames[-1]
        frame.tight = False
        cdef Py_ssize_t i
        cdef str line
        if not block:
            return 0
        self._begin_block(frame)
        put_all(&self.out, block[0])
        for i in range(1, len(block)):
            line = block[i]
            put(&self.out, c"\n")
            put_all(&self.out, frame.prefix if line else frame.prefix.rstrip())
            put_all(&self.out, line)
        return self._end_block(frame)

    cdef int _begin_block(self, _Frame frame) except -1:
        """Write the prefix of a block, after a blank line unless the block begins an item."""
        cdef _Frame shared, starts
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

    cdef int _end_block(self, _Frame frame) except -1:
        frame.list_before = ""
        frame.tight = False
        self.first = None
        self.shared = len(self.frames)
        if self.out.size > LARGEST_BUFFER:
            self.parts.append(pop_text(&self.out))
        return 0

    cdef int _close_cell(self, uint8_t tag, int32_t row) except -1:
        cdef list parts = self.cell
        self.cell = None
        if self.table is None:
            return 0
        across = self.reader.number(row, b"colspan", 1, WIDEST_SPAN)
        down = self.reader.number(row, b"rowspan", 1, 1000)
        return self.table.add_cell("<br>".join([part for part in parts if part]), tag == TH, across, down)


cdef str _close_hashes(str title):
    """Escape ``#`` at the end of a heading, which would close it."""
    if not title.endswith("#"):
        return title
    bare = title.rstrip("#")
    return title if bare and not bare.endswith(" ") else f"{bare}\\{title[len(bare) :]}"
