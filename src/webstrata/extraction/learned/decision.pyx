# cython: language_level=3
"""The kind of each paragraph (content, title, comment, caption or boilerplate) and the reason for it.

The scores of the passes are about single paragraphs. The steps below, run one after the other, correct them by the page
as a whole: paragraphs inside a kept region stay unless a rule drops them, paragraphs in an element called
comments are comments, and where the scores find nothing on a page with text, simple rules decide.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from webstrata.extraction.learned.drop_rules cimport (
    drop_after_end, drop_link_lists, drop_repeats, drop_sidebars, find_title, separate_captions, separate_comments,
    separate_title,
)
from webstrata.extraction.learned.element_names cimport read_names
from webstrata.extraction.learned.guard cimport drop_hidden, keep_lost_prose, mark_lost_prose
from webstrata.extraction.learned.keep_rules cimport (
    keep_between, keep_lead, keep_lookalikes, keep_without_scores,
)
from webstrata.extraction.learned.reasons cimport BOILERPLATE, CONTENT, Decision, set_kind
from webstrata.extraction.learned.threads cimport keep_replies
from webstrata.extraction.learned.wholes cimport decide_wholes, find_wholes

import numpy as np

from webstrata.errors import InputError

#: The reasons by number, in the order of `reasons.pxd`.
REASONS = (
    "boilerplate",
    "boilerplate by what is around it",
    "content by what is around it",
    "content",
    "said before",
    "in a comment",
    "about a comment",
    "inside of kept text",
    "the title",
    "a caption",
    "kept by simple rules, for nothing on the page looks like an article",
    "a list of links beside the text",
    "between the title and the comments",
    "in a table",
    "part of a table, list, code or figure that is kept",
    "after the end of the text",
    "in a sidebar",
    "between the title and the text",
    "prose like what is kept",
    "part of a table, list, code or figure that is left out",
    "hidden",
    "a reply of a thread",
    "kept by simple rules, for most prose of the page would be lost",
    "prose that is left out, though most of the page is prose",
)

ctypedef void (*Rule)(PageFeatures page, Decision* decision) noexcept nogil


cdef void keep_by_score(PageFeatures page, Decision* decision) noexcept nogil:
    """Content from the threshold on. The reason says whether the first pass alone agrees."""
    cdef Py_ssize_t i
    cdef uint8_t kind
    for i in range(page.count):
        kind = CONTENT if decision.score[i] >= decision.threshold else BOILERPLATE
        set_kind(decision, i, kind, 2 * kind + (decision.first[i] >= decision.threshold))


cdef enum:
    MOST_STEPS = 32          # the bits of a set of steps

cdef Rule[MOST_STEPS] _RULES
_NUMBERS = {}


cdef int _step(str name, Rule rule) except -1:
    """Add a step."""
    if len(_NUMBERS) == MOST_STEPS:
        raise ImportError("webstrata: MOST_STEPS is too small")
    _RULES[len(_NUMBERS)] = rule
    _NUMBERS[name] = len(_NUMBERS)
    return 0


# The steps, in the order in which they run.
_step("keep_by_score", keep_by_score)
_step("drop_hidden", drop_hidden)
_step("keep_without_scores", keep_without_scores)
_step("drop_link_lists", drop_link_lists)
_step("drop_sidebars", drop_sidebars)
_step("drop_after_end", drop_after_end)
_step("keep_lookalikes", keep_lookalikes)
_step("keep_lead", keep_lead)
_step("keep_lost_prose", keep_lost_prose)
_step("keep_between", keep_between)
_step("decide_wholes", decide_wholes)
_step("separate_comments", separate_comments)
_step("keep_replies", keep_replies)
_step("separate_captions", separate_captions)
_step("drop_repeats", drop_repeats)
_step("separate_title", separate_title)
_step("mark_lost_prose", mark_lost_prose)

#: The names of the steps; each is a function of `keep_rules`, `drop_rules` or this module.
STEPS = tuple(_NUMBERS)


cdef uint32_t step_bits(steps) except? 0:
    """A set of steps as bits."""
    cdef uint32_t bits = 0
    for name in steps:
        bits |= <uint32_t>1 << <int>_NUMBERS[name]
    return bits


def decide(PageFeatures page, const double[::1] first, const double[::1] score, double threshold, *,
           bint type_is_known=False, steps=STEPS):
    """The kind and the reason of each paragraph: numbers of `webstrata.extraction.base.Kind`, indices of `REASONS`.

    Parameters
    ----------
    first, score : the chances of content after the first pass and after the second
    threshold : the chance from which a paragraph is content
    type_is_known : whether the metadata of the page has words that the model knows
    steps : the names of the steps to run; the others are left out
    """
    cdef Py_ssize_t n = page.count
    cdef uint32_t bits = step_bits(steps)
    cdef bint fine = True
    if first.shape[0] != n or score.shape[0] != n:
        raise InputError(f"there are {n} paragraphs, {first.shape[0]} and {score.shape[0]} scores")
    kinds, reasons = np.zeros(n, np.uint8), np.zeros(n, np.uint8)
    cdef uint8_t[::1] kind = kinds
    cdef uint8_t[::1] reason = reasons
    if n:
        with nogil:
            fine = fill_kinds(page, &first[0], &score[0], threshold, type_is_known, bits, NULL, &kind[0], &reason[0])
    if not fine:
        raise MemoryError
    return kinds, reasons


cdef bint fill_kinds(PageFeatures page, const double* first, const double* score, double threshold, bint type_is_known,
                     uint32_t steps, const uint8_t* hidden, uint8_t* kind, uint8_t* reason) noexcept nogil:
    """Fill kinds and reasons as `decide` does; False when memory ran out. Both are zero before.

    `hidden` marks the hidden paragraphs to leave out; NULL for none.
    """
    cdef Decision decision
    cdef int32_t* buffer
    cdef int number
    cdef bint fine
    if page.count == 0:
        return True
    buffer = <int32_t*>calloc(3 * page.alike.count + 4 * page.count + 2, sizeof(int32_t))
    decision.under = <uint8_t*>calloc(page.elements + 1, 1)
    fine = decision.under != NULL and buffer != NULL
    if fine:
        decision.kind, decision.reason = kind, reason
        decision.first, decision.score, decision.threshold = first, score, threshold
        decision.type_is_known = type_is_known
        decision.hidden = hidden
        decision.prose, decision.kept_prose = buffer, buffer + page.alike.count
        decision.last_copy = buffer + 2 * page.alike.count
        decision.whole = buffer + 3 * page.alike.count
        decision.original = decision.whole + page.count
        decision.words_before = decision.original + page.count
        decision.copied_before = decision.words_before + page.count + 1
        decision.title = find_title(page)
        read_names(page, decision.under, decision.title)
        fine = find_wholes(page, &decision)
    if fine:
        for number in range(MOST_STEPS):
            if steps >> number & 1:
                _RULES[number](page, &decision)
    free(decision.under)
    free(buffer)
    return fine
