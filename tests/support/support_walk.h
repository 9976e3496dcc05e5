/*
 * support_walk.h - walks over all roots of a search, for tests: problems without a job, the roots
 * of the window rule, and what was visited.
 */
#ifndef TESTS_SUPPORT_SUPPORT_WALK_H
#define TESTS_SUPPORT_SUPPORT_WALK_H

#include "core/search/search_branch.h"

enum support_kernel {
    SUPPORT_KERNEL_GENERIC,
    SUPPORT_KERNEL_PORTABLE,
    SUPPORT_KERNEL_AVX2,
    SUPPORT_KERNEL_COUNT
};

/* A problem without tables, from the solved state. */
struct support_setting {
    struct search_context *context;
    struct search_problem problem;
    uint8_t solved[PERM_MAX_BYTES];
};

/* `target` is borrowed; NULL: none, every leaf is visited. No kernel is chosen yet. */
void support_setting_init(struct support_setting *setting, const struct puzzle *puzzle,
                          const struct cycle_structure *target);
void support_setting_deinit(struct support_setting *setting);

/* Prepares the problem for this kernel (generic only where the puzzle fits no register). False:
 * the processor does not have it. */
bool support_walk_choose(struct search_problem *problem, enum support_kernel kernel);

/* From now on leaves are not judged by themselves. For a problem without targets, or a copy of one
 * that is left as it is. */
void support_walk_visit_all(struct search_problem *problem);

/* The best kernel that there is. */
void support_walk_choose_best(struct search_problem *problem);

/* What a run is to do with each leaf (`each` may be NULL), or if `read` is set with the numbers of
 * leaves' structures, and what it did. */
struct support_run {
    const struct search_problem *problem;
    void (*each)(void *arg, const struct search_walk *walk);
    void (*read)(void *arg, const uint32_t *number, unsigned count);
    void *arg;
    uint64_t leaves, nodes;
    uint64_t digest; /* of the words in the order of their visits; not of those read */
};

/* Visits leaves on behalf of a run; never ends the walk. */
struct search_leaf support_run_leaf(struct support_run *run);

struct search_walk *support_walk_new(const struct search_problem *problem, struct search_leaf leaf);

/* The root of all canonical words, and that below class c of the window rule. */
struct search_root support_root_plain(unsigned length);
struct search_root support_root_window(const struct search_context *context, unsigned c,
                                       unsigned length);

/* Runs a walk below a root to the end. */
void support_walk_root(struct search_walk *walk, const struct search_root *root);

/* The same in pieces, each of which is written down as branches, and every branch gone on with on
 * the next of the problems, which differ in kernel and tables alone. */
void support_walk_branches(const struct search_problem *const *problems, unsigned n,
                           const struct search_root *root, struct search_leaf leaf);

/* All canonical words of a length; and those that the window rule leaves, which below the window's
 * length are all. */
void support_run_plain(struct support_run *run, unsigned length);
void support_run_window(struct support_run *run, unsigned length);

#endif
