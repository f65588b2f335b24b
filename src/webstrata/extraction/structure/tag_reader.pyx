# cython: language_level=3
"""Reads start tags for the writers: the URLs of links and images, the languages of code."""

from webstrata._scan.attributes cimport attribute
from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport E_OPEN_STOP, E_SOURCE_START, ints

from webstrata.extraction.structure.code import language_around
from webstrata.urls import Resolver


cdef class TagReader:
    """The attributes of the start tags of a page, cached.

    The key of the cache is the position of the tag, not the row of the element: a formatting element that the parser
    opens again has the start tag of the first one. All URLs together have a limit (`webstrata._lengths`); beyond it,
    only the text of links is written.
    """

    def __cinit__(self, page, dict formulas, dict embeds):
        cdef Columns elements = page.elements.columns
        self.page, self.source, self.formulas, self.embeds = page, page.source, formulas, embeds
        self.source_start = ints(&elements.table, E_SOURCE_START)
        self.open_stop = ints(&elements.table, E_OPEN_STOP)
        self.resolver = Resolver(page.base_url, size=len(page.source))
        self.hrefs, self.shown, self.languages = {}, {}, {}

    cdef str href(self, int32_t row):
        """The URL of a link; None if it is not safe."""
        cdef int32_t place = self.source_start[row]
        if place not in self.hrefs:
            reference = attribute(self.source, place, self.open_stop[row], b"href")
            self.hrefs[place] = None if reference is None else self.resolver.safe(reference)
        return self.hrefs[place]

    cdef str href_to_write(self, int32_t row):
        """The URL of a link to write; None if it is not safe, or if the URLs would exceed their limit."""
        cdef str href = self.href(row)
        return href if href is not None and self.resolver.has_room(href) else None

    cdef object image(self, int32_t row):
        """An image that can be shown (`images.Images`) or an embed, within the limit of URLs, or None; or a formula."""
        if self.formulas and row in self.formulas:
            return self.formulas[row]
        if row not in self.shown:
            if self.images is None:
                self.images = Images(self.page, self.resolver)
            found = self.embeds[row] if row in self.embeds else self.images.image(row)
            self.shown[row] = found if found is not None and self.resolver.has_room(found[0]) else None
        return self.shown[row]

    cdef Py_ssize_t number(self, int32_t row, bytes name, Py_ssize_t default, Py_ssize_t most) except -1:
        """An integer attribute, such as the ``start`` of a list, from 0 to `most`; the default for a negative row."""
        cdef str value
        if row < 0 or self.open_stop[row] == self.source_start[row]:
            return default
        value = attribute(self.source, self.source_start[row], self.open_stop[row], name)
        if value is None:
            return default
        value = value.strip()
        return min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 10 else default

    cdef str code_language(self, int32_t row):
        """The language of code, or "" (`code.language_around`)."""
        cdef int32_t place = self.source_start[row]
        if place not in self.languages:
            self.languages[place] = language_around(self.page, row)
        return self.languages[place]
