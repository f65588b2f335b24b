# cython: language_level=3
"""Links of a page to its topics, to profiles of people and to licences: by their addresses, classes and texts."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcmp

from webstrata._scan.attributes cimport Attribute, is_space, next_attribute, same_name
from webstrata._scan.columns cimport Columns
from webstrata._scan.rows cimport (
    E_FLAGS, E_OPEN_STOP, E_PARENT, E_SOURCE_START, E_TAG, HIDDEN, L_ELEMENT, L_TEXT_START, L_TEXT_STOP, Table, ints,
    octets,
)
from webstrata._scan.tags cimport ARTICLE, ASIDE, FOOTER, H1, H2, MAIN, NAV

# Parts of paths that lead to topics, in some twenty languages.
_SEGMENTS = (
    b"tag tags thema themen topic topics keyword keywords label labels schlagwort schlagworte schlagwoerter stichwort"
    b" stichworte tema temas temi tematy tagi etiqueta etiquetas etiket etiketter etiketler etichetta etichette"
    b" mot-cle mots-cles motscles sujet sujets argomento argomenti hashtag tagged haberleri konu trefwoord onderwerp"
    b" onderwerpen emne emner avainsanat aihe stitky stitek cimke cimkek eticheta theme themes dossier dossiers"
).split()
# Parts of paths that lead to the profiles of people.
_PROFILES = (
    b"author authors autor autoren autores autora autorzy autori auteur auteurs autore redakteur redakteure writer"
    b" writers journalist journalists people profile profiles user users contributor contributors staff by u member"
    b" members team reporter reporters columnist columnists yazar yazarlar"
).split()
# Words of classes of links to topics, or of the elements around them.
_CLASSES = b"tag tags topic topics keyword keywords labels hashtag hashtags thema themen".split()
cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    uint32_t PyUnicode_READ(int kind, void* data, Py_ssize_t at) noexcept nogil

cdef enum:
    MOST_SEGMENTS = 64
    MOST_PROFILES = 48
    MOST_CLASSES = 16
    MOST_LINKS = 800         # links after the title that are read
    MOST_FOUND = 25          # links of a list; longer ones are those of the site
    LONGEST_TOPIC = 60       # characters of a text
    LONGEST_SLUG = 40
    FARTHEST = 8             # elements from one link of a list to the next
    LEVELS = 40              # elements around a link that are read
    AROUND = 2               # of these, how many may have the class
cdef enum:
    BY_ADDRESS = 1
    BY_CLASS = 2
    BY_SLUG = 4

cdef const char* _segment[MOST_SEGMENTS]
cdef Py_ssize_t[MOST_SEGMENTS] _segment_size
cdef const char* _profile[MOST_PROFILES]
cdef Py_ssize_t[MOST_PROFILES] _profile_size
cdef const char* _class[MOST_CLASSES]
cdef Py_ssize_t[MOST_CLASSES] _class_size
cdef int _segments = len(_SEGMENTS), _profiles = len(_PROFILES), _classes = len(_CLASSES)

# A text of Python for code without the interpreter.
cdef struct Text:
    int kind
    void* data


def _fill():
    cdef int i
    for i in range(_segments):
        _segment[i], _segment_size[i] = _SEGMENTS[i], len(_SEGMENTS[i])
    for i in range(_profiles):
        _profile[i], _profile_size[i] = _PROFILES[i], len(_PROFILES[i])
    for i in range(_classes):
        _class[i], _class_size[i] = _CLASSES[i], len(_CLASSES[i])


_fill()


cdef bint _one_of(const uint8_t* text, Py_ssize_t size, const char** words, const Py_ssize_t* sizes,
                  int count) noexcept nogil:
    cdef int i
    for i in range(count):
        if sizes[i] == size and same_name(text, <const uint8_t*>words[i], size):
            return True
    return False


cdef bint _leads_to_topic(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a part of a path, which is not the last one, is a word for topics."""
    cdef Py_ssize_t at, begin = start
    for at in range(start, stop):
        if text[at] == c"?" or text[at] == c"#":
            return False
        if text[at] == c"/":
            if at + 1 < stop and _one_of(text + begin, at - begin, _segment, _segment_size, _segments):
                return True
            begin = at + 1
    return False


