# cython: language_level=3
"""How much of a page, of its groups and of each stretch of it is likely content, by the scores of a pass."""

from libc.stdint cimport int32_t

from webstrata.extraction.learned.outline cimport Outline

cdef struct Mass:
    double score             # weighted
    double weight

# What is known of the page as a whole.
cdef struct Whole:
    Mass* sums               # running, over the units
    Mass* group              # of each group of the outline
    float* above             # share of the words of units with a better score
    float* before            # the mean score of the earlier units with the same text
    Mass total
    double best
    Py_ssize_t heaviest      # the unit with the most words that are likely content
    double threshold         # the score from which keeping pays

cdef bint add_up(Outline page, const double* score, Whole* whole) noexcept nogil
cdef void release(Whole* whole) noexcept nogil

cdef inline double mean(Mass mass, Mass member) noexcept nogil:
    """The mean of a mass without one member; -1 when nothing else is there."""
    cdef double rest = mass.weight - member.weight
    return (mass.score - member.score) / rest if rest > 0.5 else -1

cdef inline double part(Mass mass, const Whole* whole) noexcept nogil:
    """The share of all that is likely content."""
    return mass.score / (whole.total.score + 1e-9)

cdef inline Mass between(const Whole* whole, Py_ssize_t start, Py_ssize_t stop) noexcept nogil:
    cdef Mass mass
    mass.score = whole.sums[stop].score - whole.sums[start].score
    mass.weight = whole.sums[stop].weight - whole.sums[start].weight
    return mass

cdef inline Mass below(Outline page, const Whole* whole, int32_t element) noexcept nogil:
    return between(whole, page.node[element].first_unit, page.node[element].end_unit)

cdef inline Mass mass_of(Outline page, Py_ssize_t i, const double* score) noexcept nogil:
    cdef Mass mass
    mass.weight = page.unit[i].words + 1
    mass.score = mass.weight * score[i]
    return mass
