/*
 * canon_words.c - how many canonical words there are: words are counted by the states that they
 * lead to, a few lengths far; from there on they grow as they did last.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/canon/canon.h"

/* By then the machine's states have mixed and the ratio has settled. */
enum { COUNTED_LENGTHS = 10 };

/* next[s]: words one move longer than those of count[]. Returns their sum. */
static double count_longer(const struct canon *canon, const double *count, double *next)
{
    double sum = 0;
    memset(next, 0, canon->n_states * sizeof *next);
    for (unsigned s = 0; s < canon->n_states; s++)
        for (unsigned m = 0; count[s] > 0 && m < canon->n_moves; m++)
            if (canon_allows(canon, s, m))
                next[canon_next(canon, s, m)] += count[s];
    for (unsigned s = 0; s < canon->n_states; s++)
        sum += next[s];
    return sum;
}

void canon_count_words(const struct canon *canon, unsigned n, double *words)
{
    double *count = calloc(2 * (size_t)canon->n_states, sizeof *count), growth = canon->n_moves;
    words[0] = 1;
    if (count)
        count[CANON_FREE] = 1;
    for (unsigned length = 1; length < n; length++) {
        if (count && length <= COUNTED_LENGTHS) {
            double sum = count_longer(canon, count, count + canon->n_states);
            memcpy(count, count + canon->n_states, canon->n_states * sizeof *count);
            growth = sum / fmax(words[length - 1], 1);
        }
        words[length] = growth * words[length - 1];
    }
    free(count);
}

double canon_growth(const struct canon *canon)
{
    double words[COUNTED_LENGTHS + 1];
    canon_count_words(canon, COUNTED_LENGTHS + 1, words);
    return fmax(words[COUNTED_LENGTHS] / fmax(words[COUNTED_LENGTHS - 1], 1), 1.01);
}
