/*
 * search_cube3_leaves_inl.h - the last level of a walk where no table is asked: the structures of
 * the leaves are read, many at once, and say all that there is to know. A part of
 * search_cube3_inl.h.
 */
#ifndef CORE_SEARCH_SEARCH_CUBE3_LEAVES_INL_H
#define CORE_SEARCH_SEARCH_CUBE3_LEAVES_INL_H

#include "core/cube3/cube3_inl.h"
#include "core/search/search_walk_inl.h"

/* Has the last level nothing to ask but what a leaf's structure says? So do tables of cycle
 * structures, but only of one orbit. */
static inline bool search_cube3_reads_leaves(const struct search_problem *problem)
{
    if (!problem->reader)
        return false;
    for (unsigned t = 0; t < problem->n_tables; t++)
        if (problem->table[t]->kind != TABLE_KIND_CYCLE_STRUCTURE)
            return false;
    return true;
}

/* Composes the leaves of as many moves as the batch has room for, and takes these out of `moves`.
 */
BASE_INLINE void search_cube3_fill_batch(struct search_walk *walk, const uint8_t *parent,
                                         struct canon_moves *moves, uint8_t *move_of)
{
    const struct cube3 *by = walk->problem->cube3_moves;
    const struct cube3 *from = (const struct cube3 *)(const void *)parent;
    unsigned n = walk->n_batch;
    for (unsigned w = 0; w < BASE_COUNT(moves->bits); w++) {
        uint64_t rest = moves->bits[w];
        for (; rest && n < CUBE3_BATCH; rest &= rest - 1) {
            unsigned move = 64 * w + (unsigned)__builtin_ctzll(rest);
            if (move_of)
                move_of[n] = (uint8_t)move;
            cube3_compose_to_batch(from, &by[move], &walk->batch, n++);
        }
        moves->bits[w] = rest;
    }
    walk->n_batch = n;
}

static inline void search_cube3_read_batch(struct search_walk *walk, uint32_t *number)
{
    const struct search_problem *problem = walk->problem;
    problem->reader->read(problem->context->structures, &walk->batch, walk->n_batch, number);
}

/* Hands on the structures that are in the batch. */
static inline void search_cube3_hand_on(struct search_walk *walk)
{
    uint32_t number[CUBE3_BATCH];
    if (walk->n_batch == 0)
        return;
    search_cube3_read_batch(walk, number);
    walk->leaf.read(walk->leaf.arg, number, walk->n_batch);
    walk->n_batch = 0;
}

/* The leaves of one parent after the other go into the batch, until it is full. */
BASE_INLINE void search_cube3_collect_leaves(struct search_walk *walk, const uint8_t *parent,
                                             struct canon_moves *moves)
{
    for (;;) {
        search_cube3_fill_batch(walk, parent, moves, NULL);
        if (walk->n_batch < CUBE3_BATCH)
            return;
        search_cube3_hand_on(walk);
    }
}

/* Leaves only the moves that lead to a target. */
BASE_INLINE void search_cube3_judge_leaves(struct search_walk *walk, const uint8_t *parent,
                                           struct canon_moves *moves)
{
    const uint64_t *is_target = walk->problem->is_target;
    struct canon_moves rest = *moves;
    uint8_t move_of[CUBE3_BATCH];
    uint32_t number[CUBE3_BATCH];
    *moves = (struct canon_moves){{0}};
    for (;;) {
        search_cube3_fill_batch(walk, parent, &rest, move_of);
        if (walk->n_batch == 0)
            return;
        search_cube3_read_batch(walk, number);
        for (unsigned i = 0; i < walk->n_batch; i++) {
            uint64_t bit = is_target[number[i] / 64] >> number[i] % 64 & 1;
            moves->bits[move_of[i] >> 6] |= bit << (move_of[i] & 63);
        }
        walk->n_batch = 0;
    }
}

/* Judges the children of a frame at the last level of such a walk. */
static inline void search_cube3_prune_leaves(struct search_walk *walk, const uint8_t *parent,
                                             struct canon_moves *moves)
{
    if (walk->leaf.read)
        search_cube3_collect_leaves(walk, parent, moves);
    else if (walk->problem->is_target)
        search_cube3_judge_leaves(walk, parent, moves);
}

#endif
