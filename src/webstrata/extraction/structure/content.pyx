# cython: language_level=3
"""The structure of the kept blocks: headings, lists, tables, quotations, code, links, images.

Every writer of a structured format walks over a `ContentStructure` in document order (`structure.walk`). Elements that
carry no structure, such as ``div``, are left out.
"""

from libc.stdlib cimport calloc, free

from webstrata._paragraphs cimport LINE
from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport (
    B_ELEMENT, B_FLAGS, B_GAP, B_TEXT_START, B_TEXT_STOP, E_END_BLOCK, E_FIRST_BLOCK, E_FLAGS, E_PARENT, E_TAG, HIDDEN,
    Table, ints, octets,
)
from webstrata._scan.tags cimport A, BODY, BR, FIGURE, HR, HTML, IMG, MAIN, NOSCRIPT, OTHER, PRE, TABLE
from webstrata.extraction.structure.containers cimport THE_PAGE, accept, classify_tables
from webstrata.extraction.structure.kinds cimport CALLOUT, is_cell, is_container, is_preformatted
from webstrata.extraction.structure.pieces cimport mark_of

import numpy as np

from webstrata._scan.tags import TAGS
from webstrata.extraction.structure.footnotes import NoteReference
from webstrata.extraction.structure.roles import Roles
from webstrata.paragraphs import WITHIN_TAGS, ends_kept

cdef enum:
    MOST_AIDS = 8            # blocks of aids beside an image

# By tag number: whether it begins a paragraph, whether it is a container, and the marks of its text.
cdef uint8_t[256] _BEGINS_PARAGRAPH
cdef uint8_t[256] _IS_CONTAINER
cdef uint16_t[256] _MARKS


def _fill():
    for number, name in enumerate(TAGS):
        _BEGINS_PARAGRAPH[number] = name not in WITHIN_TAGS or number == BR
        _IS_CONTAINER[number] = is_container(number)
        _MARKS[number] = mark_of(number)
    _BEGINS_PARAGRAPH[CALLOUT] = _IS_CONTAINER[CALLOUT] = True


_fill()


cdef void* _zeros(Py_ssize_t count, Py_ssize_t size) except NULL:
    """Memory for an array, all zeros."""
    cdef void* found = calloc(max(count, 1), size)
    if found == NULL:
        raise MemoryError
    return found


def in_tables(page, keep):
    """Which of the kept blocks of a page are in a table that is written as a table."""
    cdef ContentStructure content = ContentStructure(page, keep)
    cdef Py_ssize_t i
    cdef int32_t around
    cdef Container* here
    inside = np.zeros(content.block_count, bool)
    cdef uint8_t[::1] out = inside.view(np.uint8)
    cdef uint8_t[::1] tabled = np.zeros(content.container_count + 1, np.uint8)
    for i in range(content.container_count):
        here = &content.containers[i]
        tabled[i] = (here.tag == TABLE and here.accepted == i) or (here.up != THE_PAGE and tabled[here.up])
    for i in range(content.block_count if content.container_count else 0):
        around = content.places[content.block_element[i]].container
        out[i] = content.kept[i] and around != THE_PAGE and tabled[around]
    return inside


