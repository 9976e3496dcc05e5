/*
 * canon_growth.c - how fast the number of canonical words grows: words are counted by the states
 * that they lead to, a few lengths far, where the ratio has long settled.
 */
#include <stdlib.h>
#include <string.h>

#include "core/canon/canon.h"

enum { COUNTED_LENGTHS = 8 };

/* next[s]: words one move longer than those of count[]. */
static void count_longer(const struct canon *canon, const double *count, double *next)
{
    memset(next, 0, canon->n_states * sizeof *next);
    for (unsigned s = 0; s < canon->n_states; s++)
        for (unsigned m = 0; m < canon->n_moves; m++)
            if (canon_allows(canon, s, m))
                next[canon_next(canon, s, m)] += count[s];
}

static double sum_of(const double *count, unsigned n)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += count[i];
    return sum;
}

double canon_growth(const struct canon *canon)
{
    double *count = calloc(2 * (size_t)canon->n_states, sizeof *count), ratio = canon->n_moves;
    double before = 0;

    if (!count)
        return ratio;
    count[CANON_FREE] = 1;
    for (unsigned length = 0; length < COUNTED_LENGTHS; length++) {
        count_longer(canon, count, count + canon->n_states);
        memcpy(count, count + canon->n_states, canon->n_states * sizeof *count);
        double now = sum_of(count, canon->n_states);
        ratio = before > 0 ? now / before : ratio;
        before = now;
    }
    free(count);
    return ratio > 1.01 ? ratio : 1.01;
}
