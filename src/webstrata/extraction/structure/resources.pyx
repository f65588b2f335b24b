# cython: language_level=3
"""What the start tags of a page say to its renderers: where links lead, where images are, which language code is in."""

from itertools import islice

from webstrata._scan.attributes cimport attribute
from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport E_OPEN_STOP, E_SOURCE_START, ints
from webstrata._scan.tags cimport CODE

from webstrata.extraction.structure.attributes import language_of
from webstrata.urls import Resolver


cdef class Resources:
    """What the start tags of a page say, each read once.

    A formatting element that is opened again has the start tag of the first one, so what was read is kept by the place
    of the tag and not by the row of the element. A page that asks for more addresses than there is room for gets the
    text of its links without them (`webstrata._lengths`).
    """

    def __cinit__(self, page, dict formulas):
        cdef Columns elements = page.elements.columns
        self.page, self.source, self.formulas = page, page.source, formulas
        self.source_start = ints(&elements.table, E_SOURCE_START)
        self.open_stop = ints(&elements.table, E_OPEN_STOP)
        self.resolver = Resolver(page.base_url, size=len(page.source))
        self.hrefs, self.shown, self.languages = {}, {}, {}

    cdef str href(self, int32_t row):
        """Where a link leads; None where that is nowhere safe."""
        cdef int32_t place = self.source_start[row]
        if place not in self.hrefs:
            reference = attribute(self.source, place, self.open_stop[row], b"href")
            self.hrefs[place] = None if reference is None else self.resolver.safe(reference)
        return self.hrefs[place]

    cdef str take_href(self, int32_t row):
        """The same, to be written once more; None where there is no room for it."""
        cdef str href = self.href(row)
        return href if href is not None and self.resolver.has_room(href) else None

    cdef object image(self, int32_t row):
        """An image that can be shown (`images.Images`) and that there is room for, or None; or a formula."""
        if self.formulas and row in self.formulas:
            return self.formulas[row]
        if row not in self.shown:
            if self.images is None:
                self.images = Images(self.page, self.resolver)
            found = self.images.image(row)
            self.shown[row] = found if found is not None and self.resolver.has_room(found[0]) else None
        return self.shown[row]

    cdef Py_ssize_t number(self, int32_t row, bytes name, Py_ssize_t default, Py_ssize_t most) except -1:
        """A whole number from an attribute, such as the ``start`` of a list, between 0 and `most`.

        Rows that the page left out are negative and have the default.
        """
        cdef str value
        if row < 0 or self.open_stop[row] == self.source_start[row]:
            return default
        value = attribute(self.source, self.source_start[row], self.open_stop[row], name)
        if value is None:
            return default
        value = value.strip()
        return min(int(value), most) if value.isascii() and value.isdigit() and len(value) < 10 else default

    cdef str code_language(self, int32_t row):
        """The language of the code in a ``pre``, as the classes around it say, or "".

        It is looked for on the ``code`` inside, on the ``pre`` itself and on the two elements around it.
        """
        elements = self.page.elements
        rows = [row, *islice(elements.ancestors(row), 2)]
        if row + 1 < len(elements) and elements.tag[row + 1] == CODE:
            rows.insert(0, row + 1)
        for row in rows:
            if self._language(row):
                return self._language(row)
        return ""

    cdef str _language(self, int32_t row):
        cdef int32_t place = self.source_start[row]
        if place not in self.languages:
            self.languages[place] = language_of(self.page, row)
        return self.languages[place]
