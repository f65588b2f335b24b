# cython: language_level=3
"""Features of the first pass: the ancestors of a paragraph, what looks like it, and the tags that enclose it."""

from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from webstrata._scan.tags cimport *
from webstrata.extraction.learned.page_features cimport (
    ENCLOSING, ENCLOSING_TAGS, Lookalikes, Node, PageFeatures, RunningSums,
)
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures
from webstrata.models.features cimport MANY, MANY_PARAGRAPHS, MANY_WORDS, FeatureRow, put, share

cdef enum:
    SUBTREE_PLACE = 10           # the index of the feature of a subtree that depends on the paragraph


# Its ancestors


cdef void _describe(PageFeatures self, Py_ssize_t i, int32_t element, FeatureRow* row) noexcept nogil:
    """The features of the subtree of an element; -1 in all columns for no element."""
    cdef bint there = element >= 0
    cdef const Node* node = &self.node[element if there else 0]
    cdef RunningSums* start = &self.sums[node.first_paragraph]
    cdef RunningSums* stop = &self.sums[node.end_paragraph]
    cdef int32_t words = stop.words - start.words, paragraphs = node.end_paragraph - node.first_paragraph
    put(row, b"words", min(words, MANY_WORDS) if there else -1)
    put(row, b"share", share(words, self.sums[self.count].words) if there else -1)
    put(row, b"link density", share(stop.link_words - start.link_words, words) if there else -1)
    put(row, b"paragraphs", min(paragraphs, MANY_PARAGRAPHS) if there else -1)
    put(row, b"words a paragraph", share(words, paragraphs) if there else -1)
    put(row, b"long share", share(stop.long_words - start.long_words, words) if there else -1)
    put(row, b"headings", share(stop.headings - start.headings, paragraphs) if there else -1)
    put(row, b"images", share(self.images[node.end_row] - self.images[element], paragraphs) if there else -1)
    put(row, b"controls", share(self.controls[node.end_row] - self.controls[element], paragraphs) if there else -1)
    put(row, b"marks", share(stop.marks - start.marks, words) if there else -1)
    put(row, b"place", share(i - node.first_paragraph, paragraphs) if there else -1)
    put(row, b"rows", min(node.end_row - element, MANY_WORDS) if there else -1)
    put(row, b"short share", share(stop.short_paragraphs - start.short_paragraphs, paragraphs) if there else -1)


cdef void _subtree(PageFeatures self, Py_ssize_t i, int32_t element, Subtree* last, FeatureRow* row) noexcept nogil:
    """The same, copied from the last row where the element is the same."""
    cdef const Node* node = &self.node[element if element >= 0 else 0]
    cdef float* start = row.at
    if row.names != NULL or last.element != element:
        _describe(self, i, element, row)
        last.element = element
        memcpy(last.values, start, sizeof(last.values))
        return
    memcpy(start, last.values, sizeof(last.values))
    if element >= 0:
        start[SUBTREE_PLACE] = <float>share(i - node.first_paragraph, node.end_paragraph - node.first_paragraph)
    row.at += SUBTREE_FEATURES


cdef void put_ancestors(PageFeatures self, Py_ssize_t i, Subtree* last, FeatureRow* row) noexcept nogil:
    cdef int32_t element = self.paragraph[i].owner
    cdef int32_t[512] chain
    cdef (const char*)[LEVELS] levels = [b"ancestor 1", b"ancestor 2", b"ancestor 3", b"ancestor 4", b"ancestor 5"]
    cdef (const char*)[TOPS] tops = [b"top 1", b"top 2", b"top 3"]
    cdef int32_t section = -1, landmark = -1, walk
    cdef int count = 0, k
    cdef uint8_t tag
    # Start above the elements that hold this paragraph alone.
    if self.node[element].end_paragraph - self.node[element].first_paragraph == 1:
        element = self.node[element].up
    while element >= 0 and count < 512:
        chain[count] = element
        count += 1
        element = self.node[element].up
    for k in range(LEVELS):
        row.of = levels[k]
        _subtree(self, i, chain[k] if k < count else -1, last + k, row)
        put(row, b"tag", self.tag[chain[k]] if k < count else 0)
    for k in range(TOPS):
        # The last of the chain is the root with all paragraphs, which is the same for all.
        row.of = tops[k]
        _subtree(self, i, chain[count - 2 - k] if count - 2 - k >= 0 else -1, last + LEVELS + k, row)
    walk = self.paragraph[i].owner
    while walk >= 0:
        tag = self.tag[walk]
        if section < 0 and (tag == SECTION or tag == ARTICLE or tag == TABLE or tag == UL or tag == OL or tag == DL
                            or tag == FORM):
            section = walk
        if tag == MAIN or tag == ARTICLE or tag == NAV or tag == ASIDE or tag == FOOTER or tag == HEADER:
            landmark = walk
            break
        walk = self.parent[walk]
    row.of = b"section"
    _subtree(self, i, section, last + SUBTREES - 2, row)
    row.of = b"landmark"
    _subtree(self, i, landmark, last + SUBTREES - 1, row)
    row.of = b""
    put(row, b"levels", min(count, MANY))


