/*
 * search_plan.h - which tables a job uses within its memory, and why.
 */
#ifndef CORE_SEARCH_SEARCH_PLAN_H
#define CORE_SEARCH_SEARCH_PLAN_H

#include "core/search/search_context.h"

enum { SEARCH_PLAN_MAX = 8, SEARCH_PLAN_NO_TABLE = 255 };

struct search_plan_table {
    unsigned orbit;
    unsigned k;     /* 0: exact; SEARCH_PLAN_NO_TABLE: none fits; else a subset of so many pieces */
    uint64_t bytes; /* what it takes of the memory limit */
    char why[160];
};

struct search_plan {
    unsigned n;
    struct search_plan_table table[SEARCH_PLAN_MAX];
    unsigned estimated_length; /* where words outnumber what the target's share leaves */
    double estimated_nodes;    /* of the plain search, up to that length, without tables */
};

/* Within `memory` bytes. `footprint` says what a table of so many bytes takes of it. */
void search_plan_make(const struct search_context *context, const struct cycle_structure *targets,
                      size_t n, bool is_cycle_job, uint64_t memory,
                      uint64_t (*footprint)(const void *arg, uint64_t bytes), const void *arg,
                      struct search_plan *plan);

#endif
