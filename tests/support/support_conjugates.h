/*
 * support_conjugates.h - the graph of cycle structures of a small orbit by brute force: all
 * arrangements, all conjugates of all moves, no theory of cycles.
 */
#ifndef TESTS_SUPPORT_SUPPORT_CONJUGATES_H
#define TESTS_SUPPORT_SUPPORT_CONJUGATES_H

#include "core/cycle/cycle.h"

enum { SUPPORT_CONJUGATES_MAX = 256 };

struct support_conjugates {
    unsigned n; /* structures of the orbit */
    struct cycle_structure structure[SUPPORT_CONJUGATES_MAX];
    bool adjacent[SUPPORT_CONJUGATES_MAX][SUPPORT_CONJUGATES_MAX];
};

/* New, of the only orbit of a puzzle with at most a million arrangements, all slots movable. Free
 * with free(). Fails the running test if it is too large. */
struct support_conjugates *support_conjugates_new(const struct puzzle *puzzle);

/* distance[i] from the nearest of the marked structures, UINT8_MAX if none is in reach. */
void support_conjugates_distances(const struct support_conjugates *graph, const bool *marked,
                                  uint8_t *distance);

#endif
