/*
 * search_walk_inl.h - the expansion loop, written once over inline primitives and compiled per
 * representation and instruction set: "choose at the loop, not at the operation". A kernel's file
 * calls search_walk_loop with its own inline primitives; being constants, they are inlined into the
 * loop.
 *
 * A node is a state that was composed. Its bound is compared with the moves that are left:
 *
 *     bound > left        the child is pruned
 *     bound > left + 2    so is its parent (pathmax: one move changes a true distance by at most
 * one), and with it the child's remaining siblings
 */
#ifndef CORE_SEARCH_SEARCH_WALK_INL_H
#define CORE_SEARCH_SEARCH_WALK_INL_H

#include "core/search/search_walk.h"

/* Takes the least move out of the set; -1: it is empty. */
BASE_INLINE int walk_take_move(struct canon_moves *todo)
{
    for (unsigned w = 0; w < BASE_COUNT(todo->bits); w++)
        if (todo->bits[w]) {
            int move = (int)(64 * w) + __builtin_ctzll(todo->bits[w]);
            todo->bits[w] &= todo->bits[w] - 1;
            return move;
        }
    return -1;
}

/* What a kernel knows of its states. A frame holds a state and, behind it, its inverse. */
struct search_primitives {
    size_t state_bytes;
    /* child = parent * move, with its inverse */
    void (*child)(const struct search_problem *problem, const uint8_t *parent, unsigned move,
                  uint8_t *child);
    /* The largest bound of the tables, or the first that is above `left`. */
    unsigned (*bound)(const struct search_problem *problem, const uint8_t *child, unsigned left);
};

BASE_INLINE enum search_walk_result search_walk_loop(struct search_walk *walk, uint64_t budget,
                                                     const struct search_primitives primitives)
{
    const size_t frame_bytes = 2 * primitives.state_bytes;
    const struct search_problem *problem = walk->problem;
    uint64_t end = walk->nodes + budget;
    unsigned at = walk->at;
    enum search_walk_result result = SEARCH_WALK_PAUSED;
    while (walk->nodes < end) {
        struct search_frame *frame = &walk->frame[at];
        int move = walk_take_move(&frame->todo);
        if (move < 0) {
            if (at == walk->base) {
                result = SEARCH_WALK_DONE;
                break;
            }
            at--;
            continue;
        }
        uint8_t *states = walk->states + at * frame_bytes;
        unsigned left = walk->length - at - 1;
        walk->nodes++;
        walk->word[at] = (uint8_t)move;
        primitives.child(problem, states, (unsigned)move, states + frame_bytes);
        unsigned bound = primitives.bound(problem, states + frame_bytes, left);
        if (bound > left) {
            if (bound > left + 2)
                frame->todo = (struct canon_moves){{0}};
            continue;
        }
        if (left == 0) {
            walk->at = at + 1;
            if (search_walk_visit_leaf(walk)) {
                result = SEARCH_WALK_ENDED;
                break;
            }
            continue;
        }
        search_walk_enter(walk, ++at, (unsigned)move);
    }
    walk->at = at;
    return result;
}

#endif
