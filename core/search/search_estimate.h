/*
 * search_estimate.h - how long the shortest words will be, before any is searched: what is known of
 * words, of the target's size, and how likely each length is.
 *
 * Words of n moves spread over the positions more or less evenly, so a class of words (all that
 * rotation, inversion and symmetry make of one) hits the target T with probability |T| / |G|, and
 * the number of classes that do is about Poisson: none of n moves does with probability
 *
 *     exp(-classes(n) * |T| / |G|)
 *
 * Short words are less even than that: those of the 3x3x3 leave edges where they are more often,
 * and flip or twist pieces in place less often, than chance would have it. The share of T is
 * corrected for that by a regression (search_estimate.c). Even with the true share, the best guess
 * of the length is right in about 63 of 100 cases: that much is luck.
 */
#ifndef CORE_SEARCH_SEARCH_ESTIMATE_H
#define CORE_SEARCH_SEARCH_ESTIMATE_H

#include "core/search/search_plan.h"
#include "core/search/search_problem.h"

enum { SEARCH_ESTIMATE_LENGTHS = SEARCH_MAX_LENGTH + 1 };

/* Words by length, as the search of a job visits them: expected numbers. */
struct search_words {
    unsigned k;                                /* length of the prefixes */
    double canonical[SEARCH_ESTIMATE_LENGTHS]; /* words up to commuting neighbours */
    double inner[SEARCH_ESTIMATE_LENGTHS];     /* nodes of a level without tables */
    double classes[SEARCH_ESTIMATE_LENGTHS];   /* chances to hit the target */
};

void search_estimate_words(const struct search_context *context, bool is_cycle_job,
                           struct search_words *words);

/* Natural logarithm of the share of words that hit the target. */
double search_estimate_share(const struct search_context *context,
                             const struct search_plan_target *target);

/* chance[n]: that n is the optimal length, if no word of fewer than `from` moves is a solution.
 * chance[SEARCH_ESTIMATE_LENGTHS - 1] includes all that are longer. */
void search_estimate_lengths(const struct search_words *words, double share, unsigned from,
                             double chance[SEARCH_ESTIMATE_LENGTHS]);

/* log10 of the states of one orbit that have the structure's cycles there, up to a small factor:
 * what other orbits demand is left out. */
double search_estimate_orbit(const struct puzzle *puzzle, const struct cycle_structure *structure,
                             unsigned orbit);

#endif
