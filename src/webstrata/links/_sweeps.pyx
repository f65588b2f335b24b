# cython: language_level=3
"""Sweeps over the links of a graph, without the GIL; `webstrata.links.methods` explains the iterations.

A page t *pulls*: the links to it are ``slot[start[t] : start[t + 1]]``, and each is an index of ``factor``, the chance
of the links of that source and stratum. With one stratum the index is the source itself. The ranks of several vectors
are side by side in the row of a page, so that one sweep over the links serves all of them.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef extern from *:
    """
    #include <stdint.h>

    /* Vectors side by side. Loops over them have a fixed number of steps, so that compilers vectorise them. */
    #define WIDE 16
    #define EACH for (int v = 0; v < WIDE; v++)

    /* One build for all processors: the loader picks the version with the widest registers. */
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
    #else
    #define WIDEST
    #endif

    /* Sums are taken over runs of pages, in the type of the ranks, and then added to the sums over all pages. */
    #define RUN 256
    #define RUN_STOP (begin + RUN < stop ? begin + RUN : stop)
    #define RUN_SUMS(type) type change[WIDE] = {0}, total[WIDE] = {0}, walked[WIDE] = {0};
    #define ADD_PAGE \\
        change[v] += after > before ? after - before : before - after; \\
        total[v] += after; \\
        walked[v] += walks * after;
    #define ADD_RUN \\
        EACH { sums[v] += change[v]; sums[WIDE + v] += total[v]; sums[2 * WIDE + v] += walked[v]; }

    WIDEST static void sweep_wide(
        const int64_t *start, const uint32_t *slot, const double *jump, const double *received, const int64_t *order,
        const double *factor, const double *stay, int shift, double alpha, const double *weight, int64_t first,
        int64_t stop, const double *seen, double *rank, double *sums)
    {
        double jumps[WIDE];
        EACH jumps[v] = weight[v];
        for (int64_t begin = first; begin < stop; begin += RUN) {
            RUN_SUMS(double)
            for (int64_t i = begin; i < RUN_STOP; i++) {
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
                    ADD_PAGE
                }
            }
            ADD_RUN
        }
    }

    /* The same in float32, for one stratum and ranks that are seen at once. A row holds the share of each link of the
       page and not the rank, so that shares need only be added up. */
    WIDEST static void sweep_shares(
        const int64_t *start, const uint32_t *slot, const float *jump, const int64_t *order, const double *factor,
        const double *stay, float alpha, const double *weight, int64_t stop, float *shares, double *sums)
    {
        float jumps[WIDE];
        EACH jumps[v] = (float)weight[v];
        for (int64_t begin = 0; begin < stop; begin += RUN) {
            RUN_SUMS(float)
            for (int64_t i = begin; i < RUN_STOP; i++) {
                const int64_t t = order ? order[i] : i;
                float votes[WIDE] = {0};
                for (int64_t e = start[t]; e < start[t + 1]; e++) {
                    const float *row = shares + (int64_t)slot[e] * WIDE;
                    EACH votes[v] += row[v];
                }
                const float gives = (float)factor[t], links = (float)(1 / factor[t]), walks = gives < 0 ? 0 : 1;
                const float own = stay ? alpha * (float)stay[t] : 0, rest = 1 / (1 - own), *to = jump + t * WIDE;
                float *row = shares + t * WIDE;
                EACH {
                    const float before = row[v] * links;
                    const float after = (jumps[v] * to[v] + alpha * votes[v] - own * before) * rest;
                    row[v] = after * gives;
                    ADD_PAGE
                }
            }
            ADD_RUN
        }
    }
    """
    const int WIDE
    void sweep_wide(
        const int64_t* start, const uint32_t* slot, const double* jump, const double* received, const int64_t* order,
        const double* factor, const double* stay, int shift, double alpha, const double* weight, int64_t first,
        int64_t stop, const double* seen, double* rank, double* sums) noexcept nogil
    void sweep_shares(
        const int64_t* start, const uint32_t* slot, const float* jump, const int64_t* order, const double* factor,
        const double* stay, float alpha, const double* weight, int64_t stop, float* shares,
        double* sums) noexcept nogil


cdef inline double _pull(const uint32_t* slot, int64_t begin, int64_t end, const double* x) noexcept nogil:
    """The sum of the votes for one page."""
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
    """Rank the pages from first to stop once, by one vector or by several.

    Parameters
    ----------
    start, slot : the links by target
    jump, weight : the jump vectors, and the rank that each distributes
    received : votes of other partitions; None for none
    order : the order in which pages are visited; None for that of their numbers
    factor : the chance of each link of a page, by stratum; negative for pages without links
    stay : the chance of each page to link to itself; None to use the old rank of the page for such links
    at_once : whether later pages see the new rank (Gauss-Seidel) or the old one (Jacobi)
    x, rank : the votes that links read (see `share`) and the ranks, changed in place; with several vectors and
        ``at_once`` both are one array
    sums : three rows for the sums of changes, of ranks, and of the ranks of pages with links
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
        raise AssertionError(f"one vector or {WIDE}, not {width}")
    sums[:, :] = 0
    if first >= stop:
        return
    # A graph without links has no first link to point to, and no page reads it.
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


def sweep_float32(
    const int64_t[::1] start, const uint32_t[::1] slot, const float[:, ::1] jump, const int64_t[::1] order,
    const double[:, ::1] factor, const double[::1] stay, double alpha, const double[::1] weight, float[:, ::1] shares,
    double[:, ::1] sums):
    """Rank all pages once by many vectors in float32, as `sweep` does with ``at_once`` and one stratum.

    Parameters
    ----------
    shares : the share of each link of a page, changed in place; the negative rank for pages without links
    """
    cdef const int64_t* visit = NULL
    cdef const double* own = NULL
    cdef const uint32_t* slots = NULL
    if shares.shape[1] != WIDE or factor.shape[1] != 1:
        raise AssertionError(f"{WIDE} vectors and one stratum, not {shares.shape[1]} and {factor.shape[1]}")
    sums[:, :] = 0
    if not shares.shape[0]:
        return
    if order is not None:
        visit = &order[0]
    if stay is not None:
        own = &stay[0]
    if slot.shape[0]:
        slots = &slot[0]
    with nogil:
        sweep_shares(&start[0], slots, &jump[0, 0], visit, &factor[0, 0], own, alpha, &weight[0], shares.shape[0],
                     &shares[0, 0], &sums[0, 0])


def refine(const double[:, ::1] factor, const float[:, ::1] shares, double[:, ::1] rank):
    """Write the ranks of the shares of `sweep_float32`."""
    cdef int64_t t, v
    cdef double links
    with nogil:
        for t in range(shares.shape[0]):
            links = 1 / factor[t, 0]
            for v in range(shares.shape[1]):
                rank[t, v] = shares[t, v] * links


cdef int _shift(int64_t strata) noexcept:
    """The number of bits of a slot that give the stratum; the number of strata is a power of two."""
    cdef int shift = 0
    while (1 << shift) < strata:
        shift += 1
    return shift


def share(const double[:, ::1] factor, const double[:, ::1] rank, double[:, ::1] x):
    """Write the votes that links read: the share of each link for one vector, the ranks for several.

    For several vectors the shares would be too much memory to read; they are computed where they are added up.
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
    """Write the votes of one partition from first to stop, each the sum over its links to one page elsewhere (3.11)."""
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
    """Add up the votes for one partition: the rows from first to stop, in the order of its pages."""
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
    """Write the links by target, each with its mark; the sources of a target are ascending."""
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
