# cython: language_level=3
"""How much of a page, of its groups of lookalikes and of each range of paragraphs is likely content."""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from webstrata.extraction.learned.page_features cimport Node, PageFeatures
from webstrata.extraction.learned.paragraph_features cimport ParagraphFeatures

cdef enum:
    STEPS = 1024             # in which scores from 0 to 1 are counted


cdef bint add_up(PageFeatures page, const double* score, PageScores* scores) noexcept nogil:
    """Add up the scores of a page; False when memory ran out. `release` frees the memory in either case."""
    cdef Py_ssize_t n = page.count
    scores.sums = <WeightedScore*>calloc(n + 1, sizeof(WeightedScore))
    scores.alike = <WeightedScore*>calloc(page.alike.count + 1, sizeof(WeightedScore))
    scores.above = <float*>malloc((n + 1) * sizeof(float))
    scores.before = <float*>malloc((n + 1) * sizeof(float))
    if scores.sums == NULL or scores.alike == NULL or scores.above == NULL or scores.before == NULL:
        return False
    _sum(page, score, scores)
    scores.threshold = _best_prefix(page, score, scores.above)
    return True


cdef void release(PageScores* scores) noexcept nogil:
    free(scores.sums)
    free(scores.alike)
    free(scores.above)
    free(scores.before)


cdef void _add(WeightedScore* to, WeightedScore sum) noexcept nogil:
    to.score += sum.score
    to.weight += sum.weight


cdef void _sum(PageFeatures page, const double* score, PageScores* scores) noexcept nogil:
    cdef Py_ssize_t i
    cdef ParagraphFeatures* paragraph
    cdef Node* node
    cdef WeightedScore own
    scores.best, scores.heaviest = 0, 0
    for i in range(page.count):
        paragraph = &page.paragraph[i]
        own = score_of(page, i, score)
        scores.sums[i + 1] = scores.sums[i]
        _add(&scores.sums[i + 1], own)
        _add(&scores.alike[paragraph.path_class], own)
        _add(&scores.alike[paragraph.path_tags], own)
        # The copies before this one are all that its group has so far.
        scores.before[i] = -1
        if scores.alike[paragraph.text].weight > 0:
            scores.before[i] = scores.alike[paragraph.text].score / scores.alike[paragraph.text].weight
        _add(&scores.alike[paragraph.text], own)
        scores.best = max(scores.best, score[i])
        if score[i] * paragraph.words > score[scores.heaviest] * page.paragraph[scores.heaviest].words:
            scores.heaviest = i
    for i in range(page.elements):
        node = &page.node[i]
        if node.siblings >= 0 and node.end_paragraph > node.first_paragraph:
            _add(&scores.alike[node.siblings], below(page, scores, <int32_t>i))
    scores.total = scores.sums[page.count]


cdef double _best_prefix(PageFeatures page, const double* score, float* above) noexcept nogil:
    """The score down to which the expected F1 is highest; fills the share of words with a better score.

    With p_i the chance that paragraph i of w_i words is content, keeping a set K has the expected F1 of about
    2 sum_K p w / (sum_K w + sum p w), and the best set of any size is a prefix of the order by p. Chances are counted
    in STEPS, so that sorting takes linear time.
    """
    cdef Py_ssize_t i
    cdef int step
    cdef double sum = 0, total = 0, kept = 0, best = -1, value, threshold = 1
    cdef double words = page.sums[page.count].words + 1e-9
    cdef WeightedScore[STEPS] steps
    memset(steps, 0, sizeof(steps))
    for i in range(page.count):
        step = _step(score[i])
        steps[step].score += score[i] * page.paragraph[i].words
        steps[step].weight += page.paragraph[i].words
        total += score[i] * page.paragraph[i].words
    for step in range(STEPS - 1, -1, -1):
        sum += steps[step].score
        kept += steps[step].weight
        value = 2 * sum / (kept + total + 1e-9)
        if value > best and steps[step].weight > 0:
            best = value
            threshold = <double>step / STEPS
        steps[step].score = (kept - steps[step].weight) / words
    for i in range(page.count):
        above[i] = steps[_step(score[i])].score
    return threshold


cdef inline int _step(double score) noexcept nogil:
    return min(max(<int>(score * STEPS), 0), STEPS - 1)
