# cython: language_level=3
"""The two tables while they grow, the text of the page, and the stack of open elements."""

from libc.stdint cimport int16_t, int32_t, uint8_t, uint32_t, uint64_t

from webstrata._scan.tokenizer cimport Content

cdef enum:
    MAX_DEPTH = 512          # open elements; Blink flattens deeper trees at the same depth
    MAX_TREE_DEPTH = 1024    # of the rows
    MAX_ACTIVE = 1024        # active formatting elements and markers
    GAP_WORDS = 3            # machine words of a set of tags
    COLUMNS = 10

# Columns of the elements, the blocks and the links.
cdef enum:
    E_TAG, E_FLAGS, E_PARENT, E_DEPTH, E_FIRST_BLOCK, E_END_BLOCK, E_SOURCE_START, E_OPEN_STOP, E_SOURCE_STOP
cdef enum:
    B_SOURCE_START, B_SOURCE_STOP, B_TEXT_START, B_TEXT_STOP, B_ELEMENT, B_FLAGS, B_GAP
cdef enum:
    L_ELEMENT, L_TEXT_START, L_TEXT_STOP

# Flags of elements and blocks.
cdef enum:
    HIDDEN = 1               # not shown: the hidden attribute, an inline style, aria-hidden, noscript
    PREFORMATTED = 2         # of blocks: white space is kept
    IMPLIED = 4              # of elements: no start tag in the source
    CLONED = 8               # of elements: a formatting element that was opened again
    SILENT = 128             # while open: no text of the page

cdef enum Space:
    HTML_SPACE
    SVG_SPACE
    MATH_SPACE

cdef struct Table:
    Py_ssize_t rows
    Py_ssize_t capacity
    void* column[COLUMNS]
    Py_ssize_t width[COLUMNS]    # bytes a row; 0 after the last column

cdef struct Open:
    int32_t element
    int32_t text_start           # how many characters the text had when the element was opened
    int32_t active_start         # how many active formatting elements there were
    int32_t link                 # row of the links, for <a>
    uint32_t traits
    uint8_t tag
    uint8_t space
    uint8_t mode
    uint8_t flags                # inherited: what the element's text is
    uint8_t heading              # level of the enclosing heading, or 0
    bint integration             # foreign, but its content is HTML again

cdef struct Active:
    int32_t element              # -1 for a marker
    int32_t source_start
    int32_t open_stop
    uint8_t tag
    uint8_t flags
    bint is_open

cdef struct Builder:
    const uint8_t* source
    Py_ssize_t length
    bint failed                  # out of memory
    Table elements
    Table blocks
    Table links
    # The text, UTF-8. Characters are counted as code points.
    uint8_t* text
    Py_ssize_t text_size
    Py_ssize_t text_capacity
    int32_t text_chars
    # The open block and what came since the last one.
    bint in_block
    uint8_t block_flags
    int32_t block_chars          # characters of the text up to the last one that is not white space
    int32_t block_source_stop
    bint pending_space
    uint8_t stray_flags          # HIDDEN inside a noscript of the head that its content has closed
    int separator                # 0 nothing, 1 a space, 2 a line break
    uint64_t gap[GAP_WORDS]
    # Open elements.
    int depth
    Open open[MAX_DEPTH]
    int open_count[256]
    int active_count
    Active active[MAX_ACTIVE]
    Py_ssize_t clones_left
    # What the tree builder remembers.
    int32_t head
    int32_t form
    int32_t title_start          # of the first title's text; -1 when there is none
    int32_t title_stop
    bint quirks
    bint skip_newline            # the first line break of a pre or textarea is not text
    Content next_content         # how the tokenizer goes on

cdef bint start(Builder* self, const uint8_t* source, Py_ssize_t length) noexcept nogil
cdef void finish(Builder* self) noexcept nogil
cdef void release(Builder* self) noexcept nogil

cdef Open* push(Builder* self, uint8_t tag, int32_t source_start, int32_t open_stop, uint8_t flags) noexcept nogil
cdef void pop(Builder* self, Py_ssize_t source_stop) noexcept nogil
cdef void forget(Builder* self, int index, Py_ssize_t source_stop) noexcept nogil

cdef bint make_room(Builder* self, Table* table) noexcept nogil
cdef void end_block(Builder* self) noexcept nogil

cdef inline Open* top(Builder* self) noexcept nogil:
    return &self.open[self.depth - 1]

cdef inline int32_t* ints(Table* table, int column) noexcept nogil:
    return <int32_t*>table.column[column]

cdef inline int16_t* shorts(Table* table, int column) noexcept nogil:
    return <int16_t*>table.column[column]

cdef inline uint8_t* octets(Table* table, int column) noexcept nogil:
    return <uint8_t*>table.column[column]
