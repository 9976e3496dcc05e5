/*
 * search_walk_inl.h - the expansion loop, written once over inline primitives and compiled per
 * representation and instruction set: "choose at the loop, not at the operation". A kernel's file
 * calls search_walk_loop with its own inline primitives; being constants, they are inlined into the
 * loop.
 *
 * All children of a frame are made and judged together when it is entered: question by question,
 * first the addresses of all (prefetched), then the answers, so that a table in memory answers
 * fifteen children in little more than the time of one. A node is a state that was composed. Its
 * bound is compared with the moves that are left:
 *
 *     bound > left        the child is pruned
 *     bound > left + 2    so is its parent (pathmax: one move changes a true distance by at most
 * one), and with it all its children
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
    /* Takes out of `moves` those whose child cannot reach the target in `left` moves. */
    void (*prune)(struct search_walk *walk, const uint8_t *parent, unsigned left,
                  struct canon_moves *moves);
};

BASE_INLINE unsigned walk_count_moves(const struct canon_moves *moves)
{
    unsigned count = 0;
    for (unsigned w = 0; w < BASE_COUNT(moves->bits); w++)
        count += (unsigned)__builtin_popcountll(moves->bits[w]);
    return count;
}

/* Judges the children of a frame that has just been entered. */
BASE_INLINE void walk_judge(struct search_walk *walk, unsigned at,
                            const struct search_primitives primitives)
{
    struct search_frame *frame = &walk->frame[at];
    walk->nodes += walk_count_moves(&frame->todo);
    primitives.prune(walk, walk->states + at * 2 * primitives.state_bytes, walk->length - at - 1,
                     &frame->todo);
    frame->judged = true;
}

BASE_INLINE enum search_walk_result search_walk_loop(struct search_walk *walk, uint64_t budget,
                                                     const struct search_primitives primitives)
{
    const size_t frame_bytes = 2 * primitives.state_bytes;
    const uint64_t end = walk->nodes + budget;
    unsigned at = walk->at;
    enum search_walk_result result = SEARCH_WALK_PAUSED;
    while (walk->nodes < end) {
        struct search_frame *frame = &walk->frame[at];
        if (!frame->judged)
            walk_judge(walk, at, primitives);
        int move = walk_take_move(&frame->todo);
        if (move < 0) {
            if (at == walk->base) {
                result = SEARCH_WALK_DONE;
                break;
            }
            at--;
            continue;
        }
        walk->word[at] = (uint8_t)move;
        if (at + 1 == walk->length) {
            walk->at = at + 1;
            if (search_walk_visit_leaf(walk)) {
                result = SEARCH_WALK_ENDED;
                break;
            }
            continue;
        }
        uint8_t *states = walk->states + at * frame_bytes;
        primitives.child(walk->problem, states, (unsigned)move, states + frame_bytes);
        search_walk_enter(walk, ++at, (unsigned)move);
    }
    walk->at = at;
    return result;
}

#endif
