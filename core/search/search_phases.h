/*
 * search_phases.h - solutions of the 3x3x3 in two phases, after Kociemba: first into the subgroup
 * of the moves that turn two opposite faces by any amount and the others by half turns, then by
 * those moves alone. Words of some twenty moves come within milliseconds, however far the start is.
 *
 *     s  --- at most 12 moves --->  subgroup  --- at most 18 of its moves --->  solved
 *        twist, flip, middle slice            corners, edges outside and in the slice
 *
 * The tables (4 MB of distances, 3 MB of moves) are those of the moves, not of a job: an engine has
 * them once. They are made in small steps by whoever wants them next.
 */
#ifndef CORE_SEARCH_SEARCH_PHASES_H
#define CORE_SEARCH_SEARCH_PHASES_H

#include "core/search/search_problem.h"

struct search_phases;

/* New, to be made. NULL: out of memory. */
struct search_phases *search_phases_new(void);
void search_phases_free(struct search_phases *phases); /* NULL is allowed */

/* Does it serve this problem? The 3x3x3 with all its face turns, a start that is not a target. */
bool search_phases_fits(const struct search_problem *problem);

enum search_phases_state { SEARCH_PHASES_GROWING, SEARCH_PHASES_READY, SEARCH_PHASES_FAILED };

enum search_phases_state search_phases_state(const struct search_phases *phases);

/* Makes the tables for some microseconds, unless another thread does. `puzzle` is one that fits. */
enum search_phases_state search_phases_make(struct search_phases *phases,
                                            const struct puzzle *puzzle);

/* One try for a word of at most `most` moves (<= PUZZLE_MAX_WORD - 1) from a state to the solved
 * one. The tables are ready. */
struct search_phases_try {
    const struct search_problem *problem;
    const uint8_t *state;
    uint64_t number; /* of the try: the order of moves, and which axis is taken, follow from it */
    uint64_t nodes;  /* after so many it is given up */
    unsigned most;
};

/* The length of the word; negative: none was found. */
int search_phases_try(const struct search_phases *phases, const struct search_phases_try *task,
                      uint8_t word[PUZZLE_MAX_WORD]);

#endif