cdef bint _leads_to_profile(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether the last part of a path follows a word for people, or begins with "@"."""
    cdef Py_ssize_t at, begin = start, before = start, end = start
    for at in range(start, stop):
        if text[at] == c"?" or text[at] == c"#":
            stop = at
            break
    if stop > start and text[stop - 1] == c"/":
        stop -= 1
    for at in range(start, stop):
        if text[at] == c"/":
            before, end, begin = begin, at, at + 1
    if end == start and begin == start or begin >= stop:
        return False
    return (text[begin] == c"@" and stop - begin > 1) or (
        before > start and _one_of(text + before, end - before, _profile, _profile_size, _profiles))


cdef inline bint _joins(uint8_t byte) noexcept nogil:
    return is_space(byte) or byte == c"-" or byte == c"_"


cdef bint _is_for_topics(const uint8_t* text, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    """Whether a class has a word for topics."""
    cdef Py_ssize_t begin = start, end
    while begin < stop:
        end = begin
        while end < stop and not _joins(text[end]):
            end += 1
        if _one_of(text + begin, end - begin, _class, _class_size, _classes):
            return True
        begin = end + 1
    return False


cdef inline bint _is_letter(uint32_t letter) noexcept nogil:
    return c"a" <= letter <= c"z" or c"0" <= letter <= c"9"


cdef inline uint32_t _lower(uint32_t letter) noexcept nogil:
    return letter + 32 if c"A" <= letter <= c"Z" else letter


cdef bint _is_slug(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Text text, Py_ssize_t first,
                   Py_ssize_t last) noexcept nogil:
    """Whether the last part of a path is a text in ASCII letters; a letter outside of ASCII may be two of them."""
    cdef Py_ssize_t at, place, begin = start, skipped, letters = 0
    cdef uint32_t letter
    if stop > start and source[stop - 1] == c"/":
        stop -= 1
    for at in range(start, stop):
        if source[at] == c"/":
            begin = at + 1
        elif source[at] == c"?" or source[at] == c"#":
            return False
    if begin == start:
        return False
    at = begin
    for place in range(first, last):
        letter = _lower(PyUnicode_READ(text.kind, text.data, place))
        if letter < 128 and not _is_letter(letter):
            continue
        skipped = 0
        while at < stop and (not _is_letter(_lower(source[at])) or (letter >= 128 and skipped < 2)):
            skipped += _is_letter(_lower(source[at]))
            at += 1
            if letter >= 128 and skipped and at < stop and place + 1 < last and _lower(source[at]) == _lower(
                    PyUnicode_READ(text.kind, text.data, place + 1)):
                break
        if letter >= 128:
            continue
        if at == stop or _lower(source[at]) != letter:
            return False
        letters += 1
        at += 1
    while at < stop and (source[at] == c"-" or c"0" <= source[at] <= c"9"):
        at += 1
    return letters > 1 and (at == stop or source[at] == c".")


cdef int _attributes(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Attribute* href,
                     bint* by_class) noexcept nogil:
    """The address of a start tag, and whether its class is for topics."""
    cdef Attribute here
    cdef Py_ssize_t size, position = start + 1
    by_class[0] = False
    while position < stop and not (is_space(source[position]) or source[position] == c"/"):
        position += 1
    while position < stop:
        position = next_attribute(source, position, stop, &here)
        size = here.name_stop - here.name_start
        if position < 0 or size == 0:
            break
        if size == 4 and href != NULL and same_name(source + here.name_start, b"href", 4):
            href[0] = here
        elif size == 5 and same_name(source + here.name_start, b"class", 5):
            by_class[0] = _is_for_topics(source, here.value_start, here.value_stop)
    return 0


cdef void _address(const uint8_t* source, Py_ssize_t start, Py_ssize_t stop, Attribute* href) noexcept nogil:
    """The address of the start tag of a link."""
    cdef Py_ssize_t position = start + 2
    while position < stop:
        position = next_attribute(source, position, stop, href)
        if position < 0 or href.name_start == href.name_stop:
            break
        if href.name_stop - href.name_start == 4 and same_name(source + href.name_start, b"href", 4):
            return
    href.value_start = href.value_stop = 0


cdef int _kinds(Table* elements, const uint8_t* source, Text text, Py_ssize_t row, Py_ssize_t first,
                Py_ssize_t last) noexcept nogil:
    """How a link is one to a topic, as bits."""
    cdef const int32_t* starts = ints(elements, E_SOURCE_START)
    cdef const int32_t* stops = ints(elements, E_OPEN_STOP)
    cdef const int32_t* parents = ints(elements, E_PARENT)
    cdef const uint8_t* tags = octets(elements, E_TAG)
    cdef Attribute href
    cdef bint by_class = False, above = False
    cdef int found = 0, level
    href.value_start = href.value_stop = 0
    _attributes(source, starts[row], stops[row], &href, &by_class)
    if href.value_stop == href.value_start:
        return 0
    if _leads_to_topic(source, href.value_start, href.value_stop):
        found |= BY_ADDRESS
    if by_class:
        found |= BY_CLASS
    cdef bint is_slug = _is_slug(source, href.value_start, href.value_stop, text, first, last)
    cdef bint is_inside = False
    for level in range(LEVELS):
        row = parents[row]
        if row < 0:
            break
        if tags[row] == NAV or tags[row] == FOOTER or tags[row] == ASIDE and is_slug and not found:
            return 0
        if tags[row] == H1 or tags[row] == H2:  # of this page or another one, not its topic
            return 0
        if tags[row] == ARTICLE or tags[row] == MAIN:
            is_inside = True
        if not found and level < AROUND and stops[row] > starts[row]:
            _attributes(source, starts[row], stops[row], NULL, &above)
            if above:
                found |= BY_CLASS
    # Links within a sentence are no list.
    if is_slug and is_inside and last - first <= LONGEST_SLUG and (
            PyUnicode_READ(text.kind, text.data, first) == c"\n"):
        found |= BY_SLUG
    return found


cdef Py_ssize_t _first_from(const int32_t* rows, Py_ssize_t count, Py_ssize_t row) noexcept nogil:
    """The index of the first link from a row on."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low


cdef Py_ssize_t _find(Table* links, int wanted, Py_ssize_t fewest, bint longest, const int32_t* kinds,
                      Py_ssize_t from_, Py_ssize_t to, Py_ssize_t* start) noexcept nogil:
    """The number of links of a list of links to topics, of the longest or the first one, and where it starts."""
    cdef const int32_t* rows = ints(links, L_ELEMENT)
    cdef Py_ssize_t i, begin = from_, best = 0
    for i in range(from_, to + 1):
        if i == to or not kinds[i - from_] & wanted or (i > begin and rows[i] - rows[i - 1] > FARTHEST):
            if fewest <= i - begin <= MOST_FOUND and i - begin > best:
                best = i - begin
                start[0] = begin
                if not longest:
                    break
            begin = i if i < to and kinds[i - from_] & wanted else i + 1
    return best


def topic_links(page, Py_ssize_t heading):
    """The spans of the texts of links to the topics of a page: a list of them after its title, or nothing.

    Parameters
    ----------
    heading : the row of the title, or -1
    """
    cdef Columns elements = page.elements.columns, links = page.blocks.links
    cdef Table* table = &links.table
    cdef const int32_t* rows = ints(table, L_ELEMENT)
    cdef const int32_t* starts = ints(table, L_TEXT_START)
    cdef const int32_t* stops = ints(table, L_TEXT_STOP)
    cdef const uint8_t* flags = octets(&elements.table, E_FLAGS)
    cdef bytes content = page.source
    cdef const uint8_t* source = content
    cdef str shown = page.text
    cdef Text text
    cdef int32_t[MOST_LINKS] kinds
    cdef Py_ssize_t i, first = 0, last, size, start = 0, count
    text.kind, text.data = PyUnicode_KIND(shown), PyUnicode_DATA(shown)
    with nogil:
        first = _first_from(rows, table.rows, heading)
        last = min(table.rows, first + MOST_LINKS)
        for i in range(first, last):
            size = stops[i] - starts[i]
            kinds[i - first] = 0
            if 1 < size <= LONGEST_TOPIC and not flags[rows[i]] & HIDDEN:
                kinds[i - first] = _kinds(&elements.table, source, text, rows[i], starts[i], stops[i])
        count = _find(table, BY_ADDRESS | BY_CLASS, 1, True, kinds, first, last, &start)
        if count == 0:
            count = _find(table, BY_SLUG, 2, False, kinds, first, last, &start)
    return [(starts[i], stops[i]) for i in range(start, start + count)]


def last_link_to(page, bytes site, double share):
    """The row of the last link in the last share of the elements whose address has a text in it; -1 without one."""
    cdef Columns elements = page.elements.columns, links = page.blocks.links
    cdef const int32_t* rows = ints(&links.table, L_ELEMENT)
    cdef const int32_t* starts = ints(&elements.table, E_SOURCE_START)
    cdef const int32_t* stops = ints(&elements.table, E_OPEN_STOP)
    cdef bytes content = page.source
    cdef const uint8_t* source = content
    cdef const uint8_t* wanted = site
    cdef Py_ssize_t i, at, size = len(site), first = <Py_ssize_t>(elements.table.rows * (1 - share)), found = -1
    cdef Attribute href
    with nogil:
        for i in range(links.table.rows - 1, max(-1, links.table.rows - 1 - MOST_LINKS), -1):
            if rows[i] < first or found >= 0:
                break
            _address(source, starts[rows[i]], stops[rows[i]], &href)
            for at in range(href.value_start, min(href.value_stop - size, href.value_start + size) + 1):
                if source[at] == wanted[0] and memcmp(source + at, wanted, size) == 0:
                    found = rows[i]
                    break
    return found


def profile_links(page, Py_ssize_t heading, Py_ssize_t before, Py_ssize_t after, Py_ssize_t most):
    """The rows of links to the profiles of people, among some before a row and some after it."""
    cdef Columns elements = page.elements.columns, links = page.blocks.links
    cdef const int32_t* rows = ints(&links.table, L_ELEMENT)
    cdef const int32_t* starts = ints(&elements.table, E_SOURCE_START)
    cdef const int32_t* stops = ints(&elements.table, E_OPEN_STOP)
    cdef bytes content = page.source
    cdef const uint8_t* source = content
    cdef int32_t[MOST_FOUND] found
    cdef Py_ssize_t i, first, last, count = 0
    cdef Attribute href
    with nogil:
        first = _first_from(rows, links.table.rows, heading)
        last = min(links.table.rows, first + after)
        for i in range(max(<Py_ssize_t>0, first - before), last):
            _address(source, starts[rows[i]], stops[rows[i]], &href)
            if _leads_to_profile(source, href.value_start, href.value_stop):
                found[count] = rows[i]
                count += 1
                if count == min(most, <Py_ssize_t>MOST_FOUND):
                    break
    return [found[i] for i in range(count)]
