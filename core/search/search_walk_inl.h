/*
 * search_walk_inl.h - the expansion loop, written once over inline primitives and compiled per
 * representation and instruction set: "choose at the loop, not at the operation". A kernel's file
 * calls search_walk_loop with its own inline primitives; being constants, they are inlined into the
 * loop.
 *
 * All children of a frame are made and judged together when it is entered: question by question,
 * first the addresses of all (prefetched), then the answers, so that a table in memory answers
 * fifteen children in little more than the time of one. A node is a child that machine and rule
 * allow, which is composed unless it is a leaf whose windows around the end exclude it. Its bound
 * is compared with the moves that are left:
 *
 *     bound > left        the child is pruned
 *     bound > left + 2    so is its parent (pathmax: one move changes a true distance by at most
 * one), and with it all its children
 */
#ifndef CORE_SEARCH_SEARCH_WALK_INL_H
#define CORE_SEARCH_SEARCH_WALK_INL_H

#include "core/search/search_walk.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* ---- moves that the rule allows ------------------------------------------------------------ */

enum { WALK_RANKS = 32 }; /* are compared at once, which the padding of window ranks allows for */

/* One bit for each of so many ranks: is it at least `least`? */
BASE_INLINE uint32_t walk_compare_ranks(const uint16_t *rank, unsigned n, unsigned least)
{
    uint32_t bits = 0;
#if defined(__AVX512BW__)
    bits = _mm512_cmpge_epu16_mask(_mm512_loadu_si512(rank), _mm512_set1_epi16((short)least));
#elif defined(__AVX2__)
    const __m256i bound = _mm256_set1_epi16((short)least);
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)rank);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(rank + 16));
    low = _mm256_cmpeq_epi16(_mm256_max_epu16(low, bound), low);
    high = _mm256_cmpeq_epi16(_mm256_max_epu16(high, bound), high);
    __m256i both = _mm256_permute4x64_epi64(_mm256_packs_epi16(low, high), 0xd8);
    bits = (uint32_t)_mm256_movemask_epi8(both);
#else
    for (unsigned m = 0; m < n; m++)
        bits |= (uint32_t)(rank[m] >= least) << m;
#endif
    return n < WALK_RANKS ? bits & ((1u << n) - 1) : bits;
}

/* Takes out of the set the moves whose rank is below `least`. */
BASE_INLINE void walk_keep_ranks(const uint16_t *rank, unsigned n_moves, unsigned least,
                                 struct canon_moves *moves)
{
    if (BASE_LIKELY(n_moves <= WALK_RANKS)) {
        moves->bits[0] &= walk_compare_ranks(rank, n_moves, least);
        return;
    }
    for (unsigned m = 0; m < n_moves; m += WALK_RANKS) {
        unsigned n = n_moves - m < WALK_RANKS ? n_moves - m : (unsigned)WALK_RANKS;
        uint64_t below = ~walk_compare_ranks(rank + m, n, least);
        moves->bits[m >> 6] &= ~(below << (m & 63));
    }
}

/* Sets the moves that machine and rule allow in a frame whose canon and row are set. */
BASE_INLINE void walk_set_todo(const struct search_walk *walk, struct search_frame *frame)
{
    const struct sym_window *window = walk->window;
    frame->todo = walk->problem->context->canon->allowed[frame->canon];
    frame->judged = false;
    if (window)
        walk_keep_ranks(window->rank + (size_t)frame->row * window->n_moves, window->n_moves,
                        walk->least, &frame->todo);
}

/* Enters the frame of a word whose last move has just been set. */
BASE_INLINE void walk_enter(struct search_walk *walk, unsigned at)
{
    const struct search_frame *parent = &walk->frame[at - 1];
    const struct sym_window *window = walk->window;
    const unsigned move = walk->word[at - 1];
    struct search_frame *frame = &walk->frame[at];
    frame->canon = (uint16_t)canon_next(walk->problem->context->canon, parent->canon, move);
    /* As sym_window_shift, but the move that drops out is known: no division. */
    if (window)
        frame->row =
            parent->row * window->n_moves + move - walk->word[at - window->k] * window->n_rows;
    walk_set_todo(walk, frame);
}

/* Takes out of the last moves of a word those that make a window around its end whose rank is too
 * low. The fewer of the window's moves are the word's first, the more are its last. */
BASE_INLINE void walk_keep_wrapping(const struct search_walk *walk, struct canon_moves *moves)
{
    const struct sym_window *window = walk->window;
    const uint8_t *letter = walk->word + walk->length - 1;
    size_t row = 0, scale = window->n_moves;
    for (unsigned j = window->k - 1; j > 0; j--) {
        walk_keep_ranks(walk->wrap[j] + row, window->n_moves, walk->least, moves);
        row += *--letter * scale;
        scale *= window->n_moves;
    }
}

/* ---- the loop ------------------------------------------------------------------------------ */

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
    if (walk->window && at + 1 == walk->length)
        walk_keep_wrapping(walk, &frame->todo);
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
            if (search_walk_found(walk)) {
                result = SEARCH_WALK_ENDED;
                break;
            }
            continue;
        }
        uint8_t *states = walk->states + at * frame_bytes;
        primitives.child(walk->problem, states, (unsigned)move, states + frame_bytes);
        walk_enter(walk, ++at);
    }
    walk->at = at;
    return result;
}

#endif
