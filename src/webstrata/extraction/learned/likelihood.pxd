# cython: language_level=3
"""How much of a page, of its groups of lookalikes and of each range of paragraphs is likely content."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.page_features cimport PageFeatures

cdef struct WeightedScore:
    double score             # weighted
    double weight

# The scores of a page, added up.
cdef struct PageScores:
    WeightedScore* sums      # running sums over the paragraphs
    WeightedScore* alike     # of each group of lookalikes
    float* above             # share of the words of paragraphs with a better score
    float* before            # the mean score of the earlier paragraphs with the same text
    WeightedScore total
    double best
    Py_ssize_t heaviest      # the paragraph with the most words that are likely content
    double threshold         # the score down to which the expected F1 rises

cdef inline double mean(WeightedScore sum, WeightedScore member) noexcept nogil:
    """The mean of a sum without one member; -1 for no other members."""
    cdef double rest = sum.weight - member.weight
    return (sum.score - member.score) / rest if rest > 0.5 else -1

cdef inline double part(WeightedScore sum, const PageScores* scores) noexcept nogil:
    """The share in the likely content of the page."""
    return sum.score / (scores.total.score + 1e-9)

cdef inline WeightedScore between(const PageScores* scores, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef WeightedScore sum
    sum.score = scores.sums[stop].score - scores.sums[start].score
    sum.weight = scores.sums[stop].weight - scores.sums[start].weight
    return sum

cdef inline WeightedScore below(PageFeatures page, const PageScores* scores, int32_t element) noexcept nogil:
    return between(scores, page.node[element].first_paragraph, page.node[element].end_paragraph)

cdef inline WeightedScore score_of(PageFeatures page, Py_ssize_t i, const double* score) noexcept nogil:
    cdef WeightedScore sum
    sum.weight = page.paragraph[i].words + 1
    sum.score = sum.weight * score[i]
    return sum


cdef bint add_up(PageFeatures page, const double* score, PageScores* scores) noexcept nogil
cdef void release(PageScores* scores) noexcept nogil
