# cython: language_level=3
"""Sweeps over the links of a graph, without the GIL; `webstrata.links.pagerank` says what they mean.

A page t *pulls*: the links that lead to it are ``slot[start[t] : start[t + 1]]``, and each names a place of ``factor``,
which is what the source gives to each link of that stratum. With one stratum the place is the source itself. Ranks of
several vectors lie side by side in one row of a page, so that one sweep over the links serves all of them.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef extern from *:
    """
    #include <stdint.h>

    /* So many vectors lie side by side. Loops over them have a fixed number of steps, so that compilers make vector
       instructions of them. */
    #define WIDE 16
    #define EACH for (int v = 0; v < WIDE; v++)

    /* One build serves all processors: the loader takes the widest registers that this one has. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
    #else
    #define WIDEST
    #endif

    /* Sums of so many pages are added up by themselves, in the type of the ranks, and then to those of all. */
    #define TOGETHER 256

    WIDEST static void sweep_wide(
        const int64_t *start, const uint32_t *slot, const double *jump, const double *received, const int64_t *order,
        const double *factor, const double *stay, int shift, double alpha, const double *weight, int64_t first,
        int64_t stop, const double *seen, double *rank, double *sums)
    {
        double jumps[WIDE];
        EACH jumps[v] = weight[v];
        for (int64_t begin = first; begin < stop; begin += TOGETHER) {
            const int64_t end = begin + TOGETHER < stop ? begin + TOGETHER : stop;
            double change[WIDE] = {0}, total[WIDE] = {0}, walked[WIDE] = {0};
            for (int64_t i = begin; i < end; i++) {
                const int64_t t = order ? order[i] : i;
                double votes[WIDE] = {0};
                for (int64_t e = start[t]; e < start[t + 1]; e++) {
                    const double given = factor[slot[e]], *row = seen + (int64_t)(slot[e] >> shift) * WIDE;
                    EACH votes[v] += row[v] * given;
                }
                if (received) EACH votes[v] += received[t * WIDE + v];
                const double walks = factor[t << shift] < 0 ? 0 : 1;
                const double own = stay ? alpha * stay[t] : 0, rest = 1 / (1 - own), *to = jump + t * WIDE;
                double *row = rank + t * WIDE;
                EACH {
                    const double before = row[v];
                    const double after = (jumps[v] * to[v] + alpha * votes[v] - own * before) * rest;
                    row[v] = after;
                    change[v] += after > before ? after - before : before - after;
                    total[v] += after;
                    walked[v] += walks * after;
                }
            }
            EACH {
                sums[v] += change[v];
                sums[WIDE + v] += total[v];
                sums[2 * WIDE + v] += walked[v];
            }
        }
    }

    /* The same with half of the digits, for one stratum and ranks that are seen at once. A row holds what the page
       gives to each of its links, so that links are read and added up, and nothing else. */
    WIDEST static void sweep_rough(
        const int64_t *start, const uint32_t *slot, const float *jump, const int64_t *order, const double *factor,
        const double *stay, float alpha, const double *weight, int64_t pages, float *given, double *sums)
    {
        float jumps[WIDE];
        EACH jumps[v] = (float)weight[v];
        for (int64_t begin = 0; begin < pages; begin += TOGETHER) {
            const int64_t end = begin + TOGETHER < pages ? begin + TOGETHER : pages;
            float change[WIDE] = {0}, total[WIDE] = {0}, walked[WIDE] = {0};
            for (int64_t i = begin; i < end; i++) {
                const int64_t t = order ? order[i] : i;
                float votes[WIDE] = {0};
                for (int64_t e = start[t]; e < start[t + 1]; e++) {
                    const float *row = given + (int64_t)slot[e] * WIDE;
                    EACH votes[v] += row[v];
                }
                const float gives = (float)factor[t], links = (float)(1 / factor[t]), walks = gives < 0 ? 0 : 1;
                const float own = stay ? alpha * (float)stay[t] : 0, rest = 1 / (1 - own), *to = jump + t * WIDE;
                float *row = given + t * WIDE;
                EACH {
                    const float before = row[v] * links;
                    const float after = (jumps[v] * to[v] + alpha * votes[v] - own * before) * rest;
                    row[v] = after * gives;
                    change[v] += after > before ? after - before : before - after;
                    total[v] += after;
                    walked[v] += walks * after;
                }
            }
            EACH {
                sums[v] += change[v];
                sums[WIDE + v] += total[v];
                sums[2 * WIDE + v] += walked[v];
            }
        }
    }
    """
    const int WIDE
    void sweep_wide(
        const int64_t* start, const uint32_t* slot, const double* jump, const double* received, const int64_t* order,
        const double* factor, const double* stay, int shift, double alpha, const double* weight, int64_t first,
        int64_t stop, const double* seen, double* rank, double* sums) noexcept nogil
    void _sweep_rough "sweep_rough"(
        const int64_t* start, const uint32_t* slot, const float* jump, const int64_t* order, const double* factor,
        const double* stay, float alpha, const double* weight, int64_t pages, float* given,
        double* sums) noexcept nogil


cdef inline double _pull(const uint32_t* slot, int64_t begin, int64_t end, const double* x) noexcept nogil:
    """The votes for one page."""
    cdef double votes = 0
    cdef int64_t e
    for e in range(begin, end):
        votes += x[slot[e]]
    return votes


cdef void _sweep_one(
    const int64_t* start, const uint32_t* slot, const double* jump, const double* received, const int64_t* order,
    const double* factor, const double* stay, int strata, double alpha, double weight, bint at_once, int64_t first,
    int64_t stop, double* x, double* rank, double* sums) noexcept nogil:
    cdef int64_t i, t
    cdef int j
    cdef double value, change = 0, total = 0, walked = 0
    for i in range(first, stop):
        t = order[i] if order != NULL else i
        value = _pull(slot, start[t], start[t + 1], x)
        if received != NULL:
            value += received[t]
        value = weight * jump[t] + alpha * value
        if stay != NULL and stay[t] != 0:
            value = (value - alpha * stay[t] * rank[t]) / (1 - alpha * stay[t])
        change += fabs(value - rank[t])
        total += value
        rank[t] = value
        if factor[t * strata] >= 0:
            walked += value
        if at_once:
            if strata == 1:
                x[t] = value * factor[t]
            else:
                for j in range(strata):
                    x[t * strata + j] = value * factor[t * strata + j]
    sums[0] = change
    sums[1] = total
    sums[2] = walked


def sweep(
    const int64_t[::1] start, const uint32_t[::1] slot, const double[:, ::1] jump, const double[:, ::1] received,
    const int64_t[::1] order, const double[:, ::1] factor, const double[::1] stay, double alpha,
    const double[::1] weight, bint at_once, int64_t first, int64_t stop, double[:, ::1] x, double[:, ::1] rank,
    double[:, ::1] sums):
    """Rank the pages from first to stop once, by one vector or by many; add up changes, ranks, and those that walk on.

    Parameters
    ----------
    start, slot : the links by target
    jump, weight : where jumps go, and how much of each vector they carry
    received : votes that came from elsewhere; None for none
    order : the pages in the order to visit them; None for their own
    factor : what a page gives to each of its links, by stratum; negative where it has none
    stay : what a page gives to itself; None to take the rank of the sweep before for this, too
    at_once : whether pages that come later see the new rank (Gauss-Seidel) or the old one (Jacobi)
    x, rank : what links find (see `share`) and the ranks, changed in place; with several vectors, one array is both
        where pages see new ranks at once
    sums : three rows that receive the sums
    """
    cdef int64_t width = rank.shape[1]
    cdef int shift = _shift(factor.shape[1])
    cdef const int64_t* visit = NULL
    cdef const double* votes = NULL
    cdef const double* own = NULL
    if order is not None:
        visit = &order[0]
    if received is not None:
        votes = &received[0, 0]
    if stay is not None:
        own = &stay[0]
    if width != 1 and width != WIDE:
        raise ValueError(f"one vector or {WIDE}, not {width}")
    sums[:, :] = 0
    if first >= stop:
        return
    # A graph without links has no first link to point to; no page looks there then.
    cdef const uint32_t* slots = NULL
    if slot.shape[0]:
        slots = &slot[0]
    with nogil:
        if width == 1:
            _sweep_one(&start[0], slots, &jump[0, 0], votes, visit, &factor[0, 0], own, factor.shape[1], alpha,
                       weight[0], at_once, first, stop, &x[0, 0], &rank[0, 0], &sums[0, 0])
        else:
            sweep_wide(&start[0], slots, &jump[0, 0], votes, visit, &factor[0, 0], own, shift, alpha, &weight[0], first,
                       stop, &x[0, 0], &rank[0, 0], &sums[0, 0])


def sweep_rough(
    const int64_t[::1] start, const uint32_t[::1] slot, const float[:, ::1] jump, const int64_t[::1] order,
    const double[:, ::1] factor, const double[::1] stay, double alpha, const double[::1] weight, float[:, ::1] given,
    double[:, ::1] sums):
    """Rank all pages once by many vectors with half of the digits, as `sweep` does where ranks are seen at once.

    Parameters
    ----------
    given : what each page gives to each of its links, changed in place; a page without links has its rank, negated.
        All else is as of `sweep`, with one stratum
    """
    cdef const int64_t* visit = NULL
    cdef const double* own = NULL
    cdef const uint32_t* slots = NULL
    if given.shape[1] != WIDE or factor.shape[1] != 1:
        raise ValueError(f"{WIDE} vectors and one stratum, not {given.shape[1]} and {factor.shape[1]}")
    sums[:, :] = 0
    if not given.shape[0]:
        return
    if order is not None:
        visit = &order[0]
    if stay is not None:
        own = &stay[0]
    if slot.shape[0]:
        slots = &slot[0]
    with nogil:
        _sweep_rough(&start[0], slots, &jump[0, 0], visit, &factor[0, 0], own, alpha, &weight[0], given.shape[0],
                     &given[0, 0], &sums[0, 0])


def refine(const double[:, ::1] factor, const float[:, ::1] given, double[:, ::1] rank):
    """The ranks of what `sweep_rough` left."""
    cdef int64_t t, v
    cdef double links
    with nogil:
        for t in range(given.shape[0]):
            links = 1 / factor[t, 0]
            for v in range(given.shape[1]):
                rank[t, v] = given[t, v] * links


cdef int _shift(int64_t strata) noexcept:
    """The number of strata is a power of two: so many bits of a slot name the stratum."""
    cdef int shift = 0
    while (1 << shift) < strata:
        shift += 1
    return shift


def share(const double[:, ::1] factor, const double[:, ::1] rank, double[:, ::1] x):
    """Fill in what links find: the share of each link of one vector; with several, the ranks as they are.

    Many ranks and shares together would be more than a processor can read in time, so shares are then made where they
    are added up.
    """
    cdef int64_t s, j, strata = factor.shape[1]
    if rank.shape[1] > 1:
        x[:, :] = rank
        return
    with nogil:
        for s in range(rank.shape[0]):
            for j in range(strata):
                x[s * strata + j, 0] = rank[s, 0] * factor[s, j]


def votes_out(const int64_t[::1] start, const uint32_t[::1] slot, const double[:, ::1] factor, const double[:, ::1] x,
              int64_t first, int64_t stop, double[:, ::1] votes):
    """The votes of one partition from first to stop, each the sum over its links to one page elsewhere (3.11)."""
    cdef int64_t vote, e, v, width = x.shape[1]
    cdef int shift = _shift(factor.shape[1])
    cdef const double* share
    cdef double given
    if first >= stop:
        return
    share = &factor[0, 0]
    with nogil:
        if width == 1:
            for vote in range(first, stop):
                votes[vote, 0] = _pull(&slot[0], start[vote], start[vote + 1], &x[0, 0])
        else:
            for vote in range(first, stop):
                for v in range(width):
                    votes[vote, v] = 0
                for e in range(start[vote], start[vote + 1]):
                    given = share[slot[e]]
                    for v in range(width):
                        votes[vote, v] += x[slot[e] >> shift, v] * given


def votes_in(const uint32_t[::1] page, const int64_t[::1] vote, const double[:, ::1] votes, int64_t first,
             int64_t stop, double[:, ::1] received):
    """Add up the votes that one partition gets: the rows from first to stop, ordered by page."""
    cdef int64_t i, v, width = votes.shape[1]
    with nogil:
        for i in range(first, stop):
            if i == first or page[i] != page[i - 1]:
                for v in range(width):
                    received[page[i], v] = 0
            for v in range(width):
                received[page[i], v] += votes[vote[i], v]


def transpose(const int64_t[::1] start, const uint32_t[::1] end, const uint8_t[::1] mark, int64_t[::1] start_back,
              uint32_t[::1] end_back, uint8_t[::1] mark_back):
    """The links by their other end, each with its mark. Sources come in ascending order."""
    cdef int64_t page, e, place, pages = start.shape[0] - 1
    with nogil:
        for e in range(end.shape[0]):
            start_back[end[e] + 1] += 1
        for page in range(pages):
            start_back[page + 1] += start_back[page]
        for page in range(pages):
            for e in range(start[page], start[page + 1]):
                place = start_back[end[e]]
                start_back[end[e]] += 1
                end_back[place] = <uint32_t>page
                mark_back[place] = mark[e]
        for page in range(pages, 0, -1):
            start_back[page] = start_back[page - 1]
        start_back[0] = 0
