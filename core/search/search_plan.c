/*
 * search_plan.c - see the header.
 *
 * Every orbit gets its exact table if that is small, else the subset of most pieces that is
 * not larger than LARGEST_TABLE and fits. Small tables are chosen first, so that a tight limit
 * costs the large one.
 */
#include "core/search/search_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/table/table.h"

/* 6 edges of the cube make 42.6 MB; 7 make 511 MB and take longer to fill than they save on most
 * jobs. */
enum { LARGEST_TABLE = 128 << 20 };

static void choose(const struct search_context *context, unsigned orbit, uint64_t left,
                   uint64_t (*footprint)(const void *, uint64_t), const void *arg,
                   struct search_plan_table *table)
{
    uint64_t exact = table_coord_exact_bytes(context->puzzle, orbit, context->group->count);
    if (!table_is_askable(context->puzzle, orbit, 0))
        exact = UINT64_MAX;
    table->orbit = orbit;
    if (exact <= LARGEST_TABLE && footprint(arg, exact) <= left) {
        table->k = 0;
        table->bytes = footprint(arg, exact);
        snprintf(table->why, sizeof table->why, "every state of the orbit fits, up to symmetry");
        return;
    }
    for (unsigned k = TABLE_MAX_PICK; k > 0; k--) {
        uint64_t bytes = table_coord_subset_bytes(context->puzzle, orbit, k);
        if (!table_is_askable(context->puzzle, orbit, k) || bytes > LARGEST_TABLE ||
            footprint(arg, bytes) > left)
            continue;
        table->k = k;
        table->bytes = footprint(arg, bytes);
        snprintf(
            table->why, sizeof table->why,
            "%u pieces: the most within %s; asked for the state, its inverse and a symmetric image",
            k, left < LARGEST_TABLE ? "the memory limit" : "128 MiB");
        return;
    }
    table->k = SEARCH_PLAN_NO_TABLE;
    table->bytes = 0;
    snprintf(table->why, sizeof table->why, "no table fits into the memory limit");
}

/* Orbits by what their best table would take, smallest first. */
static unsigned sort_orbits(const struct search_context *context, unsigned *order)
{
    const struct perm_shape *shape = puzzle_shape(context->puzzle);
    uint64_t size[PERM_MAX_ORBITS];
    unsigned n = 0;
    for (unsigned orbit = 0; orbit < shape->n_orbits && n < SEARCH_PLAN_MAX; orbit++) {
        if (puzzle_movable_count(context->puzzle, orbit) == 0)
            continue;
        uint64_t bytes = table_coord_exact_bytes(context->puzzle, orbit, context->group->count);
        unsigned at = n++;
        for (; at > 0 && size[at - 1] > bytes; at--) {
            size[at] = size[at - 1];
            order[at] = order[at - 1];
        }
        size[at] = bytes;
        order[at] = orbit;
    }
    return n;
}

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

static void estimate(const struct search_context *context, const struct cycle_structure *targets,
                     size_t n, bool is_cycle_job, struct search_plan *plan)
{
    struct cycle_count *positions = malloc(sizeof *positions);
    if (!positions)
        return;
    cycle_count_positions(context->puzzle, positions);
    double growth = branching(context->canon);
    double length = (positions->log10 - log10_of_targets(context, targets, n)) / log10(growth);
    free(positions);
    plan->estimated_length = length > 0 ? (unsigned)ceil(length) : 0;
    plan->estimated_nodes = pow(growth, plan->estimated_length);
    if (is_cycle_job && plan->estimated_length > 0)
        plan->estimated_nodes /= 2.0 * context->group->count * plan->estimated_length;
}

void search_plan_make(const struct search_context *context, const struct cycle_structure *targets,
                      size_t n, bool is_cycle_job, uint64_t memory,
                      uint64_t (*footprint)(const void *arg, uint64_t bytes), const void *arg,
                      struct search_plan *plan)
{
    unsigned order[PERM_MAX_ORBITS];
    memset(plan, 0, sizeof *plan);
    plan->n = sort_orbits(context, order);
    for (unsigned i = 0; i < plan->n; i++) {
        choose(context, order[i], memory, footprint, arg, &plan->table[i]);
        memory -= plan->table[i].bytes;
    }
    estimate(context, targets, n, is_cycle_job, plan);
}
