/*
 * search_walk_generic.c - the expansion loop over byte arrays, for any puzzle.
 */
#include <string.h>

#include "core/search/search_walk_inl.h"

enum { STATE_BYTES = PERM_MAX_BYTES };

static void walk_set_root(const struct search_problem *problem, const uint8_t *state, uint8_t *at)
{
    memcpy(at, state, problem->shape->bytes);
    perm_invert(problem->shape, state, at + STATE_BYTES);
}

/* child = state * m; its inverse is (1/m) * (1/state). */
BASE_INLINE void walk_child(const struct search_problem *problem, const uint8_t *parent,
                            unsigned move, uint8_t *child)
{
    const struct puzzle_move *m = puzzle_move_at(problem->puzzle, move);
    const struct puzzle_move *inverse = puzzle_move_at(problem->puzzle, m->inverse);
    perm_compose(problem->shape, parent, m->transform, child);
    perm_compose(problem->shape, inverse->transform, parent + STATE_BYTES, child + STATE_BYTES);
}

/* The largest bound of the tables, or the first that is above `left`. */
static unsigned child_bound(struct search_walk *walk, const uint8_t *child, unsigned left)
{
    const struct search_problem *problem = walk->problem;
    unsigned bound = 0;
    for (unsigned t = 0; t < problem->n_tables && bound <= left; t++) {
        unsigned answer = table_bound(problem->table[t], child, child + STATE_BYTES);
        walk->asked[t]++;
        if (answer > bound)
            bound = answer;
    }
    return bound;
}

BASE_INLINE void walk_prune(struct search_walk *walk, const uint8_t *parent, unsigned left,
                            struct canon_moves *moves)
{
    const struct search_problem *problem = walk->problem;
    uint8_t child[2 * STATE_BYTES];
    for (unsigned m = 0; m < problem->n_moves; m++) {
        if (!canon_moves_has(moves, m))
            continue;
        walk_child(problem, parent, m, child);
        unsigned bound = child_bound(walk, child, left);
        if (bound > left || (left == 0 && !search_problem_may_be_target(problem, child)))
            moves->bits[m >> 6] &= ~((uint64_t)1 << (m & 63));
        if (bound > left + 2) {
            *moves = (struct canon_moves){{0}};
            return;
        }
    }
}

static enum search_walk_result walk_run(struct search_walk *walk, uint64_t budget)
{
    return search_walk_loop(walk, budget,
                            (struct search_primitives){STATE_BYTES, walk_child, walk_prune});
}

const struct search_kernel search__kernel_generic = {
    .name = "generic", .state_bytes = STATE_BYTES, .set_root = walk_set_root, .run = walk_run};
