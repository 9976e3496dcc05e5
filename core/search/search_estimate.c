/*
 * search_estimate.c - see the header.
 */
#include "core/search/search_estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Moves that follow on average: the growth of canonical words. */
static double branching(const struct canon *canon)
{
    double now = 0;
    double *count = calloc(2 * (size_t)canon->n_states, sizeof *count), ratio = canon->n_moves;
    if (!count)
        return ratio;
    double *next = count + canon->n_states;
    count[CANON_FREE] = 1;
    for (unsigned length = 0; length < 8; length++) {
        double before = now;
        memset(next, 0, canon->n_states * sizeof *next);
        for (unsigned s = 0; s < canon->n_states; s++)
            for (unsigned m = 0; m < canon->n_moves; m++)
                if (canon_allows(canon, s, m))
                    next[canon_next(canon, s, m)] += count[s];
        now = 0;
        for (unsigned s = 0; s < canon->n_states; s++)
            now += count[s] = next[s];
        ratio = before > 0 ? now / before : ratio;
    }
    free(count);
    return ratio > 1.01 ? ratio : 1.01;
}

static double log10_of_targets(const struct search_context *context,
                               const struct cycle_structure *targets, size_t n)
{
    struct cycle_count *count = malloc(sizeof *count);
    double sum = 0;
    for (size_t i = 0; count && i < n; i++) {
        cycle_count_states(context->puzzle, &targets[i], count);
        sum += pow(10, count->log10);
    }
    free(count);
    return sum > 0 ? log10(sum) : 0;
}

void search_estimate(const struct search_context *context, const struct search_plan_target *target,
                     struct search_plan *plan)
{
    struct cycle_count *positions = malloc(sizeof *positions);
    if (!positions)
        return;
    cycle_count_positions(context->puzzle, positions);
    double growth = branching(context->canon);
    double length = (positions->log10 - log10_of_targets(context, target->structures, target->n)) /
                    log10(growth);
    free(positions);
    plan->estimated_length = length > 0 ? (unsigned)ceil(length) : 0;
    plan->estimated_nodes = pow(growth, plan->estimated_length);
    if (target->is_cycle_job && plan->estimated_length > 0)
        plan->estimated_nodes /= 2.0 * context->group->count * plan->estimated_length;
}
