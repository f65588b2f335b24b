# cython: language_level=3
"""Comments, captions, sidebars and ends of texts by the names of elements and the first words of short paragraphs.

The words are fixed lists, unlike those of the model. They are compared by their hashes.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from webstrata._scan.tags cimport ARTICLE, BODY, CODE, FIGCAPTION, MAIN, PRE
from webstrata.extraction.learned.page_features cimport ENCLOSING_BIT, Node
from webstrata.extraction.learned.reasons cimport UNDER_CAPTION, UNDER_COMMENT, UNDER_SIDE
from webstrata.extraction.learned.word_hashes cimport CLASS_KIND, HASH_START, TEXT_KIND, fnv

cdef enum:
    SLOTS = 128
    ENDINGS = 4096
    END_WORDS = 6                # a longer paragraph is no heading; the pairs of its words are not hashed either
    MOST_SIDE = 80               # percent of the words of a page; an element with more holds the text and its sidebar

# Words of classes and ids; a name such as `readerComments` or `comment-list` has two.
_COMMENT_WORDS = """
comment comments commentlist commentslist commentform commentbody commenttext commentarea commentthread commenting
disqus respond talkback usercomments readercomments postcomments commentwrapper discussion
""".split()
_CAPTION_WORDS = "caption captions figcaption imagecaption photocaption cutline".split()
_SIDE_WORDS = "sidebar sidebars blogroll".split()
# An element with one of these in its name holds the text, and its name says that there is a sidebar beside it.
_AROUND_WORDS = "content main has with no layout grid site page article body post entry primary full".split()
# The first two words of headings that follow a text and lead elsewhere. boilerpipe ends a text at such blocks as well
# (its TerminatingBlocksFinder).
_END_PHRASES = [phrase.split("+") for phrase in """
related+articles related+stories related+links related+posts related+news related+coverage related+content
related+topics more+articles more+stories more+news more+headlines other+articles other+stories other+recent other+news
internal+links external+links most+read most+popular most+viewed most+emailed most+commented latest+news
recommended+for you+may also+in also+on bookmark+with share+this
""".split()]

cdef struct HashSet:
    uint32_t[SLOTS] slot

cdef HashSet _COMMENTS, _CAPTIONS, _SIDES, _AROUND, _ENDS
# By the last bits of a hash, whether a word for comments, captions or sidebars has them: most names do not.
cdef uint8_t[ENDINGS] _MAYBE


cdef uint32_t _hash(str word, uint32_t kind):
    """The hash of one lower-case word of a name or of a text."""
    cdef uint32_t hash = HASH_START ^ kind
    for character in word:
        hash = fnv(hash, ord(character))
    return hash


cdef int _add(HashSet* words, uint32_t hash) except -1:
    cdef uint32_t place = hash & (SLOTS - 1)
    while words.slot[place]:
        place = (place + 1) & (SLOTS - 1)
    words.slot[place] = hash
    return 0


cdef inline bint _has(const HashSet* words, uint32_t hash) noexcept nogil:
    cdef uint32_t place = hash & (SLOTS - 1)
    while words.slot[place]:
        if words.slot[place] == hash:
            return True
        place = (place + 1) & (SLOTS - 1)
    return False


cdef int _fill() except -1:
    for name in (*_COMMENT_WORDS, *_CAPTION_WORDS, *_SIDE_WORDS):
        _MAYBE[_hash(name, CLASS_KIND) & (ENDINGS - 1)] = True
    for name in _COMMENT_WORDS:
        _add(&_COMMENTS, _hash(name, CLASS_KIND))
    for name in _CAPTION_WORDS:
        _add(&_CAPTIONS, _hash(name, CLASS_KIND))
    for name in _SIDE_WORDS:
        _add(&_SIDES, _hash(name, CLASS_KIND))
    for name in _AROUND_WORDS:
        _add(&_AROUND, _hash(name, CLASS_KIND))
    for first, second in _END_PHRASES:
        _add(&_ENDS, fnv(_hash(first, TEXT_KIND), _hash(second, TEXT_KIND)))
    return 0


_fill()


cdef bint _is_side(PageFeatures page, Py_ssize_t i, int32_t title) noexcept nogil:
    """Whether an element with a sidebar in its name is one, and does not hold the text beside one."""
    cdef Node* node = &page.node[i]
    cdef Py_ssize_t k
    cdef int32_t words = page.sums[node.end_paragraph].words - page.sums[node.first_paragraph].words
    if title < 0 or node.first_paragraph <= title < node.end_paragraph:
        return False
    if page.tag[i] == BODY or page.tag[i] == MAIN or page.tag[i] == ARTICLE:
        return False
    if 100 * words > MOST_SIDE * page.sums[page.count].words:
        return False
    for k in range(node.first_word, node.end_word):
        if _has(&_AROUND, page.name_words.hash[k]):
            return False
    return True


cdef void read_names(PageFeatures page, uint8_t* under, int32_t title) noexcept nogil:
    """Mark the elements that are called comments, captions or sidebars, and those inside of them.

    An element with the title in it is no comment: some blogs name there whether comments are open. Nor is one in code,
    where highlighters mark the comments of the language.
    """
    cdef uint64_t code = ENCLOSING_BIT[PRE] | ENCLOSING_BIT[CODE]
    cdef Py_ssize_t i, k
    cdef Node* node
    cdef uint32_t name
    cdef uint8_t own
    for i in range(page.elements):
        node = &page.node[i]
        own = under[page.parent[i]] if page.parent[i] >= 0 else 0
        if node.end_paragraph > node.first_paragraph:
            for k in range(node.first_word, node.end_word):
                name = page.name_words.hash[k]
                if not _MAYBE[name & (ENDINGS - 1)]:
                    continue
                if _has(&_COMMENTS, name):
                    if not node.first_paragraph <= title < node.end_paragraph and not node.above & code:
                        own |= UNDER_COMMENT
                elif _has(&_CAPTIONS, name):
                    own |= UNDER_CAPTION
                elif _has(&_SIDES, name) and _is_side(page, i, title):
                    own |= UNDER_SIDE
            if page.tag[i] == FIGCAPTION:
                own |= UNDER_CAPTION
        under[i] = own


cdef bint ends_text(PageFeatures page, const ParagraphFeatures* paragraph) noexcept nogil:
    """Whether a paragraph is short, is no link, and begins like a heading that leads elsewhere."""
    if paragraph.words > END_WORDS or 2 * paragraph.link_words > paragraph.words or paragraph.hidden:
        return False
    # The first hashes of a short paragraph are those of its first word, of the second, and of the pair.
    return (paragraph.end_word - paragraph.first_word > 2
            and _has(&_ENDS, page.text_words.hash[paragraph.first_word + 2]))
