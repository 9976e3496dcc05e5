/*
 * search_plan.c - see the header.
 *
 * Every orbit gets its exact table if that is small, else the subset of most pieces that is not
 * larger than LARGEST_TABLE and fits. Small tables are chosen first, so that a tight limit costs
 * the large ones. Where the puzzle has product tables, the coarse one stands beside these, and the
 * fine one is for searches that get long.
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

/* Filling a table pays when a depth costs more than a quarter of its entries in nodes. The fill of
 * products is cheaper an entry, and they are worth more. */
enum {
    ENTRIES_PER_NODE = 4,
    COARSE_WORTH_NODES = 50000000,
    FINE_WORTH_NODES = 300000000,
    MOST_PRODUCT_TARGETS = 8
};

/* What the limits leave. */
struct plan_budget {
    const struct search_plan_limits *limits;
    uint64_t left;
};

/* Takes `bytes` of payload out of the budget; false: they do not fit. */
static bool budget_take(struct plan_budget *budget, uint64_t bytes, struct search_plan_table *table)
{
    const struct search_plan_limits *limits = budget->limits;
    if (bytes == UINT64_MAX || limits->footprint(limits->arg, bytes) > budget->left)
        return false;
    table->bytes = limits->footprint(limits->arg, bytes);
    budget->left -= table->bytes;
    return true;
}

/* Bytes of the orbit's exact table; UINT64_MAX if it is large, or the kernel cannot ask it. */
static uint64_t exact_bytes(struct search_context *context, unsigned orbit)
{
    const struct table_coord *coord;
    uint64_t estimate = table_coord_exact_bytes(context->puzzle, orbit, context->group->count);
    if (!table_is_askable(context->puzzle, orbit, 0) || estimate > LARGEST_TABLE ||
        search_context_coord(context, orbit, 0, &coord) != 0 || coord->size > LARGEST_TABLE)
        return UINT64_MAX;
    return coord->size;
}

static void choose(struct search_context *context, unsigned orbit, const uint8_t *start,
                   struct plan_budget *budget, struct search_plan_table *table)
{
    const struct puzzle *puzzle = context->puzzle;
    table->orbit = orbit;
    table->kind = TABLE_KIND_FIXED;
    if (!table_coord_covers(puzzle, orbit, start)) {
        snprintf(table->why, sizeof table->why,
                 "the start has pieces where no move can bring them");
        return;
    }
    if (budget_take(budget, exact_bytes(context, orbit), table)) {
        table->kind = TABLE_KIND_EXACT;
        table->worth_nodes = (double)table->bytes / ENTRIES_PER_NODE;
        snprintf(table->why, sizeof table->why, "every state of the orbit fits, up to symmetry");
        return;
    }
    for (unsigned k = TABLE_MAX_PICK; k > 0; k--) {
        uint64_t bytes = table_coord_subset_bytes(puzzle, orbit, k);
        if (!table_is_askable(puzzle, orbit, k) || bytes > LARGEST_TABLE ||
            !budget_take(budget, bytes, table))
            continue;
        table->kind = TABLE_KIND_APPROXIMATE;
        table->k = k;
        table->worth_nodes = (double)table->bytes / ENTRIES_PER_NODE;
        snprintf(
            table->why, sizeof table->why,
            "%u pieces: the most within %s; asked for the state, its inverse and a symmetric image",
            k, budget->left < LARGEST_TABLE ? "the memory limit" : "128 MiB");
        return;
    }
    snprintf(table->why, sizeof table->why, "no table fits into the memory limit");
}

/* The product tables, if the puzzle has them. */
static void choose_products(struct search_context *context, size_t n_targets,
                            struct plan_budget *budget, struct search_plan *plan)
{
    for (unsigned fine = 0; fine < 2 && plan->n < SEARCH_PLAN_MAX; fine++) {
        struct search_plan_table *table = &plan->table[plan->n];
        const struct table_product *product;
        if (n_targets > MOST_PRODUCT_TARGETS ||
            search_context_product(context, fine != 0, &product) != 0 ||
            product->bytes + table_product_scratch(product) > budget->limits->host ||
            !budget_take(budget, product->bytes, table))
            return;
        table->kind = TABLE_KIND_PRODUCT;
        table->k = fine;
        table->worth_nodes = fine ? FINE_WORTH_NODES : COARSE_WORTH_NODES;
        snprintf(
            table->why, sizeof table->why,
            fine
                ? "corner twists and blocks, a layer and all edge flips: for searches that get long"
                : "corner twists, a layer and all edge flips, along three axes");
        plan->n++;
    }
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

void search_plan_make(struct search_context *context, const struct search_plan_target *target,
                      const struct search_plan_limits *limits, struct search_plan *plan)
{
    unsigned order[PERM_MAX_ORBITS];
    struct plan_budget budget = {limits, limits->memory};
    bool covered = true;
    memset(plan, 0, sizeof *plan);
    plan->n = sort_orbits(context, order);
    for (unsigned i = 0; i < plan->n; i++) {
        choose(context, order[i], target->start, &budget, &plan->table[i]);
        covered = covered && table_coord_covers(context->puzzle, order[i], target->start);
    }
    if (covered)
        choose_products(context, target->n, &budget, plan);
    estimate(context, target->structures, target->n, target->is_cycle_job, plan);
}
