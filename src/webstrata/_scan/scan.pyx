# cython: language_level=3
"""The native pass: UTF-8 HTML in, the columns of the blocks, the elements and the links out."""

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_DecodeUTF8
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset, strlen

from webstrata._scan.characters cimport (
    BANG, DASH, DOUBLE_QUOTE, EQUALS, GREATER, LESS, QUESTION, SINGLE_QUOTE, SLASH, ends_name, find, is_letter,
    is_space, likely, same_name, skip_name, unlikely,
)
from webstrata._scan.columns cimport taken
from webstrata._scan.references cimport Reference, attribute_value, encode, prepare, read_reference
from webstrata._scan.rows cimport *
from webstrata._scan.swar cimport eight_at, is_ascii, leading_space, small_name
from webstrata._scan.tags cimport *
from webstrata._scan.tokenizer cimport *

from webstrata._scan.references import STATES, character_data, tag_name

include "start_tags.pxi"
include "tokenizer.pxi"
include "builder.pxi"
include "stack.pxi"
include "foreign.pxi"
include "head.pxi"
include "body.pxi"
include "tables.pxi"
include "blocks.pxi"
include "tree.pxi"
include "decoding.pxi"


cdef void _begin(Tokenizer* tokenizer, const uint8_t* source, Py_ssize_t length, Content content) noexcept nogil:
    tokenizer.source = source
    tokenizer.length = length
    tokenizer.position = 0
    tokenizer.content = content
    tokenizer.last_name = NULL
    tokenizer.last_size = 0
    tokenizer.foreign = False


cdef void _build(Builder* builder) noexcept nogil:
    """Run the tokenizer and the tree builder over the source."""
    cdef Tokenizer tokenizer
    cdef Token token
    _begin(&tokenizer, builder.source, builder.length, DATA_TEXT)
    while not builder.failed:
        next_token(&tokenizer, &token)
        if token.kind == START_TAG:
            on_start_tag(builder, &token)
            tokenizer.content = builder.next_content
            builder.next_content = DATA_TEXT
            tokenizer.foreign = is_foreign(builder)
        elif token.kind == END_TAG:
            on_end_tag(builder, &token)
            tokenizer.foreign = is_foreign(builder)
        elif token.kind == CHARACTERS:
            if likely(is_flowing(builder, &token)):
                on_text(builder, &token)
            else:
                on_characters(builder, &token)
        elif token.kind == DOCTYPE:
            on_doctype(builder, &token)
        elif token.kind == END_OF_FILE:
            break
    if not builder.failed:
        on_end(builder)


def scan(bytes source):
    """Read a page: (text, title span, elements, blocks, links).

    `source` must be valid UTF-8 of less than 2 GiB; `webstrata.encoding` ensures that.
    """
    cdef Builder* builder = <Builder*>malloc(sizeof(Builder))
    cdef const uint8_t* data = source
    cdef Py_ssize_t length = len(source)
    if builder == NULL:
        raise MemoryError
    try:
        prepare()
        with nogil:
            if start_builder(builder, data, length):
                _build(builder)
            else:
                builder.failed = True
        if builder.failed:
            raise MemoryError
        text = decoded(builder.text, builder.text_size, builder.text_chars)
        free(builder.text)
        builder.text = NULL
        title = (builder.title_start, builder.title_stop) if builder.title_start >= 0 else None
        return text, title, taken(&builder.elements), taken(&builder.blocks), taken(&builder.links)
    finally:
        release(builder)
        free(builder)


def attributes(bytes source, Py_ssize_t start, Py_ssize_t stop):
    """The attributes of the tag whose name ends at `start` and which ends before `stop`, the first of each name."""
    cdef Attribute attribute
    cdef Py_ssize_t position = start
    if not 0 <= start <= stop <= len(source):
        raise IndexError(f"no span of the source: {start}:{stop}")
    prepare()
    found = {}
    while position < stop:
        position = _next_attribute(source, position, stop, &attribute)
        if position < 0 or attribute.name_start == attribute.name_stop:
            break
        name = tag_name(source, attribute.name_start, attribute.name_stop)
        if name not in found:
            found[name] = attribute_value(source, attribute.value_start, attribute.value_stop)
    return found


def tokens(bytes source, str state="data", bytes last_start_tag=b""):
    """The tags and the character data of a source, as the tokenizer sees them without a tree.

    `state` is one of `STATES`, the standard's initial states. A token is ("start", name, attributes, self_closing),
    ("end", name) or ("characters", text).
    """
    cdef Tokenizer tokenizer
    cdef Token token
    _begin(&tokenizer, source, len(source), <Content><int>STATES[state])
    tokenizer.last_name = last_start_tag
    tokenizer.last_size = len(last_start_tag)
    found = []
    while True:
        next_token(&tokenizer, &token)
        if token.kind == END_OF_FILE:
            return found
        if token.kind == START_TAG:
            name = tag_name(source, token.start + 1, token.name_stop)
            values = attributes(source, token.name_stop, token.stop)
            found.append(("start", name, values, bool(token.self_closing)))
        elif token.kind == END_TAG:
            found.append(("end", tag_name(source, token.start + 2, token.name_stop)))
        elif token.kind == CHARACTERS:
            found.append(("characters", character_data(source, token.start, token.stop, token.content)))