cdef class ContentStructure:
    """The structure of the kept blocks of a page.

    Parameters
    ----------
    images : whether images are included
    roles : the roles of elements that tags alone do not tell (`roles.Roles`)
    in_notes : whether the structure is that of the footnotes, and not that of the text around them
    """

    def __cinit__(self, page, keep, *, bint images=True, roles=None, bint in_notes=False):
        self.roles = Roles() if roles is None else roles
        # References without text are placed as formulas are.
        self.formulas = {**self.roles.formulas, **({} if in_notes else self.roles.footnotes.marks)}
        self.with_images = images
        whole = np.ascontiguousarray(keep, bool)
        self.dropped = None
        if self.roles.dropped is not None:
            whole = whole & ~self.roles.dropped
            self.dropped = self.roles.dropped.view(np.uint8)
        if self.roles.note is not None:
            whole = whole & ((self.roles.note > 0) == in_notes)
        keep = self._without_formulas(page, whole)
        self.note = self.roles.note if in_notes else None
        self.note_rows = [each.row for each in self.roles.footnotes.notes] if in_notes else []
        self.cuts = np.array(self.roles.footnotes.cuts, np.int32).reshape(-1, 3)
        cdef const uint8_t[::1] ends = ends_kept(page, keep)
        self.page, self.text = page, page.text
        self.kept = keep.view(np.uint8)
        self._read_columns((<Columns?>page.elements.columns).table, (<Columns?>page.blocks.columns).table)
        self.words = ints(&(<Columns?>page.blocks.counts).table, 0)
        self.kept_count = ends.shape[0]
        if not self.kept_count:
            return
        self._read_roles()
        self._allocate()
        with nogil:
            self._sum_words()
            self._place_elements()
        self._find_formulas(whole.view(np.uint8))
        with nogil:
            self._find_images()
        self._find_containers()
        with nogil:
            self._find_runs(ends)
            self._place_images()
            self._find_points()

    def _without_formulas(self, page, whole):
        """The kept blocks without those of formulas; all of them if nothing else would be left."""
        if not self.formulas:
            return whole
        keep = whole.copy()
        for row in self.formulas:
            keep[page.elements.first_block[row] : page.elements.end_block[row]] = False
        if not keep.any():
            self.formulas = {}
            return whole
        return keep

    cdef int _read_roles(self) except -1:
        """Give code and callouts tags of their own, whatever element the page has for them."""
        if not self.roles.code and not self.roles.callouts:
            return 0
        tags = np.array(self.page.elements.tag)
        tags[list(self.roles.code)] = PRE
        tags[list(self.roles.callouts)] = CALLOUT
        self.own_tags = tags
        self.tag = &self.own_tags[0]
        return 0

    def __dealloc__(self):
        free(self.places)
        free(self.sums)
        free(self.containers)
        free(self.images)
        free(self.kept_rows)
        free(self.runs)
        free(self.run_of)
        free(self.images_before)

    cdef void _read_columns(self, Table elements, Table blocks) noexcept:
        self.element_count, self.block_count = elements.rows, blocks.rows
        self.tag, self.element_flags = octets(&elements, E_TAG), octets(&elements, E_FLAGS)
        self.parent = ints(&elements, E_PARENT)
        self.first_block, self.end_block = ints(&elements, E_FIRST_BLOCK), ints(&elements, E_END_BLOCK)
        self.text_start, self.text_stop = ints(&blocks, B_TEXT_START), ints(&blocks, B_TEXT_STOP)
        self.block_element, self.block_flags = ints(&blocks, B_ELEMENT), octets(&blocks, B_FLAGS)
        self.gap = <const uint64_t*>blocks.column[B_GAP]

    cdef int _allocate(self) except -1:
        cdef Py_ssize_t row, containers = 0, images = len(self.formulas) + len(self.roles.embeds)
        for row in range(self.element_count):
            containers += _IS_CONTAINER[self.tag[row]]
            images += self.tag[row] == IMG
        self.places = <ElementPlace*>_zeros(self.element_count, sizeof(ElementPlace))
        for row in self.formulas:
            self.places[row].replaced = True
        for row in self.roles.embeds:
            self.places[row].is_embed = True
        self.sums = <WordSums*>_zeros(self.block_count + 1, sizeof(WordSums))
        self.containers = <Container*>_zeros(containers, sizeof(Container))
        self.images = <Image*>_zeros(images, sizeof(Image))
        self.kept_rows = <int32_t*>_zeros(self.kept_count, sizeof(int32_t))
        self.runs = <ParagraphRun*>_zeros(self.kept_count, sizeof(ParagraphRun))
        self.run_of = <int32_t*>_zeros(self.block_count, sizeof(int32_t))
        self.images_before = <ImageChain*>_zeros(self.block_count, sizeof(ImageChain))
        return 0

    cdef void _sum_words(self) noexcept nogil:
        cdef Py_ssize_t i
        cdef WordSums total = self.sums[0]
        for i in range(self.block_count):
            if self.kept[i]:
                total.kept += 1
                total.kept_words += self.words[i]
            if not self.block_flags[i] & HIDDEN and not self._is_dropped(i):
                total.shown_words += self.words[i]
            self.sums[i + 1] = total

    cdef void _place_elements(self) noexcept nogil:
        """Find what each element is in. Parents come before their children; row 0 is the default."""
        cdef Py_ssize_t row
        cdef ElementPlace* here
        cdef ElementPlace above
        cdef uint8_t tag
        cdef bint begins
        cdef const WordSums* first
        cdef const WordSums* end
        for row in range(self.element_count):
            here, tag = &self.places[row], self.tag[row]
            if row:
                above = self.places[self.parent[row]]
            else:
                above = here[0]
            begins = _BEGINS_PARAGRAPH[tag]
            first, end = &self.sums[self.first_block[row]], &self.sums[self.end_block[row]]
            here.flow = <int32_t>row if begins else above.flow
            here.link = <int32_t>row if begins or tag == A else above.link
            here.worded = <int32_t>row if end.shown_words > first.shown_words else above.worded
            here.marks = above.marks | _MARKS[tag]
            here.alive = end.kept > first.kept
            here.replaced |= above.replaced

    cdef bint _has_kept_neighbours(self, Py_ssize_t row) noexcept nogil:
        """Whether the blocks before and after an element are kept, without aids of the page."""
        cdef Py_ssize_t at = self.first_block[row], end = self.end_block[row]
        cdef int steps = 0
        while steps < MOST_AIDS and at > 1 and self._is_dropped(at - 1):
            at -= 1
            steps += 1
        while steps < MOST_AIDS and end < self.block_count - 1 and self._is_dropped(end):
            end += 1
            steps += 1
        return at > 0 and end < self.block_count and self.kept[at - 1] and self.kept[end]

    cdef bint _is_dropped(self, Py_ssize_t block) noexcept nogil:
        return self.dropped is not None and self.dropped[block]

    cdef bint _is_content(self, Py_ssize_t row) noexcept nogil:
        """Whether an image, which has no block, belongs to the content.

        It does if the blocks before and after it are kept; or if at least half of the words of the nearest element
        around it with words are kept, unless that element is the whole page.
        """
        cdef int32_t around = self.places[row].worded
        cdef const WordSums* first = &self.sums[self.first_block[around]]
        cdef const WordSums* end = &self.sums[self.end_block[around]]
        cdef uint8_t tag = self.tag[around]
        if self._has_kept_neighbours(row):
            return True
        # A figure belongs to the text around it, whether its caption was kept or not.
        if tag != FIGURE and around > 0 and self.tag[self.parent[around]] == FIGURE:
            around, tag = self.parent[around], FIGURE
        if tag == FIGURE and self.first_block[around] > 0 and self.end_block[around] < self.block_count:
            if self.kept[self.first_block[around] - 1] and self.kept[self.end_block[around]]:
                return True
        if tag == HTML or tag == BODY or tag == MAIN:
            return False
        return 2 * (end.kept_words - first.kept_words) >= end.shown_words - first.shown_words

    cdef bint _is_shown(self, Py_ssize_t row) noexcept nogil:
        """Whether an image is visible, would be without scripts, or stands between hidden blocks that are kept."""
        cdef int32_t above = self.parent[row]
        cdef int32_t at = self.first_block[row], end = self.end_block[row]
        cdef int level = 0
        # The flag of a video is for its text, which browsers show in its place if they cannot play it.
        if not self.element_flags[above if self.places[row].is_embed and above >= 0 else row] & HIDDEN:
            return True
        if self._has_kept_neighbours(row) and self.block_flags[at - 1] & self.block_flags[end] & HIDDEN:
            return True
        while above > 0 and level < 4 and self.tag[above] != NOSCRIPT:
            above = self.parent[above]
            level += 1
        return above > 0 and self.tag[above] == NOSCRIPT and not self.element_flags[self.parent[above]] & HIDDEN

    cdef void _add_image(self, Py_ssize_t row) noexcept nogil:
        """Add an image or a formula; the elements around it then hold something kept."""
        cdef int32_t above = self.parent[row]
        self.images[self.image_count].row = <int32_t>row
        self.images[self.image_count].next = -1
        self.image_count += 1
        while above >= 0 and not self.places[above].alive:
            self.places[above].alive = True
            above = self.parent[above]

    cdef int _find_formulas(self, const uint8_t[::1] kept) except -1:
        """Add the formulas of the content: those with kept blocks, and those without visible blocks."""
        cdef Py_ssize_t row, block
        cdef bint some_kept, some_shown
        cdef Image* found
        for row, formula in self.formulas.items():
            some_kept = some_shown = False
            for block in range(self.first_block[row], self.end_block[row]):
                some_kept |= kept[block]
                some_shown |= not self.block_flags[block] & HIDDEN
            if isinstance(formula, NoteReference):
                some_kept = self.first_block[row] > 0 and self.kept[self.first_block[row] - 1]
                some_shown = True
            if some_kept or (not some_shown and self._is_content(row)):
                found = &self.images[self.image_count]
                found.is_formula = True
                found.spaced_before, found.spaced_after = formula.spaced_before, formula.spaced_after
                self._add_image(row)
        return 0

    cdef void _find_images(self) noexcept nogil:
        """Add the images and the embeds of the content."""
        cdef Py_ssize_t row
        for row in range(self.element_count):
            if (((self.tag[row] == IMG and self.with_images) or self.places[row].is_embed)
                    and not self.places[row].replaced and self._is_shown(row) and self._is_content(row)):
                self._add_image(row)

    cdef bint _is_in_note(self, Py_ssize_t row) except -1:
        """Whether an element is inside of one footnote; the element of the footnote itself is not."""
        cdef int32_t first = self.first_block[row], end = self.end_block[row]
        if end <= first or not self.note[first] or self.note[first] != self.note[end - 1]:
            return False
        return row > self.note_rows[self.note[first] - 1]

    cdef int _find_containers(self) except -1:
        """List the containers that hold something kept, and all cells: an empty cell still takes up a column."""
        cdef Py_ssize_t row
        cdef int32_t above, first, end
        cdef Container* here
        for row in range(self.element_count):
            above = self.places[self.parent[row]].container if row else THE_PAGE
            if not _IS_CONTAINER[self.tag[row]]:
                self.places[row].container = above
                continue
            if not self.places[row].alive and not is_cell(self.tag[row]):
                self.places[row].container = THE_PAGE
                continue
            if self.note is not None and not self._is_in_note(row):
                self.places[row].container = above
                continue
            here = &self.containers[self.container_count]
            first, end = self.first_block[row], self.end_block[row]
            here.row, here.up, here.tag, here.alive = <int32_t>row, above, self.tag[row], self.places[row].alive
            here.chars = self.text_stop[end - 1] - self.text_start[first] if end > first else 0
            self.places[row].container = <int32_t>self.container_count
            self.container_count += 1
        classify_tables(self.containers, self.container_count)
        accept(self.containers, self.container_count)
        return 0

    cdef bint is_whole(self, Py_ssize_t row) except -1:
        """Whether all of an element is kept that is shown and not an aid of the page."""
        cdef Py_ssize_t block
        for block in range(self.first_block[row], self.end_block[row]):
            if not (self.kept[block] or self.block_flags[block] & HIDDEN
                    or (self.roles.dropped is not None and self.roles.dropped[block])):
                return False
        return True

    cdef int32_t container_of(self, Py_ssize_t row) noexcept nogil:
        """The written container around an element."""
        cdef int32_t around = self.places[row].container
        return self.containers[around].accepted if around != THE_PAGE else THE_PAGE

    cdef uint8_t tag_of(self, int32_t container) noexcept nogil:
        return self.containers[container].tag if container != THE_PAGE else OTHER

    cdef void _find_runs(self, const uint8_t[::1] ends) noexcept nogil:
        """Group the kept blocks into paragraphs."""
        cdef Py_ssize_t block, count = 0
        cdef int32_t container, note = 0
        cdef ParagraphRun* run = NULL
        cdef bint goes_on
        for block in range(self.block_count):
            self.images_before[block].first = self.run_of[block] = -1
            if not self.kept[block]:
                continue
            container = self.container_of(self.block_element[block])
            goes_on = ends[count] <= LINE or is_preformatted(self.tag_of(container))
            if self.note is not None:
                note = self.note[block]
            if run == NULL or run.container != container or run.note != note or not goes_on:
                run = &self.runs[self.run_count]
                self.run_count += 1
                run.first, run.container, run.note, run.after.first = <int32_t>count, container, note, -1
            self.run_of[block] = <int32_t>self.run_count - 1
            self.kept_rows[count] = <int32_t>block
            count += 1
            run.end = <int32_t>count

    cdef void _place_images(self) noexcept nogil:
        """Place images before a block of their paragraph, after its last block, or on their own."""
        cdef Py_ssize_t i, row, at, last
        cdef int32_t here, before, flow
        cdef ImageChain* chain
        for i in range(self.image_count):
            row = self.images[i].row
            at, last, flow = self.first_block[row], self.first_block[row] - 1, self.places[row].flow
            if self.images[i].is_formula or self.places[row].is_embed:
                # There may be hidden blocks in it and around it: the kept blocks on both sides count.
                last = self.sums[at].kept - 1
                last = self.kept_rows[last] if last >= 0 else -1
                at = self.sums[self.end_block[row]].kept
                at = self.kept_rows[at] if at < self.kept_count else self.block_count
            here = self.run_of[at] if at < self.block_count else -1
            before = self.run_of[last] if last >= 0 else -1
            if here >= 0 and (before == here or self.places[self.block_element[at]].flow == flow):
                chain = &self.images_before[at]
            elif before >= 0 and self.places[self.block_element[last]].flow == flow:
                chain = &self.runs[before].after
            else:
                self.places[row].point = STANDS_ALONE
                continue
            if chain.first < 0:
                chain.first = <int32_t>i
            else:
                self.images[chain.last].next = <int32_t>i
            chain.last = <int32_t>i

    cdef void _find_points(self) noexcept nogil:
        cdef Py_ssize_t i
        for i in range(self.container_count):
            if self.containers[i].accepted == i:
                self.places[self.containers[i].row].point = OPENS
        for i in range(self.element_count):
            if self.tag[i] == HR and not self.element_flags[i] & HIDDEN and self._has_kept_neighbours(i):
                self.places[i].point = RULES
