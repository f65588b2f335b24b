# cython: language_level=3
"""Pages that are threads: there, comments are replies, and belong to the content.

A page says that it is a thread in its own address, in the names of its body, or by the program that made it.
"""

from libc.stdint cimport int32_t, uint32_t

from webstrata.extraction.learned.page_features cimport PageFeatures
from webstrata.extraction.learned.reasons cimport COMMENT, CONTENT, WHY_REPLY, Decision, set_kind
from webstrata.extraction.learned.word_hashes cimport (
    ADDRESS_KIND, CLASS_KIND, HASH_START, ITEM_KIND, META_KIND, TYPE_KIND, fnv,
)

cdef enum:
    SLOTS = 256
    # On 180 labelled threads. A question with answers has comments too, which its readers' gold leaves out: there, the
    # answers outweigh them.
    OUTWEIGHED = 2               # words of comments for one of other content, from which they are the thread
    FEWEST_WORDS = 20            # of comments
    NO_WORDS = 10                # a page with fewer words outside of its comments has nothing else

# By kind of word, the words that say that a page is a thread.
_WORDS = {
    ADDRESS_KIND: "forum forums threads showthread viewtopic topics bbs comments viewthread showtopic",
    CLASS_KIND: "forum forums thread topic viewtopic showthread discussion discussions",
    ITEM_KIND: "qapage",
    META_KIND: "forum discourse phpbb vbulletin xenforo discuz flarum nodebb mybb lemmy",
    TYPE_KIND: "forum qapage",
}

cdef uint32_t[SLOTS] _THREADS


cdef int _fill() except -1:
    cdef uint32_t hash, place
    for kind, words in _WORDS.items():
        for word in words.split():
            hash = HASH_START ^ <uint32_t>kind
            for character in word:
                hash = fnv(hash, ord(character))
            place = hash & (SLOTS - 1)
            while _THREADS[place]:
                place = (place + 1) & (SLOTS - 1)
            _THREADS[place] = hash
    return 0


_fill()


cdef bint is_thread(PageFeatures page) noexcept nogil:
    """Whether the page says that it is a thread."""
    cdef Py_ssize_t i
    cdef uint32_t hash, place
    for i in range(page.page_words.count):
        hash = page.page_words.hash[i]
        place = hash & (SLOTS - 1)
        while _THREADS[place]:
            if _THREADS[place] == hash:
                return True
            place = (place + 1) & (SLOTS - 1)
    return False


cdef void keep_replies(PageFeatures page, Decision* decision) noexcept nogil:
    """Make comments content where they are the thread, and where there is hardly any other text."""
    cdef Py_ssize_t i
    cdef int32_t comments = 0, others = 0
    for i in range(page.count):
        if decision.kind[i] == COMMENT:
            comments += page.paragraph[i].words
        elif decision.kind[i] == CONTENT and i != decision.title:
            others += page.paragraph[i].words
    if comments < FEWEST_WORDS or comments < OUTWEIGHED * others or (others >= NO_WORDS and not is_thread(page)):
        return
    for i in range(page.count):
        if decision.kind[i] == COMMENT:
            set_kind(decision, i, CONTENT, WHY_REPLY)
