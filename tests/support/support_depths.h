/*
 * support_depths.h - brute force over all positions of a small puzzle: how many need each number of
 * moves.
 *
 * Every orbit is split into where its pieces are and how they are turned. A move acts on either by
 * itself, so each is a coordinate of its own with a table of moves, and the search marks tuples of
 * coordinates.
 */
#ifndef TESTS_SUPPORT_SUPPORT_DEPTHS_H
#define TESTS_SUPPORT_SUPPORT_DEPTHS_H

#include <stdint.h>

#include "core/puzzle/puzzle.h"

enum { SUPPORT_MAX_DEPTH = 30 };

/* count[d]: positions d moves from solved. Returns how many depths there are. Fails the running
 * test if the tuples are more than 2^26. */
unsigned support_depths(const struct puzzle *puzzle, uint64_t count[SUPPORT_MAX_DEPTH]);

#endif