# Its lookalikes


cdef void _put_group(PageFeatures self, int32_t number, FeatureRow* row) noexcept nogil:
    """A group of lookalikes; -1 in all columns for none."""
    cdef bint there = number >= 0
    cdef Lookalikes* alike = &self.alike.row[number if there else 0]
    cdef double mean = share(alike.words, alike.count)
    cdef double variance = share(alike.squares, alike.count) - mean * mean
    put(row, b"count", min(alike.count, MANY) if there else -1)
    put(row, b"words", min(alike.words, MANY_WORDS) if there else -1)
    put(row, b"words a member", mean if there else -1)
    put(row, b"spread", share(sqrt(variance) if variance > 0 else 0, mean) if there else -1)
    put(row, b"link density", share(alike.link_words, alike.words) if there else -1)
    put(row, b"share", share(alike.words, self.sums[self.count].words) if there else -1)


cdef void _record(PageFeatures self, Py_ssize_t i, int32_t element, FeatureRow* row) noexcept nogil:
    """An element that is one of several alike, and their group; -1 in all columns for none."""
    cdef bint there = element >= 0
    cdef const Node* node = &self.node[element if there else 0]
    cdef int32_t words = self.sums[node.end_paragraph].words - self.sums[node.first_paragraph].words
    cdef int32_t link_words = self.sums[node.end_paragraph].link_words - self.sums[node.first_paragraph].link_words
    _put_group(self, node.siblings if there else -1, row)
    put(row, b"ordinal", min(node.ordinal, MANY) if there else -1)
    put(row, b"own words", min(words, MANY_WORDS) if there else -1)
    put(row, b"own link density", share(link_words, words) if there else -1)
    put(row, b"own paragraphs", min(node.end_paragraph - node.first_paragraph, MANY) if there else -1)
    put(row, b"place", min(i - node.first_paragraph, MANY) if there else -1)
    put(row, b"images", min(self.images[node.end_row] - self.images[element], MANY) if there else -1)
    put(row, b"tag", self.tag[element] if there else -1)


cdef void put_likeness(PageFeatures self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef const ParagraphFeatures* paragraph = &self.paragraph[i]
    cdef const Node* owner = &self.node[paragraph.owner]
    cdef Lookalikes* path = &self.alike.row[paragraph.path_class]
    row.of = b"path"
    _put_group(self, paragraph.path_class, row)
    put(row, b"first", share(path.first, self.count))
    put(row, b"last", share(path.last, self.count))
    row.of = b"tag path"
    _put_group(self, paragraph.path_tags, row)
    row.of = b"record"
    _record(self, i, owner.record, row)
    row.of = b"outer record"
    _record(self, i, owner.outer_record, row)
    row.of = b""
    put(row, b"records nested", owner.record != owner.outer_record)


# The tags that enclose it


cdef void put_tags_above(PageFeatures self, Py_ssize_t i, FeatureRow* row) noexcept nogil:
    cdef uint64_t above = self.node[self.paragraph[i].element].above
    cdef int k
    row.of = b"tags above"
    for k in range(ENCLOSING_TAGS):
        put(row, ENCLOSING[k].name, above >> k & 1)
    row.of = b""
