# cython: language_level=3, wraparound=True
"""The native writer of text with its structure (see `text`)."""

from libc.stdint cimport int32_t, uint8_t

from webstrata._scan.tags cimport BLOCKQUOTE
from webstrata.extraction.structure.buffer cimport Buffer, put, put_all, put_range
from webstrata.extraction.structure.kinds cimport CALLOUT
from webstrata.extraction.structure.markdown_writer cimport MarkdownFrame, MarkdownTable, MarkdownWriter
from webstrata.extraction.structure.pieces cimport BREAK, IMAGE, Piece

from webstrata._escaping import lines
from webstrata.extraction.structure.footnotes import NoteReference
from webstrata.extraction.structure.formulas import Formula


def write(page, keep, roles, *, bint in_notes=False):
    return (<MarkdownWriter>_TextWriter(page, keep, roles, False, True, in_notes)).text()


def write_traced(page, keep, roles, *, bint in_notes=False):
    """The same text, and the origin of each of its characters as a column (see `buffer`)."""
    return (<MarkdownWriter>_TextWriter(page, keep, roles, False, True, in_notes)).traced_text()


cdef class _TextWriter(MarkdownWriter):
    """Writes what the Markdown writer does without the signs of Markdown, but for those of items."""

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        if not self.in_cell and tag == BLOCKQUOTE:
            return self._push_frame(tag, "", "", True)
        return MarkdownWriter.on_open(self, tag, row)

    cdef int on_run(self) except -1:
        cdef Py_ssize_t before = self.out.size, start
        cdef MarkdownFrame frame
        if self.in_cell or self.in_heading:
            return self._add_inner()
        frame = self.frames[-1]
        self._begin_block(frame)
        start = self.out.size
        self._put_paragraph(&self.out, f"\n{frame.prefix}", True)
        if self.out.size > start:
            self._end_block(frame)
        else:
            self.out.size = before
        return 0

    cdef int _put_paragraph(self, Buffer* out, str breaks, bint starts_line) except -1:
        cdef Py_ssize_t i
        cdef Piece* piece
        for i in range(self.paragraph.raw.count):
            piece = &self.paragraph.raw.row[i]
            if piece.marks != BREAK and piece.marks != IMAGE:
                piece.marks = 0
        self.paragraph.tidy()
        for i in range(self.paragraph.pieces.count):
            piece = &self.paragraph.pieces.row[i]
            if piece.marks == BREAK:
                put_all(out, " " if self.in_cell else breaks)
            elif piece.marks == IMAGE:
                out.now = -(piece.image + 1)
                put_all(out, self._instead(self.paragraph.reader.image(piece.image)))
                out.now = 0
            else:
                put_range(out, &self.paragraph.folded, piece.start, piece.stop, False)
        return 0

    cdef str _instead(self, image):
        """What is written of a formula, a reference or a player."""
        if isinstance(image, Formula):
            return f"$${image.tex}$$" if image.display else f"${image.tex}$"
        return f"[{image.label}]" if isinstance(image, NoteReference) else image.title

    cdef int on_code(self, int32_t row, str code, list ranges) except -1:
        cdef list found = lines(code), origins = self._origins_of_code(row, code, found, ranges)
        cdef MarkdownFrame frame = self.frames[-1]
        cdef Py_ssize_t i
        cdef str line
        if not self.in_cell:
            self._begin_block(frame)
        for i in range(len(found)):
            line = found[i]
            if self.in_cell:
                if line.strip():
                    self._separate()
                    self._put_line(&self.inner, line.replace("\t", " "), line, origins[i] if origins else None)
                continue
            if i:
                put_all(&self.out, f"\n{frame.prefix}" if line else "\n")
            self._put_line(&self.out, line, line, origins[i] if origins else None)
        return 0 if self.in_cell else self._end_block(frame)

    cdef int on_rule(self) except -1:
        return 0

    cdef int on_note(self, str label) except -1:
        if len(self.frames) > 1:
            self._pop_frame()
        return self._push_frame(0, f"[{label}] ", " " * (len(label) + 3), False)

    cdef int _open_callout(self, int32_t row) except -1:
        callout = self.content.roles.callouts[row]
        self._push_frame(BLOCKQUOTE, "", "", True)
        if callout.title:
            self._begin_block(self.frames[-1])
            self.out.now = -(row + 1)
            put_all(&self.out, " ".join(callout.title.split()))
            self.out.now = 0
            self._end_block(self.frames[-1])
        return 0

    cdef int _strengthen(self) except -1:
        return 0

    cdef int _separate(self) except -1:
        if self.inner.size > self.begun:
            put(&self.inner, c" ")
        return 0

    cdef int _close_heading(self, uint8_t tag) except -1:
        self.in_heading = False
        if self.inner.size > self.begun:
            self._begin_block(self.frames[-1])
            put_range(&self.out, &self.inner, self.begun, self.inner.size, False)
            self._end_block(self.frames[-1])
        self.inner.size = self.begun
        return 0

    cdef int _close_table(self) except -1:
        cdef MarkdownTable table = self.table
        cdef MarkdownFrame frame = self.frames[-1]
        cdef list row
        cdef bint has_rows = False
        cdef set written = set()
        self.table = None
        for row in table.finished():
            if not any(row):
                continue
            if has_rows:
                put_all(&self.out, f"\n{frame.prefix}")
            else:
                self._begin_block(frame)
            has_rows = True
            self._put_row(row, written)
        if has_rows:
            self._end_block(frame)
        self.inner.size = 0
        return 0

    cdef int _put_row(self, list row, set written) except -1:
        """Write the cells of a row, each of them once: those below and beside a cell that spans them are empty."""
        cdef Py_ssize_t start, stop, i
        cdef bint joined
        for i in range(len(row)):
            joined = False
            if i:
                put(&self.out, c"\t")
            for start, stop in row[i]:
                if start in written:
                    continue
                written.add(start)
                if joined and stop > start:
                    put(&self.out, c" ")
                joined |= stop > start
                put_range(&self.out, &self.inner, start, stop, False)
        return 0
