/*
 * support_order.h - the order of the group that the moves of a puzzle generate, by Schreier and
 * Sims: the moves as permutations of all (slot, orientation) pairs, and a chain of stabilisers.
 *
 * The chain is filled by random products, so the order is never too large, and too small with a
 * probability of 2^-30 at most. An upper bound, such as the count of positions that the invariants
 * allow, makes it certain.
 */
#ifndef TESTS_SUPPORT_SUPPORT_ORDER_H
#define TESTS_SUPPORT_SUPPORT_ORDER_H

#include "core/puzzle/puzzle.h"

enum { SUPPORT_ORDER_BYTES = 600 };

void support_order(const struct puzzle *puzzle, char decimal[SUPPORT_ORDER_BYTES]);

#endif
