/*
 * support_word.h - move words in tests, as one writes them: "R U R' U'".
 */
#ifndef TESTS_SUPPORT_SUPPORT_WORD_H
#define TESTS_SUPPORT_SUPPORT_WORD_H

#include <stdint.h>

#include "core/puzzle/puzzle.h"

enum { SUPPORT_MAX_WORD = 256 };

/* Move indices of names separated by spaces; returns their number. Fails the running test if a name
 * is not a move of the puzzle or the word is too long. */
unsigned support_word_parse(const struct puzzle *puzzle, const char *text,
                            uint8_t word[SUPPORT_MAX_WORD]);

/* The state after that word from solved. */
void support_word_state(const struct puzzle *puzzle, const char *text, uint8_t *state);

/* The built-in of that name (new); fails the running test if there is none. */
struct puzzle *support_builtin(const char *name);

#endif
