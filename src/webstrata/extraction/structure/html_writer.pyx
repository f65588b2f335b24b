# cython: language_level=3, wraparound=True
"""The native writer of clean HTML (see `html`)."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND
from libc.stdint cimport int32_t, uint8_t, uint32_t

from webstrata._scan.tags cimport CAPTION, DD, DIR, DT, FIGCAPTION, LI, MENU, OL, UL
from webstrata.extraction.structure.buffer cimport Buffer, character_at, make_room, put, put_all, put_ascii, pop_text, release
from webstrata.extraction.structure.kinds cimport CALLOUT, is_cell, is_heading, is_preformatted
from webstrata.extraction.structure.pieces cimport BREAK, IMAGE, Piece, put_tags
from webstrata.extraction.structure.walk cimport StructureWriter

from webstrata._scan.tags import TAGS
from webstrata._escaping import html as escape
from webstrata.extraction.structure.embeds import Embed
from webstrata.extraction.structure.footnotes import NoteReference
from webstrata.extraction.structure.formulas import Formula

cdef enum:
    LONGEST_SPAN = 1000      # rows or columns of one cell
    HIGHEST_NUMBER = 999999999
    MORE = -1                # instead of a number of paragraphs: the container holds other elements, too


def write(page, keep, roles, *, bint images=True, bint links=True, bint in_notes=False):
    cdef _HTMLWriter writer = _HTMLWriter(page, keep, roles, images, links, in_notes)
    writer.walk()
    if in_notes and writer.out:
        writer.out.append("\n</aside>")
    return "".join(writer.out)


cdef inline bint _is_bare(uint8_t tag) noexcept nogil:
    """Whether the first paragraph of an element has no tag of its own."""
    return tag == LI or tag == DT or tag == DD or is_cell(tag) or tag == CAPTION or tag == FIGCAPTION


cdef inline int _put_escaped(Buffer* out, uint32_t character) except -1:
    """As `webstrata._escaping.html`."""
    if character > c">":                # most characters; none of them needs escaping
        return put(out, character)
    if character == c"&":
        return put_ascii(out, b"&amp;")
    if character == c"<":
        return put_ascii(out, b"&lt;")
    if character == c">":
        return put_ascii(out, b"&gt;")
    if character == c'"':
        return put_ascii(out, b"&quot;")
    return put(out, character)


cdef class _HTMLWriter(StructureWriter):
    cdef list out
    cdef list paragraphs     # of each open container: the number of paragraphs so far, or MORE
    cdef list tags           # the open containers
    cdef Buffer buffer

    def __cinit__(self, page, keep, roles, bint images, bint links, bint in_notes):
        self.out, self.paragraphs, self.tags = [], [0], [0]

    def __dealloc__(self):
        release(&self.buffer)

    cdef int on_open(self, uint8_t tag, int32_t row) except -1:
        if tag == MENU or tag == DIR:
            tag = UL
        self.tags.append(tag)
        self.paragraphs.append(0)
        if tag == CALLOUT:
            callout = self.content.roles.callouts[row]
            title = f"\n<p><strong>{escape(callout.title)}</strong></p>" if callout.title else ""
            self.out.append(f'\n<blockquote class="{callout.kind}">{title}')
        elif not is_preformatted(tag):
            self.out.append(f"\n<{<str>TAGS[tag]}{self._attributes(tag, row)}>")
        return 0

    cdef int on_close(self, uint8_t tag, int32_t row) except -1:
        cdef int paragraphs = self.paragraphs.pop()
        tag = self.tags.pop()
        if tag == CALLOUT:
            self.out.append("\n</blockquote>")
        elif not is_preformatted(tag):
            is_bare = is_heading(tag) or (_is_bare(tag) and paragraphs != MORE)
            self.out.append(f"</{<str>TAGS[tag]}>" if is_bare else f"\n</{<str>TAGS[tag]}>")
        self.paragraphs[-1] = MORE
        return 0

    cdef int on_run(self) except -1:
        cdef uint8_t tag = self.tags[-1]
        cdef int before = self.paragraphs[-1]
        cdef str text = self._inline()
        if not text:
            return 0
        if is_heading(tag):
            self.out.append(f" {text}" if before else text)
        elif _is_bare(tag) and before == 0:
            self.out.append(text)
        else:
            self.out.append(f"\n<p>{text}</p>")
        self.paragraphs[-1] = before + 1 if is_heading(tag) or before == 0 else MORE
        return 0

    cdef int on_code(self, int32_t row, str code, list ranges) except -1:
        language = self.reader.code_language(row)
        name = f' class="language-{escape(language)}"' if language else ""
        # Parsers drop a line feed directly after the tag.
        first = "\n" if code.startswith("\n") else ""
        self.out.append(f"\n<pre>{first}<code{name}>{escape(code)}</code></pre>")
        self.paragraphs[-1] = MORE
        return 0

    cdef int on_note(self, str label) except -1:
        end = "\n</aside>" if self.out else ""
        self.out.append(f'{end}\n<aside id="fn-{label}" role="doc-footnote">')
        self.paragraphs[-1] = MORE
        return 0

    cdef int on_rule(self) except -1:
        self.out.append("\n<hr>")
        self.paragraphs[-1] = MORE
        return 0

    cdef str _attributes(self, uint8_t tag, int32_t row):
        if tag == OL:
            start = self.reader.number(row, b"start", 1, HIGHEST_NUMBER)
            return f' start="{start}"' if start != 1 else ""
        if is_cell(tag):
            across = self.reader.number(row, b"colspan", 1, LONGEST_SPAN)
            down = self.reader.number(row, b"rowspan", 1, LONGEST_SPAN)
            return (f' colspan="{across}"' if across > 1 else "") + (f' rowspan="{down}"' if down > 1 else "")
        return ""

    # Paragraphs

    cdef str _inline(self):
        """The current paragraph."""
        cdef Buffer* out = &self.buffer
        cdef Py_ssize_t i, count
        cdef Piece* piece
        self.paragraph.tidy()
        count = self.paragraph.pieces.count
        for i in range(count):
            piece = &self.paragraph.pieces.row[i]
            if piece.link >= 0 and (i == 0 or (piece - 1).link != piece.link):
                put_ascii(out, b'<a href="')
                self._put_text(self.reader.href(piece.link))
                put_ascii(out, b'">')
            self._put_piece(piece)
            if piece.link >= 0 and (i + 1 == count or (piece + 1).link != piece.link):
                put_ascii(out, b"</a>")
        return pop_text(out)

    cdef int _put_piece(self, const Piece* piece) except -1:
        cdef Buffer* out = &self.buffer
        cdef Py_ssize_t at
        if piece.marks == BREAK:
            return put_ascii(out, b"<br>")
        if piece.marks == IMAGE:
            image = self.reader.image(piece.image)
            if isinstance(image, Formula):
                # The format of pandoc, which KaTeX and MathJax read.
                put_ascii(out, b'<span class="math display">\\[' if image.display else b'<span class="math inline">\\(')
                self._put_text(image.tex)
                return put_ascii(out, b"\\]</span>" if image.display else b"\\)</span>")
            if isinstance(image, NoteReference):
                return put_all(out, f'<a href="#fn-{image.label}" role="doc-noteref">{image.label}</a>')
            if isinstance(image, Embed):
                put_ascii(out, b'<a href="')
                self._put_text(image.url)
                put_ascii(out, b'">')
                self._put_text(image.title)
                return put_ascii(out, b"</a>")
            put_ascii(out, b'<img src="')
            self._put_text(image[0])
            put_ascii(out, b'" alt="')
            self._put_text(image[1])
            return put_ascii(out, b'">')
        put_tags(out, piece.marks, False)
        make_room(out, piece.stop - piece.start)
        for at in range(piece.start, piece.stop):
            _put_escaped(out, self.paragraph.folded.text[at])
        return put_tags(out, piece.marks, True)

    cdef int _put_text(self, str text) except -1:
        """Write the text of an attribute, escaped."""
        cdef Py_ssize_t i
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        for i in range(len(text)):
            _put_escaped(&self.buffer, character_at(kind, data, i))
        return 0
