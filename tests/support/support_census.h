/*
 * support_census.h - feasibility and counts of states against all states of a puzzle.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CENSUS_H
#define TESTS_SUPPORT_SUPPORT_CENSUS_H

#include <stddef.h>

#include "core/puzzle/puzzle.h"

/* That the moves reach so many positions, and that the structures listed as feasible are those that
 * positions have, each with as many states as there are. Releases the puzzle. */
void support_census_check(struct puzzle *puzzle, size_t positions);

#endif
