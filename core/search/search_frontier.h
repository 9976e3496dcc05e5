/*
 * search_frontier.h - the prefixes that a depth is cut into: the tasks of PMIDA*.
 *
 *   window   one representative of every class of k moves; the task's rank prunes below it
 *   plain    canonical words of a few moves; where symmetries keep the job, only those that no
 * symmetry makes smaller (search notes, "Scramble jobs")
 */
#ifndef CORE_SEARCH_SEARCH_FRONTIER_H
#define CORE_SEARCH_SEARCH_FRONTIER_H

#include "core/search/search_walk.h"

struct search_frontier {
    const struct sym_window *window; /* NULL: plain */
    unsigned prefix_length;
    uint32_t count;
    uint8_t *prefix; /* [count * prefix_length], owned */
    uint16_t *canon; /* [count]: state of the machine after it, owned */
};

/* BASE_ERR_NOMEM. */
int search_frontier_init_window(struct search_frontier *frontier,
                                const struct search_problem *problem);
/* For words of `length` moves. */
int search_frontier_init_plain(struct search_frontier *frontier,
                               const struct search_problem *problem, unsigned length);
void search_frontier_deinit(struct search_frontier *frontier);

/* What a walk over words of `length` moves starts from; length >= prefix_length. */
void search_frontier_root(const struct search_frontier *frontier, uint32_t task, unsigned length,
                          struct search_root *root);

#endif
