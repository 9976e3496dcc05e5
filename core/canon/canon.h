/*
 * canon.h - the canonical-sequence machine of a move set.
 *
 * Two words are the same *trace* if swapping neighbours that commute leads from one to the
 * other. The machine accepts exactly one word per trace, the lexicographically least (by move
 * index), and no word in which two moves of one family meet and could be one move, or none.
 *
 * A state of the machine is the set F of moves that may not come next. After move g it becomes
 *
 *     F' = { m : m commutes with g, and m in F or m < g }  u  { m : m merges with g }
 *
 * which is the automaton of the lexicographic normal form of a trace monoid (Anisimov and Knuth
 * 1979); the commuting relation need not be transitive.
 */
#ifndef CORE_CANON_CANON_H
#define CORE_CANON_CANON_H

#include <stdbool.h>
#include <stdint.h>

#include "core/puzzle/puzzle.h"

enum { CANON_FREE = 0, CANON_MAX_STATES = 8192 };

/* A set of moves. */
struct canon_moves {
    uint64_t bits[PUZZLE_MAX_MOVES / 64];
};

static inline bool canon_moves_has(const struct canon_moves *set, unsigned move)
{
    return set->bits[move >> 6] >> (move & 63) & 1;
}

struct canon {
    unsigned n_moves;
    unsigned n_states;
    struct canon_moves *allowed;  /* [state]: the moves that may come next */
    uint16_t *next;               /* [state * n_moves + move] */
    uint16_t *after;              /* [move]: nothing is forbidden but what merges with `move` */
    struct canon_moves *commutes; /* [move] */
};

/* New. BASE_ERR_NOMEM; BASE_ERR_TOO_LARGE: the move set needs more than CANON_MAX_STATES states. */
int canon_new(const struct puzzle *puzzle, struct canon **out);
void canon_free(struct canon *canon);

/* State after `move` in `state`; the move must be allowed there. */
static inline unsigned canon_next(const struct canon *canon, unsigned state, unsigned move)
{
    return canon->next[state * canon->n_moves + move];
}

static inline bool canon_allows(const struct canon *canon, unsigned state, unsigned move)
{
    return canon_moves_has(&canon->allowed[state], move);
}

static inline bool canon_commute(const struct canon *canon, unsigned a, unsigned b)
{
    return canon_moves_has(&canon->commutes[a], b);
}

/* Is the word accepted from the free state? */
bool canon_accepts(const struct canon *canon, const uint8_t *word, unsigned length);

/* Puts the word into its lexicographic normal form in place. Moves are not merged. */
void canon_normalise(const struct canon *canon, uint8_t *word, unsigned length);

/* words[length], length < n: words that the machine accepts; far out, and without memory, by their
 * growth alone. */
void canon_count_words(const struct canon *canon, unsigned n, double *words);

/* Moves that follow on average: the factor by which accepted words outnumber those that are one
 * move shorter. Above 1. */
double canon_growth(const struct canon *canon);

#endif
