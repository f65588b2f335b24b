/* The loops of `trees` over batches of sixteen rows. The numbers of a feature in all rows lie side by side, and so do
   the sets of leaves that the rows can reach in a tree, so that compilers turn the loops over rows into vectors. */

#include <math.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum { BATCH = 16, LEAVES = 32 };

/* Compilers for x86-64 Linux make a function several times, and the best for the processor is chosen when the module is
   loaded: an extraction takes half as long again without. Other systems cannot choose so. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define WIDE_VECTORS __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define WIDE_VECTORS
#endif

/* GCC makes vectors of a short loop only as long as it has not unrolled it. */
#if defined(__GNUC__) && !defined(__clang__)
#define KEEP_LOOP _Pragma("GCC unroll 1")
#else
#define KEEP_LOOP
#endif

/* The number of the lowest bit that is set; the last leaf where none is, as can happen with a damaged model. */
#if defined(__GNUC__)
#define lowest_bit(set) __builtin_ctz((set) | 0x80000000u)
#else
static int lowest_bit(uint32_t set)
{
    int number = 0;
    while (number < LEAVES - 1 && !(set >> number & 1))
        number++;
    return number;
}
#endif

/* Copy the first `width` columns of sixteen rows, column after column, and find the largest value of each. NaN is never
   the largest. */
static void transpose(const float *const *rows, Py_ssize_t width, float *columns, float *largest)
{
    Py_ssize_t column = 0;
#if defined(__SSE2__)
    /* By four columns of four rows; an extraction takes 2 % less time than with the plain loop below. The second operand
       of _mm_max_ps wins when one is NaN. */
    for (; column + 4 <= width; column += 4) {
        __m128 most = _mm_set1_ps(-INFINITY);
        for (int row = 0; row < BATCH; row += 4) {
            __m128 a = _mm_loadu_ps(rows[row] + column), b = _mm_loadu_ps(rows[row + 1] + column);
            __m128 c = _mm_loadu_ps(rows[row + 2] + column), d = _mm_loadu_ps(rows[row + 3] + column);
            float *out = columns + BATCH * column + row;
            most = _mm_max_ps(d, _mm_max_ps(c, _mm_max_ps(b, _mm_max_ps(a, most))));
            _MM_TRANSPOSE4_PS(a, b, c, d);
            _mm_storeu_ps(out, a);
            _mm_storeu_ps(out + BATCH, b);
            _mm_storeu_ps(out + 2 * BATCH, c);
            _mm_storeu_ps(out + 3 * BATCH, d);
        }
        _mm_storeu_ps(largest + column, most);
    }
#endif
    for (; column < width; column++) {
        float most = -INFINITY;
        for (int row = 0; row < BATCH; row++) {
            float value = rows[row][column];
            columns[BATCH * column + row] = value;
            most = value > most ? value : most;
        }
        largest[column] = most;
    }
}

/* Intersect the sets of leaves that the rows can reach with those of the nodes at which they go right: feature by
   feature, and by rising threshold up to the largest value that a row has. */
WIDE_VECTORS
static void go_right(const float *columns, const float *largest, const int32_t *features, const int32_t *start,
                     Py_ssize_t count, const float *threshold, const uint16_t *tree, const uint32_t *leaves,
                     uint32_t *reached)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        const float *values = columns + BATCH * features[i];
        float most = largest[features[i]];
        for (int32_t node = start[i]; node < start[i + 1] && threshold[node] < most; node++) {
            uint32_t *now = reached + BATCH * tree[node];
            float limit = threshold[node];
            uint32_t set = leaves[node];
            KEEP_LOOP
            for (int row = 0; row < BATCH; row++)
                now[row] &= values[row] > limit ? set : 0xffffffffu;
        }
    }
}

/* Add the value of the first leaf that is left, tree by tree. */
static void add_leaves(const uint32_t *reached, const float *value, Py_ssize_t trees, double *sums)
{
    double own[BATCH] = {0};     /* which compilers can keep in registers */
    for (Py_ssize_t tree = 0; tree < trees; tree++, reached += BATCH, value += LEAVES)
        for (int row = 0; row < BATCH; row++)
            own[row] += value[lowest_bit(reached[row])];
    for (int row = 0; row < BATCH; row++)
        sums[row] = own[row];
}
