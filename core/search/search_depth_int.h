/*
 * search_depth_int.h - a depth under way, and what others see of it. A part of search_job_int.h.
 */
#ifndef CORE_SEARCH_SEARCH_DEPTH_INT_H
#define CORE_SEARCH_SEARCH_DEPTH_INT_H

#include "core/search/search_branch.h"
#include "core/search/search_frontier.h"

struct search_depth {
    const struct search_frontier *frontier;
    unsigned length;
    uint32_t *order;              /* [i]: the task that is i-th to be taken */
    uint64_t *task_nodes;         /* [task]: of this depth */
    double *task_weight;          /* [task]: expected share of the work */
    uint32_t taken;               /* tasks handed out */
    struct search_branch *branch; /* what is left of other tasks, from a checkpoint; owned */
    uint32_t n_branches, branches_taken;
    uint32_t open;                     /* walks, tasks and branches not done */
    uint64_t asked[SEARCH_MAX_TABLES]; /* questions to each of the problem's tables */
    uint64_t began_ns, began_nodes;    /* 0 ns: there is no depth yet */
    uint64_t spent_ns;                 /* before `began_ns`, by who wrote the checkpoint */
    bool other_tables;  /* tables have come since it began: its nodes predict nothing */
    double worth_nodes; /* with so many nodes the next table is worth its fill */
};

/* A complete depth that has not been told yet. */
struct search_held_depth {
    unsigned length, lower_bound;
    uint64_t nodes;
    double seconds;
};

/* What others may look at while a step changes the job; copied by search__job_publish. */
struct search_view {
    unsigned depth, lower_bound;
    uint64_t spent_ns, began_ns, depth_spent_ns, depth_began_ns, depth_began_nodes;
};

/* Are there walks to be started? */
static inline bool search_depth_has_more(const struct search_depth *depth)
{
    return depth->branches_taken < depth->n_branches || depth->taken < depth->frontier->count;
}

#endif
