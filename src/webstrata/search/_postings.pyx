# cython: language_level=3
"""The postings of many texts: the blocks of each term, with counts."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, memcpy

from webstrata.search._terms cimport Sink, read_terms

import numpy as np

from webstrata.errors import InputError


cdef enum:
    SHORTEST = 3             # letters of a part of an identifier


cdef void* _grown(void* old, size_t size) except NULL:
    cdef void* new = realloc(old, size)
    if new == NULL:
        raise MemoryError
    return new


cdef class Postings(Sink):
    """The postings of many blocks: the blocks of each term, with counts.

    Parameters
    ----------
    alter : maps a term to another one, or to None to leave it out; called once for each term
    """

    cdef object alter
    cdef uint8_t* letters            # all words in the order of their first occurrence
    cdef int64_t letters_used, letters_room
    cdef int64_t* word_start         # the offset of each in `letters`, and the end
    cdef uint64_t* word_hash
    cdef int32_t* word_term          # the term of each word, -1 for those left out
    cdef uint64_t* word_cuts         # where the parts of each begin, if it was ever written as an identifier
    cdef int32_t words, words_room
    cdef int32_t* table              # a hash table of words; -1 is free
    cdef int64_t mask
    cdef int32_t* last               # of each term, its last posting
    cdef int32_t terms, terms_room
    cdef dict altered
    cdef int32_t* posting_term
    cdef uint32_t* posting_block
    cdef uint32_t* posting_count
    cdef int64_t postings, postings_room
    cdef uint32_t block, times
    cdef uint64_t digest
    cdef uint32_t tokens

    def __cinit__(self, alter=None):
        cdef int64_t place
        self.alter = alter
        self.altered = {}
        self.letters_room, self.words_room, self.terms_room, self.postings_room = 1 << 16, 1 << 12, 1 << 12, 1 << 14
        self.letters = <uint8_t*>_grown(NULL, self.letters_room)
        self.word_start = <int64_t*>_grown(NULL, (self.words_room + 1) * sizeof(int64_t))
        self.word_hash = <uint64_t*>_grown(NULL, self.words_room * sizeof(uint64_t))
        self.word_term = <int32_t*>_grown(NULL, self.words_room * sizeof(int32_t))
        self.word_cuts = <uint64_t*>_grown(NULL, self.words_room * sizeof(uint64_t))
        self.last = <int32_t*>_grown(NULL, self.terms_room * sizeof(int32_t))
        self.posting_term = <int32_t*>_grown(NULL, self.postings_room * sizeof(int32_t))
        self.posting_block = <uint32_t*>_grown(NULL, self.postings_room * sizeof(uint32_t))
        self.posting_count = <uint32_t*>_grown(NULL, self.postings_room * sizeof(uint32_t))
        self.mask = (1 << 14) - 1
        self.table = <int32_t*>_grown(NULL, (self.mask + 1) * sizeof(int32_t))
        for place in range(self.mask + 1):
            self.table[place] = -1
        self.word_start[0] = 0

    def __dealloc__(self):
        for pointer in (<size_t>self.letters, <size_t>self.word_start, <size_t>self.word_hash,
                        <size_t>self.word_term, <size_t>self.word_cuts, <size_t>self.last, <size_t>self.posting_term,
                        <size_t>self.posting_block, <size_t>self.posting_count, <size_t>self.table):
            free(<void*><size_t>pointer)

    def __len__(self):
        return self.postings

    def add(self, str text, const int64_t[::1] starts, const int64_t[::1] stops, uint32_t first, times=None):
        """Add the blocks of a text, numbered from `first` on; returns the number of terms and the digest of each.

        The terms of a block count `times` times.
        """
        cdef Py_ssize_t i, count = starts.shape[0]
        tokens = np.zeros(count, np.uint32)
        digests = np.zeros(count, np.uint64)
        cdef uint32_t[::1] token_view = tokens
        cdef uint64_t[::1] digest_view = digests
        cdef const uint32_t[::1] times_view = times if times is not None else None
        if stops.shape[0] != count or (times is not None and times_view.shape[0] != count):
            raise AssertionError("each block needs a start, a stop and its times")
        if self.postings > 0x7FFF0000 - len(text):
            raise InputError("a shard holds at most 2,147,000,000 postings: use more shards")
        for i in range(count):
            self.block = first + <uint32_t>i
            self.times = times_view[i] if times is not None else 1
            self.tokens = 0
            self.digest = 14695981039346656037ULL
            read_terms(text, starts[i], stops[i], self)
            token_view[i] = self.tokens * self.times
            digest_view[i] = self.digest if self.tokens else 0
        return tokens, digests

    cdef int take(self, const uint8_t* term, int length, int64_t start, int64_t stop) except -1:
        cdef uint64_t value = 14695981039346656037ULL
        cdef int i
        cdef int32_t number, posting, word
        for i in range(length):
            value = (value ^ term[i]) * 1099511628211ULL
        # The high bits of this hash are good, the low ones less so.
        value ^= value >> 32
        word = self._word(term, length, value)
        self.word_cuts[word] |= self.cuts
        number = self.word_term[word]
        if number < 0:
            return 0
        self.tokens += 1
        self.digest = (self.digest ^ value) * 1099511628211ULL
        posting = self.last[number]
        if posting >= 0 and self.posting_block[posting] == self.block:
            self.posting_count[posting] += self.times
            return 0
        if self.postings == self.postings_room:
            self.postings_room *= 2
            self.posting_term = <int32_t*>_grown(self.posting_term, self.postings_room * sizeof(int32_t))
            self.posting_block = <uint32_t*>_grown(self.posting_block, self.postings_room * sizeof(uint32_t))
            self.posting_count = <uint32_t*>_grown(self.posting_count, self.postings_room * sizeof(uint32_t))
        self.posting_term[self.postings] = number
        self.posting_block[self.postings] = self.block
        self.posting_count[self.postings] = self.times
        self.last[number] = <int32_t>self.postings
        self.postings += 1
        return 0

    cdef int32_t _word(self, const uint8_t* term, int length, uint64_t value) except -1:
        """The number of a word, which is added if it is new."""
        cdef int64_t place = value & self.mask
        cdef int32_t word
        while True:
            word = self.table[place]
            if word < 0:
                break
            if (self.word_hash[word] == value and self.word_start[word + 1] - self.word_start[word] == length
                    and memcmp(self.letters + self.word_start[word], term, length) == 0):
                return word
            place = (place + 1) & self.mask
        if 2 * <int64_t>self.words > self.mask:
            self._rehash()
            place = value & self.mask
            while self.table[place] >= 0:
                place = (place + 1) & self.mask
        return self._new_word(term, length, value, place)

    cdef int32_t _new_word(self, const uint8_t* term, int length, uint64_t value, int64_t place) except -1:
        cdef int32_t word = self.words
        if self.words == self.words_room:
            self.words_room *= 2
            self.word_start = <int64_t*>_grown(self.word_start, (self.words_room + 1) * sizeof(int64_t))
            self.word_hash = <uint64_t*>_grown(self.word_hash, self.words_room * sizeof(uint64_t))
            self.word_term = <int32_t*>_grown(self.word_term, self.words_room * sizeof(int32_t))
            self.word_cuts = <uint64_t*>_grown(self.word_cuts, self.words_room * sizeof(uint64_t))
        if self.letters_used + length > self.letters_room:
            self.letters_room *= 2
            self.letters = <uint8_t*>_grown(self.letters, self.letters_room)
        memcpy(self.letters + self.letters_used, term, length)
        self.letters_used += length
        self.word_hash[word] = value
        self.word_cuts[word] = 0
        self.word_start[word + 1] = self.letters_used
        self.word_term[word] = self._term_of(term, length)
        self.words += 1
        self.table[place] = word
        return word

    cdef int32_t _term_of(self, const uint8_t* term, int length) except? -2:
        """The term of a new word; -1 to leave it out."""
        if self.alter is not None:
            other = self.alter(term[:length].decode("utf-8", "replace"))
            if other is None:
                return -1
            if other in self.altered:
                return self.altered[other]
            self.altered[other] = self.terms
        if self.terms == self.terms_room:
            self.terms_room *= 2
            self.last = <int32_t*>_grown(self.last, self.terms_room * sizeof(int32_t))
        self.last[self.terms] = -1
        self.terms += 1
        return self.terms - 1

    cdef int _rehash(self) except -1:
        cdef int64_t place, size = 2 * (self.mask + 1)
        cdef int32_t word
        self.table = <int32_t*>_grown(self.table, size * sizeof(int32_t))
        self.mask = size - 1
        for place in range(size):
            self.table[place] = -1
        for word in range(self.words):
            place = self.word_hash[word] & self.mask
            while self.table[place] >= 0:
                place = (place + 1) & self.mask
            self.table[place] = word
        return 0

    def parts(self):
        """A line for each part of an identifier and the term that it is part of: both, with a space between."""
        cdef int32_t word
        cdef int place, first
        if self.alter is not None:
            return []
        found = []
        for word in range(self.words):
            if not self.word_cuts[word]:
                continue
            name = self.letters[self.word_start[word]:self.word_start[word + 1]]
            edges = [0, *(place for place in range(1, 64) if self.word_cuts[word] >> place & 1), len(name)]
            for first, place in zip(edges, edges[1:]):
                if place - first >= SHORTEST:
                    found.append(name[first:place] + b" " + name)
        return sorted(set(found))

    def columns(self):
        """The terms as bytes, ascending, the first posting of each, and the blocks and counts of postings."""
        cdef int64_t i, place
        cdef int32_t term
        cdef int64_t postings = self.postings
        if self.alter is None:
            names = [self.letters[self.word_start[i]:self.word_start[i + 1]] for i in range(self.words)]
        else:
            names = [name.encode("utf-8", "replace") for name in self.altered]
        order = sorted(range(self.terms), key=names.__getitem__)
        rank = np.empty(self.terms, np.int64)
        rank[order] = np.arange(self.terms)
        starts = np.zeros(self.terms + 1, np.int64)
        blocks = np.empty(postings, np.uint32)
        counts = np.empty(postings, np.uint16)
        cdef int64_t[::1] rank_view = rank
        cdef int64_t[::1] start_view = starts
        cdef uint32_t[::1] block_view = blocks
        cdef uint16_t[::1] count_view = counts
        with nogil:
            for i in range(postings):
                start_view[rank_view[self.posting_term[i]] + 1] += 1
            for i in range(self.terms):
                start_view[i + 1] += start_view[i]
        nexts = starts[: self.terms].copy()
        cdef int64_t[::1] next_view = nexts
        with nogil:
            for i in range(postings):
                term = <int32_t>rank_view[self.posting_term[i]]
                place = next_view[term]
                next_view[term] = place + 1
                block_view[place] = self.posting_block[i]
                count_view[place] = min(self.posting_count[i], 65535)
        return [names[i] for i in order], starts, blocks, counts
