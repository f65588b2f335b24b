# cython: language_level=3
"""A paragraph of kept blocks as pieces: runs of text with the same marks, line breaks and images.

Raw pieces are spans of the text of the page. `tidy` then joins neighbours with the same marks and removes pieces that
show nothing: spaces are outside of marks and links, never two in a row and never beside a line break; unsafe links and
images that cannot be shown are left out.
"""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memmove

from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport GAP_WORDS, L_ELEMENT, L_TEXT_START, L_TEXT_STOP, ints
from webstrata._scan.tags cimport A, BR, TAG_COUNT
from webstrata.extraction.structure.buffer cimport character_at, is_space, make_room, put, release
from webstrata.extraction.structure.pieces cimport A_SPACE, BREAK, IMAGE, mark_of

from webstrata.extraction.structure.text import separator

cdef enum:
    ZERO_WIDTH_SPACE = 0x200B    # the sign of Docusaurus, which a style makes a number sign

# Signs that link a heading to itself.
cdef uint32_t[5] _PERMALINKS = [0xB6, 0x23, 0xA7, 0x1F517, 0x2693]
# The tags that mark their text, as the bits of a gap.
cdef uint64_t[GAP_WORDS] _MARKING


def _fill():
    cdef int tag
    for tag in range(TAG_COUNT):
        if mark_of(tag):
            _MARKING[tag >> 6] |= <uint64_t>1 << (tag & 63)


_fill()


cdef int _add(Pieces* self, int32_t marks, int32_t link, int32_t image, Py_ssize_t start, Py_ssize_t stop) except -1:
    cdef Py_ssize_t capacity
    cdef void* row
    if self.count == self.capacity:
        capacity = max(2 * self.capacity, 32)
        row = realloc(self.row, capacity * sizeof(Piece))
        if row == NULL:
            raise MemoryError
        self.row, self.capacity = <Piece*>row, capacity
    self.row[self.count] = Piece(marks, link, image, start, stop)
    self.count += 1
    return 0


cdef inline bint _holds(const uint64_t* gap, const uint64_t* tags) noexcept nogil:
    return (gap[0] & tags[0] | gap[1] & tags[1] | gap[2] & tags[2]) != 0


