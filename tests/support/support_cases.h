/*
 * support_cases.h - the JSON files of tests/data. Tests run from the root of the repository.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CASES_H
#define TESTS_SUPPORT_SUPPORT_CASES_H

#include <jansson.h>

#include "tests/support/support_engine.h"

/* All fail the running test when the file is not as it should be. New; free with json_decref. */
json_t *support_cases_open(const char *path);

/* The members called like the orbits, lists of [length, oriented]. */
struct cycle_structure support_cases_structure(const struct puzzle *puzzle, const json_t *object);

unsigned support_cases_number(const json_t *object, const char *name);
const char *support_cases_text(const json_t *object, const char *name);

/* The word of the member "moves" has the object's structure, and "order" is its order. */
void support_cases_word(const struct puzzle *puzzle, const json_t *object);

/* Finds all solutions of the object's structure and compares length and counts. */
void support_cases_check(struct support_engine *here, const struct puzzle *puzzle,
                         const json_t *object, unsigned length, unsigned words, unsigned traces);

/* The same with what "own_bruteforce" says; within so much memory for tables, 0: any. */
void support_cases_check_brute(struct support_engine *here, const struct puzzle *puzzle,
                               const json_t *object, uint64_t memory);

/* The harder cases of cycle_cases_3x3.json, of `least` to `most` moves; returns how many. */
unsigned support_cases_harder(struct support_engine *here, const struct puzzle *cube,
                              unsigned least, unsigned most);

/* The positions of optimal_positions_3x3.json that need `least` to `most` moves: one solution of
 * that length each. Returns how many. */
unsigned support_cases_positions(struct support_engine *here, const struct puzzle *cube,
                                 unsigned least, unsigned most);

#endif
