# cython: language_level=3
"""Sweeps over the links of a graph, without the GIL; `webstrata.links.pagerank` says what they mean.

A page t *pulls*: the links that lead to it are ``slot[start[t] : start[t + 1]]``, and each names a place of ``x``, where
the share lies that the source gives to each link of that stratum. With one stratum the place is the source itself. Ranks
of several vectors lie side by side in one row of a page, so that one sweep over the links serves all of them.
"""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef enum:
    WIDE = 8                 # vectors that are added up together: they fit the registers of all processors


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


cdef void _sweep_wide(
    const int64_t* start, const uint32_t* slot, const double* jump, const double* received, const int64_t* order,
    const double* factor, const double* stay, int strata, double alpha, const double* weight, bint at_once,
    int64_t first, int64_t stop, int64_t width, double* x, double* rank, double* sums) noexcept nogil:
    cdef int64_t i, t, e, column, place
    cdef int j, v
    cdef double value, share, own
    cdef double[WIDE] votes
    cdef const double* row
    for i in range(first, stop):
        t = order[i] if order != NULL else i
        own = alpha * stay[t] if stay != NULL else 0
        column = 0
        while column < width:
            place = t * width + column
            for v in range(WIDE):
                votes[v] = 0
            for e in range(start[t], start[t + 1]):
                row = x + <int64_t>slot[e] * width + column
                for v in range(WIDE):
                    votes[v] += row[v]
            if received != NULL:
                for v in range(WIDE):
                    votes[v] += received[place + v]
            for v in range(WIDE):
                value = weight[column + v] * jump[place + v] + alpha * votes[v]
                value = (value - own * rank[place + v]) / (1 - own)
                sums[column + v] += fabs(value - rank[place + v])
                sums[width + column + v] += value
                votes[v] = value
                rank[place + v] = value
            if factor[t * strata] >= 0:
                for v in range(WIDE):
                    sums[2 * width + column + v] += votes[v]
            if at_once:
                for j in range(strata):
                    share = factor[t * strata + j]
                    for v in range(WIDE):
                        x[(t * strata + j) * width + column + v] = votes[v] * share
            column += WIDE


def sweep(
    const int64_t[::1] start, const uint32_t[::1] slot, const double[:, ::1] jump, const double[:, ::1] received,
    const int64_t[::1] order, const double[:, ::1] factor, const double[::1] stay, double alpha,
    const double[::1] weight, bint at_once, int64_t first, int64_t stop, double[:, ::1] x, double[:, ::1] rank,
    double[:, ::1] sums):
    """Rank the pages from first to stop once, and add up changes, ranks, and ranks of pages with links.

    Parameters
    ----------
    start, slot : the links by target
    jump, weight : where jumps go, and how much of each vector they carry
    received : votes that came from elsewhere; None for none
    order : the pages in the order to visit them; None for their own
    factor : what a page gives to each of its links, by stratum; negative where it has none
    stay : what a page gives to itself; None to take the rank of the sweep before for this, too
    at_once : whether pages that come later see the new rank (Gauss-Seidel) or the old one (Jacobi)
    x, rank : the shares and ranks, changed in place
    sums : three rows that receive the sums
    """
    cdef int64_t width = rank.shape[1]
    cdef const int64_t* visit = NULL if order is None else &order[0]
    cdef const double* votes = NULL if received is None else &received[0, 0]
    cdef const double* own = NULL if stay is None else &stay[0]
    sums[:, :] = 0
    if first >= stop:
        return
    # A graph without links has no first link to point to; no page looks there then.
    cdef const uint32_t* slots = &slot[0] if slot.shape[0] else NULL
    with nogil:
        if width == 1:
            _sweep_one(&start[0], slots, &jump[0, 0], votes, visit, &factor[0, 0], own, factor.shape[1], alpha,
                       weight[0], at_once, first, stop, &x[0, 0], &rank[0, 0], &sums[0, 0])
        else:
            _sweep_wide(&start[0], slots, &jump[0, 0], votes, visit, &factor[0, 0], own, factor.shape[1], alpha,
                        &weight[0], at_once, first, stop, width, &x[0, 0], &rank[0, 0], &sums[0, 0])


def share(const double[:, ::1] factor, const double[:, ::1] rank, int64_t first, int64_t stop, double[:, ::1] x):
    """What the pages from first to stop give to each of their links."""
    cdef int64_t s, v, strata = factor.shape[1], width = rank.shape[1]
    cdef int64_t j
    with nogil:
        for s in range(first, stop):
            for j in range(strata):
                for v in range(width):
                    x[s * strata + j, v] = rank[s, v] * factor[s, j]


def votes_out(const int64_t[::1] start, const uint32_t[::1] slot, const double[:, ::1] x, int64_t first, int64_t stop,
              double[:, ::1] votes):
    """The votes of one partition from first to stop, each the sum over its links to one page elsewhere (3.11)."""
    cdef int64_t vote, e, v, width = x.shape[1]
    with nogil:
        if width == 1:
            for vote in range(first, stop):
                votes[vote, 0] = _pull(&slot[0], start[vote], start[vote + 1], &x[0, 0])
        else:
            for vote in range(first, stop):
                for v in range(width):
                    votes[vote, v] = 0
                for e in range(start[vote], start[vote + 1]):
                    for v in range(width):
                        votes[vote, v] += x[slot[e], v]


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
