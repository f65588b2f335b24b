# cython: language_level=3
"""The native pass: UTF-8 HTML in, the columns of the blocks, the elements and the links out."""

from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

from webstrata._scan.attributes cimport likely
from webstrata._scan.columns cimport taken
from webstrata._scan.decoding cimport decoded
from webstrata._scan.foreign cimport is_foreign
from webstrata._scan.head cimport on_doctype
from webstrata._scan.references cimport prepare
from webstrata._scan.rows cimport Builder, release, start
from webstrata._scan.tokenizer cimport (
    CHARACTERS, DATA_TEXT, DOCTYPE, END_OF_FILE, END_TAG, START_TAG, Content, Token, Tokenizer, next_token,
)
from webstrata._scan.tree cimport is_flowing, on_characters, on_end, on_end_tag, on_start_tag, on_text

from webstrata._scan.references import STATES, attributes, character_data, tag_name


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

    `source` must be valid UTF-8 of less than 2 GiB; `webstrata.encoding` sees to that.
    """
    cdef Builder* builder = <Builder*>malloc(sizeof(Builder))
    cdef const uint8_t* data = source
    cdef Py_ssize_t length = len(source)
    if builder == NULL:
        raise MemoryError
    try:
        prepare()
        with nogil:
            if start(builder, data, length):
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
