/*
 * search_cube3_inl.h - the primitives of the expansion loop for the 3x3x3 in a register. Included
 * by one file per instruction set, which is compiled with its flags.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_INL_H
#define CORE_SEARCH_SEARCH_CUBE3_INL_H

#include "core/cube3/cube3_inl.h"
#include "core/search/search_walk_inl.h"

static inline void search_cube3_set_root(const struct search_problem *problem, const uint8_t *state,
                                         uint8_t *at)
{
    uint8_t inverse[PERM_MAX_BYTES];
    struct cube3 *cube = (struct cube3 *)(void *)at;
    perm_invert(problem->shape, state, inverse);
    cube3_from_state(problem->shape, state, &cube[0]);
    cube3_from_state(problem->shape, inverse, &cube[1]);
}

/* child = state * m; its inverse is (1/m) * (1/state). */
BASE_INLINE void search_cube3_child(const struct search_problem *problem, const uint8_t *parent,
                                    unsigned move, uint8_t *child)
{
    const struct cube3 *from = (const struct cube3 *)(const void *)parent;
    struct cube3 *to = (struct cube3 *)(void *)child;
    cube3_compose(&from[0], &problem->cube3_moves[move], &to[0]);
    cube3_compose(&problem->cube3_moves[problem->n_moves + move], &from[1], &to[1]);
}

BASE_INLINE unsigned search_cube3_ask_subsets(const struct table *table, const struct cube3 *cubes,
                                              unsigned left)
{
    const struct table_questions_cube3 *questions = table->cube3;
    unsigned bound = 0;
    for (unsigned q = 0; q < 2 * questions->n_subsets && bound <= left; q++) {
        uint64_t index = cube3_subset_index(&questions->subset[q >> 1], &cubes[q & 1]);
        unsigned answer = table_entry_bound(table->entries[index]);
        if (answer > bound)
            bound = answer;
    }
    return bound;
}

/* Exact tables come first: one question, and the answer for the inverse is the same. */
BASE_INLINE unsigned search_cube3_bound(const struct search_problem *problem, const uint8_t *child,
                                        unsigned left)
{
    const struct cube3 *cubes = (const struct cube3 *)(const void *)child;
    unsigned bound = 0;
    for (unsigned t = 0; t < problem->n_tables && bound <= left; t++) {
        const struct table *table = problem->table[t];
        unsigned answer;
        if (table->cube3->is_exact)
            answer = table_entry_bound(
                table->entries[cube3_exact_index(&table->cube3->exact, &cubes[0])]);
        else
            answer = search_cube3_ask_subsets(table, cubes, left);
        if (answer > bound)
            bound = answer;
    }
    return bound;
}

BASE_INLINE enum search_walk_result search_cube3_run(struct search_walk *walk, uint64_t budget)
{
    return search_walk_loop(
        walk, budget,
        (struct search_primitives){CUBE3_BYTES, search_cube3_child, search_cube3_bound});
}

#endif