cdef class ParagraphPieces:
    """The pieces of the current paragraph; one object reads all paragraphs of a page."""

    def __cinit__(self, ContentStructure content, TagReader reader, bint links):
        self.content, self.reader = content, reader
        self.kind, self.data = PyUnicode_KIND(content.text), PyUnicode_DATA(content.text)
        cdef Columns spans = content.page.blocks.links
        self.link_row = ints(&spans.table, L_ELEMENT)
        self.link_start, self.link_stop = ints(&spans.table, L_TEXT_START), ints(&spans.table, L_TEXT_STOP)
        self.links = links
        self.link_count = spans.table.rows if links else 0

    def __dealloc__(self):
        free(self.raw.row)
        free(self.pieces.row)
        release(&self.folded)

    # Reading

    cdef int read(self, const ParagraphRun* run) except -1:
        """Read a paragraph, with the images between its blocks and after the last one."""
        cdef ContentStructure content = self.content
        cdef Py_ssize_t i, row
        self.raw.count = 0
        for i in range(run.first, run.end):
            row = content.kept_rows[i]
            while self.link_at < self.link_count and self._link_end(self.link_at) <= content.text_start[row]:
                self.link_at += 1
            if i > run.first:
                self._add_between(content.kept_rows[i - 1], row)
            self._add_images(content.images_before[row], True)
            self._add_block(row)
        self._add_images(run.after, False)
        return 0

    cdef int read_image(self, int32_t row) except -1:
        """Read an image as a paragraph."""
        self.raw.count = 0
        return self._add_image(row)

    cdef int _add_image(self, int32_t row) except -1:
        cdef int32_t around = self.content.places[row].link
        if not self.links or self.content.tag[around] != A or self.content.places[row].is_embed:
            around = -1
        return _add(&self.raw, IMAGE, around, row, 0, 0)

    cdef int _add_images(self, ImageChain chain, bint before) except -1:
        """Add images with a space between them and the text, and formulas with the spaces of the page."""
        cdef int32_t at = chain.first
        cdef Image* image
        while at >= 0:
            image = &self.content.images[at]
            if image.spaced_before if image.is_formula else not before:
                _add(&self.raw, 0, -1, -1, A_SPACE, A_SPACE)
            self._add_image(image.row)
            if image.spaced_after if image.is_formula else before:
                _add(&self.raw, 0, -1, -1, A_SPACE, A_SPACE)
            at = image.next
        return 0

    cdef Py_ssize_t _link_end(self, Py_ssize_t link) noexcept nogil:
        """The end of a link; it ends at the start of a link inside."""
        cdef Py_ssize_t stop = self.link_stop[link]
        return min(stop, self.link_start[link + 1]) if link + 1 < self.link_count else stop

    cdef int32_t _marks(self, Py_ssize_t row) noexcept nogil:
        return self.content.places[self.content.block_element[row]].marks

    cdef int _add_block(self, Py_ssize_t row) except -1:
        """Add the text of a block without its cuts, with the references in their place."""
        cdef ContentStructure content = self.content
        cdef Py_ssize_t start = content.text_start[row], stop = content.text_stop[row], cut, begin, end
        cdef int32_t marks = self._marks(row)
        while self.cut_at < content.cuts.shape[0] and content.cuts[self.cut_at, 1] <= start:
            self.cut_at += 1
        cut = self.cut_at
        while cut < content.cuts.shape[0] and content.cuts[cut, 0] < stop:
            begin, end = content.cuts[cut, 0], content.cuts[cut, 1]
            if begin > start:
                self._add_text(start, begin, marks)
            if content.cuts[cut, 2] >= 0 and begin >= content.text_start[row]:
                _add(&self.raw, IMAGE, -1, content.cuts[cut, 2], 0, 0)
            start = max(start, end)
            cut += 1
        return self._add_text(start, stop, marks) if start < stop else 0

    cdef int _add_text(self, Py_ssize_t start, Py_ssize_t stop, int32_t marks) except -1:
        """Add a range of the text of a block, cut at the starts and ends of links."""
        cdef Py_ssize_t link = self.link_at, begin, end
        while link < self.link_count and self.link_start[link] < stop:
            begin, end = max(<Py_ssize_t>self.link_start[link], start), min(self._link_end(link), stop)
            if begin > start:
                _add(&self.raw, marks, -1, -1, start, begin)
            if end > begin:
                _add(&self.raw, marks, self.link_row[link], -1, begin, end)
            start = max(start, end)
            link += 1
        if start < stop:
            _add(&self.raw, marks, -1, -1, start, stop)
        return 0

    cdef int _add_between(self, Py_ssize_t last, Py_ssize_t row) except -1:
        """Add a line break, a space or nothing between two blocks of a paragraph."""
        cdef ContentStructure content = self.content
        cdef Py_ssize_t i, k, at = self.link_at
        cdef int32_t before = self.raw.row[self.raw.count - 1].link if self.raw.count else -1, link = -1
        cdef uint64_t[GAP_WORDS] tags
        cdef bint spaced
        tags[0] = tags[1] = tags[2] = 0
        for i in range(last + 1, row + 1):
            for k in range(GAP_WORDS):
                tags[k] |= content.gap[i * GAP_WORDS + k]
        if tags[BR >> 6] >> (BR & 63) & 1:
            return _add(&self.raw, BREAK, -1, -1, 0, 0)
        if content.images_before[row].first >= 0 and content.images[content.images_before[row].first].is_formula:
            return 0  # a formula knows its spaces
        if row == last + 1:
            spaced = content.text_stop[last] < content.text_start[row]
            if spaced and at < self.link_count and self.link_start[at] <= content.text_stop[last]:
                link = self.link_row[at]
        else:  # blocks between them were dropped
            spaced = bool(separator(content.page, last, row))
            if at < self.link_count and self.link_start[at] <= content.text_start[row] and self.link_row[at] == before:
                link = before
        if spaced:
            # A space between two marked words is marked if no mark ends or begins there.
            _add(&self.raw, 0 if _holds(tags, _MARKING) else self._marks(last) & self._marks(row), link, -1,
                 A_SPACE, A_SPACE)
        return 0

    cdef int drop_permalinks(self) except -1:
        """Drop the signs that link a heading to itself, unless the heading has no other text."""
        cdef Py_ssize_t i, count = 0
        cdef bint has_more = False
        for i in range(self.raw.count):
            has_more |= self.raw.row[i].start != A_SPACE and not self._is_permalink(&self.raw.row[i])
        if has_more:
            for i in range(self.raw.count):
                if not self._is_permalink(&self.raw.row[i]):
                    self.raw.row[count] = self.raw.row[i]
                    count += 1
            self.raw.count = count
        return 0

    cdef bint _is_permalink(self, const Piece* piece) noexcept:
        """Whether the text of a link is one of the signs."""
        cdef Py_ssize_t k, start = piece.start, stop = piece.stop
        if piece.link < 0 or start == A_SPACE:
            return False
        while start < stop and self._is_blank(start):
            start += 1
        while stop > start and self._is_blank(stop - 1):
            stop -= 1
        if stop == start and piece.stop > piece.start:
            return character_at(self.kind, self.data, piece.start) == ZERO_WIDTH_SPACE
        if stop == start + 1:
            for k in range(5):
                if character_at(self.kind, self.data, start) == _PERMALINKS[k]:
                    return True
        return False

    cdef bint _is_blank(self, Py_ssize_t place) noexcept nogil:
        """Whether a character of the text shows nothing."""
        cdef uint32_t found = character_at(self.kind, self.data, place)
        return is_space(found) or found == ZERO_WIDTH_SPACE

    cdef list code_ranges(self, const ParagraphRun* run):
        """The ranges of the text of a ``pre`` with its white space, including the indent of its first line."""
        cdef ContentStructure content = self.content
        cdef Py_ssize_t i, gap, row = content.kept_rows[run.first]
        cdef Py_ssize_t before = content.text_stop[row - 1] if row else 0, start = content.text_start[row]
        ranges = [(max(before, content.text.rfind("\n", before, start) + 1), start)]
        for i in range(run.first, run.end):
            if i > run.first:
                for gap in range(row + 1, content.kept_rows[i] + 1):
                    ranges.append((content.text_stop[gap - 1], content.text_start[gap]))
            row = content.kept_rows[i]
            ranges.append((content.text_start[row], content.text_stop[row]))
        return ranges

    # Tidying

    cdef int tidy(self) except -1:
        cdef Py_ssize_t i = 0, end
        cdef Piece* piece
        cdef Piece* other
        self._drop_links()
        self.pieces.count = self.folded.size = 0
        while i < self.raw.count:
            piece, end = &self.raw.row[i], i + 1
            if piece.marks == IMAGE:
                if self.reader.image(piece.image) is not None:
                    _add(&self.pieces, IMAGE, piece.link, piece.image, self.folded.size, self.folded.size)
            elif piece.marks == BREAK:
                self._strip_end()
                if self.pieces.count and self.pieces.row[self.pieces.count - 1].marks != BREAK:
                    _add(&self.pieces, BREAK, -1, -1, self.folded.size, self.folded.size)
            else:
                while end < self.raw.count:
                    other = &self.raw.row[end]
                    if other.marks != piece.marks or other.link != piece.link:
                        break
                    end += 1
                self._fold(i, end)
            i = end
        self._strip_end()
        if self.pieces.count and self.pieces.row[self.pieces.count - 1].marks == BREAK:
            self.pieces.count -= 1
        return self._trim()

    cdef int _drop_links(self) except -1:
        """Drop links that are not safe, or whose URL would exceed the limit."""
        cdef Py_ssize_t i = 0, end
        cdef int32_t link
        while i < self.raw.count:
            link, end = self.raw.row[i].link, i + 1
            while end < self.raw.count and self.raw.row[end].link == link:
                end += 1
            if link >= 0 and self.reader.href_to_write(link) is None:
                for i in range(i, end):
                    self.raw.row[i].link = -1
            i = end
        return 0

    cdef int _fold(self, Py_ssize_t first, Py_ssize_t end) except -1:
        """Add the text of neighbours with the same marks; fold white space, and leave outer spaces unmarked."""
        cdef int32_t marks = self.raw.row[first].marks, link = self.raw.row[first].link
        cdef Py_ssize_t i, begin = -1
        cdef bint pending = False
        cdef Piece* piece
        for i in range(first, end):
            piece = &self.raw.row[i]
            if piece.start == A_SPACE:
                if begin < 0 and not pending:
                    self._add_space(link)
                pending = True
                continue
            make_room(&self.folded, 2 * (piece.stop - piece.start) + 2)
            if self.kind == 1:
                begin = self._fold_piece(<const uint8_t*>self.data, piece, begin, &pending)
            elif self.kind == 2:
                begin = self._fold_piece(<const uint16_t*>self.data, piece, begin, &pending)
            else:
                begin = self._fold_piece(<const uint32_t*>self.data, piece, begin, &pending)
        if begin >= 0:
            _add(&self.pieces, marks, link, -1, begin, self.folded.size)
            if pending:
                self._add_space(link)
        return 0

    cdef Py_ssize_t _fold_piece(self, const character* text, const Piece* piece, Py_ssize_t begin, bint* pending) except -2:
        """Add the text of one of them to the reserved memory; returns the start of the text of all, or -1."""
        cdef Py_ssize_t at = piece.start
        cdef uint32_t* out
        cdef int32_t* origin = self.folded.origin    # NULL unless it is traced
        if begin < 0:
            while at < piece.stop and is_space(text[at]):
                if not pending[0]:
                    self._add_space(piece.link)
                pending[0] = True
                at += 1
            if at == piece.stop:
                return -1
            begin = self.folded.size
            pending[0] = False
        out = self.folded.text + self.folded.size
        while at < piece.stop:
            if is_space(text[at]):
                pending[0] = True
            else:
                out[0] = c" "            # overwritten below unless a space is pending
                if origin != NULL:
                    origin[out - self.folded.text] = origin[out - self.folded.text + pending[0]] = <int32_t>at + 1
                out += pending[0]
                pending[0] = False
                out[0] = text[at]
                out += 1
            at += 1
        self.folded.size = out - self.folded.text
        return begin

    cdef int _add_space(self, int32_t link) except -1:
        """Add a space, unless there is one or a line begins."""
        cdef Piece* last
        if not self.pieces.count:
            return 0
        last = &self.pieces.row[self.pieces.count - 1]
        if last.marks == BREAK or self._is_space(last):
            return 0
        put(&self.folded, c" ")
        return _add(&self.pieces, 0, link, -1, self.folded.size - 1, self.folded.size)

    cdef bint _is_space(self, const Piece* piece) noexcept nogil:
        """Whether a piece is a space; other pieces neither begin nor end with a space."""
        return piece.stop == piece.start + 1 and self.folded.text[piece.start] == c" "

    cdef int _strip_end(self) except -1:
        while self.pieces.count and self._is_space(&self.pieces.row[self.pieces.count - 1]):
            self.pieces.count -= 1
            self.folded.size -= 1
        return 0

    cdef int _trim(self) except -1:
        """Move spaces at the edges out of links and join neighbours without marks, in place."""
        cdef Py_ssize_t i = 0, k, end, size, count = 0, written = 0
        cdef int32_t link
        cdef Piece piece
        cdef Piece* last
        cdef Piece* row = self.pieces.row
        cdef uint32_t* text = self.folded.text
        while i < self.pieces.count:
            link, end = row[i].link, i + 1
            while end < self.pieces.count and row[end].link == link:
                end += 1
            if link >= 0 and self._is_space(&row[i]):
                row[i].link = -1
            if link >= 0 and self._is_space(&row[end - 1]):
                row[end - 1].link = -1
            for k in range(i, end):
                piece = row[k]
                size = piece.stop - piece.start
                last = &row[count - 1] if count else NULL
                if (piece.marks == 0 and piece.link < 0 and size == 1 and text[piece.start] == c" "
                        and (last == NULL or last.marks == BREAK
                             or (last.stop > last.start and text[last.stop - 1] == c" "))):
                    continue
                if size:      # the buffer of an empty text is NULL
                    memmove(text + written, text + piece.start, size * sizeof(uint32_t))
                    if self.folded.traced:
                        memmove(self.folded.origin + written, self.folded.origin + piece.start, size * sizeof(int32_t))
                if last != NULL and piece.marks == 0 and last.marks == 0 and last.link == piece.link:
                    last.stop += size
                else:
                    row[count] = Piece(piece.marks, piece.link, piece.image, written, written + size)
                    count += 1
                written += size
            i = end
        self.pieces.count = count
        return 0
