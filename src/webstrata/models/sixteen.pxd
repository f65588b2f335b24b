# cython: language_level=3
"""Sixteen rows of a matrix at once: what `trees` does most, in the vectors that the processor has.

A column of sixteen floats lies in one piece of memory, as does a column of sixteen sets of leaves. The plain loops say
what is done; the others do the same, sum by sum in the same order.
"""

from libc.stdint cimport uint16_t, uint32_t

cdef extern from *:
    """
    #include <math.h>
    #include <stdint.h>
    enum { TOGETHER = 16, LEAVES = 32 };

    #if defined(__GNUC__)
    /* Where no bit is set, as can happen with a damaged model, the last leaf is taken. */
    #define first_leaf(set) __builtin_ctz((set) | 0x80000000u)
    /* A loop that is still one can become vectors; one that was unrolled cannot. */
    #define LOOP _Pragma("GCC unroll 1")
    #else
    static int first_leaf(uint32_t set) { int n = 0; while (n < 31 && !(set >> n & 1)) n++; return n; }
    #define LOOP
    #endif

    /* For one feature, of which no row has more than `most`: intersect what the rows can reach with the leaves of each
       node that they go right at. The thresholds rise. */
    #define OF_ONE_FEATURE const float *x, float most, const float *threshold, const uint16_t *tree, \
                           const uint32_t *leaves, Py_ssize_t count, uint32_t *reach

    static void go_right_by_one(OF_ONE_FEATURE)
    {
        Py_ssize_t k, row;
        for (k = 0; k < count && threshold[k] < most; k++) {
            uint32_t *now = reach + TOGETHER * tree[k], set = leaves[k];
            float limit = threshold[k];
            LOOP
            for (row = 0; row < TOGETHER; row++)
                now[row] &= x[row] > limit ? set : 0xffffffffu;
        }
    }

    /* Add the value of the first leaf that is left, tree by tree. */
    static void add_leaves_by_one(const uint32_t *reach, const float *value, Py_ssize_t trees, double *sums)
    {
        Py_ssize_t tree, row;
        for (tree = 0; tree < trees; tree++, reach += TOGETHER, value += LEAVES)
            for (row = 0; row < TOGETHER; row++)
                sums[row] += value[first_leaf(reach[row])];
    }

    static void lay_out_by_one(const float *const *rows, Py_ssize_t column, Py_ssize_t width, float *columns, float *most)
    {
        Py_ssize_t row;
        for (; column < width; column++) {
            most[column] = -INFINITY;
            for (row = 0; row < TOGETHER; row++) {
                columns[TOGETHER * column + row] = rows[row][column];
                most[column] = rows[row][column] > most[column] ? rows[row][column] : most[column];
            }
        }
    }

    static void (*go_right)(OF_ONE_FEATURE) = go_right_by_one;
    static void (*add_leaves)(const uint32_t *, const float *, Py_ssize_t, double *) = add_leaves_by_one;

    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>

    __attribute__((target("avx2")))
    static void go_right_by_eight(OF_ONE_FEATURE)
    {
        __m256 low = _mm256_loadu_ps(x), high = _mm256_loadu_ps(x + 8);
        Py_ssize_t k;
        for (k = 0; k < count && threshold[k] < most; k++) {
            __m256 limit = _mm256_set1_ps(threshold[k]), set = _mm256_castsi256_ps(_mm256_set1_epi32(leaves[k]));
            float *now = (float *)(reach + TOGETHER * tree[k]);
            __m256 stays = _mm256_or_ps(_mm256_cmp_ps(low, limit, _CMP_NGT_UQ), set);
            _mm256_storeu_ps(now, _mm256_and_ps(_mm256_loadu_ps(now), stays));
            stays = _mm256_or_ps(_mm256_cmp_ps(high, limit, _CMP_NGT_UQ), set);
            _mm256_storeu_ps(now + 8, _mm256_and_ps(_mm256_loadu_ps(now + 8), stays));
        }
    }

    __attribute__((target("avx512f")))
    static void go_right_by_sixteen(OF_ONE_FEATURE)
    {
        __m512 all = _mm512_loadu_ps(x);
        Py_ssize_t k;
        for (k = 0; k < count && threshold[k] < most; k++) {
            uint32_t *at = reach + TOGETHER * tree[k];
            __m512i now = _mm512_loadu_si512(at);
            __mmask16 right = _mm512_cmp_ps_mask(all, _mm512_set1_ps(threshold[k]), _CMP_GT_OQ);
            _mm512_storeu_si512(at, _mm512_mask_and_epi32(now, right, now, _mm512_set1_epi32(leaves[k])));
        }
    }

    /* The 32 values of a tree are two vectors, among which an index of five bits chooses. */
    __attribute__((target("avx512f,avx512cd")))
    static void add_leaves_by_sixteen(const uint32_t *reach, const float *value, Py_ssize_t trees, double *sums)
    {
        __m512d low = _mm512_loadu_pd(sums), high = _mm512_loadu_pd(sums + 8);
        __m512i last = _mm512_set1_epi32((int)0x80000000u), zero = _mm512_setzero_si512();
        Py_ssize_t tree;
        for (tree = 0; tree < trees; tree++, reach += TOGETHER, value += LEAVES) {
            __m512i left = _mm512_or_si512(_mm512_loadu_si512(reach), last);
            __m512i first = _mm512_and_si512(left, _mm512_sub_epi32(zero, left));
            __m512i leaf = _mm512_sub_epi32(_mm512_set1_epi32(31), _mm512_lzcnt_epi32(first));
            __m512 found = _mm512_permutex2var_ps(_mm512_loadu_ps(value), leaf, _mm512_loadu_ps(value + 16));
            low = _mm512_add_pd(low, _mm512_cvtps_pd(_mm512_castps512_ps256(found)));
            high = _mm512_add_pd(high, _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_shuffle_f32x4(found, found, 0xee))));
        }
        _mm512_storeu_pd(sums, low);
        _mm512_storeu_pd(sums + 8, high);
    }

    /* Take the widest vectors there are, but none of more than `most` floats; returns how many they have. */
    static int choose_vectors(int most)
    {
        int has_sixteen = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd");
        int width = has_sixteen && most >= 16 ? 16 : __builtin_cpu_supports("avx2") && most >= 8 ? 8 : 1;
        go_right = width == 16 ? go_right_by_sixteen : width == 8 ? go_right_by_eight : go_right_by_one;
        add_leaves = width == 16 ? add_leaves_by_sixteen : add_leaves_by_one;
        return width;
    }

    /* The first `width` columns of sixteen rows, column after column, and the largest value of each. */
    static void lay_out(const float *const *rows, Py_ssize_t width, float *columns, float *most)
    {
        Py_ssize_t column = 0, row;
        for (; column + 4 <= width; column += 4) {
            __m128 largest = _mm_set1_ps(-INFINITY);
            for (row = 0; row < TOGETHER; row += 4) {
                __m128 a = _mm_loadu_ps(rows[row] + column), b = _mm_loadu_ps(rows[row + 1] + column);
                __m128 c = _mm_loadu_ps(rows[row + 2] + column), d = _mm_loadu_ps(rows[row + 3] + column);
                float *out = columns + TOGETHER * column + row;
                /* What is no number goes right nowhere: of such a one and another this gives the latter, in this order. */
                largest = _mm_max_ps(d, _mm_max_ps(c, _mm_max_ps(b, _mm_max_ps(a, largest))));
                _MM_TRANSPOSE4_PS(a, b, c, d);
                _mm_storeu_ps(out, a);
                _mm_storeu_ps(out + TOGETHER, b);
                _mm_storeu_ps(out + 2 * TOGETHER, c);
                _mm_storeu_ps(out + 3 * TOGETHER, d);
            }
            _mm_storeu_ps(most + column, largest);
        }
        lay_out_by_one(rows, column, width, columns, most);
    }
    #else
    static int choose_vectors(int most) { return 1; }
    #define lay_out(rows, width, columns, most) lay_out_by_one(rows, 0, width, columns, most)
    #endif
    """
    enum:
        TOGETHER
        LEAVES
    int choose_vectors(int most) noexcept
    void lay_out(const float** rows, Py_ssize_t width, float* columns, float* most) noexcept nogil
    void go_right(const float* x, float most, const float* threshold, const uint16_t* tree, const uint32_t* leaves,
                  Py_ssize_t count, uint32_t* reach) noexcept nogil
    void add_leaves(const uint32_t* reach, const float* value, Py_ssize_t trees, double* sums) noexcept nogil
