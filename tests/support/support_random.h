/*
 * support_random.h - repeatable random numbers, words and states for tests.
 */
#ifndef TESTS_SUPPORT_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_SUPPORT_RANDOM_H

#include <stdint.h>

#include "core/puzzle/puzzle.h"

struct support_random {
    uint64_t state; /* any number but 0 */
};

/* A number below `limit`, which is at least 1. */
unsigned support_random_below(struct support_random *random, unsigned limit);

void support_random_word(struct support_random *random, const struct puzzle *puzzle, uint8_t *word,
                         unsigned length);

/* A state that moves reach. */
void support_random_state(struct support_random *random, const struct puzzle *puzzle,
                          uint8_t *state);

/* Any arrangement of the right shape, whether moves reach it or not. */
void support_random_arrangement(struct support_random *random, const struct perm_shape *shape,
                                uint8_t *state);

/* Puts `count` numbers into random order. */
void support_random_shuffle(struct support_random *random, unsigned *numbers, unsigned count);

#endif
