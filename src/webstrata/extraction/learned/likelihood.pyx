# cython: language_level=3
"""How much of a page, of its groups and of each stretch of it is likely content, by the scores of a pass."""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from webstrata.extraction.learned.outline cimport Node, Outline
from webstrata.extraction.learned.paragraph cimport Unit

cdef enum:
    STEPS = 1024             # scores are told apart to such a part


cdef bint add_up(Outline page, const double* score, Whole* whole) noexcept nogil:
    """Fill what is known of the whole; False when memory ran out. `release` frees it in any case."""
    cdef Py_ssize_t n = page.units
    whole.sums = <Mass*>calloc(n + 1, sizeof(Mass))
    whole.group = <Mass*>calloc(page.groups.count + 1, sizeof(Mass))
    whole.above = <float*>malloc((n + 1) * sizeof(float))
    whole.before = <float*>malloc((n + 1) * sizeof(float))
    if whole.sums == NULL or whole.group == NULL or whole.above == NULL or whole.before == NULL:
        return False
    _sum(page, score, whole)
    whole.threshold = _best_prefix(page, score, whole.above)
    return True


cdef void release(Whole* whole) noexcept nogil:
    free(whole.sums)
    free(whole.group)
    free(whole.above)
    free(whole.before)


cdef inline void _add(Mass* to, Mass mass) noexcept nogil:
    to.score += mass.score
    to.weight += mass.weight


cdef void _sum(Outline page, const double* score, Whole* whole) noexcept nogil:
    cdef Py_ssize_t i
    cdef Unit* unit
    cdef Node* node
    cdef Mass own
    whole.best, whole.heaviest = 0, 0
    for i in range(page.units):
        unit = &page.unit[i]
        own = mass_of(page, i, score)
        whole.sums[i + 1] = whole.sums[i]
        _add(&whole.sums[i + 1], own)
        _add(&whole.group[unit.path_class], own)
        _add(&whole.group[unit.path_tags], own)
        # What comes before a copy is all that its group has so far.
        whole.before[i] = -1
        if whole.group[unit.text].weight > 0:
            whole.before[i] = whole.group[unit.text].score / whole.group[unit.text].weight
        _add(&whole.group[unit.text], own)
        whole.best = max(whole.best, score[i])
        if score[i] * unit.words > score[whole.heaviest] * page.unit[whole.heaviest].words:
            whole.heaviest = i
    for i in range(page.elements):
        node = &page.node[i]
        if node.siblings >= 0 and node.end_unit > node.first_unit:
            _add(&whole.group[node.siblings], below(page, whole, <int32_t>i))
    whole.total = whole.sums[page.units]


cdef double _best_prefix(Outline page, const double* score, float* above) noexcept nogil:
    """The score down to which the expected F1 is highest; fills the share of words with a better score.

    With p_i the chance that paragraph i of w_i words is content, keeping a set K has the expected F1 of about
    2 sum_K p w / (sum_K w + sum p w), and the best set of any size is a prefix of the order by p. Chances are told
    apart to a part in STEPS, so that the order takes linear time.
    """
    cdef Py_ssize_t i
    cdef int step
    cdef double mass = 0, total = 0, kept = 0, best = -1, value, threshold = 1
    cdef double words = page.sums[page.units].words + 1e-9
    cdef Mass[STEPS] steps
    memset(steps, 0, sizeof(steps))
    for i in range(page.units):
        step = _step(score[i])
        steps[step].score += score[i] * page.unit[i].words
        steps[step].weight += page.unit[i].words
        total += score[i] * page.unit[i].words
    for step in range(STEPS - 1, -1, -1):
        mass += steps[step].score
        kept += steps[step].weight
        value = 2 * mass / (kept + total + 1e-9)
        if value > best and steps[step].weight > 0:
            best = value
            threshold = <double>step / STEPS
        steps[step].score = (kept - steps[step].weight) / words
    for i in range(page.units):
        above[i] = steps[_step(score[i])].score
    return threshold


cdef inline int _step(double score) noexcept nogil:
    return min(max(<int>(score * STEPS), 0), STEPS - 1)
